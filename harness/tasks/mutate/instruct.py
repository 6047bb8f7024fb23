"""Writes the report that a task's model is given, from what the failing tests call and expect."""

from __future__ import annotations

import re

from harness.tasks.mutate.combine import Proposal
from harness.tasks.mutate.facts import Fact, facts_of
from harness.tasks.mutate.registry import kinds
from harness.tasks.mutate.repo import Ground
from harness.tasks.mutate.stream import Stream
from harness.tasks.mutate.voices import VOICES, Voice

HINTED = 0.4  # share of defects whose reporter has something to say of their nature


def report(ground: Ground, proposal: Proposal, stream: Stream) -> str:
    """The instruction of a proposal; the same stream gives the same words."""
    voice = stream.pick(VOICES, "voice")
    facts = [facts_of(ground, single) for single in proposal.singles]
    parts = [_filled(stream.pick(voice.openings, "opening"), ground)]
    told: set[str] = set()
    for number, (single, found) in enumerate(zip(proposal.singles, facts, strict=True)):
        if number:
            parts.append(voice.next[min(number - 1, len(voice.next) - 1)])
        kind = kinds(ground.repository.spec.language)[single.plant.kind]
        hint = ""
        if kind.hints and stream.share("hinted", number) < HINTED:
            hint = stream.pick(kind.hints, "hint", number)
        parts += _section(ground, voice, found, hint, stream, number, told)
    parts.append(stream.pick(voice.endings, "ending"))
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(
    ground: Ground,
    voice: Voice,
    found: list[Fact],
    hint: str,
    stream: Stream,
    number: int,
    told: set[str],
) -> list[str]:
    """What is told of one defect. told: programs that stand in the report already."""
    fact = found[0] if found else Fact("it does not work as the README says", "", "")
    template = stream.pick(voice.tells, "tell", number)
    parts = [_told(ground, template, fact, told)] if fact.whole else [_brief_words(fact)]
    if hint:
        guess = stream.pick(voice.guesses, "guess", number)
        begins = hint if hint.startswith("I ") else hint[0].lower() + hint[1:]
        parts.append(f"{guess} {begins}" if guess else hint)
    more = [each for each in found[1:] if each.words != fact.words]
    brief = [each for each in more if _brief(each)]
    for each in brief[:3]:
        parts.append(f"`{each.call}`: {got(each)}; it should be {want(each)}.")
    rest = sorted({f'"{each.words}"' for each in more if each not in brief[:3]})
    if rest:
        topics = rest[0] if len(rest) == 1 else f"{', '.join(rest[:-1])} and {rest[-1]}"
        parts.append(stream.pick(voice.also, "also", number).format(topics=topics))
    return parts


def _brief_words(fact: Fact) -> str:
    """What is told of a fact that no program shows."""
    return f'It is about "{fact.words}": {got(fact)}.'


def _told(ground: Ground, template: str, fact: Fact, told: set[str]) -> str:
    """One fact in a voice's words."""
    result, wanted = got(fact), want(fact)
    return template.format(
        topic=fact.words,
        topic_c=_capital(fact.words),
        block=_block(ground, fact, told),
        got=result,
        got_c=_capital(result),
        got_s=result,
        want=wanted,
        name=ground.name,
    )


def _block(ground: Ground, fact: Fact, told: set[str]) -> str:
    """The program that shows it, in a fence; a long text that was shown before is not repeated."""
    python = ground.repository.spec.language == "python"
    lines = fact.setup
    for text in re.findall(r'^(\w+) = """.*?"""', lines, re.DOTALL | re.MULTILINE):
        whole = re.search(rf'^{text} = """.*?"""', lines, re.DOTALL | re.MULTILINE)
        assert whole is not None
        if whole.group(0) in told:
            lines = lines.replace(whole.group(0), f"# {text} as above")
        told.add(whole.group(0))
    if fact.call:
        asked = fact.call
        if fact.expected:
            asked = f"print({asked})" if python else f"console.log({asked});"
        ends_inside = lines.rsplit("\n", 1)[-1].startswith((" ", "}"))
        lines = f"{lines}{chr(10) * (2 if ends_inside else 1)}{asked}" if lines else asked
    return f"```{'python' if python else 'ts'}\n{lines}\n```"


def got(fact: Fact) -> str:
    """What came, as the end of a sentence."""
    if fact.error:
        return (
            "it stops with an error"
            if fact.error == "an error"
            else f"it stops with `{fact.error}`"
        )
    if fact.refused:
        return "it goes through without a word"
    if fact.seen:
        return f"it gives `{_like(fact.seen)}`"
    if fact.first:
        return f"the answer is another one ({fact.first})"
    return "the answer is another one"


def want(fact: Fact) -> str:
    """What should have come, after "should be"."""
    if fact.refused:
        return f"refused with `{fact.refused}`"
    if fact.expected:
        return f"`{fact.expected}`"
    return f"carried out, and then `{fact.after}`" if fact.after else "carried out without an error"


def _like(text: str) -> str:
    """A value as Python shows it, in the quotes of programs."""
    return re.sub(r"(?<![\w'\"\\])'([^'\"\\\n]*)'(?!['\"])", r'"\1"', text)


def _brief(fact: Fact) -> bool:
    """Whether a fact needs no more than its call to be understood."""
    body = [
        line
        for line in fact.setup.splitlines()
        if line and not line.startswith(("from ", "import "))
    ]
    return fact.whole and not body and len(fact.call) < 120 and "\n" not in fact.call


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(text: str, ground: Ground) -> str:
    return text.format(name=ground.name)
