"""The page of the Space: what it answers, refuses and shows; and the page itself, started as on the Hub."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.items import make_item
from dibimt_metric.judge import Judge
from dibimt_metric.judge_explain import printable
from dibimt_metric.languages import LANGUAGES
from dibimt_metric.records import Label
from dibimt_metric.score_results import result_record
from dibimt_metric.session import Session
from dibimt_space import examples as app_examples
from dibimt_space import page as app
from dibimt_space import page_html as app_html
from dibimt_space import score_file as app_file
from dibimt_space import sentence as app_sentence
from dibimt_space import tables as app_tables
from dibimt_tools.hub.staging import stage

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u202e'


class Seen(HTMLParser):
    """The elements, attributes and text of a piece of HTML."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("br", "input"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "small" not in self._open:
            self.text += data


def answered(**form: str) -> app_sentence.Answer:
    """The answer for a form, the rest of which is as it stands when the page is opened."""
    usual = {"language": "de", "translation": "Wir saßen am Ufer.", "good": "Ufer", "bad": "Bank"}
    return app_sentence.label_sentence(**{**usual, **form})


def label(**form: str) -> str:
    return answered(**form).explanation.judgment.label.value


# One sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_gets_the_label_it_promises(language: str) -> None:
    found = {
        (word, wanted): label(language=language, translation=text, good=good, bad=bad, source=source, focus=focus)
        for word in app_examples.WORDS
        for wanted in Label
        for text, good, bad, source, focus in [app_examples.form(language, word, wanted.value)]
    }
    assert found == {(word, wanted): wanted.value for word in app_examples.WORDS for wanted in Label}


def test_candidates_are_separated_by_commas_of_any_script_and_by_line_breaks() -> None:
    assert app_sentence.candidates(" Ufer,Fluss ufer\r\n\nauf * Wünsche eingehen , ", "good") == (
        "Ufer",
        "Fluss ufer",
        "auf * Wünsche eingehen",
    )
    assert app_sentence.candidates("河岸，岸边、岸", "good") == ("河岸", "岸边", "岸")


def test_wildcard_and_line_ends() -> None:
    text = "Sie ging\nauf alle ihre Wünsche ein."
    assert label(translation=text, good="auf * Wünsche eingehen") == "GOOD"
    assert label(translation=text, good="auf Wünsche eingehen") == "MISS"


def test_answer_tells_what_was_found_by_which_rule_and_what_was_left_out() -> None:
    answer = answered(
        translation="Er lehnte das Angebot ab.", good="ablehnen", bad="lehnen", source="He turned it down."
    )
    shown = Seen(app_sentence.answer_html(answer))
    assert "GOOD because only candidates of the GOOD list were found: 'ablehnen'." in shown.text
    assert "lehnte … ab" in shown.text
    assert "a separable verb whose prefix is a word of its own" in shown.text
    assert "'lehnte' belongs to the separated verb 'ablehnen'" in shown.text
    assert str(answer.signature) in shown.text
    assert ("lang", "de") in shown.attributes


def test_signature_and_record_of_a_sentence() -> None:
    answer = answered()
    fields = dict(answer.signature.fields)
    assert list(fields) == ["lang", "analyzers", "rules", "nbest", "ties", "data", "version"]
    record = app_sentence.answer_record(answer)
    assert (record["label"], record["signature"]) == ("GOOD", str(answer.signature))
    assert json.loads(json.dumps(record)) == app.sentence_record("de", "Wir saßen am Ufer.", "Ufer", "Bank")
    assert str(answered(bad="Bank, Geldinstitut").signature) != str(answer.signature)


def test_focus_is_found_as_a_word() -> None:
    item = answered(source="The bankers sat on the Bank.", focus="bank").explanation.item
    assert item.focus is not None
    assert (item.focus.text, item.focus.start) == ("Bank", 23)
    assert answered(focus="bank").explanation.item.lemma == "bank"


REFUSED = [
    ({"translation": " \n "}, "the translation is empty"),
    ({"good": "", "bad": " , "}, "no candidates in 'good' or 'bad'; at least one is needed (E209)"),
    ({"good": "Ufer, * Ufer"}, "begins or ends with the wildcard; remove it there (E103)"),
    ({"good": "Ufer*"}, "E105"),
    ({"good": "Ufer", "bad": "ufer"}, "is in 'good' and in 'bad'; remove it from one (E104)"),
    ({"source": "They sat on the bank.", "focus": "seat"}, "the focus 'seat' is not in"),
    ({"language": "fr"}, "unknown language 'fr'"),
    ({"translation": "a" * 1001}, "1001 characters; this page accepts at most 1000"),
    ({"source": "a" * 1001}, "the English sentence has 1001"),
    ({"good": ",".join(map(str, range(31)))}, "good candidates: 31 candidates; this page accepts at most 30"),
    ({"bad": "a" * 101}, "bad candidates: candidate"),
    ({"bad": "a" + " * a" * 6}, "at most 100 characters and 5 wildcards"),
    ({"translation": "Ufer \ud83d"}, "the translation: character 5 is half of a character"),
]


@pytest.mark.parametrize(("form", "message"), REFUSED)
def test_what_a_form_cannot_hold(form: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        answered(**form)
    assert message in str(caught.value)


def test_what_a_form_may_just_hold() -> None:
    many = ", ".join(["Ufer", *map(str, range(29))])
    assert label(good=many, translation="Ufer " + "a" * 995, bad="a" + " * a" * 5) == "GOOD"


def test_fields_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(InputError, match="must be a text, not 5"):
        app_sentence.label_sentence("de", 5, "a", "b")  # type: ignore[arg-type]
    assert app_sentence.candidates(None, "good") == ()  # type: ignore[arg-type]


def test_the_page_shows_an_error_and_no_traceback() -> None:
    shown = Seen(app.show_sentence("de", HOSTILE, "a, * b", "", "", ""))
    assert shown.text.startswith("Cannot label this translation:")
    assert ("role", "alert") in shown.attributes
    assert "Traceback" not in shown.text


# What is shown

ALLOWED = set(
    "br caption code details div em fieldset h1 h2 input label legend mark p pre small span strong summary table "
    "tbody td th thead tr".split()
)


def assert_harmless(source: str) -> Seen:
    seen = Seen(source)
    assert set(seen.tags) <= ALLOWED
    assert [name for name, _ in seen.attributes if name.startswith("on") or name in ("src", "href", "style")] == []
    return seen


def test_hostile_form_is_shown_as_text() -> None:
    answer = answered(translation=f"Ufer {HOSTILE}", good=f"Ufer, {HOSTILE}", source=HOSTILE, focus="script")
    seen = assert_harmless(app_sentence.answer_html(answer))
    assert seen.text.count(printable(HOSTILE)) >= 3
    assert_harmless(app.show_sentence("de", "a", f"* {HOSTILE}", "", "", ""))
    assert_harmless(app.show_sentence(HOSTILE, "a", "b", "", "", ""))


def test_hostile_file_is_shown_as_text(tmp_path: Path) -> None:
    item = {"id": HOSTILE, "good": ["Ufer", HOSTILE], "bad": ["Bank"], "source": HOSTILE, "lemma": HOSTILE}
    paths = written(tmp_path, [item], [f"Ufer {HOSTILE}"])
    seen = assert_harmless(app_tables.scored_html(app_file.score_files("de", *paths)))
    assert printable(HOSTILE) in seen.text
    assert_harmless(
        app.show_file(str(tmp_path), "de", *written(tmp_path, [{HOSTILE: 1}], ["x"]), "macro", 0, "oracle")[0]
    )


@given(st.text(alphabet="ab <&\"'\u202e\ud800é", max_size=30), st.data())
def test_marks_change_nothing_in_a_text(text: str, data: st.DataObject) -> None:
    judge, item = Judge("zh"), make_item({"id": "1", "good": ["a"], "bad": ["b"]})
    judgment = judge.judge(item, text)
    assert Seen(app_html.marked(text, judgment, "zh")).text == printable(text)


def mark_kinds(text: str, good: str, bad: str) -> list[str]:
    item = make_item({"id": "1", "good": [good], "bad": [bad]})
    shown = app_html.marked(text, Judge("de").judge(item, text), "de")
    return [str(value) for name, value in Seen(shown).attributes if name == "class"]


def test_kinds_of_marks() -> None:
    assert mark_kinds("Bank am Ufer", "Ufer", "Bank") == ["bad", "good"]
    assert mark_kinds("am linken Ufer", "Ufer", "linkes Ufer") == ["bad"]
    assert mark_kinds("Er lehnte es ab.", "lehnen", "ablehnen") == ["bad", "bad"]
    # "weiße" is a form of the adjective and of the verb.
    assert mark_kinds("Ich weiß das.", "weiß", "wissen") == ["both"]


def test_what_was_left_out_is_marked() -> None:
    text = "Er lehnte es ab."
    item = make_item({"id": "1", "good": ["lehnen"]})
    judgment = Judge("de").judge(item, text)
    assert (judgment.label, len(judgment.dropped)) == (Label.MISS, 1)
    assert "left out" in app_html.marked(text, judgment, "de")


def test_labels_are_told_by_word_and_sign() -> None:
    shown = [Seen(app_html.badge(each)).text for each in Label]
    assert shown == ["✓ GOOD", "✗ BAD", "∅ MISS", "? UNK"]


def test_many_matches_are_shown_in_part() -> None:
    shown = Seen(app_sentence.answer_html(answered(translation="Ufer " * 150)))
    assert "and 100 more" in shown.text
    assert shown.tags.count("tr") == 1 + 50


@pytest.mark.parametrize("name", ["page_html", "sentence"])
def test_doctests_of_the_modules(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"dibimt_space.{name}"))
    assert (results.failed, results.attempted > 0) == (0, True)


# A file


def written(
    folder: Path, items: list[Any], translations: list[Any] | list[str], name: str = "hyp.txt"
) -> tuple[Path, Path]:
    """A file of items and one of translations."""
    lines = translations if name.endswith(".txt") else [json.dumps(each) for each in translations]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / "items.jsonl", folder / name


def sample(folder: Path, language: str) -> tuple[Path, Path]:
    items, translations = app.samples(str(folder), language)
    return Path(items), Path(translations)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sample_files(language: str, tmp_path: Path) -> None:
    scored = app_file.score_files(language, *sample(tmp_path, language))
    assert [judgment.label for judgment in scored.result.judgments] == [*Label] * 3
    report = app_file.report_record(scored)
    # Ranks of the right sense: bank 1, spring 3; each has one GOOD and one BAD. "turn down" has no ranks.
    assert (report["accuracy"], report["coverage"]) == (100 * 3 / 6, 100 * 6 / 12)
    assert (report["sfi"], report["sfi_left_out"]) == ((100 * 1 / 2 + 100 * 1 / 2) / 2, 2)
    # BAD shows sense 2 of bank and sense 1 of spring: one of the two is the most frequent, and above the right one.
    assert (report["mfs"], report["mfs_plus"], report["mfs_n"]) == (100 * 1 / 2, 100 * 1 / 2, 2)


def test_report_is_that_of_the_command_line(tmp_path: Path) -> None:
    paths = sample(tmp_path, "de")
    scored = app_file.score_files("de", *paths, level=0.9)
    expected = result_record(scored.result)
    assert app_file.report_record(scored) == {**expected, "signature": str(scored.result.signature)}
    plain = app_file.score_files("de", *paths)
    assert app_file.report_record(plain) == result_record(plain.result)


def test_signature_is_that_of_evaluate(tmp_path: Path) -> None:
    items, translations = sample(tmp_path, "de")
    session = Session("de", weighting="index")
    rows = [json.loads(line) for line in items.read_text(encoding="utf-8").splitlines()]
    session.add(translations.read_text(encoding="utf-8").splitlines(), rows)
    expected = session.report(session.waiting).record["signature"]
    assert str(app_file.score_files("de", items, translations, "index").result.signature) == expected


def test_undefined_is_shown_with_its_reason(tmp_path: Path) -> None:
    paths = written(tmp_path, [{"id": "1", "good": ["Ufer"]}], ["Es regnet."])
    shown = Seen(app_tables.scored_html(app_file.score_files("de", *paths, level=0.95))).text
    assert "1 item, German" in shown
    # Value and interval of five measures, then one table of one row: rank, number of senses, part of speech.
    assert shown.count("undefined") == 2 * 5 + 3
    assert "no GOOD or BAD outcome" in shown
    assert "0.00" in shown.partition("coverage")[2]


def test_items_can_be_narrowed_to_a_label(tmp_path: Path) -> None:
    shown = app_tables.scored_html(app_file.score_files("de", *sample(tmp_path, "de")))
    seen = Seen(shown)
    assert [value for name, value in seen.attributes if name == "value"] == [
        "all",
        "GOOD",
        "BAD",
        "MISS",
        "UNK",
    ]
    assert "all (12)" in seen.text and "UNK (3)" in seen.text
    for each in Label:
        assert f'value="{each.value}"]:checked) tbody tr:not(:has(.label-{each.value.lower()}))' in app_tables.STYLE
        assert f"label-{each.value.lower()}" in shown


def test_nbest_lists_and_ids(tmp_path: Path) -> None:
    items = [{"id": "a", "good": ["Ufer"], "bad": ["Bank"]}, {"id": "b", "good": ["Ufer"], "bad": ["Bank"]}]
    ranked = [{"text": "Bank", "perplexity": 1.0}, {"text": "Ufer", "perplexity": 2.0}]
    rows = [{"id": "b", "translations": ranked}, {"id": "a", "translation": "Bank"}]
    paths = written(tmp_path, items, rows, "hyp.jsonl")
    assert labels(app_file.score_files("de", *paths)) == ["BAD", "GOOD"]
    assert labels(app_file.score_files("de", *paths, nbest="min_perplexity")) == ["BAD", "BAD"]


def labels(scored: app_file.Scored) -> list[str]:
    return [judgment.label.value for judgment in scored.result.judgments]


def test_downloads(tmp_path: Path) -> None:
    items = [{"id": "\ud800", "good": ["Ufer"], "bad": ["Bank"]}]
    scored = app_file.score_files("de", *written(tmp_path, items, ["Am Ufer."]))
    shown, *paths = app.show_file(
        str(tmp_path / "cache"), "de", *written(tmp_path, items, ["Am Ufer."]), "macro", 0.95, "oracle"
    )
    report, lines = (Path(str(path)) for path in paths)
    assert (report.name, lines.name) == ("report.de.json", "labels.de.jsonl")
    assert report.parent == lines.parent and len(report.parent.name) == 32
    assert json.loads(report.read_text(encoding="utf-8"))["intervals"]["level"] == 0.95
    assert [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()] == app_file.label_records(
        scored
    )
    assert "\\ud800" in Seen(shown).text


GOOD_ITEM = {"id": "1", "good": ["Ufer"], "bad": ["Bank"]}
UNUSABLE: list[tuple[list[Any], list[str], str]] = [
    ([{"id": "1"}], ["x"], "E209"),
    ([{**GOOD_ITEM, "language": "es"}], ["x"], "no item is for language 'de'; the items are for: es"),
    ([GOOD_ITEM], ["x", "y"], "hyp.txt: 2 predictions for 1 items"),
    ([GOOD_ITEM], [], "the file is empty"),
    (
        [{**GOOD_ITEM, "id": str(i)} for i in range(1001)],
        ["x"],
        "there are 1001 items; this page accepts at most 1000",
    ),
    (
        [GOOD_ITEM],
        ["x" * 1001],
        "item '1': a translation has 1001 characters; this page accepts at most 1000",
    ),
    ([{**GOOD_ITEM, "bad": [f"x{i}" for i in range(101)]}], ["x"], "item '1', bad: 101 candidates"),
    ([{**GOOD_ITEM, "bad": ["a" + " * a" * 6]}], ["x"], "5 wildcards"),
]


@pytest.mark.parametrize(("items", "texts", "message"), UNUSABLE)
def test_files_that_cannot_be_used(items: list[Any], texts: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        app_file.score_files("de", *written(tmp_path, items, texts))
    assert message in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_more_that_cannot_be_used(tmp_path: Path) -> None:
    items, texts = written(tmp_path, [GOOD_ITEM], ["x"])
    with pytest.raises(InputError, match="the file of translations is missing"):
        app_file.score_files("de", items, None)
    with pytest.raises(InputError, match="the file of items is gone"):
        app_file.score_files("de", tmp_path / "none.jsonl", texts)
    with pytest.raises(InputError, match="level is 2; expected a number between 0 and 1"):
        app_file.score_files("de", items, texts, level=2)
    with pytest.raises(InputError, match="after 0 seconds only 0 items were done"):
        app_file.score_files("de", items, texts, seconds=0)
    many = tmp_path / "many.jsonl"
    many.write_text(json.dumps(["x"] * 11), encoding="utf-8")
    with pytest.raises(InputError, match="11 hypotheses; this page accepts at most 10"):
        app_file.score_files("de", items, many)
    texts.write_bytes(b"x" * (app_file.MAX_BYTES + 1))
    with pytest.raises(InputError, match=f"{app_file.MAX_BYTES + 1} bytes; this page accepts at most"):
        app_file.score_files("de", items, texts)
    texts.write_bytes(b"x")
    items.write_bytes(b"\xff\n")
    assert "items.jsonl, line 1: not UTF-8" in app.show_file(str(tmp_path), "de", items, texts, "macro", 0, "oracle")[0]


def test_limits_are_stated() -> None:
    assert app_file.limits() in app.about_files()
    for limit in ("2 MB", "1000 items", "1000 characters", "10 translations", "60 seconds"):
        assert limit in app_file.limits()


# Several users at once


def test_dictionaries_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app_sentence._analyzers.cache_clear()
    loaded: list[str] = []
    load = app_sentence.load_analyzers

    def slowly(names: Any, language: str) -> Any:
        loaded.append(language)
        time.sleep(0.05)
        return load(names, language)

    monkeypatch.setattr(app_sentence, "load_analyzers", slowly)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(app_sentence.make_judge, ["sl"] * 4))
    assert loaded == ["sl"]


def test_dictionaries_are_shared_and_judges_are_not() -> None:
    first, second = app_sentence.make_judge("de"), app_sentence.make_judge("de")
    assert first is not second
    assert all(one is other for one, other in zip(first.analyzers, second.analyzers, strict=True))


def test_users_at_once_get_their_own_answers() -> None:
    forms = [
        (language, *app_examples.form(language, word, wanted.value))
        for wanted in Label
        for language in ("it", "sl", "zh")
        for word in app_examples.WORDS
    ]
    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(lambda form: app.sentence_record(*form), forms))
    assert at_once == [app.sentence_record(*form) for form in forms]


def test_card_and_legend() -> None:
    assert app.card().lstrip().startswith("# Metric Card for DiBiMT")
    assert Seen(app.legend()).tags.count("tr") == 1 + 4
    assert "h1" in Seen(app.header()).tags


# The page itself


# Nothing but this machine may be asked for anything.
ALONE = """
import socket, sys
connect, look_up = socket.socket.connect, socket.getaddrinfo
def checked(self, address):
    if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1"):
        print("OUTSIDE", address, file=sys.stderr)
        raise OSError("no network in this test")
    return connect(self, address)
def looked_up(host, *args, **more):
    if host not in ("127.0.0.1", "localhost", "0.0.0.0", None):
        print("OUTSIDE", host, file=sys.stderr)
        raise OSError("no network in this test")
    return look_up(host, *args, **more)
socket.socket.connect, socket.getaddrinfo = checked, looked_up
"""


@contextmanager
def started(scratch: Path) -> Iterator[str]:
    """The page in a process of its own, which lists all that it imports; its address."""
    stage(scratch / "stage")
    for name in ("dibimt_metric", "dibimt_common", "dibimt_space"):  # as if an older release were installed
        (scratch / name).mkdir()
        (scratch / name / "__init__.py").write_text("raise ImportError('an installed package')", encoding="utf-8")
    (scratch / "sitecustomize.py").write_text(ALONE, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "GRADIO_", "PYTHON"))}
    environment = {
        **kept,
        "PYTHONPATH": str(scratch),
        "PYTHONUNBUFFERED": "1",
        "HF_HOME": str(scratch / "home"),
        "GRADIO_SERVER_NAME": "127.0.0.1",
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_TEMP_DIR": str(scratch / "cache"),
    }
    with (scratch / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-X", "importtime", "app.py"],
            cwd=scratch / "stage/spaces/dibimt", env=environment, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}/"
        wait_for(address, process, scratch / "log")
        yield address
    finally:
        process.terminate()
        process.wait(30)


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    open_directly = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    for _ in range(600):
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")[-3000:]
        try:
            with open_directly(address, timeout=30) as answer:
                assert answer.status == 200
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("the page did not start within two minutes")


def imported(log: str) -> set[str]:
    """Top-level names of what `-X importtime` lists."""
    lines = (line for line in log.splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.slow
def test_the_page_as_on_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gradio_client import Client, handle_file
    from gradio_client.exceptions import AppError

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with started(tmp_path) as address:
        client = Client(address, verbose=False)
        interface = client.view_api(return_format="dict", print_info=False)
        assert list(interface["named_endpoints"]) == ["/sentence", "/file"]

        form = {
            "language": "de",
            "translation": "Am Ufer.",
            "good": "Ufer",
            "bad": "Bank",
            "source": "",
            "focus": "",
        }
        answer = client.predict(**form, api_name="/sentence")
        assert answer == app.sentence_record(**form)
        with pytest.raises(AppError, match="begins or ends with the wildcard"):
            client.predict(**{**form, "bad": "* Bank"}, api_name="/sentence")

        paths = sample(tmp_path, "es")
        files = dict(zip(("items", "predictions"), map(handle_file, paths), strict=True))
        options = {"weighting": "index", "level": 0.95, "nbest": "oracle"}
        report = client.predict(language="es", **files, **options, api_name="/file")
        assert report == app.file_record("es", *map(str, paths), **options)
        with pytest.raises(AppError, match="items.es.jsonl: no item is for language 'it'"):
            client.predict(language="it", **files, **options, api_name="/file")

    log = (tmp_path / "log").read_text(encoding="utf-8", errors="replace")
    loaded = imported(log)
    assert {"sitecustomize", "gradio", "simplemma", "dibimt_metric", "dibimt_space"} <= loaded
    # Neither what the page does not need, nor a module of the metric as if it were a library.
    assert loaded & {"evaluate", "datasets", "torch", "transformers", "stanza", "records", "errors"} == set()
    assert [line for line in log.splitlines() if line.startswith(("OUTSIDE", "Traceback"))] == []
