"""All keys in one table: the bindings, the key bar, the help screen and the palette come from it.

Only keys that every terminal sends: letters, digits, arrows, plain control letters. Each has an id
under which a user may bind other keys.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True)
class Key:
    """id: ``scope.name``; keys: as Textual names them, with commas; bar: place in the key bar,
    lower stays longer when it is narrow, 0 is not shown; shown: the keys as people write them."""

    id: str
    keys: str
    action: str
    words: str
    shown: str
    bar: int = 0
    priority: bool = False
    brief: str = ""
    """Fewer words, for the key bar."""

    @property
    def scope(self) -> str:
        return self.id.partition(".")[0]


SCOPES = {
    "app": "Everywhere",
    "home": "Home",
    "new": "A new run",
    "run": "Run",
    "replay": "Replay",
    "sample": "A sample",
    "list": "Lists and transcripts",
    "samples": "The list of samples",
    "compare": "A comparison",
    "pair": "Two transcripts",
    "scores": "Scores",
    "human": "Playing by hand",
    "form": "The form of a call",
    "dialog": "Questions",
    "help": "This help",
}

KEYS: tuple[Key, ...] = (
    Key("app.help", "question_mark,f1", "app.help", "help", "?", 90),
    Key("app.palette", "ctrl+p", "app.command_palette", "all commands", "ctrl+p"),
    Key("app.theme", "T", "app.next_theme", "next theme", "T"),
    Key("app.interrupt", "ctrl+c", "app.interrupt", "quit (asks)", "ctrl+c", 0, True),
    Key("app.quit", "ctrl+q", "app.interrupt", "quit (asks)", "ctrl+q"),
    # --- lists
    Key("list.down", "j,down", "cursor(1)", "next", "j ↓"),
    Key("list.up", "k,up", "cursor(-1)", "previous", "k ↑"),
    Key("list.page_down", "ctrl+f,pagedown", "page(1)", "page down", "ctrl+f PgDn"),
    Key("list.page_up", "ctrl+b,pageup", "page(-1)", "page up", "ctrl+b PgUp"),
    Key("list.half_down", "ctrl+d", "page(0.5)", "half a page down", "ctrl+d"),
    Key("list.half_up", "ctrl+u", "page(-0.5)", "half a page up", "ctrl+u"),
    Key("list.home", "g,home", "home", "first", "g Home"),
    Key("list.end", "G,end", "end", "last", "G End"),
    Key("list.open", "enter", "open_block", "open or fold", "enter", 20, brief="open, fold"),
    # --- home
    Key("home.new", "n", "new", "new run", "n", 10),
    Key("home.resume", "r", "resume", "resume", "r", 30),
    Key("home.search", "slash", "search", "search", "/", 35),
    Key("home.edit", "e", "edit", "name", "e", 40),
    Key("home.delete", "d", "delete", "delete", "d", 42),
    Key("home.replay", "p", "replay", "replay", "p", 45),
    Key("home.compare", "c", "compare", "compare", "c", 50),
    Key("home.sort", "s", "sort", "sort", "s", 70),
    Key("home.reverse", "S", "reverse", "turn the order", "S"),
    Key("home.reload", "R", "reload", "read again", "R"),
    Key("home.back", "q,escape", "back", "quit", "q", 95),
    # --- a new run
    Key("new.start", "ctrl+s", "start", "start", "ctrl+s", 10),
    Key("new.back", "escape", "leave", "back", "esc", 95),
    # --- run
    Key("run.follow", "f", "follow", "follow what is active", "f", 30, brief="follow"),
    Key("run.pin", "P", "pin", "pin this sample", "P", 32, brief="pin"),
    Key("run.next_sample", "L,shift+right", "sample(1)", "next sample", "L"),
    Key("run.previous_sample", "H,shift+left", "sample(-1)", "previous sample", "H"),
    Key("run.scores", "m", "scores", "all scores of the run", "m", 22, brief="scores"),
    Key("run.replay", "p", "replay", "replay", "p", 40),
    Key("run.cancel_sample", "x", "cancel_sample", "cancel sample", "x", 24, brief="cancel"),
    Key("run.cancel", "X", "cancel_run", "cancel run", "X", 62),
    Key("run.pause", "z", "pause", "pause or go on", "z"),
    Key("run.resume", "ctrl+r", "resume", "resume the run", "ctrl+r", 18, brief="resume"),
    Key("run.panes", "tab", "other_pane", "samples or transcript", "tab", 15, brief="other pane"),
    Key("run.back", "q,escape", "back", "back", "q", 95),
    # --- list of samples
    Key("samples.filter", "slash", "screen.filter", "filter", "/", 35),
    Key("samples.sort", "s", "screen.sort", "sort", "s", 50),
    Key("samples.reverse", "S", "screen.reverse", "turn the order", "S"),
    # --- a sample
    Key("sample.tab1", "1", "tab(1)", "Transcript", "1"),
    Key("sample.tab2", "2", "tab(2)", "Diff", "2"),
    Key("sample.tab3", "3", "tab(3)", "Tests", "3"),
    Key("sample.tab4", "4", "tab(4)", "Files", "4"),
    Key("sample.tab5", "5", "tab(5)", "Raw", "5"),
    Key("sample.tab6", "6", "tab(6)", "Info", "6"),
    Key("sample.search", "slash", "search", "search", "/", 35),
    Key("sample.next_hit", "n", "hit(1)", "next hit", "n"),
    Key("sample.previous_hit", "N", "hit(-1)", "previous hit", "N"),
    Key("sample.filter", "F", "filter", "kinds of event", "F", 55, brief="kinds"),
    Key("sample.reasoning", "r", "reasoning", "reasoning", "r", 52),
    Key("sample.unfold", "o", "unfold", "open all, fold all", "o", 54, brief="all"),
    Key("sample.next_turn", "right_square_bracket", "turn(1)", "next turn", "]"),
    Key("sample.previous_turn", "left_square_bracket", "turn(-1)", "previous turn", "["),
    Key("sample.copy", "y", "copy", "copy this block", "y", 57, brief="copy"),
    Key("sample.copy_all", "Y", "copy_all", "copy the whole tab", "Y"),
    Key("sample.copy_path", "c", "copy_path", "copy the path", "c"),
    Key("sample.curl", "C", "curl", "copy this turn's request as curl", "C"),
    Key("sample.pager", "v", "pager", "open in the pager", "v", 58, brief="pager"),
    Key("sample.editor", "E", "editor", "open in the editor", "E"),
    # --- replay
    Key("replay.play", "space", "play", "play, pause", "space", 5, brief="play"),
    Key("replay.forward", "l,right", "step(1)", "next event", "l →", 6, brief="next"),
    Key("replay.back", "h,left", "step(-1)", "previous event", "h ←", 7, brief="previous"),
    Key("replay.turn_forward", "full_stop", "step_turn(1)", "a turn on", ".", 25, brief="turn"),
    Key("replay.turn_back", "comma", "step_turn(-1)", "a turn back", ",", 26, brief="turn back"),
    Key("replay.start", "0", "start", "to the start", "0"),
    Key("replay.end", "dollar_sign", "finish", "to the end", "$"),
    Key("replay.error", "e", "mark('error')", "next error", "e", 41, brief="error"),
    Key("replay.edit", "d", "mark('edit')", "next edit", "d", 42, brief="edit"),
    Key("replay.verdict", "V", "mark('verdict')", "verdict", "V", 43),
    Key("replay.faster", "greater_than_sign,plus", "speed(1)", "faster", ">", 44),
    Key("replay.slower", "less_than_sign,minus", "speed(-1)", "slower", "<", 45),
    Key("replay.skip", "w", "skip", "skip waiting", "w", 46, brief="skip"),
    Key("replay.goto", "colon", "goto", "go to 50% or turn 3", ":", 47, brief="go to"),
    Key("replay.next_sample", "L,shift+right", "sample(1)", "next sample", "L"),
    Key("replay.previous_sample", "H,shift+left", "sample(-1)", "previous sample", "H"),
    Key("replay.choose", "t", "choose", "choose a sample", "t"),
    Key("replay.leave", "q,escape", "back", "back", "q", 95),
    # --- a comparison
    Key("compare.same", "a", "same", "all, or differences", "a", 30, brief="all"),
    Key("compare.swap", "x", "swap", "swap", "x", 40),
    Key("compare.copy", "y", "copy", "copy all of it", "y", 50, brief="copy"),
    Key("compare.back", "q,escape", "back", "back", "q", 95),
    Key("pair.other", "tab", "other", "other side", "tab", 15),
    Key("pair.next", "L,shift+right", "task(1)", "next task", "L", 20),
    Key("pair.previous", "H,shift+left", "task(-1)", "previous task", "H", 21),
    Key(
        "pair.turn_forward",
        "right_curly_bracket",
        "both(1)",
        "next turn, both",
        "}",
        25,
        brief="turn",
    ),
    Key(
        "pair.turn_back",
        "left_curly_bracket",
        "both(-1)",
        "previous turn, both",
        "{",
        26,
        brief="turn back",
    ),
    Key("pair.back", "q,escape", "back", "back", "q", 95),
    Key("scores.copy", "y", "copy", "copy all of it", "y", 50, brief="copy"),
    Key("scores.back", "q,escape,m", "back", "back", "q", 95),
    # --- playing by hand
    Key("human.form", "e", "form", "make a call", "e", 5, brief="call"),
    Key("human.send", "ctrl+s", "send", "send the call", "ctrl+s", 6, True, brief="send"),
    Key(
        "human.fill", "ctrl+o", "fill", "take the file's text", "ctrl+o", 7, True, brief="take text"
    ),
    Key("form.leave", "escape", "leave", "to the transcript", "esc", 8, brief="transcript"),
    # --- questions
    Key("dialog.yes", "y", "answer(0)", "the first answer", "y", 10),
    Key("dialog.leave", "escape", "cancel", "never mind", "esc", 95),
    Key("help.back", "escape,q,question_mark,f1", "back", "back", "q", 95),
)
BY_ID = {key.id: key for key in KEYS}


def bindings(scope: str) -> list[BindingType]:
    """The bindings of a scope, for a widget's or a screen's BINDINGS."""
    return [
        Binding(
            key.keys,
            key.action,
            key.words,
            show=bool(key.bar),
            key_display=key.shown,
            id=key.id,
            priority=key.priority,
        )
        for key in KEYS
        if key.scope == scope
    ]
