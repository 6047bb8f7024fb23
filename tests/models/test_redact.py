"""Keys never show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.client import key_for
from harness.models.redact import StreamGuard, key_names, redacted, remember
from harness.plan import EndpointLaunch


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abcdef123456", "abcdef123456"),
        ("{'authorization': 'Bearer abcdef123456'}", "abcdef123456"),
        ("Incorrect API key provided: sk-proj-abcdefgh123", "abcdefgh123"),
        ("GET http://user:hunter22@host/v1", "hunter22"),
        ("https://host/v1?api_key=abcdef123456&x=1", "abcdef123456"),
    ],
)
def test_what_looks_like_a_key_is_masked(text: str, secret: str) -> None:
    assert secret not in redacted(text) and "[redacted]" in redacted(text)


def test_keys_in_use_are_masked_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", "plain-looking-value")
    endpoint = EndpointLaunch(url="http://127.0.0.1/v1", api_key_env="OWN_KEY")
    assert key_for(endpoint) == "plain-looking-value"
    assert "plain-looking" not in redacted("the server echoed plain-looking-value back")


def test_ordinary_text_stays() -> None:
    text = "HTTP 400: bearer of news; the key is missing at http://127.0.0.1:8080/v1"
    assert redacted(text) == text


@pytest.mark.parametrize(
    "text",
    ["user:hunter22@host:80", "connecting to me:hunter22@127.0.0.1 failed", "x:hunter22@[::1]"],
)
def test_a_password_of_an_address_without_its_scheme_is_masked(text: str) -> None:
    assert "hunter22" not in redacted(text)


@given(st.lists(st.integers(1, 9), max_size=30), st.sampled_from(["", "plain-", "e plain-looking"]))
def test_a_key_in_pieces_is_masked_and_all_else_arrives(sizes: list[int], before: str) -> None:
    remember("plain-looking-value")
    text = f"{before}plain-looking-value, then plain-lookin"
    guard, shown, at = StreamGuard(), [], 0
    for size in [*sizes, len(text)]:
        shown.append(guard.pass_on("text", text[at : at + size]))
        at += size
        assert "plain-looking-v" not in "".join(shown)
    shown += guard.rest().values()
    assert "".join(shown) == f"{before}[redacted], then plain-lookin"


def test_names_under_which_keys_are_given() -> None:
    body = {"api_key": 1, "a": [{"X-API-Key": 2, "Authorization": 3}], "top_k": 4, "keys": 5}
    assert sorted(key_names(body)) == ["Authorization", "X-API-Key", "api_key"]
    assert key_names({"chat_template_kwargs": {"enable_thinking": False}}) == []
