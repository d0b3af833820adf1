"""The examples in the docstrings run, and everything public has a docstring."""

import doctest
import inspect

import pytest
import sandtable
import sandtable.gymnasium
import sandtable.pettingzoo

MODULES = [sandtable, sandtable.gymnasium, sandtable.pettingzoo]


def documented() -> dict[str, str]:
    """Every public name of the modules with its docstring."""
    found: dict[str, str] = {}
    for module in MODULES:
        found[module.__name__] = module.__doc__ or ""
        for name in module.__all__:
            value, path = getattr(module, name), f"{module.__name__}.{name}"
            if inspect.isclass(value) or inspect.isroutine(value):
                found[path] = value.__doc__ or ""
            if inspect.isclass(value):
                for member, attribute in vars(value).items():
                    described = inspect.isroutine(attribute) or inspect.isdatadescriptor(attribute)
                    if described and not member.startswith("_"):
                        found[f"{path}.{member}"] = attribute.__doc__ or ""
    return found


DOCUMENTED = documented()


@pytest.mark.parametrize("name", [name for name, text in DOCUMENTED.items() if ">>>" in text])
def test_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(DOCUMENTED[name], {}, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def test_everything_public_is_described() -> None:
    assert len(DOCUMENTED) > 100
    assert [name for name, text in DOCUMENTED.items() if not text.strip()] == []
    assert sum(">>>" in text for text in DOCUMENTED.values()) > 20
