"""The commands that answer from recorded runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reports.cli.database import database
from reports.cli.frame import As, Db, Format, answering, emit, location_of, opened, painter

app = typer.Typer(
    name="pypto-report",
    help="Answers from recorded runs: what changed between two of them, and why.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.add_typer(database, name="db")

RUN_HELP = "A run: id or its start, label, commit, branch, or @latest."
All = Annotated[bool, typer.Option("--all", help="Leave nothing out of long lists.")]


def main() -> None:
    """Run the command line; ends the process."""
    app(prog_name="pypto-report")


@app.callback()
def _options(db: Db = None) -> None:
    pass  # the option is read from the context: it may stand before the command as well as after it


@app.command("runs")
@answering
def runs_command(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, the newest first.")] = 20,
    format: As = Format.TEXT,
    db: Db = None,
) -> None:
    """List the recorded runs, the newest first."""
    from db.queries import runs

    with opened(context, db) as store:
        found = runs(store, limit)
    if format is Format.JSON:
        from reports.render.json import dumps, runs_json

        emit(dumps(runs_json(found)))
    else:
        from reports.render.text.runs import runs_text

        emit(runs_text(found, painter()))


@app.command("show")
@answering
def show_command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="RUN|CASE", help="A run, or the id of a case.")],
    run: Annotated[str | None, typer.Option("--run", help="Show the case as it went in this run.")] = None,
    everything: All = False,
    format: As = Format.TEXT,
    db: Db = None,
) -> None:
    """Show one run, or one case with its attempts, messages and history."""
    from reports.show import RunReport, show

    with opened(context, db) as store:
        report = show(store, name, run)
    if format is Format.JSON:
        from reports.render.json import case_report_json, dumps, run_report_json

        emit(dumps(run_report_json(report) if isinstance(report, RunReport) else case_report_json(report)))
    else:
        from reports.render.text.show import case_text, run_text

        emit(run_text(report, painter(), everything) if isinstance(report, RunReport) else case_text(report, painter()))


@app.command("diff")
@answering
def diff_command(
    context: typer.Context,
    base: Annotated[str, typer.Argument(metavar="BASE", help=RUN_HELP)],
    head: Annotated[str, typer.Argument(metavar="HEAD", help=RUN_HELP)],
    everything: All = False,
    max_inconclusive: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of cases that may lose their verdict before status 3.")
    ] = 0.05,
    format: As = Format.TEXT,
    db: Db = None,
) -> int:
    """Show what changed from BASE to HEAD.

    Exit status: 0 nothing new, 1 new failures, 3 too much inconclusive to say, 2 usage or database error.
    """
    from reports.load import load_diff

    with opened(context, db) as store:
        report = load_diff(store, base, head, max_inconclusive)
    if format is Format.JSON:
        from reports.render.json import diff_json, dumps

        emit(dumps(diff_json(report)))
    else:
        from reports.render.text.diff import diff_text

        emit(diff_text(report, painter(), everything))
    return report.conclusion.value


@app.command("dashboard")
@answering
def dashboard_command(
    context: typer.Context,
    selected: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]...", help="The runs to show, oldest first; else all.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")] = Path("pypto-dashboard.html"),
    title: Annotated[str | None, typer.Option(help="The title of the page.", show_default=False)] = None,
    db: Db = None,
) -> None:
    """Write one HTML page that shows runs side by side and needs no network; the last two are compared."""
    from reports.dashboard import write_dashboard

    with opened(context, db) as store:
        emit(f"{write_dashboard(store, selected or [], out, title)}\n")


@app.command("ingest")
@answering
def ingest_command(
    context: typer.Context,
    spools: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Spool files; else those beside the database.")
    ] = None,
    format: As = Format.TEXT,
    db: Db = None,
) -> None:
    """Bring events into the database that a session had to write to a file; doing so twice is harmless."""
    from reports.ingest import ingest_all, ingest_json, ingest_text

    with opened(context, db, create=True) as store:
        report = ingest_all(store, spools or [], location_of(context, db).url)
    if format is Format.JSON:
        from reports.render.json import dumps

        emit(dumps(ingest_json(report)))
    else:
        emit(ingest_text(report))
