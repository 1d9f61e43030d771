"""The page of the Space: labels one sentence, scores one file.

Run as ``python app.py``, here or in the staged folder, where everything lies at the root. What the page does is in
`app_sentence`, `app_file` and `app_tables`; this file only wires it to gradio. Nothing is kept between requests
but the dictionaries of the analyzers, and nothing is sent anywhere.
"""

from __future__ import annotations

import inspect
import json
import os
import secrets
import sys
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dibimt_metric import errors, languages

from . import examples, sentence, tables
from . import page_html as html
from . import score_file as file

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).resolve().parent
TITLE = "DiBiMT: lexical ambiguity in machine translation"

# Uploads and downloads: looked for so often, deleted at this age, both in seconds.
_CLEANING = (600, 1800)
_WAITING = 40
_LABELS = ("GOOD", "BAD", "MISS", "UNK")
# A long file does not keep short sentences waiting.
_SENTENCE: dict[str, Any] = {"concurrency_limit": 2, "concurrency_id": "sentence"}
_FILE: dict[str, Any] = {"concurrency_limit": 1, "concurrency_id": "file"}


def show_sentence(language: str, translation: str, good: str, bad: str, source: str, focus: str) -> str:
    """The answer for one sentence as HTML, or what is wrong with the form."""
    try:
        answer = sentence.label_sentence(language, translation, good, bad, source, focus)
    except errors.DibimtError as error:
        return str(html.message("This cannot be labeled.", str(error)))
    return str(sentence.answer_html(answer))


def show_file(
    cache: str, language: str, items: str, predictions: str, weighting: str, level: float, nbest: str
) -> tuple[str, str | None, str | None]:
    """The scores of one file as HTML, and the paths of the report and of the labels; or what is wrong with it."""
    try:
        scored = file.score_files(language, items, predictions, weighting, level, nbest)
    except errors.DibimtError as error:
        return str(html.message("This cannot be scored.", str(error))), None, None
    report, labels = write(cache, file.downloads(scored))
    return str(tables.scored_html(scored)), report, labels


def samples(cache: str, language: str) -> list[str]:
    """Paths of a file of items and of one of translations, made from the examples."""
    texts = {
        f"items.{language}.jsonl": examples.sample_items(language),
        f"translations.{language}.txt": examples.sample_predictions(language),
    }
    return write(cache, texts)


def write(cache: str, texts: dict[str, str]) -> list[str]:
    """Write files into a folder of their own, whose name cannot be guessed; gradio deletes what lies in its cache."""
    folder = Path(cache, secrets.token_hex(16))
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in texts]


def example(label: str, language: str, word: str) -> tuple[str, ...]:
    """What the form shows for an example."""
    form: tuple[str, ...] = examples.form(language, word, label)
    return form


def sentence_record(
    language: str, translation: str, good: str, bad: str, source: str = "", focus: str = ""
) -> dict[str, Any]:
    """The answer for one sentence as a record."""
    answer = sentence.label_sentence(language, translation, good, bad, source, focus)
    return sendable(sentence.answer_record(answer))


def file_record(
    language: str,
    items: str,
    predictions: str,
    weighting: str = "macro",
    level: float = 0.0,
    nbest: str = "oracle",
) -> dict[str, Any]:
    """The report of one file as a record, with the labels of the items under ``labels``."""
    scored = file.score_files(language, items, predictions, weighting, level, nbest)
    return sendable({**file.report_record(scored), "labels": file.label_records(scored)})


def sendable(record: dict[str, Any]) -> dict[str, Any]:
    """The record with what JSON has no name for made plain, and halves of characters replaced."""
    made: dict[str, Any] = json.loads(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace"))
    return made


def header() -> str:
    """What the page is."""
    return str(
        html.page(
            html.Html(
                "<h1>DiBiMT: does a translation choose the right sense?</h1>"
                "<p>An English word has several senses; a translation has to choose one. Give the translation, the "
                "words that would be right there (GOOD) and words that translate other senses (BAD). They are "
                "looked for in every form, and the translation gets one of four labels. Eight target languages; "
                "dictionaries and rules, no neural model.</p>"
                '<p class="quiet">Papers: <a href="https://aclanthology.org/2022.acl-long.298/">Campolungo et al. 2022'
                '</a>, <a href="https://nlp.uniroma1.it/dibimt/">Martelli et al. 2025 with the benchmark</a>. '
                "Definitions and limits: see the metric card in the last tab. What you enter is used for the answer "
                "and deleted within the hour.</p>"
            )
        )
    )


def card() -> str:
    """The metric card without its front matter."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return text.split("\n---\n", 1)[-1]


def about_files() -> str:
    """What the two files hold, and what this page takes."""
    return str(
        html.page(
            html.Html(
                "<p>The translations of one system for a set of items. <strong>Items</strong>: one JSON object a line, "
                'at least <code>{"id": "1", "good": ["Ufer"], "bad": ["Bank"]}</code>. '
                "<strong>Translations</strong>: one a line in the order of the items, or one JSON value a line, where "
                "an <code>id</code> may name the item and an n-best list may stand for the translation.</p>"
            ),
            html.element("p", file.limits(), class_="quiet"),
        )
    )


def legend() -> str:
    """What the labels mean, until there is an answer."""
    rows = [(html.badge(label), meaning) for label, meaning in html.MEANINGS.items()]
    return str(html.page(html.table(("Label", "Found in the translation"), rows, "The four labels")))


def gradio() -> Any:
    """The library of the page.

    Raises:
        MissingLibraryError: it is not installed.
    """
    try:
        import gradio as gr
    except ModuleNotFoundError as error:
        if error.name != "gradio":
            raise
        raise errors.MissingLibraryError("the page needs gradio: pip install 'dibimt[app]'") from error
    return gr


def known(function: Callable[..., Any], **options: Any) -> dict[str, Any]:
    """Those of the options that a function of this release of gradio has: 5 and 6 have some in different places."""
    names = inspect.signature(function).parameters
    return {name: value for name, value in options.items() if name in names}


def look(gr: Any) -> dict[str, Any]:
    """How the page looks; fonts are those of the system, so that no other server is asked for them."""
    theme = gr.themes.Default(
        primary_hue="blue", font=("system-ui", "sans-serif"), font_mono=("ui-monospace", "monospace")
    )
    # Those of the theme have a contrast below 4.5.
    theme.set(
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
        block_label_text_color="*neutral_700",
        block_title_text_color="*neutral_700",
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_dark="*primary_700",
    )
    return {"theme": theme, "css": html.STYLE + tables.STYLE}


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
    names = sorted((name, code) for code, name in languages.LANGUAGE_NAMES.items())
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
        filled = each.click(partial(example, label), [language, word], form, **_hidden(gr))
        filled.then(**show, **_SENTENCE, **_hidden(gr))
    _endpoint(gr, sentence_record, fields, "sentence", _SENTENCE)


def _sentence_form(gr: Any) -> list[Any]:
    """The fields, in the order of `examples.form`."""
    translation, good, bad, source, focus = examples.form("de", "bank", "GOOD")
    # An asterisk only once: a pair of them is taken for emphasis.
    how = "Dictionary forms, parted by commas or lines. Any words may stand for an asterisk: auf * Wünsche eingehen"
    return [
        gr.Textbox(translation, label="Translation", lines=2, max_length=sentence.MAX_TEXT),
        gr.Textbox(good, label="GOOD candidates", lines=2, info=how),
        gr.Textbox(bad, label="BAD candidates", lines=2, info="Words for other senses, in the same way."),
        gr.Textbox(source, label="English sentence (optional)", max_length=sentence.MAX_TEXT),
        gr.Textbox(focus, label="The ambiguous word in it (optional)", max_length=sentence.MAX_CANDIDATE),
    ]


def _file_tab(gr: Any) -> None:
    gr.HTML(about_files())
    language = _language(gr)
    with gr.Row():
        items = gr.File(label="Items (.jsonl)", file_types=[".jsonl", ".json"], height=140)
        predictions = gr.File(
            label="Translations (.txt or .jsonl)", file_types=[".txt", ".jsonl", ".json"], height=140
        )
    with gr.Accordion("Options", open=False):
        weighting = gr.Radio(file.WEIGHTINGS, value="macro", label="SFI and PDI")
        level = gr.Radio(file.LEVELS, value=0.0, label="Confidence intervals (bootstrap over items)")
        nbest = gr.Radio(file.NBESTS, value="oracle", label="An n-best list is")
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
    """An event of the page itself, which is no part of the interface for programs."""
    return known(gr.Button.click, api_visibility="private") or {"api_name": False}


def _endpoint(
    gr: Any, function: Callable[..., Any], fields: list[Any], name: str, how: dict[str, Any]
) -> None:
    """A function for programs, which get a record; what cannot be used raises an error there."""

    @wraps(function)
    def answered(*given: Any) -> Any:
        try:
            return function(*given)
        except errors.DibimtError as error:
            raise gr.Error(str(error), print_exception=False) from error

    gr.Button(visible=False).click(answered, fields, gr.JSON(visible=False), api_name=name, **how)


def main() -> None:
    """Start the page; host and port are those of the variables that gradio reads."""
    # Nothing here may be taken for a library of the same name, such as `records`.
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != FOLDER]
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    gr = gradio()
    blocks = build(gr)
    # Nothing is kept: no history of what was entered, few sessions.
    kept = {"run_history": False, "state_session_capacity": 200}
    blocks.launch(**known(blocks.launch, max_file_size=file.MAX_BYTES, ssr_mode=False, **kept, **look(gr)))


if __name__ == "__main__":
    main()
