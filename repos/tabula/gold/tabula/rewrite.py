"""Rules that make a logical plan cheaper and leave its rows and their order as they are."""

from collections.abc import Callable
from dataclasses import replace

from tabula import plans, terms
from tabula.errors import RunFault
from tabula.evaluate import value_of
from tabula.kinds import BOOL
from tabula.plans import Plan, columns, sources_of, with_inputs
from tabula.terms import (
    FALSE,
    TRUE,
    Term,
    children,
    conjunction,
    conjuncts,
    kind_of_term,
    mapped,
    sources,
    walk,
)

_INVERSE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def rewritten(plan: Plan) -> Plan:
    """The plan with all rules applied: constants are folded, conditions are moved down to where
    they can be decided, and what cannot have rows is dropped."""
    folded_plan = _with_terms(plan, folded)
    return _pruned(_pushed(folded_plan, ()))


def folded(term: Term) -> Term:
    """The term with its constant parts worked out; parts without a result are left."""
    term = mapped(term, folded)
    match term:
        case terms.Const() | terms.Ref() | terms.Aggregate():
            return term
        case terms.Logic(word, left, right):
            return _folded_logic(word, left, right)
        case terms.Not(terms.Compare(sign, left, right)):
            return terms.Compare(_INVERSE[sign], left, right)
        case terms.Not(terms.Not(operand)):
            return operand
        case terms.Compare(_, terms.Const(None), _) | terms.Compare(_, _, terms.Const(None)):
            return terms.Const(None, BOOL)
        case terms.Choose():
            return _folded_choice(term)
    parts = children(term)
    if parts and all(isinstance(part, terms.Const) for part in parts):
        return _worked_out(term)
    return term


def _worked_out(term: Term) -> Term:
    try:
        return terms.Const(value_of(term), kind_of_term(term))
    except RunFault:
        return term


def _folded_logic(word: str, left: Term, right: Term) -> Term:
    neutral, decisive = (TRUE, FALSE) if word == "and" else (FALSE, TRUE)
    if decisive in (left, right):
        return decisive
    if left == neutral:
        return right
    if right == neutral:
        return left
    if isinstance(left, terms.Const) and isinstance(right, terms.Const):
        return terms.Const(None, BOOL)
    return terms.Logic(word, left, right)


def _folded_choice(choice: terms.Choose) -> Term:
    branches: list[tuple[Term, Term]] = []
    for when, then in choice.branches:
        if not isinstance(when, terms.Const):
            branches.append((when, then))
        elif when.value is True:
            choice = replace(choice, otherwise=then)
            break
    if not branches:
        return choice.otherwise
    return replace(choice, branches=tuple(branches))


def _with_terms(plan: Plan, change: Callable[[Term], Term]) -> Plan:
    """The plan with every term in it changed."""

    def named(many: tuple[plans.Named, ...]) -> tuple[plans.Named, ...]:
        return tuple(plans.Named(one.ref, change(one.term)) for one in many)

    plan = with_inputs(plan, lambda below: _with_terms(below, change))
    match plan:
        case plans.Filter() | plans.Join():
            return replace(plan, condition=change(plan.condition))
        case plans.Group(below, keys, aggregates):
            return plans.Group(below, named(keys), named(aggregates))
        case plans.Sort(_, order):
            return replace(plan, keys=tuple(replace(k, term=change(k.term)) for k in order))
        case plans.Project(_, outputs):
            return replace(plan, outputs=tuple(replace(o, term=change(o.term)) for o in outputs))
        case _:
            return plan


def _pushed(plan: Plan, above: tuple[Term, ...]) -> Plan:
    """The plan under conditions that its rows must meet, each moved as far down as it goes."""
    match plan:
        case plans.Filter(below, condition):
            return _pushed(below, (*conjuncts(condition), *above))
        case plans.Join():
            return _pushed_join(plan, above)
        case plans.Group(below, keys, aggregates):
            free = {named.ref: named.term for named in keys}
            down = tuple(part for part in above if _only_keys(part, free))
            stay = tuple(part for part in above if part not in down)
            lowered = tuple(_below_group(part, free) for part in down)
            return _filtered(plans.Group(_pushed(below, lowered), keys, aggregates), stay)
        case _:
            return _filtered(with_inputs(plan, lambda below: _pushed(below, ())), above)


def _pushed_join(join: plans.Join, above: tuple[Term, ...]) -> Plan:
    left_sources, right_sources = sources_of(join.left), sources_of(join.right)
    outer = join.outer and not any(_refuses_null(part, right_sources) for part in above)
    on = conjuncts(join.condition) if join.condition != TRUE else ()
    if not outer:
        on, above = (*on, *above), ()
    left = tuple(part for part in above if sources(part) <= left_sources)
    above = tuple(part for part in above if part not in left)
    right = tuple(part for part in on if sources(part) <= right_sources)
    on = tuple(part for part in on if part not in right)
    if not outer:
        left = tuple(part for part in on if sources(part) <= left_sources)
        on = tuple(part for part in on if part not in left)
    inputs = _pushed(join.left, left), _pushed(join.right, right)
    return _filtered(plans.Join(*inputs, outer, conjunction(on)), above)


def _refuses_null(condition: Term, absent: frozenset[str]) -> bool:
    """Whether a condition cannot hold where all columns of these sources are NULL."""
    if not sources(condition) & absent:
        return False

    def without(term: Term) -> Term:
        if isinstance(term, terms.Ref) and term.source in absent:
            return terms.Const(None, term.kind)
        return mapped(term, without)

    result = folded(without(condition))
    return isinstance(result, terms.Const) and result.value is not True


def _only_keys(condition: Term, keys: dict[terms.Ref, Term]) -> bool:
    refs = [part for part in walk(condition) if isinstance(part, terms.Ref)]
    return bool(refs) and all(ref in keys for ref in refs)


def _below_group(term: Term, keys: dict[terms.Ref, Term]) -> Term:
    if isinstance(term, terms.Ref):
        return keys[term]
    return mapped(term, lambda inner: _below_group(inner, keys))


def _filtered(plan: Plan, conditions: tuple[Term, ...]) -> Plan:
    if any(_never(condition) for condition in conditions):
        return plans.Filter(plan, FALSE)
    return plans.Filter(plan, conjunction(conditions)) if conditions else plan


def _pruned(plan: Plan) -> Plan:
    """The plan without conditions that always hold and without inputs that have no rows."""
    plan = with_inputs(plan, _pruned)
    match plan:
        case plans.Filter(below, condition) if condition == TRUE or isinstance(
            below, plans.Nothing
        ):
            return below
        case plans.Filter(below, condition) if _never(condition):
            return plans.Nothing(columns(below))
        case plans.Join(plans.Nothing(), _) | plans.Join(_, plans.Nothing(), False):
            return plans.Nothing(columns(plan))
        case plans.Join(_, _, False, condition) if _never(condition):
            return plans.Nothing(columns(plan))
        case _:
            return plan


def _never(condition: Term) -> bool:
    return isinstance(condition, terms.Const) and condition.value is not True
