"""The tree in the docstring is the tree of the classes."""

from __future__ import annotations

import re

from pipeline import errors


def classes():
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


def test_the_docstring_draws_every_class_under_its_parent():
    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in errors.__doc__.splitlines():
        found = re.match(r"^([│├└─ ]*)([A-Z]\w+)", line)
        if found and (line.startswith("PipelineError") or "─" in line):
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            drawn[found[2]] = path[depth - 1] if depth else "Exception"
    assert drawn == {kind.__name__: kind.__bases__[0].__name__ for kind in classes()}


def test_every_message_names_only_facts_that_are_given(request):
    for kind in classes():
        names = set(re.findall(r"{(\w+)", kind.message))
        assert str(kind(**dict.fromkeys(names, 1)))
