"""Runs the examples of docstrings and checks that everything public has one."""

import doctest
import importlib
import inspect
from importlib.util import find_spec

import pytest
import sandtable
import sandtable.gymnasium
import sandtable.pettingzoo

MODULES = [sandtable, sandtable.gymnasium, sandtable.pettingzoo]
if find_spec("pyspiel"):
    MODULES.append(importlib.import_module("sandtable.open_spiel"))


def docstrings() -> dict[str, str]:
    """The docstrings of all public names."""
    found: dict[str, str] = {}
    for module in MODULES:
        found[module.__name__] = module.__doc__ or ""
        for name in module.__all__:
            value, path = getattr(module, name), f"{module.__name__}.{name}"
            if inspect.isclass(value) or inspect.isroutine(value):
                found[path] = value.__doc__ or ""
            if inspect.isclass(value):
                for member, attribute in vars(value).items():
                    documented = inspect.isroutine(attribute) or inspect.isdatadescriptor(attribute)
                    if documented and not member.startswith("_"):
                        found[f"{path}.{member}"] = attribute.__doc__ or ""
    return found


DOCSTRINGS = docstrings()


@pytest.mark.parametrize("name", [name for name, text in DOCSTRINGS.items() if ">>>" in text])
def test_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(DOCSTRINGS[name], {}, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def test_everything_public_is_documented() -> None:
    assert len(DOCSTRINGS) > 100
    assert [name for name, text in DOCSTRINGS.items() if not text.strip()] == []
    assert sum(">>>" in text for text in DOCSTRINGS.values()) > 20
