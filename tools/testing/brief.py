"""Failures told in a line: a traceback of each takes longer than the tests themselves."""

from __future__ import annotations

from typing import Any


class Brief:
    """A pytest plugin: of a test that fails, its exception is kept. What is skipped is left to
    pytest."""

    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        from pytest import TestReport, skip

        found = call.excinfo
        if found is None or isinstance(found.value, (skip.Exception, BaseExceptionGroup)):
            return None
        text = found.exconly()
        times = call.duration, call.start, call.stop
        return TestReport(item.nodeid, item.location, {}, "failed", text, call.when, (), *times)
