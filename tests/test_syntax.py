"""Parsing in several threads at once, which plain ``ast.parse`` does not survive."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from harness import syntax

SOURCE = "\n".join(f"def f{n}(a, b):\n    return [a + {n}, (b, -a), {{a: b}}]" for n in range(300))


class Slow:
    """Garbage whose end lets other threads run: what a collection in mid-parse may meet."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        time.sleep(0.0005)


def test_threads_that_collect_while_they_parse_get_their_trees() -> None:
    sizes: list[int] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(6):
                Slow()
                sizes.append(len(syntax.parse(SOURCE).body))
        except BaseException as error:
            errors.append(error)

    threshold = gc.get_threshold()
    gc.set_threshold(50)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*threshold)
    assert errors == []
    assert sizes == [300] * 24


@pytest.mark.parametrize("text", ["def f(:\n", "a\0b"])
def test_what_is_no_python_is_told_as_always(text: str) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        syntax.parse(text)
