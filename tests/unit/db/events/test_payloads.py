"""Payloads as they were stored, one file for each version of each event: they must decode for ever.

A file is never changed or removed. A new version of a class adds one:

    python -m db.events.examples TYPE > tests/unit/db/events/payloads/TYPE.vN.json
"""

from pathlib import Path

import pytest

from db.events import decode, event_class, event_classes
from db.events.examples import example

FOLDER = Path(__file__).parent / "payloads"
FILES = sorted(FOLDER.glob("*.json"))


def split(path: Path) -> tuple[str, int]:
    name, _, version = path.stem.rpartition(".v")
    return name, int(version)


def test_every_version_of_every_class_has_a_file():
    wanted = {(cls.type, version) for cls in event_classes() for version in range(1, cls.version + 1)}
    missing = wanted - {split(path) for path in FILES}
    assert not missing, f"write them: python -m db.events.examples TYPE > {FOLDER}/TYPE.vN.json, for {missing}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stored_payload_decodes_to_what_it_meant(path):
    name, version = split(path)
    event = decode(name, version, path.read_text(encoding="utf-8"))
    assert type(event) is event_class(name)
    if version == event.version:
        # repr, since a NaN is not equal to itself
        assert repr(event) == repr(example(name)), "the example changed: raise the version of the class"
