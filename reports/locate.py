"""Which database a command reads: the option, then the environment, then the pytest ini file.

The ini key is the one the pytest plugin reads, so that a project names its database once. A relative SQLite path in an
ini file starts at the folder of that file; in the option and the environment it starts at the working directory.
"""

from __future__ import annotations

import configparser
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from reports.errors import BadSetting, NoDatabase

ENVIRONMENT = "PYPTO_DB"
KEY = "pypto_db"

# In the order pytest itself looks for its settings; the tables of one TOML file likewise.
INI_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pytest.toml", ("pytest",)),
    (".pytest.toml", ("pytest",)),
    ("pytest.ini", ("pytest",)),
    (".pytest.ini", ("pytest",)),
    ("pyproject.toml", ("tool.pytest", "tool.pytest.ini_options")),
    ("tox.ini", ("pytest",)),
    ("setup.cfg", ("tool:pytest",)),
)


@dataclass(frozen=True)
class Location:
    """A database URL and the place that named it, for messages."""

    url: str
    source: str


def locate(option: str | None, environ: Mapping[str, str] | None = None, start: Path | None = None) -> Location:
    """The database to use; raises `NoDatabase`, which names all three places, when none is set."""
    environ = os.environ if environ is None else environ
    start = Path.cwd() if start is None else start
    if option:
        return Location(as_url(option, start), "--db")
    if environ.get(ENVIRONMENT):
        return Location(as_url(environ[ENVIRONMENT], start), ENVIRONMENT)
    for folder in (start, *start.parents):
        for name, sections in INI_FILES:
            path = folder / name
            value = read_setting(path, sections) if path.is_file() else None
            if value:
                return Location(as_url(value, folder), f"{KEY} in {path}")
    raise NoDatabase(folder=start)


def as_url(value: str, folder: Path) -> str:
    """The same database with a SQLite file, by URL or by bare path, named absolutely from `folder`."""
    scheme, is_url, rest = value.partition("://")
    if not is_url:
        return str(folder / Path(value).expanduser())
    path = unquote(rest[1:])
    if not scheme.startswith("sqlite") or not rest.startswith("/") or path in ("", ":memory:"):
        return value
    return f"{scheme}:///{quote(str(folder / Path(path).expanduser()))}"


def read_setting(path: Path, sections: tuple[str, ...]) -> str | None:
    """The `pypto_db` key of one ini or TOML file, or None when it has none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        tables = _toml_tables(text) if path.suffix == ".toml" else _ini_tables(text, str(path))
    except (OSError, UnicodeError, tomllib.TOMLDecodeError, configparser.Error) as error:
        raise BadSetting(path=path, problem=f"cannot be read ({error})") from None
    for section in sections:
        value = tables.get(section, {}).get(KEY)
        if value is not None and not isinstance(value, str):
            raise BadSetting(path=path, problem=f"{KEY} must be text such as 'sqlite:///runs.db', not {value!r}")
        if value:
            return value
    return None


def _toml_tables(text: str) -> dict[str, dict]:
    document = tomllib.loads(text)
    pytest_table = _table(_table(document, "tool"), "pytest")
    return {
        "pytest": _table(document, "pytest"),
        "tool.pytest": pytest_table,
        "tool.pytest.ini_options": _table(pytest_table, "ini_options"),
    }


def _table(parent: dict, key: str) -> dict:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def _ini_tables(text: str, name: str) -> dict[str, dict]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text, source=name)
    return {section: dict(parser[section]) for section in parser.sections()}
