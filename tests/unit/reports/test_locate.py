from pathlib import Path

import pytest

from reports.errors import BadSetting, NoDatabase
from reports.locate import Location, as_url, locate


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    return folder


def test_option_wins_over_environment_and_ini(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npypto_db = ini.db\n")
    location = locate("sqlite:///option.db", {"PYPTO_DB": "sqlite:///env.db"}, tmp_path)
    assert location == Location(f"sqlite:///{tmp_path}/option.db", "--db")


def test_environment_wins_over_ini(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npypto_db = ini.db\n")
    location = locate(None, {"PYPTO_DB": "postgresql://host/name"}, tmp_path)
    assert location == Location("postgresql://host/name", "PYPTO_DB")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\npypto_db = sqlite:///runs.db\n"),
        ("tox.ini", "[pytest]\npypto_db = runs.db\n"),
        ("setup.cfg", "[tool:pytest]\npypto_db = runs.db\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\npypto_db = "sqlite:///runs.db"\n'),
        ("pyproject.toml", '[tool.pytest]\npypto_db = "runs.db"\n'),
        ("pytest.toml", '[pytest]\npypto_db = "runs.db"\n'),
    ],
)
def test_ini_key_is_found_upward_and_relative_to_its_file(tmp_path: Path, nested: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    location = locate(None, {}, nested)
    assert location.url.removeprefix("sqlite:///") == f"{tmp_path}/runs.db"
    assert location.source == f"pypto_db in {tmp_path / name}"


def test_nearest_ini_with_the_key_wins(tmp_path: Path, nested: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npypto_db = far.db\n")
    (nested / "pyproject.toml").write_text('[tool.pytest.ini_options]\nminversion = "9.0"\n')
    (nested.parent / "tox.ini").write_text("[pytest]\npypto_db = near.db\n")
    assert locate(None, {}, nested).url == f"{nested.parent}/near.db"


def test_nothing_set_names_all_three_places(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase) as caught:
        locate(None, {"PYPTO_DB": ""}, tmp_path)
    message = str(caught.value)
    for place in ("--db", "PYPTO_DB", "pypto_db", "pyproject.toml", "pytest.ini", "tox.ini", str(tmp_path)):
        assert place in message


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("pyproject.toml", b"[tool.pytest\n", "cannot be read"),
        ("pytest.ini", b"pypto_db = x\n", "cannot be read"),
        ("pyproject.toml", b"[tool.pytest.ini_options]\npypto_db = 3\n", "must be text"),
        ("pytest.ini", b"\xff\xfe[pytest]", "cannot be read"),
    ],
)
def test_broken_ini_is_an_error_that_names_the_file(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadSetting, match=expected) as caught:
        locate(None, {}, tmp_path)
    assert str(tmp_path / name) in str(caught.value)


def test_tables_of_another_shape_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("tool = 3\n")
    with pytest.raises(NoDatabase):
        locate(None, {}, tmp_path)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("runs.db", "/home/user/runs.db"),
        ("/abs/100%.db", "/abs/100%.db"),
        ("~/runs.db", str(Path("~/runs.db").expanduser())),
        ("sqlite:///runs.db", "sqlite:////home/user/runs.db"),
        ("sqlite:///my%20runs.db", "sqlite:////home/user/my%20runs.db"),
        ("sqlite:///~/runs.db", f"sqlite:///{Path('~/runs.db').expanduser()}"),
        ("sqlite:////abs/runs.db", "sqlite:////abs/runs.db"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
        ("sqlite://", "sqlite://"),
        ("postgresql+psycopg://u@h/db", "postgresql+psycopg://u@h/db"),
    ],
)
def test_as_url(value: str, expected: str) -> None:
    assert as_url(value, Path("/home/user")) == expected
