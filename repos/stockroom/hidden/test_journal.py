"""The text format."""

from stockroom.errors import StockroomError
from stockroom.journal import parse, split_words


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def message(text):
    return refusal(lambda: parse(text))


def test_words_and_pairs():
    assert split_words(1, "move M1 qty=5") == [(None, "move"), (None, "M1"), ("qty", "5")]


def test_quotes_keep_spaces():
    assert split_words(1, 'qty="1 case 3"') == [("qty", "1 case 3")]


def test_backslash_in_quotes():
    assert split_words(1, r'"a \"b\" \\ c"') == [(None, 'a "b" \\ c')]


def test_comment():
    assert split_words(1, "ship SO-1 # on time") == [(None, "ship"), (None, "SO-1")]


def test_hash_inside_a_word_is_no_comment():
    assert split_words(1, "ship SO#1") == [(None, "ship"), (None, "SO#1")]


def test_empty_value():
    assert split_words(1, "reason= x") == [("reason", ""), (None, "x")]


def test_open_quote():
    assert (
        refusal(lambda: split_words(4, 'item MILK "Whole'))
        == "JournalError: line 4: a quote is not closed"
    )


def test_text_after_a_quote():
    assert (
        refusal(lambda: split_words(4, '"Whole"milk'))
        == "JournalError: line 4: a space is missing after a closing quote"
    )


def test_blank_and_comment_lines_are_no_entries():
    assert [entry.verb for entry in parse("\n# nothing\n   \nship SO-1\n")] == ["ship"]


def test_entry_parts():
    entry = parse("order SO-1 customer=Bistro MILK=5 policy=fifo")[0]
    assert entry.args == ["SO-1"]
    assert entry.options == {"customer": "Bistro", "policy": "fifo"}
    assert entry.free == {"MILK": "5"}


def test_continued_line_counts_as_its_first():
    entries = parse("# head\nmove M1 qty=5 \\\n  from=A to=B\nship SO-1\n")
    assert [entry.line for entry in entries] == [2, 4]
    assert entries[0].options == {"qty": "5", "from": "A", "to": "B"}


def test_backslash_on_the_last_line():
    assert message("ship SO-1 \\\n") == "JournalError: line 1: the last line ends in a backslash"


def test_unknown_verb():
    assert message("ship SO-1\nsend SO-1\n") == "JournalError: line 2: unknown entry 'send'"


def test_unknown_option():
    assert (
        message("move M1 qty=1 from=A to=B via=C")
        == "JournalError: line 1: move has no option 'via'"
    )


def test_lower_case_key_is_no_sku():
    assert (
        message("order SO-1 customer=X polcy=fifo")
        == "JournalError: line 1: order has no option 'polcy'"
    )


def test_key_given_twice():
    assert (
        message("order SO-1 customer=X MILK=1 MILK=2")
        == "JournalError: line 1: MILK is given twice"
    )


def test_missing_option():
    assert message("scrap M1 qty=1") == "JournalError: line 1: scrap needs from="


def test_missing_word():
    assert message("ship") == "JournalError: line 1: ship takes 1 word(s), got 0"


def test_flag():
    entry = parse("count A-1 M1=5 complete=yes")[0]
    assert str(entry.flag("complete")) == "True"


def test_flag_is_no_when_absent():
    entry = parse("count A-1 M1=5")[0]
    assert str(entry.flag("complete")) == "False"


def test_flag_with_another_word():
    entry = parse("count A-1 M1=5 complete=true")[0]
    assert (
        refusal(lambda: entry.flag("complete"))
        == "JournalError: line 1: complete must be yes or no, not 'true'"
    )


def test_choice():
    entry = parse("order SO-1 customer=X policy=lifo")[0]
    assert (
        refusal(lambda: entry.choice("policy", ("fefo", "fifo")))
        == "JournalError: line 1: policy must be one of fefo, fifo"
    )


def test_error_in_a_continued_entry_names_its_first_line():
    text = "ship SO-1\nmove M1 \\\n  qty=1 \\\n  from=A\n"
    assert message(text) == "JournalError: line 2: move needs to="


def test_quotes_in_a_quoted_name():
    assert parse(r'item TEA "Earl \"Grey\""')[0].args == ["TEA", 'Earl "Grey"']


def test_doubled_backslash_in_a_quoted_value():
    assert parse(r'hold M1 reason="see C:\\labels"')[0].options == {"reason": r"see C:\labels"}


def test_hash_inside_a_value_is_no_comment():
    entry = parse("order SO-1 customer=Room#7 MILK=1 # urgent")[0]
    assert entry.options == {"customer": "Room#7"}
    assert entry.free == {"MILK": "1"}


def test_hash_in_quotes_is_no_comment():
    assert split_words(1, 'customer="Room #7"') == [("customer", "Room #7")]
