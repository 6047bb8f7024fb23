"""How different people report a fault: openings, ways to tell it, asides and endings.

Templates take ``topic`` (the situation in plain words), ``block`` (a program, fenced), ``got`` and
``want`` (what came, what should), ``name`` (the repository's name).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Voice:
    """One sort of person. tells: ways to tell one fault; next: what comes before a further one;
    also: further situations, ``topics``; guesses: before what they believe it to be."""

    name: str
    openings: tuple[str, ...]
    tells: tuple[str, ...]
    next: tuple[str, ...]
    also: tuple[str, ...]
    guesses: tuple[str, ...]
    endings: tuple[str, ...]


VOICES = (
    Voice(
        "developer",
        (
            "Found while using {name} from another program.",
            "{name} no longer does what its README says. Here is how to see it.",
            "A short report, with something to run.",
        ),
        (
            "{topic_c}:\n\n{block}\n\n{got_c}. Should be: {want}.",
            'Case "{topic}".\n\n{block}\n\nActual: {got}.\nExpected: {want}.',
        ),
        ("Next:", "Second, unrelated as far as I can tell:", "One more:"),
        ("Same trouble, not spelled out here: {topics}.", "Related, probably: {topics}."),
        ("A guess:", ""),
        (
            "The rest of what I use works.",
            "",
            "Please mend it so that all of this is as documented.",
        ),
    ),
    Voice(
        "support",
        (
            "Hello,\n\na customer of ours has written in about {name}, and I could see it here, "
            "too.",
            "Hi all,\n\nthis came in through support this morning. I have tried it myself and get "
            "the same.",
            "Good morning,\n\nI am passing on a complaint about {name}. The customer was polite "
            "about it, but it is the second time that they ask.",
        ),
        (
            'The subject of the mail was "{topic}". What they did comes down to this:\n\n'
            "{block}\n\n"
            "{got_c}. According to the manual it should be {want}.",
            'They call it "{topic}". To see it:\n\n{block}\n\nThe customer says that {got_s}, and '
            "that it must be {want}. I agree with them.",
        ),
        (
            "There is a second point in the same mail.",
            "They mention something else, which may have a cause of its own.",
            "And a last point, from the end of the mail.",
        ),
        (
            "They also list, without details: {topics}.",
            "Other customers have reported what looks like the same thing, under {topics}.",
        ),
        ("The customer's own words:", "They add:"),
        (
            "Could somebody have a look? They have been told that we are on it.\n\nThanks",
            "I have promised an answer by the end of the week.\n\nKind regards",
            "I could not find anything else that is wrong.\n\nBest wishes",
        ),
    ),
    Voice(
        "tracker",
        ("",),
        (
            "**{topic_c}**\n\nSteps to reproduce:\n\n{block}\n\nActual result: {got}.\n\n"
            "Expected result: {want}.",
            "### {topic_c}\n\nRun this:\n\n{block}\n\n- what happens: {got}\n- what should happen: "
            "{want}",
        ),
        ("", "---"),
        ("Also seen: {topics}.", "Possibly the same: {topics}."),
        ("Remark:", "Note:"),
        ("Version: current. Happens every time.", "Always reproducible.", ""),
    ),
    Voice(
        "long story",
        (
            "I keep the books for a small firm and am no programmer, so please bear with me. We "
            "have used {name} since last year, my nephew set it up for us, and until recently I "
            "had no complaints at all. Last week the printer was replaced, I do not think that it "
            "matters, and on the same day my colleague came back from her holidays and went "
            "through everything that had piled up. It was she who noticed.",
            "This may be a long mail, but I want to tell it in order. On Monday we took over the "
            "new version of {name}. On Tuesday all seemed well; I compared a few figures with "
            "those on paper and they agreed. It was only when we closed the week that somebody "
            "asked me to explain one of them, and I could not.",
            "My predecessor left us {name} together with a drawer full of notes, most of which I "
            "cannot read. I have worked with it for three months now. What follows may be well "
            "known to others; I could not find anything on it in the notes, and the person whom I "
            "used to ask is on parental leave until spring.",
            "We are three people in this office, and each of us has her own way of using {name}. "
            "That is why it took so long until somebody noticed: it works for two of us. The third "
            "has asked me to write, as I was the one who wanted this program in the first place. "
            "The weather is dreadful here, by the way, so the line may drop if you call.",
            "First of all, thank you for {name}; we do use it every day. What I describe below is "
            "not urgent, we have found a way around it, but it has cost us an afternoon, and the "
            "new colleague was blamed for it at first, which was not fair.",
        ),
        (
            'We have put it down as "{topic}". My nephew boiled it down to the following few '
            "lines:\n\n{block}\n\nWhen he runs it, {got_s}. By the manual, and by common sense, it "
            "should be {want}.",
            'It is about what we call "{topic}". These lines show it:\n\n{block}\n\nHere {got_s}; '
            "it should be {want}.",
        ),
        (
            "While we were at it, another thing came up.",
            "The same evening we found something else, and by then nobody was surprised.",
            "Then there is a third matter, which may or may not belong to the first two.",
        ),
        (
            "My colleague has a list of similar cases, which she calls {topics}.",
            "There are further ones of the kind on our list: {topics}.",
        ),
        ("My colleague thinks that she knows more:", "For what it is worth:"),
        (
            "I hope that this is of help. If you need our whole file I have to ask first.",
            "We have gone through the rest and found nothing else that is amiss.",
            "Restarting did not change anything, nor did another computer.",
        ),
    ),
    Voice(
        "colleague",
        (
            "got a minute? something is off in {name}",
            "hey, can you look at this in {name} when you are back",
            "quick one about {name}",
        ),
        (
            "{topic}:\n\n{block}\n\n{got}, and I am pretty sure it has to be {want}",
            "try this ({topic})\n\n{block}\n\n=> {got}. expected {want}",
        ),
        ("also", "and then there is this", "oh, and one more"),
        ("same with {topics} I think", "{topics}: also broken, did not look closer"),
        ("no idea why, but", "not sure, but"),
        ("thanks!", "no hurry", "the rest looks fine to me"),
    ),
    Voice(
        "suspects",
        (
            "I have spent an hour on this and believe that the README is simply out of date, or "
            "that I do not understand it. Please tell me which.",
            "Maybe it is my machine (I had to set it up anew on Friday), but {name} "
            "gives me answers that I cannot explain.",
            "Is this on purpose? I have looked through the README of {name} twice.",
        ),
        (
            'It is the case of "{topic}":\n\n{block}\n\nOn my machine {got_s}. As I read the '
            "README it has to be {want}.",
            "{topic_c}, that is:\n\n{block}\n\nBy the README I would have sworn that it is {want}. "
            "But {got_s}.",
        ),
        (
            "There is something else that I cannot explain.",
            "And this one, for which I do not even have a theory:",
            "Last one, I promise.",
        ),
        (
            "I had similar surprises with {topics}.",
            "If it helps, these surprised me, too: {topics}.",
        ),
        ("All I can say:", "My theory:"),
        (
            "If it is meant to be like this, please say so in the README.",
            "I was told to rule out my own mistakes first, and I think that I have.",
            "Everything else that I have tried is as described.",
        ),
    ),
)
