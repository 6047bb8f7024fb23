"""The words and marks by which replies name an option: patterns, no decisions."""

from __future__ import annotations

import re

LETTERS = "ABCD"

_QUALITY = (
    r"correct|right|best|final|most\s+(?:likely|accurate|appropriate|suitable)|chosen|selected"
)
# What may be followed by the letter without a colon.
WORD = (
    rf"(?:(?:(?:{_QUALITY})\s+)?answer|(?:{_QUALITY})\s+(?:option|choice|one|statement|letter"
    r"|response|alternative|selection)|my\s+(?:choice|pick|guess|selection|vote|response)"
    r"|(?:the\s+)?(?:option|choice|statement|one)\s+(?:that|which)"
    r"|(?:^|(?<=\n))\s*ans(?:wer)?\.?"
    r"|(?:opción|opcion|opção|opzione|alternativa|option)\s+(?:correcta|correta|corretta|correcte)"
    r"|(?:правильный|верный)\s+вариант|richtig\s+ist|richtige\s+option|antwort|lösung|respuesta|réponse|risposta|resposta|ответ"
    r"|відповідь|απάντηση|odpowiedź|odpověď|svar|svaret|vastaus|cevap|jawaban|jibu|ìdáhùn|antwoord"
    r"|răspuns(?:ul)?|válasz|đáp\s+án|答案|答え|回答|解答|正解|正确选项|正確選項|정답|답변|답"
    r"|الإجابة|الجواب|উত্তর|उत्तर|คำตอบ)"
)
# These need one: "solution B" is a liquid, "option B" is spoken of before it is chosen.
_LABEL = (
    r"(?:(?:^|(?<=\n))\s*(?:solution|correct|result|option|choice|selection|pick|guess|verdict"
    r"|conclusion|prediction|response|letter)\s*(?:is\s*)?[:=])"
)
ANCHOR = re.compile(rf"{WORD}|{_LABEL}", re.IGNORECASE)

_OPTION_WORD = (
    r"option|choice|letter|answer|statement|opción|opcion|opção|opzione|letra|lettre|lettera|inciso"
    r"|alternativa|buchstabe|вариант|буква|optie|opcja|opcję|seçenek|şık|pilihan|huruf"
)
OPTION = rf"(?:(?:the\s+)?(?:{_OPTION_WORD})\s*:?\s*|选项\s*|選項\s*|選択肢\s*)?"
_OPEN, _SHUT = r"[(\[{<\"'“‘«「【]{0,4}", r"[)\]}>\"'”’»」】]{0,4}"
# Neither part of a word, nor of what only begins with a letter: B-cell, C++, C#.
_END = r"(?![A-Za-z0-9_\u00c0-\u024f'’#]|\+\+|[-‐‑]\w)"
LETTER = rf"{_OPEN}(?P<letter>[A-Da-d]){_SHUT}{_END}"
TOKEN = re.compile(rf"(?<![A-Za-z0-9_\u00c0-\u024f'’.])(?<!\w[-‐‑]){LETTER}")

# What may stand directly before the letter in a sentence about the answer.
LINK = re.compile(
    r"(?:\A|\bi\.e\.,?|[:=\-–—>→⇒|,]|は|是|为|為|选|選|择|擇|는|은"
    r"|['’]s|\b(?:is|was|be|are|either|therefore|thus|hence|so|indeed|actually|definitely|clearly"
    r"|certainly|probably|likely|simply|just|obviously|namely|but|mais|sino|sondern|ma|mas|both|to|ist|lautet|die|es|est|la"
    r"|el|é|è|jest|är|er|on|este|είναι|है|adalah|là|هي|هو|đúng|benar|cevap|wäre|with|choose"
    rf"|{_OPTION_WORD}))\s*\Z",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"(?:(?:\b(?:not|cannot|never|than|neither|nor|except|unlike|nicht|pas|weder|instead\s+of|não\s+é"
    rf"|no\s+es|non\s+è)|n['’]t|не)\s+|不是\s*|并非\s*)(?:be\s+)?(?:(?:the\s+)?(?:{_OPTION_WORD})\s+)?[(\[\"'“‘]*\Z",
    re.IGNORECASE,
)
# "A is wrong", "choice D would not fit"
REJECTED = re.compile(
    r"[^\S\n]*(?:,\s*[^,.\n]{1,80},\s*)?(?:is|are|was|were|does|do|can|could|would|must|has|seems?)"
    r"(?:\s+(?:also|both|clearly|obviously|be|therefore|partially|partly|too))*"
    r"(?:\s+(?:not|incorrect|wrong|false|out|eliminated|ruled|excluded)\b|n['’]t\b|not\b)",
    re.IGNORECASE,
)
ASKED = re.compile(
    r"\b(?:(?:is|was|whether)\s+(?:the\s+|your\s+)?|(?:could|would|might|should|can)\s+(?:the|your)\s+)\Z",
    re.IGNORECASE,
)
IF = re.compile(r"\b(?:if|unless|were|suppose|supposing|had|wenn|falls|si)\b", re.IGNORECASE)

_JOIN = r"(?:and/or|or|and|oder|und|ou|et|o|y|e|или|и|或者?|和|및|또는|/|&|,|;|\+)"
ALSO = re.compile(
    rf"\s*(?:\([^()\n]{{0,80}}\))?\s*[?,]?\s*{_JOIN}[\s,]*"
    rf"(?:(?:possibly|maybe|perhaps|even|probably|also|both|rather|more\s+precisely)[\s,]+)?{OPTION}{LETTER}",
    re.IGNORECASE,
)
# After a capital A that might be the article, only these let it be a letter.
AFTER_A = re.compile(
    r"\s*(?:$|[\n.,;:!?)\]}*\"'”’/&|+\-–—(。，、；：]|[^\x00-\x7f]"
    r"|(?:is|was|because|since|as|or|and|which|for|due|given|with|rather|not)\b)",
    re.IGNORECASE,
)
AFTER_SMALL = re.compile(r"\s*(?:$|[\n.,;:!?)\]}*])")
# "B, and C is wrong" names one letter, "B and C are wrong" two
NEW_CLAUSE = re.compile(r"\s*(?:is|was|would|does|has|can)\b", re.IGNORECASE)
NEW_CLAUSES = re.compile(
    rf"(?:\s*(?:,|and|or)\s*)*(?:{OPTION}[A-D](?:\s*(?:,|and|or)\s*)*){{0,3}}\s*"
    r"(?:is|are|was|were|would|does|do|has|can)\b",
    re.IGNORECASE,
)

BOXED = re.compile(
    r"\\(?:boxed|fbox)\s*\{(?P<value>(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,99}\}){0,99}\}){1,300})\}"
)
# What may surround a letter that is all of a reply, or of a line.
_FILLER = (
    r"(?:(?:i(?:['’]d|['’]ll|\s+would|\s+will)?\s+(?:think|guess|believe|say|answer|go\s+with)"
    r"|(?:it|that)(?:['’]s|\s+is)|(?:it\s+is\s+)?most\s+likely|likely|probably|maybe|perhaps|possibly"
    r"|definitely|clearly|surely|sure|certainly|okay|ok|yes|in\s+(?:summary|short|conclusion)"
    r"|my\s+best\s+guess(?:\s+is)?|q(?:uestion)?\s*\d{0,3}|\d{1,3}[.)]|assistant|=>|[∴⇒→])"
    r"[ \t:,!.–—-]{1,4})"
)
ALONE = re.compile(
    rf"(?:A\s*:\s*)?{_FILLER}{{0,3}}{OPTION}{LETTER}\s*"
    r"(?:[.:,;!?。]|,?\s+(?:i\s+(?:think|guess|believe)|probably|maybe|definitely)\.?)?\s*",
    re.IGNORECASE,
)
LEADING = re.compile(
    rf"{_OPEN}(?P<letter>[A-D])(?:[)\]}}]|[.:](?=\s|$)|\s*[-–—]\s"
    r"|,?\s+(?:because|since|due\s+to|as\s+it)\b)"
)
LABELLED = re.compile(r"[(\[]?(?P<letter>[A-Da-d])[)\].:\-–—]{1,2}\s*(?P<text>\S.*)\Z", re.DOTALL)
BOLD = re.compile(r"(?:\*\*|__)\s*[(\[]?(?P<letter>[A-D])[)\].:]*\s*(?:\*\*|__|[)\].:]\s)")
PARENTHESISED = re.compile(r"(?<!\w)[(\[](?P<letter>[A-D])[)\]]")
TICKED = re.compile(
    r"[✅✔☑✓]|[-–—:(→←]\s*(?:this\s+is\s+)?correct\b(?!\s+(?:but|in|for|only))", re.IGNORECASE
)

_ENDS = (
    r"(?=\s*(?:$|[\n.!,;:)。，；—–]"
    r"|(?:is|because|since|as|here|with|for|over|rather|instead|and|or)\b))"
)
_L1, _L2, _L3, _L4, _L5 = (LETTER.replace("letter", f"l{i}") for i in range(1, 6))
STATED = re.compile(
    rf"\b(?:option|choice|answer|statement)\s+{_L1}\s+(?:is|would\s+be|seems|ist|est|es|è|é)\s+(?:the\s+)?"
    r"(?:most\s+)?(?:likely\s+)?(?:correct[aeo]?|corret[at]a|corretta|richtig|correct|right|best|answer|accurate|appropriate)\b"
    rf"|(?<![\w'’.]){_L2}\s+(?:is|must\s+be|would\s+be|seems)\s+(?:clearly\s+|therefore\s+)?(?:the\s+)?"
    r"(?:correct|right|best|answer)\b(?!\s+(?:of|to)\b)"
    rf"|(?<![A-Za-z0-9_]){_L5}\s*(?:选项|選項)?\s*(?:が|は|是)?\s*(?:正确|正確|正しい|对的|對的)"
    r"|(?:\b(?:choose|select|pick|go\s+with|going\s+with|opt\s+for|settle\s+on|lean\s+(?:towards?|to)"
    r"|leaning\s+(?:towards?|to)|vote\s+for|corresponds?\s+to|matches|elijo|wähle|choisis|scelgo)[^\S\n]+"
    rf"|(?:应选|應選|所以选|选择|選擇|选|選|選択|選ぶ)\s*[:：]?\s*){OPTION}{_L3}{_ENDS}"
    r"|(?:(?:^|(?<=[.!?\n]))\s*(?:(?:so|hence|thus|therefore|consequently|ergo|then)\b[,:]?\s*)?"
    r"(?:(?:it|that|this|which)(?:['’]s|\s+(?:is|must\s+be|has\s+to\s+be|would\s+be))\s+)"
    r"|(?:^|(?<=[.!?\n,;]))\s*(?:so|hence|thus|therefore|consequently|ergo)\b[,:]?\s+"
    r"|\bwhich\s+is\s+(?=option|choice|letter))"
    rf"{OPTION}{_L4}{_ENDS}",
    re.IGNORECASE,
)
# A letter that begins a clause, as the subject of "B is correct"; not that of "vitamin B".
SUBJECT = re.compile(
    r"(?:\A|[.!?,;:(\n—–-]|\b(?:so|thus|hence|therefore|that|then|but|and|while|because|since|as|only"
    rf"|means|believe|think|say|clearly|{_OPTION_WORD})\b)\s*[(\[\"'“‘]*\Z",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"(?:\b(?:not|nor|neither|cannot|never|if|whether|unless|suppose|assum\w+|doubt|both|how)"
    r"|n['’]t)\b[^.\n]{0,30}\Z",
    re.IGNORECASE,
)

MARKUP = re.compile(
    r"\*\*|__|`|\$|\\(?:text|mathrm|mathbf|textbf|boldsymbol)\s*\{\s*([^{}]{0,200})\s*\}"
    r"|\\[()\[\]]|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)"
)
# "Answer [A/B/C/D]: ", "Answer (A-D): ": what may be given, not what is.
OFFERED = re.compile(r"[(\[]\s*A\s*(?:[-–]\s*D|(?:(?:[/,|]|\bor\b|\s)+[B-D]){2,3})\s*[)\]]")
# Headings, list and quote marks, and pictures in front of a line.
LINE_MARK = re.compile(
    r"^[ \t]*(?:(?:#{1,6}|[-+>•‣]|→|⇒|➡️?|👉|✅|✔️?|☑️?|✓|🎯|🔹)[ \t]*)+(?=\S)", re.MULTILINE
)
