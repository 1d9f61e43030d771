"""CoNLL-U: read in pieces, parsed, written; the library `conllu` is the oracle."""

from __future__ import annotations

import doctest
import gzip
import itertools
import pickle
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import conllu as library
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.parsing import conllu, trees
from ldd_challenge_sets.parsing.conllu import (
    Block,
    fault_of,
    format_tree,
    line_numbers,
    parse_block,
    read_blocks,
    read_line_numbers,
    read_trees,
)
from ldd_challenge_sets.parsing.trees import TreeFault
from ldd_challenge_sets.records import Fault, Token, Tree


def tabs(text: str) -> str:
    """Columns written with blanks, for the eye; `·` stands for a blank inside a column."""
    lines = (line if line.startswith("#") else "\t".join(line.split()) for line in text.strip().split("\n"))
    return "\n".join(line.strip() for line in lines).replace("·", " ") + "\n"


ONE = tabs("1 Komm kommen VERB VVIMP Mood=Imp 0 root _ _\n2 mit mit ADP PTKVZ _ 1 compound:prt _ _")
TWO = tabs("1 Ja ja INTJ ITJ _ 0 root _ _")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def to_file(content: str | bytes) -> Path:
        path = tmp_path / "in.conllu"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return to_file


def forms(tree: Tree) -> list[str]:
    return [token.form for token in tree.tokens]


# Cutting


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("\n\n", []),
        (ONE, [(ONE, 1)]),
        (ONE.rstrip("\n"), [(ONE.rstrip("\n"), 1)]),  # not even a line end behind the last token
        (f"{ONE}\n{TWO}\n", [(ONE, 1), (TWO, 4)]),
        (f"\n\n{ONE}\n\n\n{TWO}", [(ONE, 3), (TWO, 8)]),
        (f"{ONE} \t\n{TWO}", [(ONE, 1), (TWO, 4)]),  # a blank line with blanks in it
        (f"\ufeff{ONE}\n{TWO}", [(ONE, 1), (TWO, 4)]),
        (f"{ONE}\n{TWO}".replace("\n", "\r\n"), [(ONE, 1), (TWO, 4)]),
        (f"# sent_id = 1\n{ONE}", [(f"# sent_id = 1\n{ONE}", 1)]),
        # A header or a trailer is no sentence; a sentence that lost its words is reported when it is parsed.
        (f"# global.columns = ID FORM\n\n{TWO}\n# the end\n", [(TWO, 3)]),
        (f"# sent_id = 1\n\n{TWO}", [("# sent_id = 1\n", 1), (TWO, 3)]),
        (f"# text = Ja\n\n{TWO}", [("# text = Ja\n", 1), (TWO, 3)]),
    ],
)
def test_blocks(write: Callable[[str | bytes], Path], content: str, expected: list[tuple[str, int]]) -> None:
    assert [tuple(block) for block in read_blocks(write(content))] == expected


def test_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "in.conllu.gz"
    path.write_bytes(gzip.compress(f"{ONE}\n{TWO}".encode()))
    assert [block.line for block in read_blocks(path)] == [1, 4]


def test_other_line_breaks_stand_inside_a_word(write: Callable[[str | bytes], Path]) -> None:
    odd = ONE.replace("Komm", "Ko\u2028mm\x0b\x85")
    assert [block.text for block in read_blocks(write(odd))] == [odd]
    assert parse_block(odd).tokens[0].form == "Ko\u2028mm\x0b\x85"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"\xff", 1),
        (f"{ONE}\n".encode() + b"1\tgr\xfcn\t_\n", 4),
        (b"# text = a\n" + ONE.encode() + b"3\t\xe4\n\n", 4),
        (ONE.encode("utf-16"), 1),
    ],
)
def test_not_utf8(write: Callable[[str | bytes], Path], content: bytes, line: int) -> None:
    path = write(content)
    with pytest.raises(InputError) as caught:
        list(read_blocks(path))
    assert str(caught.value).startswith(f"{path}, line {line}: not UTF-8 (")


def test_sentences_before_a_fault_are_read(write: Callable[[str | bytes], Path]) -> None:
    stream = read_blocks(write(f"{ONE}\n".encode() + b"\xff\n"))
    assert next(stream).text == ONE
    with pytest.raises(InputError, match=r"line 4: not UTF-8"):
        next(stream)


def test_missing_file_folder_and_bad_name(tmp_path: Path) -> None:
    for path in (tmp_path / "none.conllu", tmp_path, "a\0b"):
        with pytest.raises(InputError, match="cannot be read|is a folder"):
            list(read_blocks(path))


@pytest.mark.parametrize("cut", [5, 20, 30])
def test_damaged_compressed_file(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "in.conllu.gz"
    path.write_bytes(gzip.compress((ONE * 50).encode())[:cut])
    with pytest.raises(InputError, match=r"in\.conllu\.gz: the compressed file ends too early"):
        list(read_blocks(path))
    path.write_bytes(b"plain text")
    with pytest.raises(InputError, match=r"in\.conllu\.gz: its name ends in \.gz, but it is not compressed"):
        list(read_blocks(path))


def test_file_without_blank_lines_is_not_read_into_memory(
    write: Callable[[str | bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conllu, "_MAX_BLOCK_LINES", 10)
    path = write(f"{TWO}\n" + TWO * 11)
    with pytest.raises(InputError, match="line 3: more than 10 lines without an empty one"):
        list(read_blocks(path))


def peak_memory(path: Path) -> int:
    tracemalloc.start()
    for block in read_blocks(path):
        parse_block(block.text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_file(write: Callable[[str | bytes], Path]) -> None:
    # Both are larger than the buffer that the system reads into.
    small = peak_memory(write(f"{ONE}\n" * 2000))
    assert peak_memory(write(f"{ONE}\n" * 6000)) < small + 10_000


# Parsing


def test_columns_and_comments() -> None:
    tree = parse_block("# newdoc\n# sent_id = a-1\n#text=Komm mit = geh\n# no value\n" + ONE)
    assert tree == Tree(
        (
            Token(1, "Komm", "kommen", "VERB", "VVIMP", "Mood=Imp", 0, "root"),
            Token(2, "mit", "mit", "ADP", "PTKVZ", "_", 1, "compound:prt"),
        ),
        "a-1",
        "Komm mit = geh",
    )
    assert type(tree.tokens[0]) is Token


def test_without_comments_nothing_is_known() -> None:
    assert parse_block(ONE)[1:] == (None, None)


def test_comment_of_which_the_name_only_begins_alike() -> None:
    tree = parse_block(f"# text_en = Come along\n# sent_id_old = 3\n{ONE}")
    assert (tree.sent_id, tree.text) == (None, None)


def test_comments_may_stand_between_words() -> None:
    first, second = ONE.splitlines()
    assert len(parse_block(f"{first}\n# note\n{second}").tokens) == 2


def test_words_of_multiword_tokens_are_taken_and_empty_nodes_are_not() -> None:
    tree = parse_block(
        tabs(
            """
            1-2 zum _ _ _ _ _ _ _ _
            1 zu zu ADP APPR _ 3 case _ _
            2 dem der DET ART _ 3 det _ _
            3 Hof Hof NOUN NN _ 0 root _ _
            3.1 geht gehen VERB _ _ _ _ 0:exroot _
            """
        )
    )
    assert forms(tree) == ["zu", "dem", "Hof"]


def test_empty_node_before_the_first_word() -> None:
    assert forms(parse_block("0.1\t" + "\t".join("_" * 9) + "\n" + ONE)) == ["Komm", "mit"]


@pytest.mark.parametrize(
    ("first", "sent_id"),
    [
        ("# sent_id = 241", "24"),
        ("# sent_id = 11", "1"),
        ("# sent_id = 1001", "100"),
        ("# sent_id = doc-21", "doc-2"),
        ("#sent_id=71", "7"),
    ],
)
def test_sent_id_glued_to_the_first_word(first: str, sent_id: str) -> None:
    tree = parse_block(first + ONE[1:])
    assert (tree.sent_id, forms(tree)) == (sent_id, ["Komm", "mit"])


def test_sent_id_glued_to_a_multiword_token_or_to_the_only_word() -> None:
    glued = parse_block("# sent_id = 241-2\tKommmit\t_\t_\t_\t_\t_\t_\t_\t_\n" + ONE)
    assert (glued.sent_id, forms(glued)) == ("24", ["Komm", "mit"])
    alone = parse_block("# sent_id = 31" + TWO[1:])
    assert (alone.sent_id, forms(alone)) == ("3", ["Ja"])
    after = parse_block("# newdoc\n# sent_id = 31" + TWO[1:])
    assert (after.sent_id, forms(after)) == ("3", ["Ja"])


def test_comment_with_a_tab_is_a_comment() -> None:
    assert parse_block("# sent_id = 5\n# text = a\tb\n" + TWO) == (parse_block(TWO).tokens, "5", "a\tb")


def test_faults_of_the_released_files_at_once(write: Callable[[str | bytes], Path]) -> None:
    path = write(f"# sent_id = 31{TWO[1:]}\n\n# sent_id = 121{ONE[1:].rstrip()}")
    trees = list(read_trees(path))
    assert [(tree.sent_id, tree.text, forms(tree)) for tree in trees] == [
        ("3", None, ["Ja"]),
        ("12", None, ["Komm", "mit"]),
    ]
    assert list(read_line_numbers(path)) == [3, 12]


def test_forms_with_blanks_and_odd_signs() -> None:
    tree = parse_block(tabs("1 10·000 # NUM _ _ 0 root _ _\n2 # | SYM _ _ 1 dep _ _"))
    assert forms(tree) == ["10 000", "#"]


@pytest.mark.parametrize("n", [999, 1000, 1001, 2500])
def test_long_sentences(n: int) -> None:
    lines = (f"{i}\tw\tw\tX\t_\t_\t{i - 1}\tdep\t_\t_" for i in range(1, n + 1))
    tree = parse_block("\n".join(lines))
    assert (len(tree.tokens), tree.tokens[-1].head, type(tree.tokens[-1].id)) == (n, n - 1, int)


def test_windows_line_ends_and_blank_lines_around_given_text() -> None:
    assert parse_block("\n \n" + ONE.replace("\n", "\r\n") + "\r\n\n").tokens == parse_block(ONE).tokens


A = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
B = "2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "kind", "offset", "message"),
    [
        ("", "no_tokens", 0, "without words"),
        ("# sent_id = 1\n", "no_tokens", 0, "without words"),
        ("1-2\tab" + "\t_" * 8 + "\n", "no_tokens", 0, "without words"),
        (f"{A}\n{B}", "blank_line", 1, "an empty line inside a sentence"),
        (f"{A}{B}".replace("\t", " "), "columns", 0, "were tabs converted to spaces?"),
        (f"# c\n{A}2\tb\tb\tX\t_\t_\t1\tdep\t_\n", "columns", 2, "9 columns, but 10"),
        (A + B.rstrip() + "\t_\n", "columns", 1, "11 columns, but 10"),
        # Nine columns and then eleven: twenty together.
        (A.replace("\t_\n", "\n") + "x\t" + B, "columns", 0, "9 columns, but 10"),
        (f"{A}3{B[1:]}", "token_id", 1, "token id '3', but 2 was expected"),
        (f"{A}{A}", "token_id", 1, "is the empty line between two sentences missing?"),
        (f"{A}02{B[1:]}", "token_id", 1, "token id '02', but 2"),
        (f"{A}x{B[1:]}", "token_id", 1, "token id 'x', but 2"),
        (f"{A}2-{B[1:]}", "token_id", 1, "token id '2-', but 2"),
        (f"{A}٢{B[1:]}", "token_id", 1, "token id '٢', but 2"),
        (f"{A}{B.replace('b', '', 1)}", "form", 1, "token 2 has an empty form"),
        (f"{A}{B.replace('1', '_', 1)}", "head", 1, "head '_' of token 2 ('b') is not a number"),
        (f"{A}{B.replace('1', '1_0', 1)}", "head", 1, "head '1_0'"),
        (f"{A}{B.replace('1', '+1', 1)}", "head", 1, "head '+1'"),
        (f"{A}{B.replace('1', ' 1', 1)}", "head", 1, "head ' 1'"),
        (f"{A}{B.replace('1', '-1', 1)}", "head", 1, "head '-1'"),
        (f"{A}{B.replace('1', '٣', 1)}", "head", 1, "head '٣'"),
        (f"{A}{B.replace('1', '9' * 5000, 1)}", "head", 1, "of token 2 ('b') is not a number"),
        (f"# c\n# d\n{A}{B.replace('1', '3', 1)}", "head_range", 3, "token 2 has head 3"),
        (f"{A}{B.replace('1', '0', 1)}", "several_roots", 1, "tokens 1 and 2 have head 0"),
        (f"# c\n{A.replace('0', '2')}{B}", "no_root", 1, "no token has head 0"),
        (
            f"# c\n{A}1-2\tab{chr(9)}{chr(9).join('_' * 8)}\n{B.replace('1', '2', 1)}",
            "cycle",
            3,
            "2 -> 2 form",
        ),
        ("# sent_id = 71" + A[1:].replace("0", "5"), "head_range", 0, "token 1 has head 5"),
    ],
)
def test_faults(text: str, kind: str, offset: int, message: str) -> None:
    with pytest.raises(TreeFault) as caught:
        parse_block(text)
    assert (caught.value.kind, caught.value.offset) == (kind, offset)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.kind, again.offset, str(again)) == (kind, offset, str(caught.value))


@pytest.mark.parametrize(
    ("heads", "line", "message"),
    [
        ((0, 0), 7, "tokens 1 and 2 have head 0; a tree has one root"),
        ((2, 1), 6, "no token has head 0"),
        ((0, 2), 7, "the heads 2 -> 2 form a cycle"),
        ((0, 7), 7, "token 2 has head 7, but the sentence has tokens 1 to 2"),
    ],
)
def test_file_and_line_of_what_is_no_tree(
    write: Callable[[str | bytes], Path], heads: tuple[int, int], line: int, message: str
) -> None:
    bad = "# sent_id = 2\n" + A.replace("\t0\t", f"\t{heads[0]}\t") + B.replace("\t1\t", f"\t{heads[1]}\t")
    path = write(f"{ONE}\n\n{bad}\n{TWO}")
    trees = read_trees(path)
    assert forms(next(trees)) == ["Komm", "mit"]
    with pytest.raises(InputError) as caught:
        next(trees)
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert message in str(caught.value)
    with pytest.raises(InputError, match=f", line {line}: "):
        list(read_trees(path))


def test_fault_as_a_record() -> None:
    block = Block("# c\n" + A.replace("0", "3"), 11)
    with pytest.raises(TreeFault) as caught:
        parse_block(block.text)
    assert fault_of(caught.value, block, "x.conllu") == Fault("x.conllu", 12, "head_range", str(caught.value))


# Any sentence, against the library and against the careful reader

FIELD = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S"]) | st.just("·"), min_size=1, max_size=6
).map(lambda text: text.replace("·", "\u00a0"))


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A block with everything that may stand in one."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(1, n + 1)))
    heads = {order[0]: 0}
    for place in range(1, n):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    lines = [f"# {key} = {draw(FIELD)}" for key in draw(st.lists(st.sampled_from(["sent_id", "text", "x", "y"])))]
    for token in range(1, n + 1):
        if token < n and draw(st.integers(0, 4)) == 0:
            lines.append(f"{token}-{token + 1}\t{draw(FIELD)}" + "\t_" * 8)
        head, relation = heads[token], draw(FIELD)
        before = [draw(FIELD) for _ in range(5)]
        lines.append("\t".join([str(token), *before, str(head), relation, draw(FIELD), draw(FIELD)]))
        if draw(st.integers(0, 5)) == 0:
            lines.append(f"{token}.1\t{draw(FIELD)}" + "\t_" * 8)
    return "\n".join(lines) + "\n"


RAW: dict[str, Any] = dict.fromkeys(
    ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"], lambda line, i: line[i]
)


def as_the_library_reads(text: str) -> list[Tree]:
    return [
        Tree(
            tuple(
                Token(*(word[key] for key in ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")))
                for word in sentence
                if isinstance(word["id"], int)
            ),
            sentence.metadata.get("sent_id"),
            sentence.metadata.get("text"),
        )
        for sentence in library.parse(text, field_parsers=RAW)
    ]


@settings(max_examples=50)
@given(st.lists(sentences(), min_size=1, max_size=3))
def test_any_file_as_the_library_reads_it(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / "in.conllu"
    whole = "\n".join(texts)
    path.write_bytes(whole.encode("utf-8"))
    assert list(read_trees(path)) == as_the_library_reads(whole)


CUTS = st.lists(st.tuples(st.integers(0, 400), st.sampled_from("\t\n#_019-. x")), max_size=3)


def outcome(parse: Callable[[str], Tree], text: str) -> object:
    try:
        return parse(text)
    except TreeFault as fault:
        return fault.kind, fault.offset, str(fault)


@settings(max_examples=70)
@given(sentences(), CUTS)
@example(ONE, [])
@example("1\ta\n2\tb", [])
def test_the_quick_way_does_what_the_careful_way_does(text: str, cuts: list[tuple[int, str]]) -> None:
    """Also on text with some characters overwritten, which is mostly no CoNLL-U any more."""
    for place, character in cuts:
        text = text[:place] + character + text[place + 1 :]
    assert outcome(parse_block, text) == outcome(conllu._parse_carefully, text)


@given(st.text(st.sampled_from("\t\n#_012-. sent_id=")))
def test_any_text_is_a_tree_or_a_fault(text: str) -> None:
    assert outcome(parse_block, text) == outcome(conllu._parse_carefully, text)


@pytest.mark.parametrize(
    "name", ["pud/de_pud-ud-test", "pud/it_pud-ud-test", "ud/nl_alpino-ud-dev", "ud/bg_btb-ud-dev"]
)
def test_treebanks_as_the_library_reads_them(test_data: Path, name: str) -> None:
    path = test_data / f"{name}.conllu"
    texts = [block.text for block in itertools.islice(read_blocks(path), 300)]
    trees = [parse_block(text) for text in texts]
    assert trees == as_the_library_reads("\n".join(texts))
    assert len(trees) == 300
    assert trees == list(itertools.islice(read_trees(path), 300))


# Writing


@settings(max_examples=50)
@given(sentences())
def test_written_trees_are_read_as_they_were(text: str) -> None:
    tree = parse_block(text)
    assert parse_block(format_tree(tree)) == tree


def test_written_form() -> None:
    assert format_tree(parse_block(f"# x\n# sent_id = 1\n{ONE}")) == f"# sent_id = 1\n{ONE}\n"


@pytest.mark.parametrize("bad", ["a\tb", "a\nb", "a\rb"])
def test_what_the_format_cannot_hold(bad: str) -> None:
    tree = parse_block(ONE)
    for broken in (
        tree._replace(tokens=(tree.tokens[0]._replace(form=bad), tree.tokens[1])),
        tree._replace(text=bad),
        tree._replace(sent_id=bad),
    ):
        with pytest.raises(InputError, match="tab or line break"):
            format_tree(broken)


# Corpus lines


def test_sent_id_is_the_line() -> None:
    assert list(line_numbers(["1", "7", "5"])) == [1, 7, 5]


def test_lines_of_documents() -> None:
    # A document begins where sent_id falls; one that stays the same is the same sentence again.
    ids = ["5", "5", "9", "3", "10", "1"]
    assert list(line_numbers(ids, document_size=10)) == [5, 5, 9, 13, 20, 21]
    assert list(line_numbers([], document_size=10)) == []


@pytest.mark.parametrize("bad", [None, "", "0", "01", "-3", "1.5", "n01001011", "٣", "9" * 30])
def test_what_is_no_line(bad: str | None) -> None:
    with pytest.raises(InputError, match="sentence 2 has .*expected the number of its corpus line"):
        list(line_numbers(["1", bad]))


def test_sent_id_beyond_its_document() -> None:
    with pytest.raises(InputError, match="sentence 2 has sent_id 11, beyond the 10 lines of a document"):
        list(line_numbers(["1", "11"], document_size=10))
    with pytest.raises(InputError, match="a positive number of lines, not 0"):
        list(line_numbers(["1"], document_size=0))


def test_lines_of_a_file(write: Callable[[str | bytes], Path]) -> None:
    path = write(f"# sent_id = 4\n{ONE}\n# x\n# sent_id = 2\n{ONE}\n{TWO}")
    numbers = read_line_numbers(path, document_size=10)
    assert [next(numbers), next(numbers)] == [4, 12]
    with pytest.raises(InputError) as caught:
        next(numbers)
    assert str(caught.value).startswith(f"{path}, line 10: this sentence has no sent_id")


@pytest.mark.parametrize("module", [conllu, trees])
def test_examples(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0 and results.failed == 0
