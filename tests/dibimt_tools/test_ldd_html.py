"""The page of ``dibimt ldd score``: sound HTML that needs nothing else, with every number."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from dibimt_tools.ldd.html import score_page
from ldd_challenge_sets.scoring.settings import Settings
from tests.dibimt_tools.ldd_reports import NAMES, PHENOMENA, large_report, report, small_report, system

SETTINGS = Settings()
VOID = {"meta", "wbr"}


class Page(HTMLParser):
    """Reads a page; refuses elements that are not closed in order; collects tables and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if self.open and {"td", "th"}.intersection(self.open):
            self.tables[-1][-1][-1] += data


@pytest.fixture(scope="module")
def large() -> str:
    return score_page(large_report(), SETTINGS)


def test_page_is_sound_and_complete(large: str) -> None:
    page = Page(large)
    assert page.tags.count("h1") == 1
    headings = re.findall(r"<h2>(.*?)</h2>", large)
    assert headings[1:7] == [f"de-en-{phenomenon}" for phenomenon, _ in PHENOMENA]
    assert page.tags.count("figure") == 6
    assert all(name in page.text for name in NAMES)
    assert "How to read the tables" in page.text
    assert "ldd|pair:de-en|version:0" in page.text
    assert "case:mixed|tok:13a" in page.text
    assert "bootstrap resamples1000" in page.text


def test_page_asks_for_nothing(large: str) -> None:
    page = Page(large)
    assert {"script", "link", "img", "iframe", "object", "a", "use"}.isdisjoint(page.tags)
    names = {name for name, _ in page.attributes}
    assert {"src", "href", "style", "onclick", "onload"}.isdisjoint(names)
    assert "url(" not in large and "@import" not in large and "http" not in large


def test_page_is_made_for_narrow_and_for_dark_windows(large: str) -> None:
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in large
    assert "prefers-color-scheme: dark" in large
    assert ("class", "scroll") in Page(large).attributes
    # Colors of the figures come from variables, of which there is a light and a dark one each.
    assert large.count("--s4:") == 2
    assert "#0072B2" not in large.partition("</style>")[2]


def test_tables_hold_the_numbers() -> None:
    page = Page(score_page(small_report(), SETTINGS))
    overview, full, compared, main, exact, spearman, bleu, chrf = page.tables[:8]
    assert overview[1] == ["full corpus", "1,000", "40.00", "40.00"]
    assert overview[2] == ["particle", "240", "38.00 -2.00", "36.50 -3.50"]
    assert full[1] == ["All: n = 1,000, mean length 18.2"]
    assert compared[2][:2] == ["second − first", "0.00"]
    assert main[0] == (
        ["system", "BLEU", "95 % interval", "vs best", "p", "drop", "control", "better", "chrF", "RIBES"]
    )
    assert main[1] == ["All: n = 240, mean length 20.5"]
    assert main[2] == ["first", "38.00", "36.00 to 40.00", "", "", "-2.00", "39.00", "97 %", "58.00", "0.690"]
    assert main[3][:5] == ["second", "36.50", "34.50 to 38.50", "-1.50", ".012"]
    assert exact[2] == ["first", "38.00", "37.00", "36.00", "-"]
    assert spearman[1] == ["first", "-1.00 (4)", "-1.00 (4)", "-1.00 (4)"]
    assert bleu[0][-1] == chrf[0][-1] == "of the controls"
    # chrF 58, half-width 1, baseline 60, control one above, its samples from 58 to 60.
    assert chrf[2] == ["first", "58.00", "57.00 to 59.00", "", "", "-2.00", "59.00", "97 %", "58.00 to 60.00"]


def test_small_sets_are_set_apart_and_not_bold() -> None:
    html = score_page(small_report(), SETTINGS)
    bodies = re.findall(r'<tbody class="small">.*?</tbody>', html)
    assert len(bodies) == 2 * (1 + 3)  # >=2 and >=3, in the table of the set and in those of three metrics
    assert all("<strong>" not in body for body in bodies)
    assert "too small (n &lt; 30)" in bodies[0]
    assert "<strong>38.00</strong>" in html and "<strong>36.50</strong>" not in html


def test_all_comparisons_are_there() -> None:
    page = Page(score_page(small_report(), SETTINGS))
    compared = page.tables[9]
    assert compared[0] == [
        "second minus first",
        *[x for m in ("BLEU", "chrF", "RIBES") for x in (m, "95 % interval", "p")],
    ]
    assert compared[1:3] == [
        ["All: n = 240"],
        [
            "second − first",
            *("-1.50", "-2.00 to -1.25", ".012"),
            *("-1.50", "-2.00 to -1.25", ".012"),
            *("-0.007", "-0.507 to 0.243", ".012"),
        ],
    ]
    assert compared[-2:] == [[">=3: n = 0"], ["second − first", *["-"] * 9]]


def test_names_cannot_add_markup() -> None:
    wild = '<script>alert("1")</script>&amp;\x1b\x00'
    made = report([system(wild, [("<b>x</b>", 38.0)]), system("' onload='x", [("<b>x</b>", 37.0)])])
    html = score_page(made, SETTINGS)
    page = Page(html)
    assert {"script", "b"}.isdisjoint(page.tags)
    assert "onload" not in {name for name, _ in page.attributes}
    assert '<script>alert("1")</script>&amp;\\x1b\\x00' in page.text
    assert "\x1b" not in html and "\x00" not in html


def test_the_same_report_gives_the_same_page(large: str) -> None:
    assert score_page(large_report(), SETTINGS) == large


def test_without_full_corpus_and_with_an_empty_set() -> None:
    html = score_page(small_report(baseline=False), SETTINGS)
    assert "full corpus" not in html
    empty = score_page(report([system("one", [("particle", 38.0)], (0, 0, 0, 0))]), SETTINGS)
    assert "This set has no sentences." in Page(empty).text
    assert "<figure>" not in empty
