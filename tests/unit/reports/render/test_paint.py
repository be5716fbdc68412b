import io

import pytest

from db.outcome import Change, Outcome
from reports.render.paint import DEFAULT_WIDTH, Painter, painter_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_no_colour_and_a_fixed_width() -> None:
    painter = painter_for(io.StringIO(), {})
    assert painter == Painter(False, DEFAULT_WIDTH)
    assert painter("text", "bold red") == "text"


def test_a_terminal_gets_colour_unless_told_otherwise() -> None:
    assert painter_for(Terminal(), {"TERM": "xterm"})("text", "bold red") == "\x1b[1;31mtext\x1b[0m"
    assert not painter_for(Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}).colour
    assert not painter_for(Terminal(), {"TERM": "dumb"}).colour
    assert painter_for(io.StringIO(), {"FORCE_COLOR": "1"}).colour


@pytest.mark.parametrize("member", [*Outcome, *Change])
def test_every_style_of_the_enumerations_is_known(member: Outcome | Change) -> None:
    assert "x" in Painter(colour=True)("x", member.style)
