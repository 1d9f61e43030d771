"""Examples for the page: three words, each in eight languages, with one translation for each label.

The senses are numbered as in WordNet 3.0. The ranks of "turn down" are omitted on purpose: the sample files then show
what the measures of bias do without them.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from dibimt_metric.records import Label


class Word(NamedTuple):
    """An ambiguous word in its sentence; the rank of its sense and the number of its senses, where they are given."""

    source: str
    focus: str
    pos: str
    frequency_index: int | None
    polysemy: int | None


class Example(NamedTuple):
    """Candidates of a word in one language, the bad ones with the rank of the sense they show, and translations."""

    good: tuple[str, ...]
    bad: dict[str, int | None]
    translations: dict[Label, str]


WORDS: dict[str, Word] = {
    "bank": Word("They sat on the bank and watched the boats.", "bank", "n", 1, 10),
    "spring": Word("We filled our bottles at a cold spring in the forest.", "spring", "n", 3, 6),
    "turn down": Word("He turned down the offer.", "turned down", "v", None, None),
}


def _examples(text: str) -> dict[str, Example]:
    """The examples of a language: for each word of `WORDS` a line of candidates and one for each label.

    Good and bad candidates are separated by ``|``; a number after a bad one is the rank of the sense it shows.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    blocks = (lines[start : start + 5] for start in range(0, len(lines), 5))
    return {word: _example(*block) for word, block in zip(WORDS, blocks, strict=True)}


def _example(candidates: str, *translations: str) -> Example:
    good, bad = candidates.split(" | ")
    ranks = dict(map(_ranked, bad.split(", ")))
    return Example(tuple(good.split(", ")), ranks, dict(zip(Label, translations, strict=True)))


def _ranked(candidate: str) -> tuple[str, int | None]:
    lemma, _, rank = candidate.rpartition(" ")
    return (lemma, int(rank)) if rank.isdigit() else (candidate, None)


EXAMPLES: dict[str, dict[str, Example]] = {
    "bg": _examples("""
        бряг | банка 2
        Седяха на брега и гледаха лодките.
        Седяха в банката и гледаха лодките.
        Седяха там и гледаха лодките.
        Седяха на брега пред банката и гледаха лодките.
        извор | пролет 1, пружина 2
        Напълнихме бутилките от студен извор в гората.
        Напълнихме бутилките през студена пролет в гората.
        Напълнихме бутилките в гората.
        През пролетта напълнихме бутилките от един извор в гората.
        отхвърлям, отхвърля, отказвам | намалявам, намаля
        Той отхвърли предложението.
        Той намали предложението.
        Той не искаше предложението.
        Той намали звука и отхвърли предложението.
    """),
    "zh": _examples("""
        河岸, 岸边 | 银行 2
        他们坐在河岸上看船。
        他们坐在银行里看船。
        他们坐在那里看船。
        他们坐在银行旁边的河岸上看船。
        泉水, 山泉 | 春天 1, 弹簧 2
        我们用森林里冰凉的泉水装满了瓶子。
        我们在森林里寒冷的春天装满了瓶子。
        我们在森林里装满了瓶子。
        春天，我们用森林里的泉水装满了瓶子。
        拒绝, 谢绝 | 调低, 降低
        他拒绝了这个提议。
        他调低了这个提议。
        他不想要这个提议。
        他降低了音量，拒绝了这个提议。
    """),
    "nl": _examples("""
        oever, waterkant | bank 2
        Ze zaten op de oever en keken naar de boten.
        Ze zaten op de bank en keken naar de boten.
        Ze zaten daar en keken naar de boten.
        Ze zaten op een bank aan de oever en keken naar de boten.
        bron | lente 1, voorjaar 1, veer 2
        We vulden onze flessen bij een koude bron in het bos.
        We vulden onze flessen in een koude lente in het bos.
        We vulden onze flessen in het bos.
        In de lente vulden we onze flessen bij een bron in het bos.
        afwijzen, afslaan, weigeren | verlagen, dempen
        Hij wees het aanbod af.
        Hij verlaagde het aanbod.
        Hij wilde het aanbod niet.
        Hij dempte zijn stem en wees het aanbod af.
    """),
    "de": _examples("""
        Ufer, Flussufer | Bank 2, Geldinstitut 2
        Sie saßen am Ufer und sahen den Booten zu.
        Sie saßen auf der Bank und sahen den Booten zu.
        Sie saßen da und sahen den Booten zu.
        Sie saßen auf einer Bank am Ufer und sahen den Booten zu.
        Quelle, Waldquelle | Frühling 1, Frühjahr 1, Feder 2, Sprungfeder 2
        Wir füllten unsere Flaschen an einer kalten Quelle im Wald.
        Wir füllten unsere Flaschen in einem kalten Frühling im Wald.
        Wir füllten unsere Flaschen im Wald.
        Im Frühling füllten wir unsere Flaschen an einer Quelle im Wald.
        ablehnen, ausschlagen, zurückweisen | herunterdrehen, leiser stellen
        Er lehnte das Angebot ab.
        Er drehte das Angebot herunter.
        Er wollte das Angebot nicht.
        Er drehte die Musik herunter und lehnte das Angebot ab.
    """),
    "it": _examples("""
        riva, sponda, argine | banca 2
        Si sedettero sulla riva e guardarono le barche.
        Si sedettero sulla banca e guardarono le barche.
        Si sedettero e guardarono le barche.
        Si sedettero sulla riva, vicino alla banca, e guardarono le barche.
        sorgente, fonte | primavera 1, molla 2
        Riempimmo le bottiglie a una sorgente fredda nel bosco.
        Riempimmo le bottiglie in una primavera fredda nel bosco.
        Riempimmo le bottiglie nel bosco.
        In primavera riempimmo le bottiglie a una sorgente nel bosco.
        rifiutare, respingere, declinare | abbassare
        Ha rifiutato l'offerta.
        Ha abbassato l'offerta.
        Non ha voluto l'offerta.
        Ha abbassato la voce e ha rifiutato l'offerta.
    """),
    "ru": _examples("""
        берег | банк 2
        Они сидели на берегу и смотрели на лодки.
        Они сидели перед банком и смотрели на лодки.
        Они сидели там и смотрели на лодки.
        Они сидели на берегу перед банком и смотрели на лодки.
        родник, источник | весна 1, пружина 2
        Мы наполнили бутылки у холодного родника в лесу.
        Мы наполнили бутылки холодной весной в лесу.
        Мы наполнили бутылки в лесу.
        Весной мы наполнили бутылки у родника в лесу.
        отклонить, отвергнуть, отказаться | убавить, приглушить
        Он отклонил предложение.
        Он убавил предложение.
        Он не хотел этого предложения.
        Он приглушил голос и отклонил предложение.
    """),
    "sl": _examples("""
        breg, obrežje, nabrežje | banka 2
        Sedeli so na bregu in opazovali čolne.
        Sedeli so na banki in opazovali čolne.
        Sedeli so tam in opazovali čolne.
        Sedeli so na bregu pred banko in opazovali čolne.
        izvir, studenec, vrelec | pomlad 1, vzmet 2
        Steklenice smo napolnili pri hladnem izviru v gozdu.
        Steklenice smo napolnili v hladni pomladi v gozdu.
        Steklenice smo napolnili v gozdu.
        Tisto pomlad smo steklenice napolnili pri izviru v gozdu.
        zavrniti, odkloniti | znižati, stišati
        Zavrnil je ponudbo.
        Znižal je ponudbo.
        Ponudbe ni hotel.
        Stišal je glas in zavrnil ponudbo.
    """),
    "es": _examples("""
        orilla, ribera | banco 2
        Se sentaron en la orilla y miraron los barcos.
        Se sentaron en el banco y miraron los barcos.
        Se sentaron allí y miraron los barcos.
        Se sentaron en un banco de la orilla y miraron los barcos.
        manantial, fuente | primavera 1, muelle 2, resorte 2
        Llenamos las botellas en un manantial frío del bosque.
        Llenamos las botellas en una primavera fría del bosque.
        Llenamos las botellas en el bosque.
        En primavera llenamos las botellas en un manantial del bosque.
        rechazar, declinar | bajar
        Rechazó la oferta.
        Bajó la oferta.
        No quiso la oferta.
        Bajó la voz y rechazó la oferta.
    """),
}


def form(language: str, word: str, label: str) -> tuple[str, str, str, str, str]:
    """The form of an example: translation, good and bad candidates, English sentence, focus."""
    entry, example = WORDS[word], EXAMPLES[language][word]
    lists = ", ".join(example.good), ", ".join(example.bad)
    return example.translations[Label(label)], *lists, entry.source, entry.focus


def sample_items(language: str) -> str:
    """All examples of a language as the text of a file of items: one item for each translation."""
    return "".join(
        json.dumps(_item(language, word, number), ensure_ascii=False) + "\n"
        for word, example in EXAMPLES[language].items()
        for number, _ in enumerate(example.translations, 1)
    )


def sample_predictions(language: str) -> str:
    """The translations for `sample_items`, as plain text."""
    examples = EXAMPLES[language].values()
    return "".join(f"{text}\n" for example in examples for text in example.translations.values())


def _item(language: str, word: str, number: int) -> dict[str, object]:
    entry, example = WORDS[word], EXAMPLES[language][word]
    start = entry.source.index(entry.focus)
    return {
        "id": f"{word.replace(' ', '-')}.{number}",
        "language": language,
        "source": entry.source,
        "focus": {"text": entry.focus, "start": start, "end": start + len(entry.focus)},
        "lemma": word,
        "pos": entry.pos,
        "frequency_index": entry.frequency_index,
        "polysemy": entry.polysemy,
        "good": list(example.good),
        "bad": [_candidate(lemma, rank, f"{word}#{entry.pos}#{rank}") for lemma, rank in example.bad.items()],
    }


def _candidate(lemma: str, rank: int | None, synset: str) -> dict[str, object] | str:
    return lemma if rank is None else {"lemma": lemma, "synsets": [synset], "frequency_indices": [rank]}
