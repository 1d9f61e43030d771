"""Stopping at the first fault, and passing over faults with a count."""

from __future__ import annotations

from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.corpus import FaultLog, open_corpus, strict
from ldd_challenge_sets.records import Fault, TextPair

PAIRS = [TextPair(1, "auf", "up"), TextPair(3, "an", "on")]
FAULT = Fault("talk.en", 2, "empty_side", "the target side is empty")


def test_strict_gives_what_stands_before_the_fault() -> None:
    reading = strict([PAIRS[0], FAULT, PAIRS[1]])
    assert next(reading) == PAIRS[0]
    with pytest.raises(InputError, match=r"^talk\.en, line 2: the target side is empty$"):
        next(reading)


def test_strict_without_fault() -> None:
    assert list(strict(PAIRS)) == PAIRS


def test_skip_passes_pairs_on_and_counts_the_rest() -> None:
    log = FaultLog()
    assert list(log.skip([PAIRS[0], FAULT, PAIRS[1], FAULT])) == PAIRS
    assert (log.total, log.counts, log.first) == (2, {"empty_side": 2}, {"empty_side": [FAULT, FAULT]})


def test_log_keeps_the_first_of_each_kind() -> None:
    log = FaultLog(keep=2)
    for line in range(1, 6):
        log.add(Fault("a.de", line, "empty_side", "empty"))
    log.add(Fault("a.de", 9, "bad_utf8", "bytes"))
    assert log.total == 6
    assert [fault.line for fault in log.first["empty_side"]] == [1, 2]
    assert log.summary() == (
        "6 skipped\n"
        "  empty_side: 5, the first 2:\n"
        "    a.de, line 1: empty\n"
        "    a.de, line 2: empty\n"
        "  bad_utf8: 1\n"
        "    a.de, line 9: bytes"
    )


def test_log_without_fault() -> None:
    log = FaultLog()
    assert (log.total, log.summary()) == (0, "")


def test_a_corpus_with_every_fault(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_bytes(b"auf\n\nan\xe4\nab\nzu\n")
    (tmp_path / "a.en").write_bytes(b"up\nx\ny\nfrom\n")
    corpus = open_corpus(tmp_path / "a.de", tmp_path / "a.en")
    log = FaultLog()
    assert [pair.line for pair in log.skip(corpus.read())] == [1, 4]
    assert log.counts == {"empty_side": 1, "bad_utf8": 1, "no_partner": 1}
    with pytest.raises(InputError, match=r"a\.de, line 2: the source side is empty"):
        list(strict(corpus.read()))
