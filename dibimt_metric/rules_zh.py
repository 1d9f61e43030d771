"""Chinese: a candidate is one or several whole segments of the text, in simplified characters.

Segmenters know many verbs together with an aspect particle, and some with their object too, as one segment
(``飞过``, ``吃过饭``, ``拍了拍``). The rule ``aspect`` takes these apart, and allows a particle between a
verb and its object (``跑了步``, ``打了个电话``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from .analyzer_builtin import simplifier
from .match_patterns import Contiguous
from .match_patterns import Occurrence
from .match_patterns import Pattern
from .match_patterns import Segments
from .match_phrase import Phrase
from .match_view import View
from .records import PartOfSpeech
from .rules import LanguageRules
from .rules_words import Rule
from .rules_words import WordRules
from .rules_words import words

ASPECT = Rule("aspect", "a verb with an aspect particle (了 着 过), alone or before its object")

_PARTICLES = ("了", "着", "过")
# Strings between the parts of a verb: "跑了步", "洗了个澡".
_BETWEEN = (*_PARTICLES, "了个", "了一个", "过个", "个")
# Up to this length the first character is taken for the verb (跑步, 打电话).
_LONGEST_WITH_SHORT_VERB = 3
# Longer candidates are not a verb with an object; each cut makes a pattern.
_LONGEST_CUT = 20

# Words in which the character is not an aspect particle. 著 is written 着 here: 著名 is not a form of a verb 名.
_NO_ASPECT = words("""
为了 除了 罢了 算了 极了 对了 得了 末了 未了 终了 公了 了了 亏了 不了 成了 随着 接着 沿着 跟着
顺着 朝着 向着 对着 凭着 趁着 借着 乘着 按着 本着 当着 冲着 因着 有着 觉着 执着 沉着 胶着 附着
固着 衣着 身着 名着 专着 原着 巨着 拙着 显着 卓着 昭着 遗着 土着 编着 论着 新着 合着 妙着 失着
多着 正着 直着 为着 不着 着着 通过 超过 经过 不过 难过 路过 透过 穿过 转过 回过 接过 翻过 横过
略过 掠过 躲过 放过 错过 度过 渡过 越过 罪过 功过 悔过 思过 记过 补过 改过 知过 胜过 赛过 莫过
再过 而过 可过 并过 无过 之过 太过 过过 一过 同过
""")
_NO_VERBS = (PartOfSpeech.NOUN, PartOfSpeech.ADJECTIVE, PartOfSpeech.ADVERB)


class Interrupted(NamedTuple):
    """A verb and its object with one of the strings ``between`` them, wherever the segments within end."""

    verb: str
    object: str
    between: tuple[str, ...]

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`; the segments of an occurrence need not be keys of the candidate, so nothing is excluded."""
        return True

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        text, borders = view.spelling
        start = text.find(self.verb)
        while start >= 0:
            first = borders.get(start)
            if first is not None:
                for between in self.between:
                    middle = start + len(self.verb)
                    last = borders.get(middle + len(between) + len(self.object))
                    if last is not None and text.startswith(between + self.object, middle):
                        yield Occurrence(tuple(range(first, last)), ASPECT.name)
            start = text.find(self.verb, start + 1)


_simplifier: Callable[[], Callable[[str], str]] = cache(simplifier)


def _patterns(phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    simplified = _simplifier()(phrase.text)
    strings = tuple(phrase.fold(_joined(part)) for part in simplified.split("*"))
    yield Segments(strings)
    if len(strings) > 1:  # a wildcard may match nothing, and then a segment may reach over its place
        yield Segments(("".join(strings),))
    if ASPECT.name in active and len(strings) == 1 and phrase.pos not in _NO_VERBS:
        yield from _with_aspect(phrase, simplified)


def _joined(text: str) -> str:
    """Without the spaces and plus signs that separate the words of a candidate in inventories (``受+骗``)."""
    return "".join(text.replace("+", " ").split())


def _with_aspect(phrase: Phrase, simplified: str) -> Iterator[Pattern]:
    verb = phrase.fold(_joined(simplified))
    whole = {verb + particle for particle in _PARTICLES} - _NO_ASPECT
    if len(verb) == 1:
        whole |= {f"{verb}了{verb}", f"{verb}一{verb}", f"{verb}了个"} - _NO_ASPECT
    yield Contiguous((phrase.surface(*whole),), ASPECT.name)
    for cut in sorted(_cuts(phrase, simplified)):
        yield Interrupted(verb[:cut], verb[cut:], _BETWEEN if cut == 1 else _PARTICLES)


def _cuts(phrase: Phrase, simplified: str) -> Iterator[int]:
    """Where a candidate may have a particle: after a verb of one character, or between its words.

    A longer candidate that the segmenter has as one word is not cut: 投资了银行 is not 投资银行.
    """
    words = simplified.replace("+", " ").split()
    length = sum(map(len, words))
    if length > _LONGEST_CUT:
        return
    if 1 < length <= _LONGEST_WITH_SHORT_VERB:
        yield 1
    elif len(words) == 1:
        elements = phrase.elements((simplified,))
        words = [next(iter(element.keys)) for element in elements if element is not None]
    position = 0
    for word in words[:-1]:
        position += len(word)
        if position != 1:
            yield position


# Full-width letters, digits and signs, as ASCII has them (ＫＴＶ).
_FULL_WIDTH = {0xFF00 + code: chr(0x20 + code) for code in range(1, 0x5F)}

RULES_ZH = LanguageRules(
    code="zh",
    version=1,
    rules=(ASPECT,),
    # The particle 着 is written 著 in Taiwan; 著名 becomes 着名 on both sides, which is harmless.
    words=WordRules(folded={**_FULL_WIDTH, ord("著"): "着"}),
    patterns=_patterns,
    segmented=True,
)
