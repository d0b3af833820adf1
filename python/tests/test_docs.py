"""Runs the Python code of the documentation."""

import re

import pytest
from conftest import ROOT


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_code_blocks_run(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
