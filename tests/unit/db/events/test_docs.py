"""The catalogue page is what the classes say."""

from db.events import docs, event_classes


def test_page_is_current():
    found = docs.PAGE.read_text(encoding="utf-8")
    assert found == docs.render(), f"docs/events.md is stale; run `{docs.COMMAND}`"


def test_page_describes_every_event_and_field():
    page = docs.render()
    for cls in event_classes():
        section = page.split(f"## `{cls.type}`")[1].split("\n## ")[0]
        for name in cls.__struct_fields__:
            assert f"| `{name}` |" in section
