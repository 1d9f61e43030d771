"""Training, application, storage. The corpus is made here: verb-last clauses and their verb-second translations."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError, MissingLibraryError
from ldd_challenge_sets.alignment.aligner import Aligner, load_aligner, train
from ldd_challenge_sets.alignment.directions import _openmp_runtimes, one_thread
from ldd_challenge_sets.alignment.links import Symmetrization, check_links
from ldd_challenge_sets.phenomena.reordering import reordering_hits

pytest.importorskip("thot.alignment")

Corpus = tuple[list[list[str]], list[list[str]]]

WHO = [("Anna", "Anna"), ("Otto", "Otto"), ("Mama", "Mum"), ("Opa", "Grandpa"), ("Emil", "Emil")]
WHAT = [("Äpfel", "apples"), ("Brot", "bread"), ("Kuchen", "cake"), ("Milch", "milk"), ("Nüsse", "nuts")]
WHEN = [("heute", "today"), ("oft", "often"), ("morgens", "mornings"), ("abends", "evenings")]
VERB = [("isst", "eats"), ("kauft", "buys"), ("holt", "fetches"), ("bringt", "brings"), ("sucht", "seeks")]
# Source positions of weil, who, when, what, verb and the dot, in the order of the target.
ORDER = (0, 1, 4, 3, 2, 5)


def corpus() -> Corpus:
    source, target = [], []
    for who, what, when, verb in list(product(WHO, WHAT, WHEN, VERB))[::3]:
        source.append(["weil", who[0], when[0], what[0], verb[0], "."])
        target.append(["because", who[1], verb[1], what[1], when[1], "."])
    return source, target


SOURCE, TARGET = corpus()


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    return train(SOURCE, TARGET)


@pytest.fixture(scope="module")
def saved(aligner: Aligner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "aligner"
    aligner.save(folder)
    return folder


@pytest.fixture
def copy(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "copy"))


NEW: Corpus = (
    [
        ["weil", "Opa", "oft", "Kuchen", "sucht", "."],
        ["weil", "Greta", "oft", "Brot", "bäckt", "."],  # Greta and bäckt were not seen
        ["Greta", "bäckt"],
        [],
        ["weil"],
    ],
    [
        ["because", "Grandpa", "seeks", "cake", "often", "."],
        ["because", "Greta", "bakes", "bread", "often", "."],
        ["Greta", "bakes"],
        ["because"],
        [],
    ],
)


def test_finds_the_verbs(aligner: Aligner) -> None:
    gold = frozenset((i, j) for j, i in enumerate(ORDER))
    right = found = 0
    for links in aligner.align(SOURCE, TARGET):
        check_links(links, 6, 6)
        right += len(links & gold)
        found += len(links)
    assert right / found > 0.95
    assert right / (6 * len(SOURCE)) > 0.95
    (links,) = aligner.align(NEW[0][:1], NEW[1][:1])
    hits = reordering_hits(links, NEW[0][0], NEW[1][0], "reordering", 2)
    assert [(hit.dependent_form, hit.head_form) for hit in hits] == [("oft", "often"), ("sucht", "seeks")]


def test_name(aligner: Aligner) -> None:
    release, iterations, symmetrization, size, lower, data = aligner.name.split("|")
    assert release.startswith("fast_align(sil-thot-")
    assert (iterations, symmetrization, size, lower) == (
        "iter:5",
        "sym:grow-diag-final-and",
        f"train:{len(SOURCE)}",
        "lower:yes",
    )
    assert aligner.training.source_words == len({word.lower() for words in SOURCE for word in words})
    assert aligner.training.target_words == len({word.lower() for words in TARGET for word in words})
    assert data != train(SOURCE[:-1], TARGET[:-1], iterations=1).name.split("|")[-1]


def test_the_name_says_when_another_release_applies_it(aligner: Aligner, monkeypatch: pytest.MonkeyPatch) -> None:
    from ldd_challenge_sets.alignment import aligner as module

    monkeypatch.setattr(module, "version", lambda name: "9.9")
    assert f"(sil-thot-{aligner.training.library_version}, applied by 9.9)" in aligner.name


@pytest.mark.parametrize("symmetrization", list(Symmetrization))
def test_a_saved_aligner_gives_the_same(aligner: Aligner, saved: Path, symmetrization: Symmetrization) -> None:
    loaded = load_aligner(saved, symmetrization=symmetrization.value)
    for source, target in ((SOURCE, TARGET), NEW):
        links = aligner.align(source, target, symmetrization.value)
        assert loaded.align(source, target) == links
    assert loaded.training == aligner.training
    assert f"|sym:{symmetrization.value}|" in loaded.name


def test_symmetrizations_are_what_they_are_called(aligner: Aligner) -> None:
    by_name = {each: aligner.align(SOURCE, TARGET, each.value) for each in Symmetrization}
    for at in range(len(SOURCE)):
        links = {each: found[at] for each, found in by_name.items()}
        forward, backward = links[Symmetrization.FORWARD], links[Symmetrization.BACKWARD]
        assert len({j for _, j in forward}) == len(forward), "one link at most for a target word"
        assert len({i for i, _ in backward}) == len(backward), "one link at most for a source word"
        assert links[Symmetrization.INTERSECTION] == forward & backward
        assert links[Symmetrization.UNION] == forward | backward
        for each in Symmetrization:
            if each not in (Symmetrization.FORWARD, Symmetrization.BACKWARD):
                assert forward & backward <= links[each] <= forward | backward
        assert links[Symmetrization.GROW] <= links[Symmetrization.GROW_DIAG]
        assert links[Symmetrization.GROW_DIAG] <= links[Symmetrization.GROW_DIAG_FINAL_AND]


def test_both_ways_of_symmetrising_agree() -> None:
    # Pairs with an unseen word take a way of their own. With one iteration the directions differ most.
    aligner = train(SOURCE, TARGET, iterations=1)
    directions = aligner._directions
    for each in Symmetrization:
        links = aligner.align(SOURCE[:40], TARGET[:40], each.value)
        lowered = [
            ([word.lower() for word in source], [word.lower() for word in target])
            for source, target in zip(SOURCE[:40], TARGET[:40], strict=True)
        ]
        assert [directions._with_unseen(*pair, each) for pair in lowered] == links


@pytest.mark.parametrize("symmetrization", list(Symmetrization))
def test_unseen_words_have_no_links(aligner: Aligner, symmetrization: Symmetrization) -> None:
    _, partly, none, empty_source, empty_target = aligner.align(*NEW, symmetrization.value)
    assert none == empty_source == empty_target == frozenset()
    assert {i for i, _ in partly}.isdisjoint({1, 4}), "Greta, bäckt"
    assert {j for _, j in partly}.isdisjoint({1, 2}), "Greta, bakes"
    assert {(0, 0), (3, 3), (2, 4), (5, 5)} <= partly


def test_seen_tells_a_wrong_direction(aligner: Aligner) -> None:
    assert aligner.seen(SOURCE, TARGET) == 1.0
    # Of the words of the pair only the dot is the same in both languages: 2 of 12.
    assert aligner.seen(NEW[1][:1], NEW[0][:1]) == 2 / 12
    assert aligner.seen([[]], [[]]) is None


def test_case() -> None:
    shouted = [[word.upper() for word in sentence] for sentence in SOURCE[:30]]
    lowered = train(SOURCE, TARGET)
    assert lowered.align(shouted, TARGET[:30]) == lowered.align(SOURCE[:30], TARGET[:30])
    cased = train(SOURCE, TARGET, lower=False)
    assert "|lower:no|" in cased.name
    assert {i for i, _ in cased.align(shouted[:1], TARGET[:1])[0]} == {5}, "only the dot was seen so"


def test_training_twice_gives_the_same_files_whatever_the_threads(tmp_path: Path) -> None:
    script = (
        "import sys; from test_aligner import SOURCE, TARGET, train\ntrain(SOURCE * 10, TARGET * 10).save(sys.argv[1])"
    )
    for threads in ("1", "3"):
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / threads)],
            env={
                **os.environ,
                "OMP_NUM_THREADS": threads,
                "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])]),
            },
            check=True,
        )
    assert _contents(tmp_path / "1") == _contents(tmp_path / "3")


@pytest.mark.skipif(sys.platform == "win32", reason="the OpenMP runtime of Windows cannot be reached")
def test_the_library_is_held_to_one_thread_and_let_go() -> None:
    (runtime, *_) = _openmp_runtimes()
    before = runtime.omp_get_max_threads()
    runtime.omp_set_num_threads(3)
    try:
        with one_thread():
            assert [each.omp_get_max_threads() for each in _openmp_runtimes()] == [1] * len(_openmp_runtimes())
        assert runtime.omp_get_max_threads() == 3
        with pytest.raises(ZeroDivisionError), one_thread():
            1 / 0  # noqa: B018
        assert runtime.omp_get_max_threads() == 3
    finally:
        runtime.omp_set_num_threads(before)


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_odd_words_survive() -> None:
    odd = [
        "NULL",
        "UNKNOWN_WORD",
        "<UNUSED_WORD>",
        "1\u00a0000",
        "a b",
        "c\nd",
        "",
        "\x00",
        "\u2028",
        "\ud800",
    ]
    source = [*([[word, "x"] for word in odd] * 4), *([["x", "y"]] * 8)]
    target = [*([[f"t{at}", "x"] for at in range(len(odd))] * 4), *([["x", "y"]] * 8)]
    aligner = train(source, target, lower=False)
    links = aligner.align(source, target)
    assert all((0, 0) in each for each in links)
    assert aligner.seen(source, target) == 1.0


def test_odd_words_are_saved(tmp_path: Path) -> None:
    source = [["1\u00a0000", "a b", "c\nd", "", "\x00e", "NULL"]] * 5
    aligner = train(source, source, lower=False)
    aligner.save(tmp_path / "a")
    assert load_aligner(tmp_path / "a").align(source, source) == aligner.align(source, source)


def test_what_is_longer_than_the_library_reads() -> None:
    long = ["weil"] * 1025
    aligner = train([*SOURCE, long[1:], long, []], [*TARGET, ["because"], ["because"], ["."]])
    assert (aligner.training.pairs, aligner.training.skipped) == (len(SOURCE) + 1, 2)
    assert f"|train:{len(SOURCE) + 1}|" in aligner.name
    assert aligner.align([long, ["weil"]], [["because"], ["because"]]) == [frozenset(), frozenset({(0, 0)})]
    assert aligner.align([["weil"]], [["because"] * 1025]) == [frozenset()]


@pytest.mark.parametrize(
    ("source", "target", "skipped"),
    [
        ([], [], 0),
        ([[], ["a"]], [["b"], []], 2),
        ([[]], [[]], 1),
        ([["a"] * 1025], [["b"]], 1),
    ],
)
def test_training_on_nothing_is_an_error(source: list[list[str]], target: list[list[str]], skipped: int) -> None:
    with pytest.raises(InputError, match=f"nothing to train on: none of {skipped} sentence pairs has 1 to 1024"):
        train(source, target)


@pytest.mark.parametrize("iterations", [0, -1, True, 2.0, "5"])
def test_no_iterations_are_an_error(iterations: Any) -> None:
    with pytest.raises(InputError, match="expected a positive integer"):
        train(SOURCE, TARGET, iterations=iterations)


def test_unequal_numbers(aligner: Aligner) -> None:
    with pytest.raises(InputError, match="pair 2: there is no target sentence"):
        train(SOURCE[:2], TARGET[:1])
    with pytest.raises(InputError, match="pair 1: there is no source sentence"):
        aligner.align([], TARGET[:1])


def test_texts_instead_of_words(aligner: Aligner) -> None:
    with pytest.raises(InputError, match="pair 1: 'weil' is a text; split it into words first"):
        aligner.align(["weil"], [["because"]])
    with pytest.raises(InputError, match="pair 1: 'because' is a text"):
        train([["weil"]], ["because"])


def test_unknown_symmetrization(aligner: Aligner, saved: Path) -> None:
    for act in (
        lambda: train(SOURCE, TARGET, symmetrization="gdfa"),
        lambda: aligner.align(SOURCE, TARGET, "gdfa"),
        lambda: load_aligner(saved, "gdfa"),
        lambda: load_aligner(saved, ""),
    ):
        with pytest.raises(InputError, match="is unknown"):
            act()


def test_progress_sees_the_passes() -> None:
    seen: list[int] = []

    def progress(steps: Any) -> Iterator[Any]:
        for step in steps:
            yield step
            seen.append(step)

    train(SOURCE[:10], TARGET[:10], iterations=3, progress=progress)
    assert len(seen) == 6


def test_missing_library(monkeypatch: pytest.MonkeyPatch, saved: Path) -> None:
    monkeypatch.delitem(sys.modules, "thot.alignment", raising=False)
    monkeypatch.setitem(sys.modules, "thot", None)
    with pytest.raises(MissingLibraryError, match=r"sil-thot: pip install 'dibimt\[ldd\]'"):
        train(SOURCE, TARGET)
    with pytest.raises(MissingLibraryError, match=r"sil-thot: pip install 'dibimt\[ldd\]'"):
        load_aligner(saved)


# --- the folder ---


def test_the_sentences_are_not_saved(saved: Path) -> None:
    sentences = {" ".join(words).lower() for words in (*SOURCE, *TARGET)}
    for path in saved.iterdir():
        text = path.read_bytes().decode("utf-8", "replace")
        assert not any(sentence in text for sentence in sentences), path.name
    assert (saved / "forward.src").read_bytes() == b""


def test_saving_again_and_elsewhere(aligner: Aligner, tmp_path: Path) -> None:
    aligner.save(tmp_path / "deep" / "a")
    shutil.rmtree(tmp_path / "deep")
    (tmp_path / "b").mkdir()
    aligner.save(tmp_path / "b")  # an empty folder is as good as none
    load_aligner(tmp_path / "b").save(tmp_path / "c")
    # The library writes the words in any order; the numbers are the same.
    for name in ("forward.fa_lexnd", "backward.fa_lexnd", "forward.params", "backward.params"):
        assert (tmp_path / "b" / name).read_bytes() == (tmp_path / "c" / name).read_bytes()
    assert aligner.align(*NEW) == load_aligner(tmp_path / "c").align(*NEW)


def test_what_stands_there_is_kept(aligner: Aligner, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    for force in (False, True):
        with pytest.raises(InputError, match="exists and is not an aligner; choose another folder"):
            aligner.save(mine, force=force)
        with pytest.raises(InputError, match="exists and is not an aligner"):
            aligner.save(mine / "thesis.txt", force=force)
    assert (mine / "thesis.txt").read_text() == "years of work"

    one = train(SOURCE[:5], TARGET[:5])
    one.save(tmp_path / "a")
    with pytest.raises(InputError, match="holds an aligner; choose another folder, or replace it with --force"):
        aligner.save(tmp_path / "a")
    assert load_aligner(tmp_path / "a").training == one.training
    aligner.save(tmp_path / "a", force=True)
    assert load_aligner(tmp_path / "a").training == aligner.training
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "mine"]


def test_a_save_that_fails_leaves_nothing(aligner: Aligner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aligner.save(tmp_path / "old")
    before = _contents(tmp_path / "old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    for folder, force in ((tmp_path / "new", False), (tmp_path / "old", True)):
        with pytest.raises(InputError, match="No space left on device"):
            aligner.save(folder, force=force)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old"]
    assert _contents(tmp_path / "old") == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of file sizes")
@pytest.mark.parametrize("limit", [1_000, 20_000])
def test_a_file_that_the_system_cuts_off_is_noticed(tmp_path: Path, limit: int) -> None:
    """The library says that it has written its files, whatever the system has taken of them."""
    code = (
        "import resource, sys; sys.path[:0] = sys.argv[1:2]\n"
        "from ldd_challenge_sets.alignment.aligner import train\n"
        "words = [[f'{i % 97}', f'{i % 89}', f'{i % 83}'] for i in range(500)]\n"
        "aligner = train(words, words, iterations=1)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)\n"
        "aligner.save(sys.argv[2])"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parents[2]), str(tmp_path / "a"), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "the aligner cannot be saved, its file was truncated after" in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_a_replacement_that_fails_puts_the_old_one_back(
    aligner: Aligner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(SOURCE[:5], TARGET[:5]).save(tmp_path / "a")
    before = _contents(tmp_path / "a")
    rename = Path.rename

    def refusing(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refusing)
    with pytest.raises(InputError, match="Permission denied"):
        aligner.save(tmp_path / "a", force=True)
    assert _contents(tmp_path / "a") == before


PARAMETERS = [
    f"{direction}.{ending}"
    for direction in ("forward", "backward")
    for ending in ("fa_lexnd", "params", "size_counts", "svcb", "tvcb", "yml", "src")
]


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_missing_file(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(InputError, match=f"copy: the aligner cannot be used: {name} is missing; train it again"):
        load_aligner(copy)


@pytest.mark.parametrize("name", [each for each in PARAMETERS if not each.endswith(".src")])
@pytest.mark.parametrize("keep", [0.0, 0.5])
def test_an_empty_or_cut_off_file(copy: Path, name: str, keep: float) -> None:
    content = (copy / name).read_bytes()
    (copy / name).write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(InputError, match=f"{name} was changed after saving"):
        load_aligner(copy)


def test_a_changed_number(copy: Path) -> None:
    content = bytearray((copy / "forward.fa_lexnd").read_bytes())
    content[len(content) // 2] ^= 1
    (copy / "forward.fa_lexnd").write_bytes(content)
    with pytest.raises(InputError, match=r"forward\.fa_lexnd was changed after saving"):
        load_aligner(copy)


def test_no_folder(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match=r"there is no saved aligner \(aligner.json is missing\)"):
            load_aligner(folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        load_aligner(tmp_path / "file")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", r"is \[\] instead of an object"),
        ("{}", "'format' is None, but 'dibimt-aligner' is expected"),
        ("\ufffd", "is not valid JSON"),
    ],
)
def test_a_manifest_that_is_none(copy: Path, text: str, message: str) -> None:
    (copy / "aligner.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_aligner(copy)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format_version": 2}, "'format_version' is 2, but 1 is expected; train the aligner again"),
        ({"library": "fast"}, "'library' is 'fast', but 'sil-thot' is expected"),
        ({"pairs": None}, "'pairs' is None in aligner.json"),
        ({"pairs": True}, "'pairs' is True in aligner.json"),
        ({"lower": "yes"}, "'lower' is 'yes' in aligner.json"),
        ({"symmetrization": "x"}, "symmetrization 'x' is unknown"),
        ({"files": None}, "lists no files"),
        ({"files": {}}, "lists no parameters of the direction forward"),
        ({"source_words": 3}, "its vocabularies are not those that were saved"),
    ],
)
def test_a_manifest_of_something_else(copy: Path, changes: dict[str, Any], message: str) -> None:
    path = copy / "aligner.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(InputError, match=message):
        load_aligner(copy)


@pytest.mark.slow
def test_counts_on_newstest2013(test_data: Path) -> None:
    """The figures of docs/alignment.md; within 2 %, since another release may decide equals otherwise."""
    source, target = (
        [line.split() for line in (test_data / "ldd" / f"newstest2013.{language}").open(encoding="utf-8")]
        for language in ("de", "en")
    )
    aligner = train(source, target)
    expected = {
        "forward": (1632, 1262, 1361),
        "intersection": (1341, 859, 879),
        "grow-diag-final-and": (1449, 965, 1059),
    }
    for symmetrization, counts in expected.items():
        links = aligner.align(source, target, symmetrization)
        for name, count in zip(("reordering", "reordering_normalized", "reordering_crossing"), counts, strict=True):
            found = sum(bool(reordering_hits(*pair, name)) for pair in zip(links, source, target, strict=True))
            assert found == pytest.approx(count, rel=0.02)
