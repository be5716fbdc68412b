"""Errors say what is wrong and what to do, and survive the way between processes."""

import pickle
import string

import pytest

from db import errors


def leaves(cls):
    below = cls.__subclasses__()
    return [leaf for sub in below for leaf in leaves(sub)] if below else [cls]


@pytest.mark.parametrize("cls", leaves(errors.DbError), ids=lambda cls: cls.__name__)
def test_error_formats_and_pickles(cls):
    names = {name for _, name, _, _ in string.Formatter().parse(cls.message) if name}
    error = cls(**{name: f"<{name}>" for name in names})
    for name in names:
        assert f"<{name}>" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.facts) == (cls, str(error), error.facts)


def test_docstring_draws_the_tree():
    for cls in leaves(errors.DbError):
        assert cls.__name__ in errors.__doc__, f"{cls.__name__} is missing from the tree in db/errors.py"
