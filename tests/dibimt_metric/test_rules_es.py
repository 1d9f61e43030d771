"""Spanish phenomena with the builtin analyzer: what the rules find, and what must be left alone."""

from __future__ import annotations

import pytest

from dibimt_metric.analyzer_dictionary import SimplemmaLexicon
from dibimt_metric.rules_clitic import without_stress
from dibimt_metric.rules_es import CONJUGATION, split_clitics
from tests.dibimt_metric.phenomena import Case, judged

LEXICON = SimplemmaLexicon("es")


def _es(good: str, bad: str, text: str, label: str, rule: str | None = None) -> Case:
    return Case("es", good, bad, text, label, rule)


REFLEXIVE_BEFORE = [
    # The pronoun right before its verb, in each person.
    _es("lavarse", "lavar", "La enfermera se lava las manos antes de cada operación.", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "Me lavé la cara con agua fría.", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "¿Te lavas los dientes todas las noches?", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "Nos lavamos en el río.", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "¿Os laváis las manos?", "GOOD", "reflexive"),
    _es("retirarse", "retirar", "Los soldados se retiraron al amanecer.", "GOOD", "reflexive"),
    _es("desmayarse", "", "Ella se desmayó cuando oyó la noticia.", "GOOD", "reflexive"),
    _es("dormirse", "dormir", "Me duermo enseguida.", "GOOD", "reflexive"),
    _es("vestirse", "", "Se visten siempre de negro.", "GOOD", "reflexive"),
    _es("ponerse", "", "El cielo se puso rojo.", "GOOD", "reflexive"),
    _es("sentirse", "sentar", "Me siento solo.", "GOOD", "reflexive"),
    _es("preocuparse", "", "No te preocupes por eso.", "GOOD", "reflexive"),
    # Of "ir" the dictionary has hardly a form.
    _es("irse", "ser", "Se fue sin decir nada.", "GOOD", "reflexive"),
    _es("irse", "ir", "Nos vamos mañana.", "GOOD", "reflexive"),
    # Another pronoun between, or a second one of the same kind.
    _es("imaginarse", "", "No se lo puede imaginar.", "GOOD", "reflexive"),
    _es("comerse", "comer", "El perro se lo comió todo.", "GOOD", "reflexive"),
    _es("olvidarse", "", "Se me olvidó el paraguas.", "GOOD", "reflexive"),
    # Auxiliaries and adverbs between.
    _es("lavarse", "lavar", "Mi hermano se ha lavado el pelo.", "GOOD", "reflexive"),
    _es("levantarse", "", "Nunca se había levantado tan tarde.", "GOOD", "reflexive"),
    _es("quejarse", "", "Los vecinos se están quejando del ruido.", "GOOD", "reflexive"),
    _es("casarse", "", "Se van a casar en mayo.", "GOOD", "reflexive"),
    _es("atreverse", "", "No me he atrevido nunca a preguntárselo.", "GOOD", "reflexive"),
    _es("equivocarse", "", "Nos hemos vuelto a equivocar.", "GOOD", "reflexive"),
    _es("hundirse", "hundir", "El barco se había completamente hundido.", "GOOD", "reflexive"),
    _es("despertarse", "", "El niño se acaba de despertar.", "GOOD", "reflexive"),
    _es("tomarse", "", "Te lo tienes que tomar con calma.", "GOOD", "reflexive"),
]

REFLEXIVE_AFTER = [
    # Infinitives: the citation form itself needs no rule.
    _es("lavarse", "lavar", "Hay que lavarse las manos.", "GOOD"),
    _es("reírse", "", "No pudo evitar reírse.", "GOOD"),
    _es("lavarse", "lavar", "Quiero lavarme antes de cenar.", "GOOD", "reflexive"),
    _es("comerse", "comer", "Pensaba comérselo todo.", "GOOD", "reflexive"),
    _es("arrepentirse", "", "Debe de haberse arrepentido.", "GOOD", "reflexive"),
    # Gerunds.
    _es("lavarse", "lavar", "Lavándose las manos, pensó en ella.", "GOOD", "reflexive"),
    _es("detenerse", "detener", "Deteniéndose un momento, miró atrás.", "GOOD", "reflexive"),
    # Imperatives.
    _es("lavarse", "lavar", "¡Lávate las manos!", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "Lávese bien antes de entrar.", "GOOD", "reflexive"),
    _es("sentarse", "sentar", "Siéntense, por favor.", "GOOD", "reflexive"),
    _es("levantarse", "", "¡Levantaos!", "GOOD", "reflexive"),
    _es("irse", "ir", "¡Vámonos de aquí!", "GOOD", "reflexive"),
    _es("callarse", "", "Cállate y escucha.", "GOOD", "reflexive"),
    _es("ponerse", "poner", "Ponte el abrigo.", "GOOD", "reflexive"),
    _es("quedarse", "", "QUÉDATE AQUÍ", "GOOD", "reflexive"),
]

REFLEXIVE_PHRASES = [
    _es("darse cuenta", "contar", "Me di cuenta de mi error.", "GOOD", "reflexive"),
    _es("darse cuenta", "", "Dándose cuenta del peligro, huyó.", "GOOD", "reflexive"),
    _es("darse cuenta", "", "Se dio perfecta cuenta de todo.", "GOOD", "reflexive"),
    _es("darse cuenta", "", "No se habían dado cuenta de la hora.", "GOOD", "reflexive"),
    _es("darse cuenta", "", "Debió darse cuenta antes.", "GOOD"),
    _es("ponerse de pie", "", "El público se puso de pie.", "GOOD", "reflexive"),
    _es("hacerse cargo", "", "Nos haremos cargo de los gastos.", "GOOD", "reflexive"),
    _es("darse * prisa", "", "Date mucha prisa.", "GOOD", "reflexive"),
    _es("arreglárselas", "", "No sé cómo se las arregla.", "GOOD", "reflexive"),
    _es("pasárselo bien", "", "Nos lo pasamos muy bien.", "GOOD", "reflexive"),
]

NOT_REFLEXIVE = [
    _es("lavarse", "", "Lavó el coche por la mañana.", "MISS"),
    _es("lavarse", "lavar", "Lavó el coche por la mañana.", "BAD"),
    _es("lavarse", "", "Lávalo con agua fría.", "MISS"),
    # The pronoun is another person than the subject.
    _es("lavarse", "", "Me lavó el pelo con cuidado.", "MISS"),
    _es("lavarse", "", "Nos lavaron la ropa en el hotel.", "MISS"),
    _es("lavarse", "", "¿Me puedes lavar el coche?", "MISS"),
    _es("lavarse", "", "¡Lávame el coche!", "MISS"),
    _es("decirse", "", "¿Por qué no me lo dijiste?", "MISS"),
    _es("retirarse", "", "El banco les retiró la tarjeta.", "MISS"),
    # "se" for "le" before another pronoun.
    _es("darse", "", "Se lo dio ayer.", "MISS"),
    _es("darse", "", "Dámelo ahora mismo.", "MISS"),
    # The pronoun belongs to another verb.
    _es("lavarse", "", "Juan me dijo que lavó el coche.", "MISS"),
    _es("lavarse", "", "Al lavar se rompió el jarrón.", "MISS"),
    _es("lavarse", "", "Cuando lava se relaja.", "MISS"),
    _es("lavarse", "", "Se sentó, lavó los platos y salió.", "MISS"),
    _es("lavarse", "", "Se ha ido a lavar el coche.", "MISS"),
    _es("lavarse", "", "Se puso a lavar los platos.", "MISS"),
    _es("lavarse", "", "Se quedó lavando los platos.", "MISS"),
    _es("encontrarse", "", "Le encontré en el mercado y se alegró.", "MISS"),
    _es("darse cuenta", "", "Me dio la cuenta.", "MISS"),
    _es("darse cuenta", "", "Se dio un golpe y pidió la cuenta.", "MISS"),
    _es("arreglárselas", "", "Se arregla el pelo.", "MISS"),
]

ENCLITICS = [
    _es("quitar", "", "Hay que quitarle la grasa.", "GOOD"),
    _es("contar", "", "¡Cuéntamelo todo!", "GOOD"),
    _es("decir", "", "Dímelo al oído.", "GOOD"),
    _es("dar", "dátil", "Dámela, por favor.", "GOOD"),
    _es("llevar", "", "Llevándolos al colegio, tuvo un accidente.", "GOOD"),
    _es("hacer", "", "Hazlo tú mismo.", "GOOD"),
    _es("poner", "", "Ponlo sobre la mesa.", "GOOD"),
    _es("echar el cerrojo", "", "Échale el cerrojo a la puerta.", "GOOD", "enclitic"),
    _es("dar la vuelta", "", "Hay que darle la vuelta al colchón.", "GOOD", "enclitic"),
    _es("tomar en cuenta", "", "Deberías tomarlo en cuenta.", "GOOD", "enclitic"),
    _es("dar la vuelta", "", "No quiso darle dinero. La vuelta fue larga.", "MISS"),
    _es("dar cuenta", "", "Darle la cuenta.", "MISS"),
    # Nouns and plain verb forms that end like a pronoun.
    _es("perder", "", "La perla brillaba.", "MISS"),
    _es("parar", "", "Hablaba sin parla ni gracia.", "MISS"),
    _es("partir", "parte", "Vino de todas partes.", "BAD"),
    _es("morir", "", "La muerte le sorprendió.", "MISS"),
    _es("lucir", "", "Hay lugares mejores.", "MISS"),
    _es("tomar", "", "Compró un tomate.", "MISS"),
    _es("deber", "", "El debate fue largo.", "MISS"),
    _es("bufar", "", "El búfalo bebía.", "MISS"),
    _es("buscar", "", "El búfalo bebía.", "MISS"),
    _es("lavar", "", "Quería que lavase el coche.", "GOOD"),
    _es("charla", "", "La charla duró dos horas.", "GOOD"),
    _es("perla", "", "Llevaba un collar de perlas.", "GOOD"),
]

HOMOGRAPHS = [
    _es("quitar", "", "Quite la grasa con una cuchara.", "GOOD", "homograph"),
    _es("contar", "", "¿Quién cuenta los votos?", "GOOD", "homograph"),
    _es("contar", "", "¿Cuenta los votos?", "GOOD", "homograph"),
    _es("esperar", "", "Ella espera el autobús desde hace una hora.", "GOOD", "homograph"),
    _es("mostrar", "", "El mapa muestra la frontera.", "GOOD", "homograph"),
    _es("buscar", "", "El avión busca los restos del barco.", "GOOD", "homograph"),
    _es("tirar la toalla", "", "Nunca tira la toalla.", "GOOD", "homograph"),
    _es("escribir", "", "Había escrito una carta.", "GOOD", "homograph"),
    _es("hablar", "", "Nunca habla de su padre.", "GOOD", "homograph"),
    _es("contar", "", "Pidió la cuenta.", "MISS"),
    _es("contar", "", "Llegaron dos cuentas de la luz.", "MISS"),
    _es("parar", "", "Compró flores para su madre.", "MISS"),
    _es("comer", "", "Trabaja como médico.", "MISS"),
    _es("casar", "", "Su casa es grande.", "MISS"),
    _es("partir", "", "Es parte de la familia.", "MISS"),
    _es("marchar", "", "La marcha duró tres días.", "MISS"),
    _es("nadar", "", "No quería nada más.", "MISS"),
]

WRITING = [
    _es("murciélago", "", "El MURCIÉLAGO voló.", "GOOD"),
    _es("murciélago", "", "El murcie\u0301lago voló.", "GOOD"),
    _es("murcie\u0301lago", "", "El murciélago voló.", "GOOD"),
    _es("murciélago", "", "Un mur\u00adciélago voló.", "GOOD"),
    _es("lavarse", "lavar", "Quiero lavar\u00adme las manos.", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "¡La\u0301vate las manos!", "GOOD", "reflexive"),
    _es("lavarse", "lavar", "Se\u00a0lava las manos.", "GOOD", "reflexive"),
    _es("bate de béisbol", "", "Rompió el bate\u00a0de\u00a0béisbol.", "GOOD"),
    _es("murciélago", "", "Vi un murciélago.Después se fue.", "GOOD"),
    _es("murciélago", "", "Vio «murciélagos».", "GOOD"),
    _es("alemán", "", "Un acuerdo hispano-alemán.", "GOOD"),
    _es("hispano-alemán", "", "Un acuerdo hispano-alemán.", "GOOD"),
    _es("aula", "", "La sala se llama “L’aula”.", "GOOD"),
]

LONGEST = [
    _es("orilla del río", "orilla", "Paseaba por la orilla del río.", "GOOD"),
    _es("banco", "banco de peces", "Vimos un banco de peces.", "BAD"),
    _es("lavarse", "lavar", "El gato se lavaba.", "GOOD", "reflexive"),
    _es("lavar", "lavarse", "El gato se lavaba.", "BAD", "reflexive"),
    _es("llevar * a cabo", "llevar", "Llevaron el plan a cabo.", "GOOD"),
    _es("llevar * a cabo", "llevar", "Llevaron a cabo el plan.", "GOOD"),
    _es("llevar * a cabo", "", "Llevaron el plan. Fueron a cabo Verde.", "MISS"),
    _es("banco", "orilla", "Junto al banco, en la orilla.", "UNK"),
    _es("lavarse", "peinarse", "Se lava y se peina.", "UNK", "reflexive"),
    _es("banco", "orilla", "No hay nada aquí.", "MISS"),
    # Never a part of a longer word.
    _es("sol", "", "El soldado soltó la cuerda.", "MISS"),
    _es("ala", "", "La sala era grande.", "MISS"),
    _es("mar", "", "El martes fuimos a Marte.", "MISS"),
    _es("caso", "", "En el ocaso del día.", "MISS"),
]

CASES = [
    *REFLEXIVE_BEFORE,
    *REFLEXIVE_AFTER,
    *REFLEXIVE_PHRASES,
    *NOT_REFLEXIVE,
    *ENCLITICS,
    *HOMOGRAPHS,
    *WRITING,
    *LONGEST,
]


def test_spans_of_a_pronoun_before_its_verb() -> None:
    text = "No se lo puede imaginar."
    (match,) = judged(_es("imaginarse", "", text, "GOOD")).matches
    assert [text[start:end] for start, end in match.spans] == ["se", "imaginar"]


# Form, its parts with their lemmas; no parts where it is no verb with pronouns.
SPLITS = [
    ("lavarse", "lavar/lavar se/se"),
    ("dándomelo", "dándo/dar me/me lo/lo"),
    ("diciéndole", "diciendo/decir le/le"),
    ("Dámelo", "dá/dar me/me lo/lo"),
    ("vámonos", "vámo/ir nos/nos"),
    ("siéntese", "siénte/sentar,sentir se/se"),
    ("cuéntame", "cuénta/contar me/me"),
    ("acordaos", "acorda/acordar os/os"),
    ("detente", "deten/detener te/te"),
    ("irse", "ir/ir se/se"),
    *((form, "") for form in "charla perla parte muerte lugares tomate debate corte búfalo".split()),
    *((form, "") for form in "lavase lavados lavaste fáciles artículo menos Marte parla".split()),
    *((form, "") for form in "salte imparte invente contente alarme denoste tense".split()),
    ("x" * 1000 + "arse", ""),
]


@pytest.mark.parametrize(("form", "parts"), SPLITS)
def test_enclitic_pronouns(form: str, parts: str) -> None:
    found = split_clitics(form, LEXICON)
    assert "".join(form[part.start : part.end] for part in found) in ("", form)
    shown = " ".join(f"{form[p.start : p.end]}/{','.join(sorted(p.lemmas))}" for p in found)
    assert without_stress(shown.casefold()) == without_stress(parts.casefold())


def test_forms_of_a_verb_with_persons() -> None:
    forms = CONJUGATION.forms("contar", LEXICON)
    assert forms["cuento"] == {"1s"}
    assert forms["cuenta"] == {"3s"}
    assert forms["contaba"] == {"1s", "3s"}
    assert "coento" not in forms
    # Without a dictionary nothing proves the changed stem.
    assert "cuento" not in CONJUGATION.forms("contar", None)
    assert CONJUGATION.forms("casa", LEXICON) == {}


SPELLINGS = {
    "buscar": "busqué",
    "pagar": "paguemos",
    "averiguar": "averigüé",
    "vencer": "venza",
    "conocer": "conozco",
    "coger": "cojo",
    "seguir": "sigo",
    "leer": "leyó",
    "construir": "construyen",
    "caer": "caído",
    "deshacer": "deshizo",
    "componer": "compuesto",
}


@pytest.mark.parametrize("infinitive", SPELLINGS)
def test_spelling_follows_the_sound(infinitive: str) -> None:
    assert SPELLINGS[infinitive] in CONJUGATION.forms(infinitive, LEXICON)
