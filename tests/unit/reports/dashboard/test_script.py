import json
import shutil
import subprocess
from pathlib import Path

import pytest

import reports

SCRIPT = Path(reports.__file__).parent / "templates" / "dashboard.js"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs Node.js to run the script of the page")
def test_the_script_draws_filters_and_changes_theme() -> None:
    assert NODE is not None
    command = [NODE, Path(__file__).with_name("page_script.js"), SCRIPT]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)
    assert result == {
        "start": {
            "failureOpen": True,
            "controlsHidden": [False, False],
            "visible": [True, True, True],
            "shown": "3 of 3 rows",
        },
        "layout": {
            "font": {"color": "colour of --text", "family": "system-ui, sans-serif", "size": 13},
            "xaxis": {
                "type": "log",
                "gridcolor": "colour of --grid",
                "linecolor": "colour of --line",
                "zerolinecolor": "colour of --line",
            },
            "yaxis": {
                "gridcolor": "colour of --grid",
                "linecolor": "colour of --line",
                "zerolinecolor": "colour of --line",
            },
            "hoverlabel": {
                "bgcolor": "colour of --card",
                "bordercolor": "colour of --line",
                "font": {"color": "colour of --text"},
            },
        },
        "words": {"visible": [False, True, False], "shown": "1 of 3 rows"},
        "changed": {"visible": [False, True, False], "shown": "1 of 3 rows"},
        "same": {"visible": [True, True, False], "shown": "2 of 3 rows"},
        "failing": {"visible": [False, True, False], "shown": "1 of 3 rows"},
        "keys": {"focused": True, "cleared": True},
        "theme": {"chosen": "dark", "pressed": "true", "redrawn": 1},
    }
