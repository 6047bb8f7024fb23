"""Packs: reading, writing, rounding."""

import pytest
from stockroom.errors import StockroomError
from stockroom.quantity import PackTable


def refusal(call):
    """Kind and text of the error that a call ends with."""
    try:
        call()
    except StockroomError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


@pytest.fixture(scope="module")
def milk() -> PackTable:
    packs = PackTable("ea")
    packs.define("case", "12")
    packs.define("pallet", "40 case")
    return packs


def test_bare_number_counts_base_units(milk):
    assert milk.parse("17") == 17


def test_terms_add_up(milk):
    assert milk.parse("2 pallet 3 case 5 ea") == 1001


def test_last_term_may_go_without_a_unit(milk):
    assert milk.parse("2 case 3") == 27


def test_unit_may_touch_the_number(milk):
    assert milk.parse("3case") == 36


def test_order_of_terms_does_not_matter(milk):
    assert milk.parse("5 ea 1 case") == 17


def test_pack_of_packs(milk):
    assert milk.size("pallet") == 480


def test_unknown_unit_is_refused(milk):
    assert refusal(lambda: milk.parse("2 crate")) == "QuantityError: unknown unit 'crate'"


def test_unit_twice_is_refused(milk):
    assert (
        refusal(lambda: milk.parse("1 case 2 case"))
        == "QuantityError: unit 'case' appears twice in '1 case 2 case'"
    )


def test_zero_is_refused(milk):
    assert (
        refusal(lambda: milk.parse("0 case"))
        == "QuantityError: quantity must be more than zero: '0 case'"
    )


def test_zero_is_fine_where_asked_for(milk):
    assert milk.parse("0", zero=True) == 0


def test_pack_of_one_is_refused():
    assert (
        refusal(lambda: PackTable("kg").define("bag", "1"))
        == "QuantityError: pack 'bag' must hold at least 2 kg"
    )


def test_render_uses_the_largest_packs(milk):
    assert milk.render(999) == "2 pallet 3 case 3 ea"


def test_render_leaves_empty_terms_out(milk):
    assert milk.render(480) == "1 pallet"


def test_render_zero(milk):
    assert milk.render(0) == "0 ea"


def test_render_negative(milk):
    assert milk.render(-14) == "-1 case 2 ea"


def test_round_up_to_cases(milk):
    assert milk.round_up(100) == 108


def test_round_up_to_pallets(milk):
    assert milk.round_up(481) == 960


def test_round_up_below_any_pack(milk):
    assert milk.round_up(7) == 7


def test_copy_is_independent(milk):
    other = milk.copy()
    other.define("layer", "5 case")
    assert refusal(lambda: milk.size("layer")) == "QuantityError: unknown unit 'layer'"
    assert other.size("layer") == 60


@pytest.fixture(scope="module")
def downwards() -> PackTable:
    packs = PackTable("ea")
    packs.define("pallet", "480")
    packs.define("case", "12")
    return packs


def test_render_does_not_depend_on_the_order_of_definition(downwards):
    assert downwards.render(999) == "2 pallet 3 case 3 ea"


def test_round_up_does_not_depend_on_the_order_of_definition(downwards):
    assert downwards.round_up(481) == 960
