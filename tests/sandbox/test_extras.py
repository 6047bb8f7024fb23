"""Optional packages of a box: there when asked for, absent otherwise, named when not installed."""

from __future__ import annotations

import dataclasses

import pytest

from harness.errors import SandboxError
from harness.sandbox import extras
from harness.sandbox.protocol import ChildSpec, Limits, Provider
from tests.support.boxes import spec, unavailable
from tools.box import layout

PACKAGES = "numpy pandas openpyxl docx gensim bs4 PIL nltk PyPDF2 reportlab"
PROGRAM = f"""
import importlib, os, sys
print(os.path.isdir({layout.EXTRA!r}))
sys.path.append({layout.EXTRA!r})
for name in {PACKAGES!r}.split():
    try:
        importlib.import_module(name)
    except ImportError:
        print(name, 'is missing')
"""
CHILD = ChildSpec(argv=(layout.PYTHON, "-I", "-c", PROGRAM), wall_s=90.0)


async def test_packages_of_classeval(provider: Provider) -> None:
    report = await provider.probe(Limits())
    if "classeval" not in report.toolchain:
        unavailable(provider.name, "the packages for classeval are not installed")
    seen, digests = [], []
    for extra in ("classeval", None):
        wanted = dataclasses.replace(spec(Limits()), extra=extra)
        box = await provider.open(wanted)
        try:
            seen.append((await box.run(CHILD)).stdout.split("\n"))
            digests.append(box.attestation.image_digest)
        finally:
            await box.close()
    assert seen[0] == ["True", ""]
    assert seen[1][0] == "False" and "numpy is missing" in seen[1]
    assert digests[0] != digests[1], "the attestation tells which packages there were"


async def test_packages_that_are_not_installed_are_named(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbuilt = extras.Extra("unbuilt", "requirements-box.txt", ("3.11",))
    monkeypatch.setitem(extras.EXTRAS, "unbuilt", unbuilt)
    with pytest.raises(SandboxError, match="packages for unbuilt are not installed") as told:
        await provider.open(dataclasses.replace(spec(), extra="unbuilt"))
    assert told.value.remedy == f"proctor setup {provider.name} --for unbuilt"
