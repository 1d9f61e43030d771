"""The four measures of semantic bias: SFI, PDI, MFS and MFS+.

The functions take the outcomes of one system in one language; `InputError`: a label, number or option cannot be used.

Source: Martelli et al. 2025, Section 3.4 and Appendix B. MISS and UNK never enter. The formulas of
SFI and PDI are display equations that the text of the paper lacks. What the paper leaves open follows
these conventions, each repeated where it acts:

1. A BAD lemma of several wrong synsets shows the most frequent of them, that is, the one
   with the smallest index; with the option ``strict`` it shows none.
2. A BAD lemma with no synset counts in accuracy, SFI and PDI and is left out of MFS and MFS+; how many
   were left out is reported.
3. A sense without a WordNet rank is left out of SFI and of MFS and MFS+, counted and reported.
4. Senses with equal SemCor counts keep WordNet's sense number; nothing is sorted again by count.
5. An empty group, or no BAD at all, is undefined, never 0; the groups used and all groups are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .records import Label
from .records import Outcome
from .score_measures import NO_BAD
from .score_measures import NO_SCORED
from .score_measures import Measure
from .score_measures import Weighting
from .score_measures import index_of
from .score_measures import is_scored
from .score_measures import label_of
from .score_measures import mean_of_defined
from .score_measures import parse_option
from .score_measures import share

FREQUENCY = "frequency_index"
POLYSEMY = "polysemy"
_NAMES = {FREQUENCY: "frequency index", POLYSEMY: "polysemy degree"}


@dataclass(frozen=True, slots=True)
class IndexGroup:
    """The outcomes that share one frequency index, or one polysemy degree.

    Attributes:
        index: the shared number.
        good, bad: how many are GOOD and BAD: each an ``int``, or an array with a number for each resample.
    """

    index: int
    good: Any
    bad: Any

    @property
    def scored(self) -> Any:
        """GOOD and BAD together; 0 for a group that holds only MISS and UNK."""
        return self.good + self.bad


def mean_of_groups(groups: Sequence[IndexGroup], weighting: Weighting) -> Any:
    """SFI or PDI of groups, on counts: the formulas of :func:`sfi` and :func:`pdi`.

    Returns:
        Percent, 0 to 100; undefined as in `share` where no group holds a GOOD or BAD.

    Example:
        >>> groups = (IndexGroup(1, 2, 0), IndexGroup(3, 0, 1), IndexGroup(7, 0, 0))
        >>> mean_of_groups(groups, Weighting.MACRO), mean_of_groups(groups, Weighting.INDEX)
        (50.0, 40.0)
    """
    if weighting is Weighting.MACRO:
        return mean_of_defined([share(group.good, group.scored) for group in groups])
    good = sum(group.index * group.good for group in groups)
    return share(good, sum(group.index * group.scored for group in groups))


def groups(outcomes: Iterable[Outcome], field: str) -> tuple[IndexGroup, ...]:
    """Group outcomes by one of their numbers, in ascending order of the number.

    Groups that hold only MISS and UNK are included. An outcome whose number (``field``: ``frequency_index`` or
    ``polysemy``) is unknown is in no group (convention 3).

    Example:
        >>> groups([Outcome("a", Label.GOOD, 2), Outcome("b", Label.MISS, 7)], "frequency_index")
        (IndexGroup(index=2, good=1, bad=0), IndexGroup(index=7, good=0, bad=0))
    """
    tally: dict[int, list[int]] = {}
    for outcome in outcomes:
        label = label_of(outcome)
        index = index_of(outcome, field)
        if index is not None:
            cell = tally.setdefault(index, [0, 0])
            cell[0] += label is Label.GOOD
            cell[1] += label is Label.BAD
    return tuple(IndexGroup(index, *tally[index]) for index in sorted(tally))


def sfi(outcomes: Iterable[Outcome], weighting: Weighting | str = Weighting.MACRO) -> Measure:
    """SFI, the accuracy with the groups of equal sense frequency index given equal weight.

    Definition: group the outcomes by the frequency index mu of the right sense (1 = the most frequent
    sense of the word), take the accuracy of each group, and put the groups together.
    Formula, with G and B the GOOD and BAD of a group::

        macro:  100 * mean over the k used groups of G / (G + B)
        index:  100 * sum(mu * G) / sum(mu * (G + B))

    Source: Martelli et al. 2025, Section 3.4 (grouping) and Appendix B ("weighs", the reason for the
    option ``index``). Called SFII in 2022. Percent, 0 to 100; higher is better.

    Degenerate cases: a sense without a WordNet rank is left out, counted and reported (convention 3);
    senses with equal SemCor counts keep WordNet's sense number (convention 4); a group without GOOD and
    BAD is not 0 but unused, and with no used group SFI is undefined (convention 5); a BAD lemma
    with no synset counts here as any BAD (convention 2).

    Returns:
        The measure; ``n`` is the number of GOOD and BAD with a known index.

    Example:
        >>> data = [Outcome("a", Label.GOOD, 1), Outcome("b", Label.GOOD, 1), Outcome("c", Label.BAD, 3)]
        >>> sfi(data).value, sfi(data, "index").value
        (50.0, 40.0)
    """
    return _grouped(outcomes, FREQUENCY, weighting)


def pdi(outcomes: Iterable[Outcome], weighting: Weighting | str = Weighting.MACRO) -> Measure:
    """PDI, the accuracy with the groups of equal polysemy degree given equal weight.

    Definition: as :func:`sfi`, grouped by the polysemy degree delta, the number of senses of the focus
    word's (lemma, part of speech).
    Formula, with G and B the GOOD and BAD of a group::

        macro:  100 * mean over the k used groups of G / (G + B)
        index:  100 * sum(delta * G) / sum(delta * (G + B))

    Source: Martelli et al. 2025, Section 3.4. Called SPDI in 2022. Percent, 0 to 100; higher is better.

    Degenerate cases: an unknown degree is left out, counted and reported (as convention 3 has it for
    SFI); a group without GOOD and BAD is not used, and with no used group PDI is undefined
    (convention 5); a BAD lemma with no synset counts here as any BAD (convention 2).

    Returns:
        The measure; ``n`` is the number of GOOD and BAD with a known degree.

    Example:
        >>> pdi([Outcome("a", Label.GOOD, polysemy=4), Outcome("b", Label.BAD, polysemy=12)]).value
        50.0
    """
    return _grouped(outcomes, POLYSEMY, weighting)


def _grouped(outcomes: Iterable[Outcome], field: str, weighting: Weighting | str) -> Measure:
    kind = parse_option(Weighting, weighting, "weighting")
    outcomes = tuple(outcomes)
    every = groups(outcomes, field)
    used = [group for group in every if group.scored]
    reason = None
    if not used:
        known = f"{NO_SCORED} has a known {_NAMES[field]}"
        reason = known if any(map(is_scored, outcomes)) else NO_SCORED
    n = sum(group.scored for group in used)
    return Measure(mean_of_groups(every, kind), reason, n, len(used), len(every))


class SenseChoice(str, Enum):
    """Which sense a BAD outcome shows, compared with the right one.

    With c the index of the chosen sense and m that of the right sense: MOST_FREQUENT is c = 1 < m,
    MORE_FREQUENT is 1 < c < m, LESS_FREQUENT is c > m, CONTRADICTORY is c = m, and UNKNOWN means that
    c or m is unknown.
    """

    MOST_FREQUENT = "most_frequent"
    MORE_FREQUENT = "more_frequent"
    LESS_FREQUENT = "less_frequent"
    CONTRADICTORY = "contradictory"
    UNKNOWN = "unknown"


def choice_of(outcome: Outcome) -> SenseChoice | None:
    """Classify one outcome for MFS and MFS+; ``None`` for every outcome that is not BAD.

    Example:
        >>> choice_of(Outcome("a", Label.BAD, frequency_index=3, chosen_frequency_index=1)).name
        'MOST_FREQUENT'
    """
    if label_of(outcome) is not Label.BAD:
        return None
    chosen = index_of(outcome, "chosen_frequency_index")
    right = index_of(outcome, FREQUENCY)
    if chosen is None or right is None:
        return SenseChoice.UNKNOWN
    if chosen == right:
        return SenseChoice.CONTRADICTORY
    if chosen > right:
        return SenseChoice.LESS_FREQUENT
    return SenseChoice.MOST_FREQUENT if chosen == 1 else SenseChoice.MORE_FREQUENT


@dataclass(frozen=True, slots=True)
class Choices:
    """The senses that the BAD outcomes show, counted: the base of MFS and of MFS+.

    Each number is an ``int``, or an array with a number for each resample.

    Attributes:
        most_frequent: the sense with index 1.
        more_frequent: a sense more frequent than the right one, index 1 included.
        entered: BAD outcomes in the denominator.
        left_out: BAD outcomes not in the denominator; ``entered + left_out`` is the number of BAD.
        contradictory: those of ``left_out`` whose chosen index equals the right one. A wrong sense
            cannot have the rank of the right sense, so such an item's BAD list should be looked at.
    """

    most_frequent: Any
    more_frequent: Any
    entered: Any
    left_out: Any
    contradictory: Any

    @property
    def bad(self) -> Any:
        """All BAD outcomes."""
        return self.entered + self.left_out

    @property
    def mfs(self) -> Any:
        """The formula of :func:`.mfs` on counts, in percent; undefined as in `share`."""
        return share(self.most_frequent, self.entered)

    @property
    def mfs_plus(self) -> Any:
        """The formula of :func:`.mfs_plus` on counts, in percent; undefined as in `share`."""
        return share(self.more_frequent, self.entered)


def choices(outcomes: Iterable[Outcome]) -> Choices:
    """Count the senses that BAD outcomes show.

    Example:
        >>> data = [Outcome("a", Label.BAD, 3, chosen_frequency_index=2), Outcome("b", Label.BAD, 3)]
        >>> choices(data)
        Choices(most_frequent=0, more_frequent=1, entered=1, left_out=1, contradictory=0)
    """
    tally = Counter(choice_of(outcome) for outcome in outcomes)
    return choices_of({kind: tally[kind] for kind in SenseChoice})


def choices_of(tally: Mapping[SenseChoice, Any]) -> Choices:
    """The numbers of :class:`Choices` from how many BAD outcomes show each kind of sense.

    Index 1 is more frequent than any other, so what counts for MFS counts for MFS+ too.
    """
    most = tally[SenseChoice.MOST_FREQUENT]
    more = most + tally[SenseChoice.MORE_FREQUENT]
    contradictory = tally[SenseChoice.CONTRADICTORY]
    left_out = contradictory + tally[SenseChoice.UNKNOWN]
    return Choices(most, more, more + tally[SenseChoice.LESS_FREQUENT], left_out, contradictory)


def mfs(outcomes: Iterable[Outcome]) -> Measure:
    """MFS, how often a wrong translation shows the most frequent sense of the focus word.

    Formula, with c the index of the chosen sense and m that of the right one::

        100 * #(BAD, c = 1) / #(BAD, c and m known, c != m)

    Source: Martelli et al. 2025, Section 3.4. Percent, 0 to 100; higher means a stronger bias.

    The denominator is ours, and MFS and MFS+ share it, so that MFS <= MFS+ on any data: where c is 1 and
    differs from m, m is above 1, and the outcome counts for MFS+ too. An item whose right sense is the
    most frequent one (m = 1) stays in the denominator of both and can count for neither.

    Degenerate cases: a BAD lemma in several wrong synsets shows the most frequent of them, with the
    option ``strict`` none (convention 1, applied where the outcome is made); a BAD lemma with no synset is left out
    (convention 2); a chosen or right sense without a WordNet rank is left out (convention 3); sense numbers are
    WordNet's (convention 4); with no BAD, or none that enters, MFS is undefined (convention 5). A chosen index equal to
    the right one contradicts the label and is left out too. :func:`choices` counts all that is left out.

    Example:
        >>> data = [Outcome("a", Label.BAD, 3, chosen_frequency_index=c) for c in (1, 2, 5, None)]
        >>> round(mfs(data).value, 2), mfs(data).n
        (33.33, 3)
    """
    counted = choices(outcomes)
    return Measure(counted.mfs, _no_choice(counted), counted.entered)


def mfs_plus(outcomes: Iterable[Outcome]) -> Measure:
    """MFS+, how often a wrong translation shows a sense more frequent than the right one.

    Formula, with c the index of the chosen sense and m that of the right one::

        100 * #(BAD, c < m) / #(BAD, c and m known, c != m)

    Source, denominator, conventions, degenerate cases and errors: as :func:`mfs`. Percent, 0 to 100.

    Example:
        >>> data = [Outcome("a", Label.BAD, 3, chosen_frequency_index=c) for c in (1, 2, 5, None)]
        >>> round(mfs_plus(data).value, 2)
        66.67
    """
    counted = choices(outcomes)
    return Measure(counted.mfs_plus, _no_choice(counted), counted.entered)


def _no_choice(counted: Choices) -> str | None:
    """Why MFS and MFS+ are undefined, if they are."""
    if counted.entered:
        return None
    known = " has known and different indices of the chosen and of the right sense" if counted.bad else ""
    return NO_BAD + known
