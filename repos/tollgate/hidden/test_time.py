"""Instants, durations, zones and months."""

from datetime import date

import pytest
from tollgate.clock import (
    ManualClock,
    instant,
    microseconds,
    parse_duration,
    show_instant,
)
from tollgate.errors import ParseError
from tollgate.months import Month
from tollgate.zones import Zone


def midnight(zone, day):
    return show_instant(Zone.parse(zone).midnight(date.fromisoformat(day)))


def day_of(zone, moment):
    return str(Zone.parse(zone).day_of(instant(moment)))


def hours_ahead(zone, moment):
    return Zone.parse(zone).offset_at(instant(moment)).total_seconds() / 3600


def inside(*moments):
    """Those of some instants that fall into March 2024, an hour east of Greenwich."""
    span = Month.parse("2024-03").span(Zone.parse("+01:00"))
    return [moment for moment in moments if instant(moment) in span]


class TestInstants:
    def test_offset_becomes_utc(self):
        assert show_instant(instant("2024-03-01T01:30:00+02:00")) == "2024-02-29T23:30:00Z"

    def test_fractions_are_kept(self):
        assert show_instant(instant("2024-03-01T00:00:00.250Z")) == "2024-03-01T00:00:00.250000Z"

    def test_needs_an_offset(self):
        with pytest.raises(ParseError):
            instant("2024-03-01T00:00:00")

    def test_nonsense(self):
        with pytest.raises(ParseError):
            instant("yesterday")

    def test_milliseconds(self):
        assert microseconds(parse_duration("500ms")) == 500_000

    def test_minutes(self):
        assert microseconds(parse_duration("5m")) == 300_000_000

    def test_days(self):
        assert microseconds(parse_duration("2d")) == 172_800_000_000

    def test_no_duration_of_nothing(self):
        with pytest.raises(ParseError):
            parse_duration("0s")

    def test_a_clock_goes_on(self):
        clock = ManualClock("2024-03-01T00:00:00Z")
        clock.advance("90s")
        assert show_instant(clock.now()) == "2024-03-01T00:01:30Z"

    def test_a_clock_does_not_go_back(self):
        clock = ManualClock("2024-03-01T00:00:00Z")
        with pytest.raises(ValueError):
            clock.move_to("2024-02-29T23:59:59Z")


class TestZones:
    def test_fixed_offset(self):
        assert midnight("+05:30", "2024-03-01") == "2024-02-29T18:30:00Z"

    def test_west_of_greenwich(self):
        assert midnight("-08:00", "2024-03-01") == "2024-03-01T08:00:00Z"

    def test_eu_summer(self):
        assert midnight("+01:00/EU", "2024-07-01") == "2024-06-30T22:00:00Z"

    def test_eu_winter(self):
        assert midnight("+01:00/EU", "2024-12-01") == "2024-11-30T23:00:00Z"

    def test_eu_begins_on_the_last_sunday_of_march(self):
        assert hours_ahead("+01:00/EU", "2024-03-31T01:00:00Z") == 2.0

    def test_eu_just_before_it_begins(self):
        assert hours_ahead("+01:00/EU", "2024-03-31T00:59:59Z") == 1.0

    def test_eu_just_before_it_ends(self):
        assert hours_ahead("+02:00/EU", "2024-10-27T00:59:59Z") == 3.0

    def test_eu_ends_on_the_last_sunday_of_october(self):
        assert hours_ahead("+02:00/EU", "2024-10-27T01:00:00Z") == 2.0

    def test_us_begins_on_the_second_sunday_of_march(self):
        assert hours_ahead("-05:00/US", "2024-03-10T07:00:00Z") == -4.0

    def test_us_just_before_it_begins(self):
        assert hours_ahead("-05:00/US", "2024-03-10T06:59:59Z") == -5.0

    def test_us_just_before_it_ends(self):
        assert hours_ahead("-05:00/US", "2024-11-03T05:59:59Z") == -4.0

    def test_us_ends_on_the_first_sunday_of_november(self):
        assert hours_ahead("-05:00/US", "2024-11-03T06:00:00Z") == -5.0

    def test_midnight_of_the_day_on_which_us_summer_ends(self):
        assert midnight("-05:00/US", "2026-11-01") == "2026-11-01T04:00:00Z"

    def test_day_late_in_the_evening(self):
        assert day_of("-05:00/US", "2024-07-01T03:59:59Z") == "2024-06-30"

    def test_day_begins_at_midnight(self):
        assert day_of("-05:00/US", "2024-07-01T04:00:00Z") == "2024-07-01"

    def test_written_as_read(self):
        assert str(Zone.parse("-03:30/US")) == "-03:30/US"

    def test_utc_is_written_as_such(self):
        assert str(Zone.parse("+00:00")) == "UTC"

    def test_out_of_range(self):
        with pytest.raises(ParseError):
            Zone.parse("+14:30")

    def test_unknown_rule(self):
        with pytest.raises(ParseError):
            Zone.parse("+01:00/AU")


class TestMonths:
    def test_december_is_followed_by_january(self):
        assert str(Month.parse("2024-12").following()) == "2025-01"

    def test_days_of_a_leap_year(self):
        assert Month.parse("2024-02").days == 29

    def test_days_of_another_year(self):
        assert Month.parse("2100-02").days == 28

    def test_each_day(self):
        days = Month.parse("2024-04").each_day()
        assert [str(days[0]), str(days[-1])] == ["2024-04-01", "2024-04-30"]

    def test_order(self):
        months = sorted([Month(2024, 2), Month(2023, 12), Month(2024, 1)])
        assert [str(month) for month in months] == ["2023-12", "2024-01", "2024-02"]

    def test_end_is_local_midnight(self):
        span = Month.parse("2024-03").span(Zone.parse("+01:00/EU"))
        assert show_instant(span.end) == "2024-03-31T22:00:00Z"

    def test_start_belongs_to_the_span(self):
        assert inside("2024-02-29T22:59:59Z", "2024-02-29T23:00:00Z") == ["2024-02-29T23:00:00Z"]

    def test_end_does_not_belong_to_the_span(self):
        assert inside("2024-03-31T22:59:59Z", "2024-03-31T23:00:00Z") == ["2024-03-31T22:59:59Z"]

    def test_month_at_an_instant(self):
        assert str(Month.at(instant("2024-03-31T22:30:00Z"), Zone.parse("+02:00"))) == "2024-04"

    def test_no_thirteenth_month(self):
        with pytest.raises(ParseError):
            Month.parse("2024-13")
