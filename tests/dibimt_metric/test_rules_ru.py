"""Russian phenomena with the embedded analyzer: what a rule finds, and what must be left alone."""

from __future__ import annotations

import pytest

from dibimt_metric.rules_ru import RULES_RU
from tests.dibimt_metric.phenomena import Case
from tests.dibimt_metric.phenomena import check
from tests.dibimt_metric.phenomena import check_rule_needed
from tests.dibimt_metric.phenomena import with_rule


def _ru(good: str, bad: str, text: str, label: str, rule: str | None = None, *disable: str) -> Case:
    return Case("ru", good, bad, text, label, rule, disable=disable)


REFLEXIVE = [
    # The dictionary has the particle in the lemma: no rule is needed.
    _ru("вернуться", "вернуть", "Поздно вечером она вернулась домой.", "GOOD"),
    _ru("вернуться", "вернуть", "Вернись, пока не поздно!", "GOOD"),
    _ru("вернуться", "вернуть", "Завтра я вернусь с деньгами.", "GOOD"),
    _ru("бояться", "", "Дети боятся темноты.", "GOOD"),
    _ru("нестись", "нести", "Лошадь неслась по полю.", "GOOD"),
    # Its lemma lost the particle.
    _ru("ставиться", "ставить", "Опера ставится впервые за сто лет.", "GOOD", "reflexive"),
    _ru("вестись", "вести", "Расследование ведется уже полгода.", "GOOD", "reflexive"),
    _ru("вестись", "вести", "Расследование ведётся уже полгода.", "GOOD"),
    _ru("украшаться", "украшать", "К празднику украшались и дома, и улицы.", "GOOD", "reflexive"),
    _ru("разрабатываться", "разрабатывать", "Разрабатываются новые правила.", "GOOD", "reflexive"),
    # The dictionary has not got the form at all.
    _ru("собираться", "собирать", "Собираясь в дорогу, он забыл паспорт.", "GOOD"),
    _ru("вернуться", "вернуть", "Вернувшийся с фронта солдат молчал.", "GOOD"),
    _ru("сужаться", "сужать", "По сужающимся улицам не проехать.", "GOOD", "inflection"),
    _ru("обсуждаться", "обсуждать", "Этот вопрос обсуждался на совете.", "GOOD", "reflexive"),
    # And the reverse: without the particle it is another verb.
    _ru("вернуть", "вернуться", "Она вернула деньги.", "GOOD"),
    _ru("вернуть", "вернуться", "Они вернулись без денег.", "BAD"),
    _ru("вернуть", "", "Она вернулась.", "MISS"),
    _ru("собирать", "", "Собираясь в дорогу, он забыл паспорт.", "MISS"),
    _ru("вести", "", "Расследование ведется уже полгода.", "MISS"),
    _ru("украшать", "", "К празднику украшались и дома, и улицы.", "MISS"),
    # Imperatives and gerunds that end in the same letters.
    _ru("бросить", "броситься", "Брось курить!", "GOOD"),
    _ru("сбросить", "сброситься", "Сбрось мне файл на почту.", "GOOD"),
    _ru("нести", "нестись", "Неся тяжёлую сумку, он споткнулся.", "GOOD"),
    _ru("заносить", "заноситься", "Занося шкаф, они поцарапали стену.", "GOOD"),
    _ru("трясти", "трястись", "Тряся головой, он отказался.", "GOOD"),
    # Words that are no verbs.
    _ru("гусь", "", "Гусь вышел на дорогу.", "GOOD"),
    _ru("запись", "писаться", "Запись не сохранилась.", "GOOD"),
    _ru("лось", "", "На лугу пасся лось.", "GOOD"),
]

PARTICIPLES = [
    _ru("призвать", "", "Мой двоюродный дедушка был призван в восемнадцать лет.", "GOOD", "inflection"),
    _ru("арендовать", "", "Зал был арендован на два дня.", "GOOD", "inflection"),
    _ru("выстроить", "", "Солдаты были выстроены на плацу.", "GOOD", "inflection"),
    _ru("окрасить", "", "Стены окрашены в белый цвет.", "GOOD"),
    _ru("победить", "", "Судьба побеждённого короля неизвестна.", "GOOD", "inflection"),
    _ru("освободить", "", "Жители освобожденной деревни плакали.", "GOOD", "inflection"),
    _ru("поддержать", "", "Решение, поддержанное всеми, вступило в силу.", "GOOD", "inflection"),
    _ru("построить", "", "Имена построивших мост забыты.", "GOOD", "inflection"),
    _ru("отражать", "", "Мы видим поверхность, отражающую свет.", "GOOD", "inflection"),
    _ru("снести", "", "Старая церковь была снесена.", "GOOD", "inflection"),
    _ru("исполнить", "", "Исполнив свой долг, он уехал.", "GOOD", "inflection"),
    _ru("действовать", "", "Действуя быстро, врачи спасли ребёнка.", "GOOD", "inflection"),
    _ru("дождаться", "ждать", "Не дождавшись ответа, она ушла.", "GOOD", "inflection"),
    # The dictionary has the participle as an adjective.
    _ru("расположить", "", "Отель удобно расположен в центре города.", "GOOD", "homograph"),
    _ru("открыть", "", "Музеи открыты до шести.", "GOOD", "homograph"),
    _ru("связать", "", "Полиция освободила связанного сторожа.", "GOOD", "homograph"),
    # It has the genitive of a noun.
    _ru("начать", "", "Он начал работу в понедельник.", "GOOD", "homograph"),
    # Not verbs, whatever they look like.
    _ru("брать", "", "Мой брат живёт в Омске.", "MISS"),
    _ru("играть", "", "Это была честная игра.", "MISS"),
    _ru("иметь", "", "Именно он это сказал.", "MISS"),
    _ru("мыть", "", "Это мой дом.", "MISS"),
    _ru("стать", "", "Вся стая поднялась в воздух.", "MISS"),
    # The noun it is, too.
    _ru("игра", "", "Это была честная игра.", "GOOD"),
    # With an adjective the dictionary does not have.
    _ru("известняковая плита", "", "Дорожка вымощена известняковыми плитами.", "GOOD", "inflection"),
]

YO = [
    _ru("ёлка", "", "Во дворе росла елка.", "GOOD"),
    _ru("елка", "", "Во дворе росла ёлка.", "GOOD"),
    _ru("щётка", "", "Купи зубную щетку.", "GOOD"),
    _ru("счет", "", "Принесите, пожалуйста, счёт.", "GOOD"),
    _ru("самолёт", "", "Самолеты не летают в такую погоду.", "GOOD"),
    _ru("приёмный пациент", "", "Приемных пациентов сегодня много.", "GOOD"),
    # The dictionary has the form in the other spelling only.
    _ru("заключить", "", "Договор заключён на пять лет.", "GOOD", "homograph"),
    _ru("пригласить", "", "На ужин приглашён и посол.", "GOOD", "yo"),
    # Switched off, letters are letters.
    _ru("ёлка", "", "Во дворе росла елка.", "MISS", None, "yo"),
    _ru("щетка", "", "Эта щётка не для посуды.", "MISS", None, "yo"),
    _ru("костёр", "", "Дети развели костер.", "MISS", None, "yo"),
    # No other letters count as one.
    _ru("мэр", "", "Приняли ряд мер.", "MISS"),
    _ru("мыло", "", "Все было мило.", "MISS"),
]

SEVERAL_WORDS = [
    _ru("летучая мышь", "мышь", "Летучие мыши висели вниз головой.", "GOOD"),
    _ru("летучая мышь", "мышь", "Он боялся летучих мышей.", "GOOD"),
    _ru("летучая мышь", "мышь", "Кошка поймала мышь.", "BAD"),
    _ru("железная дорога", "дорога", "Вдоль железной дороги росли тополя.", "GOOD"),
    _ru("железная дорога", "дорога", "Дорога была железной.", "BAD"),
    _ru("скамья подсудимых", "скамья", "На скамье подсудимых сидели двое.", "GOOD"),
    _ru("скамья подсудимых", "скамья", "Он сел на скамью.", "BAD"),
    _ru("принять участие", "", "В забеге приняли участие сто человек.", "GOOD"),
    _ru("принять участие", "", "Они приняли самое активное участие.", "MISS"),
    # A sign between the words, or another sentence.
    _ru("летучая мышь", "", "Она летучая! Мышь, наоборот, нет.", "MISS"),
    # Wildcards.
    _ru("принять * меры", "", "Власти приняли все необходимые меры.", "GOOD"),
    _ru("принять * меры", "", "Власти приняли меры.", "GOOD"),
    _ru("принять * меры", "", "Власти приняли гостей. Меры были забыты.", "MISS"),
    _ru("принять * меры", "", "Меры принял портной.", "MISS"),
    _ru("обратить * внимание", "внимание", "Никто не обратил на него внимания.", "GOOD"),
]

LONGEST = [
    _ru("прийти в себя", "прийти", "Раненый пришёл в себя через час.", "GOOD"),
    _ru("прийти в себя", "прийти", "Раненый пришёл через час.", "BAD"),
    # Lists of both sides, each with words of its own.
    _ru("мост", "палуба", "С палубы был виден мост.", "UNK"),
    _ru("банк", "берег", "На берегу стоит банк.", "UNK"),
    # Both are in one list: no conflict.
    _ru("мост / палуба", "причал", "С палубы был виден мост.", "GOOD"),
    _ru("мост", "палуба", "Ничего не было видно.", "MISS"),
]

WRITING = [
    # A period glued to the last word, to the next sentence, three of them.
    _ru("мост", "", "Мы перешли через мост.", "GOOD"),
    _ru("мост", "", "Мы перешли мост.Потом пошёл дождь.", "GOOD"),
    _ru("мост", "", "Мы перешли мост...", "GOOD"),
    _ru("шина", "", "У машины лопнула шина?!", "GOOD"),
    # Hyphens end a word, and the whole counts as well.
    _ru("кровать", "", "Мы купили диван-кровать.", "GOOD"),
    _ru("диван-кровать", "кровать", "Мы купили диван-кровать.", "GOOD"),
    _ru("магазин", "", "Заказ из интернет\u2011магазина пришёл.", "GOOD"),
    _ru("план", "", "Обсудили бизнес-план.", "GOOD"),
    # Apostrophes likewise, straight and curly.
    _ru("Арк", "", "Фильм о Жанне д\u2019Арк.", "GOOD"),
    _ru("Артаньян", "", "Пришёл д'Артаньян.", "GOOD"),
    # Stress marks, and letters in two characters.
    _ru("замок", "", "На горе стоит ста́рый за́мок.", "GOOD"),
    _ru("дорога", "", "Доро\u0301га шла в лес.", "GOOD"),
    _ru("йод", "", "Рану смазали и\u0306одом.", "GOOD"),
    _ru("ёж", "", "Под кустом сидел е\u0308ж.", "GOOD"),
    _ru("чай", "чаи", "Налей ча\u0438\u0306!", "GOOD"),
    # Capitals.
    _ru("банк", "", "БАНК ЗАКРЫТ.", "GOOD"),
    _ru("москва", "", "Она живёт в Москве.", "GOOD"),
    _ru("Шина", "", "Лопнула шина.", "GOOD"),
    # Quotes.
    _ru("банк", "", "Он вошёл в «Банк».", "GOOD"),
    _ru("банк", "", "Он сказал: „банк“.", "GOOD"),
    # No-break space, soft hyphen, zero-width space.
    _ru("летучая мышь", "", "Это летучая\u00a0мышь.", "GOOD"),
    _ru("библиотека", "", "В биб\u00adлиотеке тихо.", "GOOD"),
    _ru("банк", "", "Это \u200bбанк\u200b.", "GOOD"),
    # Never a part of a longer word.
    _ru("банк", "", "Он банкрот.", "MISS"),
    _ru("кит", "", "Китаец улыбнулся.", "MISS"),
    _ru("ход", "", "Пароход ушёл.", "MISS"),
    _ru("лук", "", "Луковица сгнила.", "MISS"),
    _ru("мышь", "", "Мышьяк ядовит.", "MISS"),
    _ru("шина", "", "Машина остановилась.", "MISS"),
    _ru("пол", "", "Полковник уехал.", "MISS"),
    _ru("строить", "", "Он настроил рояль.", "MISS"),
    # A Latin letter for a Cyrillic one is no such word.
    _ru("мост", "", "Мoст.", "MISS"),
]

CASES = [*REFLEXIVE, *PARTICIPLES, *YO, *SEVERAL_WORDS, *LONGEST, *WRITING]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    # A reading that is taken away stands in no match.
    check(case)


@pytest.mark.parametrize("case", with_rule(CASES), ids=str)
def test_rule_switched_off(case: Case) -> None:
    check_rule_needed(case)


def test_every_rule_has_a_case_that_needs_it() -> None:
    assert {case.rule for case in with_rule(CASES)} == {rule.name for rule in RULES_RU.rules}
