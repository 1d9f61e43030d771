"""The page of the Space, wired to gradio: one tab labels a sentence, one scores a file, one shows the metric card.

The work is done in `sentence`, `score_file` and `tables`. Nothing is kept between requests but the dictionaries of the
analyzers, and nothing is sent anywhere.
"""

from __future__ import annotations

import inspect
import json
import os
import secrets
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

import dibimt_metric
from dibimt_common import html
from dibimt_common.files import write_files
from dibimt_metric.errors import DibimtError, MissingLibraryError
from dibimt_metric.languages import LANGUAGE_NAMES

from . import examples, page_html, score_file, sentence, tables

CARD = Path(dibimt_metric.__path__[0], "README.md")
TITLE = "DiBiMT: lexical ambiguity in machine translation"

# Uploads and downloads: seconds between two searches, and age at which they are deleted.
_CLEANING = (600, 1800)
_WAITING = 40
_LABELS = ("GOOD", "BAD", "MISS", "UNK")
# A long file does not keep short sentences waiting.
_SENTENCE: dict[str, Any] = {"concurrency_limit": 2, "concurrency_id": "sentence"}
_FILE: dict[str, Any] = {"concurrency_limit": 1, "concurrency_id": "file"}


def show_sentence(language: str, translation: str, good: str, bad: str, source: str, focus: str) -> str:
    """The answer for one sentence as HTML, or the faults of the form."""
    try:
        answer = sentence.label_sentence(language, translation, good, bad, source, focus)
    except DibimtError as error:
        return str(html.message("Cannot label this translation:", str(error)))
    return str(sentence.answer_html(answer))


def show_file(
    cache: str, language: str, items: str, predictions: str, weighting: str, level: float, nbest: str
) -> tuple[str, str | None, str | None]:
    """The scores of one file as HTML, with the paths of report and labels; or the faults of the file."""
    try:
        scored = score_file.score_files(language, items, predictions, weighting, level, nbest)
    except DibimtError as error:
        return str(html.message("Cannot score these files:", str(error))), None, None
    report, labels = write(cache, score_file.downloads(scored))
    return str(tables.scored_html(scored)), report, labels


def samples(cache: str, language: str) -> list[str]:
    """Paths of a file of items and of one of translations, made from the examples."""
    texts = {
        f"items.{language}.jsonl": examples.sample_items(language),
        f"translations.{language}.txt": examples.sample_predictions(language),
    }
    return write(cache, texts)


def write(cache: str, texts: dict[str, str]) -> list[str]:
    """Write files into a new folder, whose name cannot be guessed; gradio deletes old files in its cache."""
    folder = Path(cache, secrets.token_hex(16))
    folder.mkdir(parents=True)
    # Half of a character, which UTF-8 lacks, is then written as the escape that it has in JSON.
    write_files({folder / name: text for name, text in texts.items()})
    return [str(folder / name) for name in texts]


def sentence_record(
    language: str, translation: str, good: str, bad: str, source: str = "", focus: str = ""
) -> dict[str, Any]:
    """The answer for one sentence as a record."""
    answer = sentence.label_sentence(language, translation, good, bad, source, focus)
    return sendable(sentence.answer_record(answer))


def file_record(
    language: str, items: str, predictions: str, weighting: str = "macro", level: float = 0.0, nbest: str = "oracle"
) -> dict[str, Any]:
    """The report of one file as a record, with the labels of the items under ``labels``."""
    scored = score_file.score_files(language, items, predictions, weighting, level, nbest)
    return sendable({**score_file.report_record(scored), "labels": score_file.label_records(scored)})


def sendable(record: dict[str, Any]) -> dict[str, Any]:
    """The record as plain JSON values, with halves of characters replaced."""
    made: dict[str, Any] = json.loads(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace"))
    return made


def header() -> str:
    """The title and the introduction."""
    text = (
        "<h1>DiBiMT: does a translation choose the right sense?</h1>"
        "<p>An English word has several senses; a translation has to choose one. Enter the translation, words that "
        "would be right in it (GOOD), and words that translate other senses (BAD). The page searches the translation "
        "for all their forms and gives it one of four labels. Eight target languages; dictionaries and rules, no "
        "neural model.</p>"
        '<p class="quiet">Papers: <a href="https://aclanthology.org/2022.acl-long.298/">Campolungo et al. 2022</a>, '
        '<a href="https://nlp.uniroma1.it/dibimt/">Martelli et al. 2025 with the benchmark</a>. Definitions and '
        "limits: see the metric card in the last tab. Your input is used only for the answer and deleted within the "
        "hour.</p>"
    )
    return html.page(html.Html(text))


def card() -> str:
    """The metric card without its front matter."""
    return CARD.read_text(encoding="utf-8").split("\n---\n", 1)[-1]


def about_files() -> str:
    """The form of the two files, and the limits."""
    text = (
        "<p>The translations of one system for a set of items. <strong>Items</strong>: one JSON object per line, at "
        'least <code>{"id": "1", "good": ["Ufer"], "bad": ["Bank"]}</code>. <strong>Translations</strong>: one per '
        "line in the order of the items, or one JSON value per line, which may name the item by <code>id</code> and "
        "may hold an n-best list.</p>"
    )
    return html.page(html.Html(text), html.element("p", score_file.limits(), class_="quiet"))


def legend() -> str:
    """The meaning of the labels, shown until there is an answer."""
    rows = [(page_html.badge(label), meaning) for label, meaning in page_html.MEANINGS.items()]
    return html.page(html.table(("Label", "Found in the translation"), rows, "The four labels"))


def gradio() -> Any:
    """The library gradio, imported."""
    try:
        import gradio as gr
    except ModuleNotFoundError as error:
        if error.name != "gradio":
            raise
        raise MissingLibraryError("the page needs gradio: pip install 'dibimt[app]'") from error
    return gr


def known(function: Callable[..., Any], **options: Any) -> dict[str, Any]:
    """The options that a function of this release of gradio has: 5 and 6 have some in different places."""
    names = inspect.signature(function).parameters
    return {name: value for name, value in options.items() if name in names}


def look(gr: Any) -> dict[str, Any]:
    """Theme and style; fonts are those of the system, so that no other server is asked for them."""
    theme = gr.themes.Default(
        primary_hue="blue", font=("system-ui", "sans-serif"), font_mono=("ui-monospace", "monospace")
    )
    # The theme's own colors have a contrast below 4.5.
    theme.set(
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
        block_label_text_color="*neutral_700",
        block_title_text_color="*neutral_700",
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_dark="*primary_700",
    )
    return {"theme": theme, "css": page_html.STYLE + tables.STYLE}


def build(gr: Any) -> Any:
    """The page."""
    options = known(gr.Blocks.__init__, analytics_enabled=False, delete_cache=_CLEANING, **look(gr))
    with gr.Blocks(title=TITLE, **options) as blocks:
        gr.HTML(header())
        with gr.Tabs():
            with gr.Tab("One sentence"):
                _sentence_tab(gr)
            with gr.Tab("A file"):
                _file_tab(gr)
            with gr.Tab("Metric card"):
                gr.Markdown(card())
    return blocks.queue(max_size=_WAITING)


def _language(gr: Any) -> Any:
    names = sorted((name, code) for code, name in LANGUAGE_NAMES.items())
    return gr.Dropdown(names, value="de", label="Target language")


def _sentence_tab(gr: Any) -> None:
    with gr.Row():
        with gr.Column(min_width=300):
            language = _language(gr)
            with gr.Accordion("Examples in this language"):
                word = gr.Radio(list(examples.WORDS), value="bank", label="English word")
                with gr.Row():
                    tries = {label: gr.Button(label, size="sm", min_width=60) for label in _LABELS}
            form = _sentence_form(gr)
            button = gr.Button("Label it", variant="primary")
        with gr.Column(min_width=300):
            answer = gr.HTML(legend())
    fields = [language, *form]
    show = {"fn": show_sentence, "inputs": fields, "outputs": answer, "scroll_to_output": True}
    button.click(**show, **_SENTENCE, **_hidden(gr))
    for label, each in tries.items():
        filled = each.click(partial(examples.form, label=label), [language, word], form, **_hidden(gr))
        filled.then(**show, **_SENTENCE, **_hidden(gr))
    _endpoint(gr, sentence_record, fields, "sentence", _SENTENCE)


def _sentence_form(gr: Any) -> list[Any]:
    """The fields, in the order of `examples.form`."""
    translation, good, bad, source, focus = examples.form("de", "bank", "GOOD")
    # An asterisk only once: a pair of them is taken for emphasis.
    how = "Dictionary forms, separated by commas or line breaks. An asterisk matches any words: auf * Wünsche eingehen"
    return [
        gr.Textbox(translation, label="Translation", lines=2, max_length=sentence.MAX_TEXT),
        gr.Textbox(good, label="GOOD candidates", lines=2, info=how),
        gr.Textbox(bad, label="BAD candidates", lines=2, info="Words for other senses, in the same form."),
        gr.Textbox(source, label="English sentence (optional)", max_length=sentence.MAX_TEXT),
        gr.Textbox(focus, label="The ambiguous word in it (optional)", max_length=sentence.MAX_CANDIDATE),
    ]


def _file_tab(gr: Any) -> None:
    gr.HTML(about_files())
    language = _language(gr)
    with gr.Row():
        items = gr.File(label="Items (.jsonl)", file_types=[".jsonl", ".json"], height=140)
        predictions = gr.File(label="Translations (.txt or .jsonl)", file_types=[".txt", ".jsonl", ".json"], height=140)
    with gr.Accordion("Options", open=False):
        weighting = gr.Radio(score_file.WEIGHTINGS, value="macro", label="SFI and PDI")
        level = gr.Radio(score_file.LEVELS, value=0.0, label="Intervals (by bootstrap)")
        nbest = gr.Radio(score_file.NBESTS, value="oracle", label="An n-best list is")
    with gr.Row():
        button = gr.Button("Score it", variant="primary")
        sample = gr.Button("Load sample files")
    answer = gr.HTML(html.page())
    with gr.Row():
        report = gr.DownloadButton("Report (JSON)", interactive=False)
        labels = gr.DownloadButton("Labels (JSON Lines)", interactive=False)
    fields = [language, items, predictions, weighting, level, nbest]
    cache = items.GRADIO_CACHE

    def show(*given: Any) -> tuple[Any, ...]:
        shown, *paths = show_file(cache, *given)
        return shown, *(gr.update(value=path, interactive=path is not None) for path in paths)

    button.click(show, fields, [answer, report, labels], **_FILE, **_hidden(gr))
    loaded = sample.click(partial(samples, cache), language, [items, predictions], **_hidden(gr))
    loaded.then(show, fields, [answer, report, labels], **_FILE, **_hidden(gr))
    _endpoint(gr, file_record, fields, "file", _FILE)


def _hidden(gr: Any) -> dict[str, Any]:
    """Options of an event that is not part of the interface for programs."""
    return known(gr.Button.click, api_visibility="private") or {"api_name": False}


def _endpoint(gr: Any, function: Callable[..., Any], fields: list[Any], name: str, how: dict[str, Any]) -> None:
    """Add a function for programs, which get a record, or an error for unusable input."""

    @wraps(function)
    def answered(*given: Any) -> Any:
        try:
            return function(*given)
        except DibimtError as error:
            raise gr.Error(str(error), print_exception=False) from error

    gr.Button(visible=False).click(answered, fields, gr.JSON(visible=False), api_name=name, **how)


def launch() -> None:
    """Start the page; host and port are those of the variables that gradio reads."""
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    gr = gradio()
    blocks = build(gr)
    # Nothing is kept: no history of what was entered, few sessions.
    kept = {"run_history": False, "state_session_capacity": 200}
    options = known(blocks.launch, max_file_size=score_file.MAX_BYTES, ssr_mode=False, **kept, **look(gr))
    blocks.launch(**options)
