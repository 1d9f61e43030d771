"""The figure of ``dibimt ldd score``: what is drawn, and the files that come of it."""

from __future__ import annotations

import struct
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError, MissingLibraryError
from dibimt_metric.score import Counts
from dibimt_metric.score_breakdown import Cell as AccuracyCell
from dibimt_metric.score_measures import Measure
from dibimt_tools.dibimt.plot import Panel as AccuracyPanel
from dibimt_tools.dibimt.plot import draw as draw_accuracies
from dibimt_tools.figures import STYLES, check_plot, style_of
from dibimt_tools.ldd.html import panel_svg
from dibimt_tools.ldd.plot import (
    Line,
    Panel,
    Point,
    draw,
    legend_notes,
    limits,
    make_panels,
    offset,
)
from dibimt_tools.svg import ticks
from ldd_challenge_sets.scoring.settings import Settings
from tests.dibimt_tools.ldd_reports import large_report, report, small_report, system

SETTINGS = Settings()


# What is drawn


def test_a_panel_for_each_set_and_a_line_for_each_system() -> None:
    panels = make_panels(large_report())
    assert len(panels) == 6
    assert all(len(panel.lines) == 5 for panel in panels)
    particle = panels[0]
    assert (particle.title, particle.bins, particle.counts) == (
        "particle",
        ("All", "≥1", "≥2", "≥3"),
        (240, 120, 60, 12),
    )
    assert particle.lines[0].baseline == 40.0
    assert particle.lines[0].points[1] == Point(37.0, 35.0, 39.0, small=False)
    assert [point.small for point in particle.lines[0].points] == [False, False, False, True]


def test_undefined_points_stay_undefined() -> None:
    assert make_panels(small_report())[0].lines[0].points[3] == Point(None, None, None, small=True)


def panel(*lines: Line) -> Panel:
    return Panel("x", tuple("abc"), (1, 1, 1), lines)


def test_limits_hold_everything_but_the_intervals_of_small_sets() -> None:
    points = (Point(30.0, 28.0, 32.0, False), Point(25.0, 1.0, 90.0, True), Point(None, None, None, True))
    low, high = limits([panel(Line("a", 34.0, points))])
    # 25 (the small set's score) to 34 (the full corpus), and 6 % of that below and above.
    assert low == pytest.approx(25 - 0.06 * (34 - 25))
    assert high == pytest.approx(34 + 0.06 * (34 - 25))


def test_limits_of_nothing_and_of_one_number() -> None:
    assert limits([panel(Line("a", None, (Point(None, None, None, True),)))]) == (0.0, 1.0)
    low, high = limits([panel(Line("a", None, (Point(0.0, None, None, False),)))])
    assert low == 0.0 < high
    low, high = limits([panel(Line("a", 20.0, ()))])
    assert low < 20.0 < high


@given(st.integers(1, 30))
def test_systems_stand_beside_each_other_inside_their_bin(lines: int) -> None:
    places = [offset(place, lines) for place in range(lines)]
    assert places == sorted(places)
    assert len(set(places)) == lines
    assert sum(places) == pytest.approx(0, abs=1e-9)
    assert max(places) - min(places) <= 0.44 + 1e-9


@given(st.floats(0, 1000, allow_subnormal=False), st.floats(1e-3, 1000))
def test_ticks_are_round_and_inside(low: float, size: float) -> None:
    marks = ticks(low, low + size)
    assert 2 <= len(marks) <= 11
    assert all(low - 1e-6 <= mark <= low + size + 1e-6 for mark in marks)
    steps = {round(b - a, 9) for a, b in zip(marks, marks[1:], strict=False)}
    assert len(steps) == 1


def test_seven_systems_have_styles_of_their_own() -> None:
    assert len(STYLES) == 7
    assert len({color for color, _ in STYLES}) == len({marker for _, marker in STYLES}) == 7
    assert [style_of(place) for place in range(7)] == [(n, STYLES[n][1]) for n in range(7)]
    assert len({style_of(place) for place in range(49)}) == 49


def test_notes_name_only_the_signs_that_are_there() -> None:
    assert legend_notes(small_report(), SETTINGS) == (
        "n: sentences",
        "dashed: full corpus",
        "bars: 95 % interval",
        "hollow: too small (n < 30)",
    )
    bare = report([system("one", [("x", 38.0)], (90, 80, 70, 60), baseline=False, bootstrap=False)])
    assert legend_notes(bare, SETTINGS) == ("n: sentences",)


# SVG in the page


def test_small_sets_have_hollow_signs() -> None:
    (made,) = make_panels(small_report())
    svg = panel_svg(made, limits([made]), "described")
    # Two systems with points at All, >=1 and >=2; the last one stands on 12 sentences; >=3 is empty.
    assert svg.count("hollow") == 2
    assert svg.count("translate(") == 6
    assert svg.count(" bar") == 6
    assert svg.count("dashed") == 2
    assert svg.count(">n=12<") == svg.count(">n=0<") == 1


def test_a_line_breaks_where_a_score_is_undefined() -> None:
    points = [Point(value, None, None, False) for value in (1.0, 2.0, None, 3.0, 4.0)]
    made = Panel("x", tuple("abcde"), (50,) * 5, (Line("one", None, tuple(points)),))
    svg = panel_svg(made, (0.0, 5.0), "described")
    assert svg.count('class="s0 line"') == 2


def test_bars_end_at_the_frame() -> None:
    made = Panel("x", ("All",), (5,), (Line("one", None, (Point(2.0, -50.0, 90.0, True),)),))
    svg = panel_svg(made, (0.0, 5.0), "described")
    assert ",226.0V10.0" in svg


# Files


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_figure_grows_with_the_number_of_sets() -> None:
    pytest.importorskip("matplotlib")
    small, large = draw(small_report(), SETTINGS), draw(large_report(), SETTINGS)
    assert size(small)[0] > 800
    assert size(large)[0] > 2 * size(small)[0]
    assert size(large)[1] > size(small)[1]
    assert len(large) > 50_000  # an empty figure is far smaller


@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_same_report_gives_the_same_bytes(ending: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    first, second = (draw(small_report(), SETTINGS, ending) for _ in range(2))
    assert first.startswith(start)
    assert first == second


def test_long_names_and_many_systems_can_be_drawn() -> None:
    pytest.importorskip("matplotlib")
    made = report([system(f"system number {place} $x_1$ " * 3, [("x", 38.0)]) for place in range(9)])
    assert size(draw(made, SETTINGS))[0] > 800


NAMES = (r"$\frac$", "$x^2$", r"a\$b", "$", "_hidden", "a_1^2 % & #")


def drawn_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts as they reach the page: a list that fills while something is drawn; formulas are not allowed."""
    from matplotlib.backends.backend_agg import RendererAgg

    texts: list[str] = []
    draw_text = RendererAgg.draw_text

    def record(self, gc, x, y, s, *more, ismath=False, **named) -> None:
        assert not ismath
        texts.append(s)
        draw_text(self, gc, x, y, s, *more, ismath=ismath, **named)

    monkeypatch.setattr(RendererAgg, "draw_text", record)
    return texts


@pytest.mark.filterwarnings("error")
def test_names_are_no_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    texts = drawn_texts(monkeypatch)
    made = replace(
        report([system(name, [("$ph^$", 38.0), ("_x", 30.0)]) for name in NAMES]),
        corpus=r"$\news$",
        pair="$p$",
    )
    draw(made, SETTINGS)
    assert set(NAMES) <= set(texts)
    assert {"$ph^$", "_x", r"BLEU by minimum distance, $p$, $\news$"} <= set(texts)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", [".svg", ".pdf"])
def test_names_are_no_formulas_in_other_files(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("matplotlib.mathtext.MathTextParser.parse", lambda *_, **__: pytest.fail("a formula"))
    draw(report([system(name, [("$x$", 38.0)]) for name in NAMES]), SETTINGS, ending)


@pytest.mark.filterwarnings("error")
def test_names_are_no_formulas_in_the_figure_of_accuracies(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    texts = drawn_texts(monkeypatch)
    half = Measure(50.0, None, 2)
    bins = (AccuracyCell("$1^$", Counts(1, 1), half, half),)
    series = tuple((name, bins) for name in NAMES[1:5])
    assert draw_accuracies("$t$", [AccuracyPanel("$half^$", "$bins^$", series)]) is not None
    assert {"$t$", "$half^$", "$bins^$", "$1^$", *NAMES[1:5]} <= set(texts)


def test_empty_sets_have_no_panel_of_their_own() -> None:
    pytest.importorskip("matplotlib")
    made = large_report()
    empty = system("s", [("particle", 38.0)], (0, 0, 0, 0)).sets[0]
    systems = [replace(each, sets=(*each.sets[:3], empty)) for each in made.systems]
    three = [replace(each, sets=each.sets[:3]) for each in made.systems]
    assert size(draw(report(systems), SETTINGS)) == size(draw(report(three), SETTINGS))
    nothing = report([system("s", [("particle", 38.0)], (0, 0, 0, 0))])
    assert size(draw(nothing, SETTINGS))[0] > 800


def test_endings_that_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match=r"figure\.jpg: cannot be drawn: .* \.png, \.svg, \.pdf"):
        check_plot("figure.jpg")


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[plot\]'"):
        check_plot("figure.png")
