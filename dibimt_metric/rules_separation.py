"""Pronouns and prefixes of German and Dutch verbs in a text: which verb they belong to, which verbs do not count.

A reflexive pronoun of the first or second person must agree with the subject of its verb (`is_reflexive`).

Where the analyzer has relations, ``compound:prt`` decides about a prefix (`is_prefix`). Where it has none, a prefix is
separated only if it ends its clause and no nearer verb can claim it, or if it directly precedes its verb (Dutch ``op te
geven``). In doubt there is no separated verb: none in "Ab Oktober fallen die Preise", none in "Op die vraag gaf hij
geen antwoord". A verb whose prefix is separated does not count as itself (`objection`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .match_patterns import REACH
from .match_view import Edge
from .match_view import View
from .rules_verb_forms import VerbLast

_RELATION = "compound:prt"
_MOST_BETWEEN = 3  # words between a prefix and the verb that follows it
_SHORTEST_VERB = 4
_SUBCLAUSE_MARKS = frozenset({",", ";", "–", "—", ")"})
_LONGEST_STEM_IN_END = 5  # nl "vind", "zend" are finite
_MOST_POSITIONS = 16  # of a match that are looked at for a separated prefix

# Reflexive pronouns


def is_reflexive(data: VerbLast, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
    """Whether the pronoun at ``place[0]`` is the reflexive one of the verb ``head``."""
    pronoun = place[0]
    if view.has_relations and not _pronoun_depends(view, pronoun, head):
        return False
    form = view.form(pronoun)
    subjects = data.subjects.get(form)
    if subjects is None:
        return True
    low, high = _segment(data, view, pronoun)
    if _holds(view, low, high, pronoun, subjects):
        return True
    if form in data.addressed and _is_imperative(data, view, head, low):
        return True
    return _subject_is_elsewhere(data, view, head, pronoun, low, subjects)


def _pronoun_depends(view: View, pronoun: int, head: Edge) -> bool:
    """By the parse: on the verb, or on the predicate that the verb is the copula of ("sich bewusst sein")."""
    of = view.words[pronoun].head
    verb = view.words[head.first]
    return of is not None and (head.first <= of < head.last or (verb.relation == "cop" and verb.head == of))


def _segment(data: VerbLast, view: View, position: int) -> tuple[int, int]:
    """The part of a clause around ``position`` that has no conjunction in it."""
    low, high = _near(view.clause(position), position)
    first, last = position, position + 1
    while first > low and view.form(first - 1) not in data.conjunctions:
        first -= 1
    while last < high and view.form(last) not in data.conjunctions:
        last += 1
    return first, last


def _near(stretch: tuple[int, int], position: int) -> tuple[int, int]:
    return max(stretch[0], position - REACH), min(stretch[1], position + REACH)


def _holds(view: View, low: int, high: int, pronoun: int, forms: Sequence[str]) -> bool:
    return any(view.form(i) in forms for i in range(low, high) if i != pronoun)


def _is_imperative(data: VerbLast, view: View, head: Edge, low: int) -> bool:
    """``Wasch dich!``: the verb is first, except for words such as ``bitte``, and the sentence is not a question."""
    if any(view.form(i) not in data.before_imperatives for i in range(low, head.first)):
        return False
    end = view.sentence(head.first)[1]
    return end >= len(view.words) or view.words[end].text != "?"


def _subject_is_elsewhere(
    data: VerbLast, view: View, head: Edge, pronoun: int, low: int, subjects: Sequence[str]
) -> bool:
    """A second verb of one subject ("Ich stand auf und wusch mich"), an infinitive ("half mir, mich zu ...").

    After a conjunction the subject may be missing only if the pronoun follows directly, or after the verb.
    """
    first, last = _near(view.clause(pronoun), pronoun)
    if first < low and pronoun - low <= 1:
        return _holds(view, first, low, pronoun, subjects)
    if _is_infinitive(data, view, head):
        first, last = _near(view.sentence(pronoun), pronoun)
        person = (*subjects, *data.persons[view.form(pronoun)])
        return _holds(view, first, last, pronoun, person)
    return False


def _is_infinitive(data: VerbLast, view: View, head: Edge) -> bool:
    """``zu waschen``, ``zurückzuziehen``, ``terug te trekken``."""
    form = view.form(head.first)
    before = view.form(head.first - 1) if head.first else ""
    joined = not data.marker_is_word and data.marker in form[2:-3]
    return form.endswith(data.endings) and (before == data.marker or joined)


# Separated prefixes


def is_prefix(data: VerbLast, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
    """Whether the word at ``place[0]`` is the separated prefix of the verb ``head``."""
    prefix, verb = place[0], head.first
    if view.has_relations:
        return _depends(view, verb, prefix)
    if not _may_be_verb(view, verb) or not _is_small(view, prefix) or _is_phrase(data, view, prefix):
        return False
    if prefix < verb:
        return _stands_before(data, view, prefix, verb)
    return (
        _closes_clause(data, view, prefix)
        and not _is_stranded(data, view, prefix)
        and not _is_participle(data, view, verb)
        and not _is_claimed(data, view, verb, prefix)
    )


def is_clause_final(data: VerbLast, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
    """Whether the word ends its clause: for ``ziet er ... uit``, where the pronoun is the evidence for the verb."""
    return _closes_clause(data, view, place[0])


def is_parsed_prefix(data: VerbLast, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
    """Whether a parse says that the word is the prefix of the verb; never without one."""
    return view.has_relations and _depends(view, head.first, place[0])


def _depends(view: View, verb: int, prefix: int) -> bool:
    """By the parse. A word with dependents is not a prefix: ``om`` in "kwam om het leven"."""
    word = view.words[prefix]
    return word.relation == _RELATION and word.head == verb and not any(w.head == prefix for w in view.words)


def _may_be_verb(view: View, position: int) -> bool:
    """False for a capital inside a sentence (a noun, a name) and for a present participle."""
    text = view.words[position].text
    return _is_small(view, position) and not (text.endswith("end") and len(text) > _LONGEST_STEM_IN_END)


def _is_small(view: View, position: int) -> bool:
    """Whether no capital marks the word, or one that is due to its place."""
    text = view.words[position].text
    if not text[0].isupper():
        return True
    return not text[-1].isupper() and (position == 0 or not view.form(position - 1)[-1].isalnum())


def _closes_clause(data: VerbLast, view: View, position: int) -> bool:
    """Whether the clause of a verb in second place ends after ``position``.

    It does with the text, at punctuation, before a conjunction or another word that begins what follows, and
    before an infinitive that needs no comma ("hörte auf zu weinen").
    """
    following = position + 1
    if following >= len(view.words):
        return True
    form = view.form(following)
    if form in data.closing and view.words[following].text[0].islower():
        return not (form in data.conjunctions and _is_paired(data, view, following + 1))
    if form == data.marker and not data.marker_is_word:
        return _begins_infinitive(data, view, position)
    return not any(c.isalnum() for c in form) and not _opens(view, following)


def _begins_infinitive(data: VerbLast, view: View, prefix: int) -> bool:
    """``hörte auf zu weinen``; but ``um zu weinen``, ``mich warm zu halten`` are infinitives themselves."""
    form, after = view.form(prefix), prefix + 2
    if form in data.openers or form in data.apart or form in data.adverbs:
        return False
    return after < len(view.words) and view.form(after).endswith(data.endings)


def _opens(view: View, position: int) -> bool:
    """An opening quotation mark ("las aus „Faust“ vor"), a hyphen glued to a word ("vor- und nachher")."""
    mark, before = view.words[position], view.words[position - 1]
    if mark.text == "-":
        return mark.start == before.end
    following = position + 1
    return (
        mark.text == '"'
        and mark.start > before.end
        and following < len(view.words)
        and view.words[following].start == mark.end
    )


def _is_paired(data: VerbLast, view: View, position: int) -> bool:
    return 0 <= position < len(view.words) and view.form(position) in data.paired


def _is_phrase(data: VerbLast, view: View, prefix: int) -> bool:
    """``von Anfang an``, ``nach wie vor``, ``ab und zu`` contain no prefix."""
    for low, high in ((prefix - 2, prefix + 1), (prefix - 1, prefix + 1), (prefix, prefix + 3)):
        if " ".join(view.form(i) for i in range(max(0, low), min(high, len(view.words)))) in data.phrases:
            return True
    before = view.form(prefix - 1) if prefix else ""
    return before in data.conjunctions and _is_paired(data, view, prefix - 2) and view.form(prefix) in data.paired


def _is_stranded(data: VerbLast, view: View, prefix: int) -> bool:
    """Dutch: ``daar ... van``, ``waar ... over``, ``er ... in`` are adverbs taken apart, not verbs."""
    return view.form(prefix) in data.strandable and _follows(view, prefix, data.stranding)


def _follows(view: View, position: int, forms: Collection[str]) -> bool:
    """Whether one of the forms precedes the word in its clause."""
    low = max(view.clause(position)[0], position - REACH)
    return any(view.form(i) in forms for i in range(low, position))


def _is_participle(data: VerbLast, view: View, verb: int) -> bool:
    """A participle is not a verb in second place: "die Förderung neu gegründeter Unternehmen aus"."""
    if not view.form(verb).startswith(data.participle_prefixes[0]):
        return False
    keys = [key for key in view.all_keys(verb) if key.endswith(data.endings)]
    return not any(key.startswith(data.participle_prefixes[0]) for key in keys)


def _is_claimed(data: VerbLast, view: View, verb: int, prefix: int) -> bool:
    """Whether a verb between ``verb`` and the prefix is the nearer owner of the prefix."""
    marks = [i for i in range(verb + 1, prefix) if view.words[i].text in _SUBCLAUSE_MARKS]
    last_mark = marks[-1] if marks else prefix
    return any(_claims(data, view, i, prefix, i > last_mark) for i in range(verb + 1, prefix))


def _claims(data: VerbLast, view: View, position: int, prefix: int, after_mark: bool) -> bool:
    """Whether the word is a verb of another clause, or one that makes another verb with the prefix."""
    # A verb directly before a comma closes another clause ("das er geliehen hatte, zurück").
    if not _may_be_verb(view, position) or view.words[position + 1].text in _SUBCLAUSE_MARKS:
        return False
    form = view.form(position)
    if view.form(position - 1) == data.marker:
        return False
    if opens_clause(data, view, position) or (after_mark and form in data.finite):
        return True
    if form in data.homographs or view.form(position - 1) in data.articles:
        return False
    return any(_is_lemma(view, view.form(prefix) + verb) for verb in _verbs(data, view, position))


def opens_clause(data: VerbLast, view: View, position: int) -> bool:
    """Whether a finite verb after a conjunction or a mark begins another clause ("und stand auf")."""
    before = view.form(position - 1) if position else ""
    if before not in data.conjunctions and before[-1:].isalnum():
        return False
    form = view.form(position)
    return any(verb != form for verb in _verbs(data, view, position))


def _verbs(data: VerbLast, view: View, position: int) -> Iterator[str]:
    """The verbs that the word may be a finite form or an infinitive of."""
    form = view.form(position)
    if form.startswith(data.copula):  # also "his": seinen, zijn
        return
    mark = data.participle_prefixes[0]
    for key in (*view.keys(position), *data.strong.get(form, ())):
        is_participle = form.startswith(mark) and not key.startswith(mark)
        long_enough = len(key) >= _SHORTEST_VERB
        if long_enough and not is_participle and key.endswith(data.endings) and _is_lemma(view, key):
            yield key


def _is_lemma(view: View, word: str, unknown: bool = False) -> bool:
    """Whether the lexicon has the lemma; ``unknown``: the answer without a lexicon."""
    return unknown if view.lexicon is None else view.lexicon.is_lemma(word)


def _stands_before(data: VerbLast, view: View, prefix: int, verb: int) -> bool:
    """The prefix as a word before its verb: ``op te geven``, ``op heeft gegeven``, ``kennen gelernt``."""
    form, between = view.form(prefix), [view.form(i) for i in range(prefix + 1, verb)]
    if len(between) > _MOST_BETWEEN or not data.between.issuperset(between):
        return False
    if form in data.openers:
        # ``om te kijken`` is "to look", ``om om te kijken`` is "to look round"; similarly with ``door te``.
        return data.marker in between and _follows(view, prefix, {data.opener})
    if data.marker in between:
        return data.marker_is_word or form in data.apart
    return form in data.apart if not between else not _is_stranded(data, view, prefix)


def objection(data: VerbLast, view: View, positions: tuple[int, ...]) -> str | None:
    """Why a verb must not count for itself: ``gab`` in ``gab ... auf`` is a form of ``aufgeben``."""
    for position in positions[:_MOST_POSITIONS]:
        keys = view.all_keys(position)
        verbs = [key for key in keys if key.endswith(data.endings) and key not in data.auxiliaries]
        for prefix in _separated_prefixes(data, view, position) if verbs else ():
            joined = [word for verb in verbs if _is_lemma(view, word := view.form(prefix) + verb, True)]
            if joined and prefix not in positions:
                return f"{view.words[position].text!r} belongs to the separated verb {joined[0]!r}"
    return None


def _separated_prefixes(data: VerbLast, view: View, verb: int) -> Iterator[int]:
    """Positions of the prefixes that are separated from the verb at ``verb``."""
    head = Edge(verb, verb + 1)
    low, high = view.clause(verb)[0], view.sentence(verb)[1]
    farthest = REACH if view.has_relations else _MOST_BETWEEN + 1
    for i in (*range(max(low, verb - farthest), verb), *range(verb + 1, min(high, verb + REACH))):
        if view.form(i) not in data.prefixes or not is_prefix(data, view, head, (i,), []):
            continue
        frame = data.circumpositions.get(view.form(i))  # ``naar haar toe``: the verb keeps its meaning
        if view.has_relations or not (view.form(i) in data.adverbs or (frame and _follows(view, i, {frame}))):
            yield i
