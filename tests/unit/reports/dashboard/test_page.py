"""The page as HTML: well formed, self-contained, and deaf to what tests call themselves."""

import json
import re
from html.parser import HTMLParser

import pytest

from db import Stage
from reports.dashboard.build import build
from reports.dashboard.page import render, script_json, write_dashboard
from reports.dashboard.select import select
from reports.errors import CannotWrite, NothingRecorded

VOID = {"meta", "link", "br", "input", "img", "hr"}
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>{{7*7}}&amp;\"'\x1b[31m\x00\ud800\u202e漢字"


class Structure(HTMLParser):
    """Elements, ids, links and scripts of a page; unbalanced tags are an error."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["script"]:
            self.text.append(data)

    def every(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def parse(html: str) -> Structure:
    structure = Structure()
    structure.feed(html)
    structure.close()
    assert not structure.open
    return structure


@pytest.fixture
def page(history, first_light) -> str:
    first_light(history)
    return render(build(select(history.store, [])), nonce="once")


def test_the_page_is_well_formed_and_its_ids_are_unique(page: str) -> None:
    structure = parse(page)
    ids = [attributes["id"] for _, attributes in structure.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in structure.every("a"):
        assert str(link["href"]).removeprefix("#") in ids
    labelled = [value for _, attributes in structure.tags if (value := attributes.get("aria-labelledby"))]
    assert labelled
    assert set(labelled) <= set(ids)


def test_the_page_needs_no_network(page: str) -> None:
    structure = parse(page)
    assert not [attributes for _, attributes in structure.tags if "src" in attributes]
    assert not structure.every("link")
    (policy,) = [meta["content"] for meta in structure.every("meta") if "http-equiv" in meta]
    assert "default-src 'none'" in str(policy)
    assert page.count("* plotly.js v") == 1
    assert not re.search(r"url\(|@import", page[: page.index("</style>")])


def test_only_scripts_of_ours_may_run(page: str) -> None:
    scripts = parse(page).every("script")
    figures = [script for script in scripts if script.get("type") == "application/json"]
    assert [script["id"] for script in figures] == ["figure-outcomes", "figure-durations", "figure-margins"]
    assert [script.get("nonce") for script in scripts if script not in figures] == ["once", "once"]
    assert not [name for _, attributes in parse(page).tags for name in attributes if name.startswith("on")]


def test_every_page_gets_a_nonce_of_its_own(history, first_light) -> None:
    first_light(history)
    built = build(select(history.store, []))
    nonces = {re.search(r"'nonce-([^']+)'", render(built))[1] for _ in range(2)}
    assert len(nonces) == 2


def test_figures_are_json_with_data(page: str) -> None:
    figures = re.findall(r'<script type="application/json" id="[\w-]+">(.*?)</script>', page, re.DOTALL)
    assert len(figures) == 3
    for text in figures:
        assert json.loads(text)["data"]


def test_every_data_cell_has_its_heading(page: str) -> None:
    tables = re.findall(r"<table>(.*?)</table>", page, re.DOTALL)
    assert len(tables) == 7
    for table in tables:
        head, *rows = re.findall(r"<tr[ >].*?</tr>", table, re.DOTALL)
        width = len(re.findall(r"<th[ >]", head))
        assert [len(re.findall(r"<t[hd][ >]", row)) for row in rows] == [width] * len(rows)
        assert 'scope="col"' in head


def test_hostile_names_and_messages_are_text(history) -> None:
    history.run(HOSTILE, {f"{HOSTILE}@a5sim@default": history.case(), HOSTILE: history.test()}, git_branch=HOSTILE)
    broken = history.case(
        fails=Stage.RUN, error_type=HOSTILE, message=HOSTILE, traceback=HOSTILE, device=HOSTILE, comparison=HOSTILE
    )
    cases = {f"{HOSTILE}@a5sim@default": broken, HOSTILE: history.test(longrepr=f"E  {HOSTILE}")}
    history.run("head", cases, ends="aborted", host=HOSTILE)
    html = render(build(select(history.store, []), title=HOSTILE), nonce="once")
    html.encode()
    structure = parse(html)
    assert not structure.every("img")
    assert len(structure.every("script")) == 5
    ours = re.sub(r"<script nonce.*?</script>", "", html, flags=re.DOTALL)  # plotly.js holds odd characters itself
    assert not set(ours) & {*map(chr, range(9)), "\x1b", "\u202e", "\ud800"}
    shown = HOSTILE.replace("\x1b[31m", "")
    for hard, escaped in (("\x00", "\\x00"), ("\ud800", "\\ud800"), ("\u202e", "\\u202e")):
        shown = shown.replace(hard, escaped)
    # title, heading, names, causes, details: all of them literal
    assert "".join(structure.text).count(shown) > 10


def test_json_in_a_script_cannot_end_it() -> None:
    text = script_json(json.dumps({"name": "</script><!--\u2028&"}, ensure_ascii=False))
    assert not set(text) & set("<>&\u2028")
    assert json.loads(text) == {"name": "</script><!--\u2028&"}


def test_one_run_alone_has_a_page(history) -> None:
    history.run("only", {"a@a5sim@default": history.case(), "b@a5sim@default": history.case(fails=Stage.COMPARE)})
    html = render(build(select(history.store, ["only"])))
    assert "changes-title" not in parse(html).tags
    assert 'id="failure-1"' in html
    assert 'href="#failure-1"' in html


def test_runs_without_cases_have_a_page(history) -> None:
    history.run("empty", {})
    history.run("also", {}, ends="killed")
    html = render(build(select(history.store, [])))
    parse(html)
    assert "unfinished (running or killed)" in html


def test_many_runs_show_a_mark_each(history) -> None:
    for index in range(4):
        history.run(f"run{index}", {"a@a5sim@default": history.case(fails=Stage.RUN if index == 2 else None)})
    html = render(build(select(history.store, [])))
    assert re.findall(r'<span class="mark t-\w+" title="(\w+)"', html) == ["passed", "passed", "failed", "passed"]


def test_an_empty_database_is_an_error(history) -> None:
    with pytest.raises(NothingRecorded, match="holds no run yet"):
        select(history.store, [])


def test_writing_is_whole_or_not_at_all(history, first_light, tmp_path) -> None:
    first_light(history)
    output = tmp_path / "new" / "page.html"
    assert write_dashboard(history.store, ["base", "head"], output) == output
    assert [path.name for path in output.parent.iterdir()] == ["page.html"]
    parse(output.read_text(encoding="utf-8"))
    with pytest.raises(CannotWrite, match="give another place with --out"):
        write_dashboard(history.store, [], output / "below-a-file.html")
    with pytest.raises(CannotWrite):
        write_dashboard(history.store, [], tmp_path / "new")
    assert [path.name for path in output.parent.iterdir()] == ["page.html"]
