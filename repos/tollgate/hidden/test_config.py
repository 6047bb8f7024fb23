"""The configuration text: what it may hold, and what is wrong with it."""

from tollgate import ManualClock, load
from tollgate.errors import ConfigError

BASIC = "[plan basic]\nmeter.calls = 10 hard\n"


def read(text):
    return load(text, ManualClock("2024-03-10T23:30:00Z"))


def fault(text):
    """The line at fault; 0: none is."""
    try:
        read(text)
    except ConfigError as error:
        return error.line
    return 0


def message(text):
    try:
        read(text)
    except ConfigError as error:
        return error.message
    return ""


class TestForm:
    def test_sections_in_any_order(self):
        text = "[key k]\norganisation = a\n[organisation a]\nparent = b\nplan = basic since 2024-03-01\n"
        gate = read(text + "[organisation b]\n" + BASIC)
        assert gate.admit("k", "calls", 4).remaining == 6

    def test_comments(self):
        gate = read("# all\n[plan basic]   # one\n  # none\nfee = 3.50 # euro\n")
        assert str(gate.plans.get("basic").fee) == "7/2"

    def test_a_hash_inside_a_word_is_no_comment(self):
        assert fault("[plan basic]\nfee = 3#50\n") == 2

    def test_goes_on_in_an_indented_line(self):
        gate = read("[plan a]\nmeter.calls = 12\n   unit   # each\n\n   0.50\nfee = 2\n")
        assert gate.plans.get("a").meter("calls").included == 12

    def test_an_error_names_the_line_where_the_setting_begins(self):
        assert fault("[plan a]\nfee = 1\nmeter.calls = 10\n   unit\n   cheap\n") == 3

    def test_nothing_to_go_on_with(self):
        assert fault("[plan a]\n   fee = 1\n") == 2

    def test_setting_before_a_section(self):
        assert fault("\nfee = 1\n") == 2

    def test_no_setting(self):
        assert fault("[plan a]\n\n\nfee 1\n") == 4

    def test_unknown_section(self):
        assert fault("[plan a]\n[tariff b]\n") == 2

    def test_unknown_setting(self):
        assert message("[plan a]\nprice = 1\n") == "no setting of a plan: price"

    def test_setting_of_another_section(self):
        assert fault(BASIC + "zone = UTC\n") == 3

    def test_family_without_a_name(self):
        assert fault("[plan a]\nmeter = 10 hard\n") == 2

    def test_name_without_a_family(self):
        assert fault("[plan a]\nfee.calls = 10\n") == 2

    def test_setting_twice(self):
        assert message("[plan a]\nfee = 1\nfee = 2\n") == "fee is there already"

    def test_section_twice(self):
        assert message("[plan a]\n[plan b]\n[plan a]\n") == "plan a is there already"

    def test_same_name_of_another_kind(self):
        assert fault("[plan a]\n[organisation a]\nplan = a\n") == 0


class TestPlans:
    def test_like_another(self):
        gate = read("[plan pro]\nlike = basic\nfee = 5\n" + BASIC)
        assert gate.plans.get("pro").meter("calls").included == 10

    def test_like_another_with_its_own(self):
        gate = read("[plan pro]\nlike = basic\nmeter.calls = 20 hard\n" + BASIC)
        assert gate.plans.get("pro").meter("calls").included == 20

    def test_like_another_with_its_fee(self):
        gate = read("[plan pro]\nlike = basic\n" + BASIC + "fee = 12")
        assert str(gate.plans.get("pro").fee) == "12"

    def test_like_another_without_a_limit(self):
        text = (
            "limit.a = bucket 2/s\nlimit.b = bucket 3/s\n[plan pro]\nlike = basic\nlimit.a = none"
        )
        gate = read(BASIC + text)
        assert list(gate.plans.get("pro").limits) == ["b"]

    def test_the_other_keeps_its_limit(self):
        text = "limit.a = bucket 2/s\n[plan pro]\nlike = basic\nlimit.a = none"
        gate = read(BASIC + text)
        assert list(gate.plans.get("basic").limits) == ["a"]

    def test_like_itself(self):
        assert fault("[plan a]\nlike = b\n[plan b]\nlike = a\n") == 4

    def test_like_nothing(self):
        assert message("[plan a]\nlike = b\n") == "no plan b"

    def test_meter_without_units(self):
        assert fault("[plan a]\nmeter.calls = hard\n") == 2

    def test_meter_without_price(self):
        assert fault("[plan a]\nfee = 1\nmeter.calls = 10\n") == 3

    def test_carry_of_nothing(self):
        assert fault("[plan a]\nfee = 1\nmeter.calls = 10 carry hard\n") == 3

    def test_fee_without_meaning(self):
        assert message("[plan a]\nfee = -1\n") == "not an amount: '-1'"


class TestOrganisationsAndKeys:
    def test_plan_begins_today(self):
        gate = read(BASIC + "[organisation a]\nzone = +01:00\nplan = basic\n")
        assert str(gate.subscriptions.since("a")) == "2024-03-11"

    def test_plan_since_a_day(self):
        gate = read(BASIC + "[organisation a]\nplan = basic since 2024-03-05\n")
        assert str(gate.subscriptions.since("a")) == "2024-03-05"

    def test_no_such_day(self):
        assert fault(BASIC + "[organisation a]\nplan = basic since 2024-02-30\n") == 4

    def test_unknown_plan(self):
        assert message(BASIC + "[organisation a]\nplan = gold\n") == "no plan gold"

    def test_plan_with_more_words(self):
        assert fault(BASIC + "[organisation a]\nzone = UTC\nplan = basic from today\n") == 5

    def test_unknown_parent(self):
        assert message("[organisation a]\nparent = b\n") == "no organisation b"

    def test_circle(self):
        text = "[organisation x]\n[organisation a]\nparent = b\n[organisation b]\nparent = a\n"
        assert message(text) == "organisations in a circle: a, b"

    def test_circle_names_the_first_line(self):
        text = "[organisation x]\n[organisation a]\nparent = b\n[organisation b]\nparent = a\n"
        assert fault(text) == 2

    def test_key_without_organisation(self):
        assert message("[organisation a]\n[key k]\n") == "key k needs an organisation"

    def test_key_of_an_unknown_organisation(self):
        assert fault("[organisation a]\n[key k]\norganisation = b\n") == 3

    def test_key_named_like_an_organisation(self):
        assert fault("[organisation a]\n[key a]\n\norganisation = a\n") == 4

    def test_unknown_rounding(self):
        assert fault("[organisation a]\nrounding = nearest\n") == 2

    def test_unknown_currency(self):
        assert message("[organisation a]\ncurrency = eur\n") == "unknown currency: 'eur'"

    def test_cap(self):
        gate = read(
            BASIC + "[organisation a]\nplan = basic\ncap.calls = 4\n[key k]\norganisation = a"
        )
        assert gate.admit("k", "calls", 3).remaining == 1

    def test_cap_of_a_key(self):
        text = "[organisation a]\nplan = basic\n[key k]\norganisation = a\ncap.calls = 7\n"
        assert read(BASIC + text).admit("k", "calls", 2).remaining == 5

    def test_cap_without_meaning(self):
        assert fault("[organisation a]\ncap.calls = few\n") == 2

    def test_limit_without_meaning(self):
        assert fault("[organisation a]\n[key k]\norganisation = a\nlimit.a = often\n") == 4

    def test_key_that_expires(self):
        text = "[organisation a]\n[key k]\norganisation = a\nexpires = 2024-04-01T00:00:00\n"
        assert fault(text) == 4
