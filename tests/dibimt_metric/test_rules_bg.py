"""Bulgarian phenomena with the embedded analyzer: what a rule finds, and what must be left alone."""

from __future__ import annotations

import pytest

from dibimt_metric.rules_bg import RULES_BG
from tests.dibimt_metric.phenomena import Case
from tests.dibimt_metric.phenomena import check
from tests.dibimt_metric.phenomena import check_rule_needed
from tests.dibimt_metric.phenomena import judged
from tests.dibimt_metric.phenomena import with_rule


def _bg(good: str, bad: str, text: str, label: str, rule: str | None = None) -> Case:
    return Case("bg", good, bad, text, label, rule)


REFLEXIVE = [
    # After the verb as in the dictionary: found without any rule.
    _bg("върна се", "върна", "Върнахме се чак на разсъмване.", "GOOD"),
    _bg("страхувам се", "", "Децата, страхуващи се от тъмното, плачеха.", "GOOD"),
    # Before it, alone and after other small words.
    _bg("върна се", "върна", "Тя се върна у дома.", "GOOD", "reflexive"),
    _bg("върна се", "върна", "Утре ще се върна с парите.", "GOOD", "reflexive"),
    _bg("върна се", "върна", "Не искаше да се върне в селото.", "GOOD", "reflexive"),
    _bg("върна се", "върна", "Няма да се върнат преди зима.", "GOOD", "reflexive"),
    # With auxiliaries between.
    _bg("върна се", "върна", "Не съм се върнал оттогава.", "GOOD", "reflexive"),
    _bg("върна се", "върна", "Той се е върнал от фронта.", "GOOD", "reflexive"),
    _bg("върна се", "върна", "Войниците се бяха върнали по тъмно.", "GOOD", "reflexive"),
    _bg("върна се", "върна", "Дали се е вече върнала?", "GOOD", "reflexive"),
    # With short pronouns and the question particle between.
    _bg("върна се", "върна", "Върна ли се дъщеря ти?", "GOOD", "reflexive"),
    _bg("обадя се", "", "Обадих ѝ се веднага.", "GOOD", "reflexive"),
    _bg("обадя се", "", "Обадих й се веднага.", "GOOD", "reflexive"),
    _bg("обадя се", "", "Защо не му се обадиш?", "GOOD", "reflexive"),
    _bg("присмивам се", "", "Съучениците му се присмиваха.", "GOOD", "reflexive"),
    # The particle си.
    _bg("представям си", "представям се", "Не мога да си представя по-лош край.", "GOOD", "reflexive"),
    _bg("спомням си", "", "Какво си спомняш за него?", "GOOD", "reflexive"),
    _bg("отивам си", "отивам", "Гостите вече си отиват.", "GOOD", "reflexive"),
    # Further words.
    _bg("давам си сметка", "", "Никой не си даваше сметка за опасността.", "GOOD", "reflexive"),
    _bg("дам си сметка", "дам", "Чак тогава си даде сметка, че закъснява.", "GOOD", "reflexive"),
    _bg("явявам се на избори", "явявам се", "Кметът се явява на избори.", "GOOD", "reflexive"),
    _bg("явявам се * избори", "", "Кметът се явява за трети път на избори.", "GOOD", "reflexive"),
    # се and си are two words.
    _bg("представям си", "представям се", "Вчера новият учител се представяше.", "BAD", "reflexive"),
    _bg("спомням си", "", "Учениците се спомнят рядко.", "MISS"),
    _bg("върна се", "върна", "Искаше да си върне дълга.", "BAD"),
    # Between verb and particle stands another clause, or another verb.
    _bg("искам се", "", "Искам да се прибера.", "MISS"),
    _bg("върна се", "върна", "Той се усмихна и върна книгата.", "BAD"),
    _bg("върна се", "върна", "Когато се стъмни, върнахме колелата.", "BAD"),
    _bg("върна се", "върна", "Книгата се търси. Върна ли я?", "BAD"),
    _bg("върна се", "върна", "Върна парите, за да се отърве.", "BAD"),
    # си is "one's own" after a noun, and part of себе си.
    _bg("взема си", "взема", "Тя взе чантата си и излезе.", "BAD"),
    _bg("сложа си", "", "Депутатите сложиха подписите си.", "MISS"),
    _bg("дам си", "дам", "От себе си даде всичко.", "BAD"),
    # Further words that stand apart.
    _bg("явявам се на избори", "", "Кметът се явява отново на местни избори.", "MISS"),
    # No particle at all.
    _bg("върна се", "върна", "Вчера върна книгата.", "BAD"),
    _bg("върна", "върна се", "Вчера върна книгата.", "GOOD"),
]

VERBS = [
    # Aorist, imperfect.
    _bg("опъна", "", "Опънахме палатката до реката.", "GOOD", "inflection"),
    _bg("стачкувам", "", "Шофьорите стачкуваха три дни.", "GOOD", "inflection"),
    _bg("почуквам", "", "Някой тихо почукваше по стъклото.", "GOOD", "inflection"),
    _bg("кастрирам", "", "Ветеринарят кастрира котката.", "GOOD", "inflection"),
    _bg("залостя", "", "Залости вратата и угаси лампата.", "GOOD", "inflection"),
    _bg("превържа", "", "Санитарят превърза раната.", "GOOD", "inflection"),
    _bg("отгледам", "", "Баба им отгледа близнаците.", "GOOD", "inflection"),
    _bg("сдобря се", "", "Сестрите се сдобриха.", "GOOD", "reflexive"),
    # Participles with gender, number, article.
    _bg("подправя", "", "Чиновникът подправил подписа.", "GOOD", "inflection"),
    _bg("издълбая", "", "Бръмбари бяха издълбали дупки в гредите.", "GOOD", "inflection"),
    _bg("кандидатирам", "", "Защо си се кандидатирал?", "GOOD", "inflection"),
    _bg("ожуля", "", "Ожуленият лакът го болеше.", "GOOD", "inflection"),
    _bg("разтреса", "", "Новината разтресла града.", "GOOD", "inflection"),
    # Imperative, present.
    _bg("подкрепя", "", "Подкрепете снимките с дати!", "GOOD", "inflection"),
    _bg("раздрусам", "", "Ще го раздрусаш и ще го изпиеш.", "GOOD", "inflection"),
    _bg("занадничам", "", "Децата занадничаха през оградата.", "GOOD", "inflection"),
    # A wrong guess of the lemmatiser is given up.
    _bg("кастря", "", "Ветеринарят кастрира котката.", "MISS"),
    # Other verbs are not meant.
    _bg("опитам", "", "Опънахме палатката до реката.", "MISS"),
    _bg("отгатна", "", "Баба им отгледа близнаците.", "MISS"),
]

NOUNS = [
    # The article is an ending.
    _bg("мост", "", "Мостът се срути.", "GOOD"),
    _bg("мост", "", "Преминахме по моста.", "GOOD"),
    _bg("мост", "", "Мостовете на града са седем.", "GOOD"),
    _bg("къща", "", "Къщата е празна, къщите също.", "GOOD"),
    _bg("море", "", "Морето бушуваше.", "GOOD"),
    _bg("момче", "", "Момчетата се смееха.", "GOOD"),
    _bg("нощ", "", "Нощта е дълга.", "GOOD"),
    _bg("голям", "", "Големият се обади пръв.", "GOOD"),
    # Words the dictionary does not have.
    _bg("док", "", "Корабът влезе в дока.", "GOOD", "inflection"),
    _bg("шлейф", "", "Някой настъпи шлейфа ѝ.", "GOOD", "inflection"),
    _bg("фойерверк", "", "Небето светеше от фойерверките.", "GOOD", "inflection"),
    _bg("хайдутин", "", "В гората имаше хайдути.", "GOOD", "inflection"),
    _bg("казино", "", "Пропиля парите си в казиното.", "GOOD", "inflection"),
    _bg("пушкало", "", "Пушкалото изгърмя.", "GOOD", "inflection"),
    # Articles alone are not enough.
    _bg("мост", "", "Мостра от плата.", "MISS"),
    _bg("док", "", "Доктор влезе в стаята.", "MISS"),
    _bg("мор", "", "Морето бушуваше.", "MISS"),
]

HOMOGRAPHS = [
    _bg("работя", "", "Сестра ми работи в банка.", "GOOD", "homograph"),
    _bg("отговоря", "", "Тя отговори веднага.", "GOOD", "homograph"),
    _bg("ударя", "", "Автобусът удари стълба.", "GOOD", "homograph"),
    _bg("забраня", "", "Съдът забрани протеста.", "GOOD", "homograph"),
    _bg("поставям", "", "Всяка вечер поставя чашата на рафта.", "GOOD", "homograph"),
    _bg("обявя", "", "Резултатите бяха обявени снощи.", "GOOD", "homograph"),
    _bg("обяснение", "", "Чакаме обяснения от министъра.", "GOOD", "homograph"),
    _bg("отчитане", "", "Започна отчитането на гласовете.", "GOOD"),
    _bg("противник", "", "Поканиха и противниците на проекта.", "GOOD", "homograph"),
    _bg("лист", "", "Вятърът отнесе листа.", "GOOD", "homograph"),
    _bg("лък", "", "Опъна лъка и се прицели.", "GOOD", "homograph"),
    # What the dictionary says, too.
    _bg("работа", "", "Чакат ни спешни работи.", "GOOD"),
    # Both lists at once.
    _bg("работя", "работа", "Сестра ми работи в банка.", "UNK", "homograph"),
    # Function words and people.
    _bg("преда", "", "Преди обяд валя.", "MISS"),
    _bg("хор", "", "Хора от цялата страна пристигнаха.", "MISS"),
    _bg("мога", "", "Могила от пясък.", "MISS"),
    _bg("знам", "", "Знамето се вееше.", "MISS"),
]

SEVERAL_WORDS = [
    _bg("подсъдима скамейка", "скамейка", "Двамата седнаха на подсъдимата скамейка.", "GOOD"),
    _bg("подсъдима скамейка", "скамейка", "Седнаха на скамейка в парка.", "BAD"),
    _bg("железопътна линия", "линия", "Железопътните линии ръждясват.", "GOOD"),
    _bg("железопътна линия", "", "Железопътната стара линия.", "MISS"),
    _bg("скамейка на подсъдимите", "скамейка", "На скамейката на подсъдимите бяха двама.", "GOOD"),
    _bg("вдигам тревога", "вдигам", "Кучето пръв вдига тревога.", "GOOD"),
    _bg("проведа * стачка", "", "Миньорите проведоха тридневна предупредителна стачка.", "GOOD"),
    _bg("проведа * стачка", "", "Миньорите проведоха стачка.", "GOOD"),
    _bg("проведа * стачка", "", "Проведоха среща. Стачка няма.", "MISS"),
    _bg("проведа * стачка", "", "Стачка проведоха миньорите.", "MISS"),
    _bg("дойда на себе си", "дойда", "Раненият дойде на себе си.", "GOOD"),
    _bg("дойда на себе си", "дойда", "Раненият дойде сам.", "BAD"),
]

BOTH_LISTS = [
    _bg("мост", "палуба", "От палубата се виждаше мостът.", "UNK"),
    _bg("мост / палуба", "кей", "От палубата се виждаше мостът.", "GOOD"),
    _bg("мост", "палуба", "Нищо не се виждаше.", "MISS"),
    _bg("смея се", "смея", "Защо се смееш?", "GOOD", "reflexive"),
]

WRITING = [
    # A period glued to the last word, to the next sentence, three of them.
    _bg("мост", "", "Минахме по стария мост.", "GOOD"),
    _bg("мост", "", "Минахме по моста.После заваля.", "GOOD"),
    _bg("мост", "", "Минахме по моста...", "GOOD"),
    _bg("мост", "", "Къде е мостът?!", "GOOD"),
    # Hyphens end a word, and the whole counts as well.
    _bg("председател", "", "Министър-председателят говори.", "GOOD"),
    _bg("министър-председател", "председател", "Министър-председателят говори.", "GOOD"),
    _bg("легло", "", "Купихме диван\u2011легло.", "GOOD"),
    _bg("хубав", "", "По-хубаво от това няма.", "GOOD"),
    # Apostrophes likewise.
    _bg("Арк", "", "Филм за Жана д\u2019Арк.", "GOOD"),
    # Stress marks, letters in two characters.
    _bg("замък", "", "На хълма има за\u0301мък.", "GOOD"),
    _bg("вълна", "", "Вълна\u0301та е от мерино.", "GOOD"),
    _bg("музей", "", "Това е музеи\u0306.", "GOOD"),
    _bg("обадя се", "", "Обадих и\u0300 се.", "GOOD", "reflexive"),
    # Capitals.
    _bg("мост", "", "МОСТЪТ СЕ СРУТИ.", "GOOD"),
    _bg("върна се", "", "ТОЙ СЕ ВЪРНА.", "GOOD", "reflexive"),
    _bg("софия", "", "Живее в София.", "GOOD"),
    # Quotes, no-break space, soft hyphen, zero-width space.
    _bg("банка", "", "Той каза „банка“, а не «бряг».", "GOOD"),
    _bg("върна се", "", "Утре ще\u00a0се\u00a0върна.", "GOOD", "reflexive"),
    _bg("подсъдима скамейка", "", "Подсъдима\u00a0скамейка.", "GOOD"),
    _bg("библиотека", "", "В биб\u00adлиотеката е тихо.", "GOOD"),
    _bg("банка", "", "Това е \u200bбанка\u200b.", "GOOD"),
    # ѝ is и for the keys of words, but no other pair of letters is one.
    _bg("вълк", "", "Вълкът вие.", "GOOD"),
    _bg("кон", "", "Каня ви.", "MISS"),
    # Never a part of a longer word.
    _bg("дама", "", "Бизнесдама откри изложбата.", "MISS"),
    _bg("форма", "", "Платформата се клатеше.", "MISS"),
    _bg("банка", "", "Банкерът се усмихна.", "MISS"),
    _bg("лук", "", "Луковицата изгни.", "MISS"),
    _bg("кит", "", "Китара свиреше.", "MISS"),
    # A Latin letter for a Cyrillic one is no such word.
    _bg("мост", "", "Мoст.", "MISS"),
]

CASES = [*REFLEXIVE, *VERBS, *NOUNS, *HOMOGRAPHS, *SEVERAL_WORDS, *BOTH_LISTS, *WRITING]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", with_rule(CASES), ids=str)
def test_rule_switched_off(case: Case) -> None:
    check_rule_needed(case)


def test_every_rule_has_a_case_that_needs_it() -> None:
    assert {case.rule for case in with_rule(CASES)} == {rule.name for rule in RULES_BG.rules}


def test_spans_of_a_particle_before_its_verb() -> None:
    text = "Войниците се бяха върнали."
    (match,) = judged(_bg("върна се", "върна", text, "GOOD")).matches
    assert [text[start:end] for start, end in match.spans] == ["се", "върнали"]
