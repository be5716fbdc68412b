"""The page as a file: templates filled, scripts and styles inlined, written whole or not at all."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from db.store import Store
from reports.dashboard.build import build
from reports.dashboard.model import Page
from reports.dashboard.select import select
from reports.errors import CannotWrite
from reports.render.clean import block


def write_dashboard(store: Store, selectors: Sequence[str], output: Path, title: str | None = None) -> Path:
    """Write the page about the selected runs, of all if none is selected; gives the absolute path."""
    html = render(build(select(store, selectors), title))
    output = output.absolute()
    try:
        _write_atomically(output, html)
    except OSError as error:
        raise CannotWrite(path=output, problem=error.strerror or error) from error
    return output


def render(page: Page, nonce: str | None = None) -> str:
    """The page as HTML. Only scripts that carry `nonce` run, so one smuggled in through a test's text would not."""
    return (
        _environment()
        .get_template("dashboard.html")
        .render(
            page=page,
            nonce=nonce or secrets.token_urlsafe(16),
            style=_trusted("dashboard.css"),
            script=_trusted("dashboard.js"),
            plotly=Markup(get_plotlyjs()) if page.charts else "",
        )
    )


def script_json(text: str) -> Markup:
    """JSON that cannot end the script element it stands in, nor be read as markup."""
    escapes = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
    return Markup(text.translate(escapes))


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["script_json"] = script_json
    return environment


def _printable(value: Any) -> Any:
    """Control characters, direction overrides and lone surrogates of tests as visible escapes; markup is ours."""
    return "\n".join(block(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _trusted(name: str) -> Markup:
    return Markup(files("reports").joinpath("templates", name).read_text(encoding="utf-8"))


def _write_atomically(output: Path, html: str) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name[:40]}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(html)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(output)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
