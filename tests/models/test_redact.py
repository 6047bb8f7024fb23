"""Keys never show."""

from __future__ import annotations

import pytest

from harness.models.client import key_for
from harness.models.redact import redacted
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
