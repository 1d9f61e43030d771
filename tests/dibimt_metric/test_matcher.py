"""A candidate is read once for all items in whose lists it stands; this must never change a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dibimt_dataset import mini_items, mini_translations
from dibimt_metric.items import make_item
from dibimt_metric.judge import Judge
from dibimt_metric.languages import LANGUAGES
from dibimt_metric.records import Item, Judgment


def cases(language: str) -> list[tuple[Item, str]]:
    """Each item, the same with its lists exchanged, and candidates of one item among those of the next."""
    items = mini_items(language)
    made = []
    for i, (item, text) in enumerate(zip(items, mini_translations(language, "careful"), strict=True)):
        other = items[i - 1]
        keys = {each.lemma.casefold() for each in item.good}
        mixed = tuple(each for each in (*other.good, *other.bad) if each.lemma.casefold() not in keys)
        made += [(item, text), (replace(item, good=item.bad, bad=item.good), text)]
        made.append((replace(item, bad=(*item.bad, *mixed)), text))
    return made


def alone(language: str, item: Item, text: str) -> Judgment:
    """The judgment of a judge that has seen nothing else."""
    return Judge(language).judge(item, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_items_do_not_change_each_other(language: str) -> None:
    shared = Judge(language)
    some = cases(language)
    found = [shared.judge(item, text) for item, text in some]
    assert found == [alone(language, item, text) for item, text in some]
    assert [shared.judge(item, text) for item, text in some[::-1]] == found[::-1]


def test_the_other_list_has_its_say_after_the_candidate_was_read_without_it() -> None:
    # "акра" has the lemma "акр", which is a candidate of the other list in the second item only.
    first = make_item({"id": "1", "good": ["поле"], "bad": ["акра"]})
    second = make_item({"id": "2", "good": ["акр"], "bad": ["акра"]})
    for items in ((first, second), (second, first)):
        judge = Judge("ru")
        labels = {item.id: judge.judge(item, "Участок площадью в один акр.").label.value for item in items}
        assert labels == {"1": "BAD", "2": "GOOD"}
