"""The pytest plugin, loaded by entry point: it translates hooks, `pipeline.session` holds the logic.

Every start of pytest imports this module, so it imports the standard library and pytest only. Until a database is named
and until a test declares a case it does nothing more.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.options import DEFAULT_PLATFORMS, DEFAULT_TIMEOUT, WORK_FOLDER, Options, database_url, names_in

if TYPE_CHECKING:
    from pipeline.case_hooks import CaseHooks
    from pipeline.recording import Recording

RECORDING: pytest.StashKey[Recording] = pytest.StashKey()
CASES: pytest.StashKey[CaseHooks] = pytest.StashKey()
OPTIONS: pytest.StashKey[Options] = pytest.StashKey()

# Started by these, pytest looks at tests but runs none: there is nothing to record.
_LOOKING_ONLY = ("collectonly", "showfixtures", "show_fixtures_per_test", "cacheshow", "help", "version", "markers")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("pypto", "pypto: kernel cases, and the record of a session")
    group.addoption("--pypto-db", metavar="URL", help="record the session in this database (ini: pypto_db)")
    group.addoption("--pypto-label", metavar="TEXT", default="", help="a name for the run, to find it by")
    group.addoption(
        "--pypto-work",
        metavar="FOLDER",
        type=Path,
        help=f"where cases keep artifacts and data (default: {WORK_FOLDER} in the root directory)",
    )
    group.addoption(
        "--platform",
        metavar="NAMES",
        help=f"run cases on these platforms, separated by commas (default: {','.join(DEFAULT_PLATFORMS)})",
    )
    group.addoption(
        "--memory-planner", metavar="NAME", help="who places tiles, for cases that do not say it themselves"
    )
    group.addoption(
        "--case-timeout",
        metavar="SECONDS",
        type=float,
        default=DEFAULT_TIMEOUT,
        help=f"stop a kernel that runs longer (default: {DEFAULT_TIMEOUT:g})",
    )
    group.addoption(
        "--run-inline",
        action="store_true",
        help="run kernels in the pytest process, for debugging: a crash or a hang then ends the session",
    )
    parser.addini("pypto_db", "record sessions in this database; a relative path starts at the folder of this file")


def pytest_configure(config: pytest.Config) -> None:
    """Check the options, and start recording if a database is named."""
    config.addinivalue_line("markers", "platforms(*names): the platforms that the cases of a test are for")
    config.addinivalue_line("markers", "pypto_cases(*cases): set by st.cases")
    config.addinivalue_line("markers", "pypto_excluded(reason): set for a case that no platform of the session is for")
    config.stash[OPTIONS] = options = _options(config)
    if not _records(config, options):
        return
    from pipeline.bootstrap import start_recording
    from pipeline.errors import PipelineError

    try:
        recording = start_recording(config, options)
    except PipelineError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[RECORDING] = recording
    config.pluginmanager.register(recording, "pypto-recording")


def _records(config: pytest.Config, options: Options) -> bool:
    return options.database is not None and not any(config.getoption(name, None) for name in _LOOKING_ONLY)


def _options(config: pytest.Config) -> Options:
    """The options as values; a wrong one ends pytest with a message that names the right ones."""
    timeout = config.getoption("case_timeout")
    if not timeout > 0:
        raise pytest.UsageError(f"--case-timeout {timeout:g}: give a number of seconds above 0")
    platforms: tuple[str, ...] = DEFAULT_PLATFORMS
    planner = None
    if config.getoption("platform") is not None or config.getoption("memory_planner") is not None:
        from pipeline.errors import UsageProblem
        from pipeline.matrix import check_planner, check_platforms

        try:
            if config.getoption("platform") is not None:
                platforms = check_platforms(names_in(config.getoption("platform")), "--platform")
            if config.getoption("memory_planner") is not None:
                planner = check_planner(config.getoption("memory_planner"), "--memory-planner")
        except UsageProblem as error:
            raise pytest.UsageError(str(error)) from None
    work = config.getoption("pypto_work")
    return Options(
        database=_database(config),
        label=config.getoption("pypto_label"),
        platforms=platforms,
        planner=planner,
        timeout=timeout,
        inline=config.getoption("run_inline"),
        work=config.invocation_params.dir / work if work is not None else config.rootpath / WORK_FOLDER,
    )


def _database(config: pytest.Config) -> str | None:
    option = config.getoption("pypto_db")
    if option:
        return database_url(option, config.invocation_params.dir)
    ini = config.getini("pypto_db")
    return database_url(ini, (config.inipath or config.rootpath / "none").parent) if ini else None


def command_line(config: pytest.Config) -> str:
    """The command as a person would type it."""
    program = Path(sys.argv[0]).name
    words = [
        "pytest" if program in ("", "__main__.py", "py.test") else program,
        *map(str, config.invocation_params.args),
    ]
    return shlex.join(words)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one item per declared case and platform."""
    marks = list(metafunc.definition.iter_markers("pypto_cases"))
    if marks:
        from pipeline.collection import parametrize

        _case_hooks(metafunc.config)
        parametrize(
            metafunc, [entry for mark in reversed(marks) for entry in mark.args], metafunc.config.stash[OPTIONS]
        )


def _case_hooks(config: pytest.Config) -> CaseHooks:
    """The hooks that cases need, registered when the first one is declared."""
    hooks = config.stash.get(CASES, None)
    if hooks is None:
        from pipeline.bootstrap import start_cases

        hooks = config.stash[CASES] = start_cases(config, config.stash[OPTIONS], config.stash.get(RECORDING, None))
        config.pluginmanager.register(hooks, "pypto-cases")
    return hooks


@pytest.fixture
def _st_case(request: pytest.FixtureRequest) -> Any:
    """The case of an item; `st.cases` parametrizes over it."""
    pytest.fail(
        f"{request.node.nodeid}: case_run needs a case; declare one with @st.cases(st.case(...))", pytrace=False
    )


@pytest.fixture
def case_run(request: pytest.FixtureRequest, _st_case: Any) -> Any:
    """The case of this item: `case_run.assert_passed()` takes it through its stages."""
    return _case_hooks(request.config).case_run(request.node, _st_case)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say that the session is recorded, and where."""
    recording: Any = config.stash.get(RECORDING, None)
    return recording.header() if recording is not None else None
