"""Italian phenomena with the builtin analyzer: what the rules find, and what must be left alone."""

from __future__ import annotations

import pytest

from dibimt_metric.analyzer_dictionary import SimplemmaLexicon
from dibimt_metric.rules_it import CONJUGATION, split_clitics
from tests.dibimt_metric.phenomena import Case, judged

LEXICON = SimplemmaLexicon("it")


def _it(good: str, bad: str, text: str, label: str, rule: str | None = None) -> Case:
    return Case("it", good, bad, text, label, rule)


REFLEXIVE_BEFORE = [
    # The pronoun right before its verb, in each person.
    _it("lavarsi", "lavare", "L'infermiera si lava le mani.", "GOOD", "reflexive"),
    _it("lavarsi", "lavare", "Mi lavo sempre con l'acqua fredda.", "GOOD", "reflexive"),
    _it("lavarsi", "lavare", "Ti lavi i denti?", "GOOD", "reflexive"),
    _it("lavarsi", "lavare", "Ci laviamo nel fiume.", "GOOD", "reflexive"),
    _it("lavarsi", "lavare", "Vi lavate mai?", "GOOD", "reflexive"),
    _it("ritirarsi", "ritirare", "I soldati si ritirarono all'alba.", "GOOD", "reflexive"),
    _it("chiudersi", "chiudere", "La partita si chiuse in parità.", "GOOD", "reflexive"),
    _it("arrendersi", "", "Il generale si arrese.", "GOOD", "reflexive"),
    _it("svegliarsi", "", "Domani mi sveglierò presto.", "GOOD", "reflexive"),
    _it("lamentarsi", "", "I vicini si lamentano del rumore.", "GOOD", "reflexive"),
    # "Non ti preoccupare": the negative imperative is an infinitive.
    _it("preoccuparsi", "", "Non ti preoccupare.", "GOOD", "reflexive"),
    # Elided before a vowel; in -e before another pronoun.
    _it("accorgersi", "", "M'accorgo che piove.", "GOOD", "reflexive"),
    _it("accorgersi", "", "Non s’era accorto di nulla.", "GOOD", "reflexive"),
    _it("incontrarsi", "", "C'incontriamo domani.", "GOOD", "reflexive"),
    _it("mangiarsi", "mangiare", "Il bambino se lo mangiò tutto.", "GOOD", "reflexive"),
    _it("dimenticarsi", "", "Me lo sono dimenticato.", "GOOD", "reflexive"),
    _it("ricordarsi", "", "Te ne ricordi?", "GOOD", "reflexive"),
    _it("immaginarsi", "", "Non se lo può immaginare.", "GOOD", "reflexive"),
    # Auxiliaries and adverbs between.
    _it("svegliarsi", "", "Si è appena svegliato.", "GOOD", "reflexive"),
    _it("lavarsi", "lavare", "Mio fratello si sta lavando i capelli.", "GOOD", "reflexive"),
    _it("alzarsi", "", "Non si era mai alzata così presto.", "GOOD", "reflexive"),
    _it("fermarsi", "", "Ci siamo dovuti fermare.", "GOOD", "reflexive"),
    _it("sposarsi", "", "Si vogliono sposare a maggio.", "GOOD", "reflexive"),
    _it("addormentarsi", "", "Si stava per addormentare.", "GOOD", "reflexive"),
    _it("congratularsi", "", "Si è calorosamente congratulato con lui.", "GOOD", "reflexive"),
]

REFLEXIVE_AFTER = [
    # Infinitives: the citation form itself needs no rule.
    _it("lavarsi", "lavare", "Bisogna lavarsi le mani.", "GOOD"),
    _it("lavarsi", "lavare", "Voglio lavarmi prima di cena.", "GOOD", "reflexive"),
    _it("alzarsi", "", "Nell'alzarmi ho battuto la testa.", "GOOD", "reflexive"),
    _it("pentirsi", "", "Deve essersi pentito.", "GOOD", "reflexive"),
    # Gerunds and participles.
    _it("lavarsi", "lavare", "Lavandosi le mani, pensò a lei.", "GOOD", "reflexive"),
    _it("fermarsi", "", "Fermandosi un momento, guardò indietro.", "GOOD", "reflexive"),
    _it("svegliarsi", "", "Svegliatosi presto, uscì.", "GOOD", "reflexive"),
    _it("rendersi", "", "Resisi invisibili, fuggirono.", "GOOD", "reflexive"),
    # Imperatives; one that looks like a participle only at the beginning of a sentence.
    _it("lavarsi", "lavare", "Lavati le mani!", "GOOD", "reflexive"),
    _it("alzarsi", "", "Alzatevi!", "GOOD", "reflexive"),
    _it("sedersi", "", "Siediti qui.", "GOOD", "reflexive"),
    _it("sbrigarsi", "", "Sbrighiamoci!", "GOOD", "reflexive"),
    _it("mettersi", "mettere", "Mettiti il cappotto.", "GOOD", "reflexive"),
    _it("farsi", "fare", "Fatti coraggio!", "GOOD", "reflexive"),
    _it("vestirsi", "", "Vestiti in fretta!", "GOOD", "reflexive"),
    _it("vestito", "", "Vestiti nuovi per tutti.", "GOOD"),
]

REFLEXIVE_PHRASES = [
    _it("rendersi conto", "contare", "Si rese conto dell'errore.", "GOOD", "reflexive"),
    _it("rendersi conto", "", "Mi sono resa conto dell’errore.", "GOOD", "reflexive"),
    _it("rendersi conto", "", "Resosi conto del pericolo, fuggì.", "GOOD", "reflexive"),
    _it("rendersi conto", "", "Rendendosi conto del pericolo, fuggì.", "GOOD", "reflexive"),
    _it("rendersi conto", "", "Non si rendono nemmeno conto di quello che fanno.", "GOOD", "reflexive"),
    _it("prendersi cura", "", "Mi prenderò io cura di lei.", "GOOD", "reflexive"),
    _it("mettersi * cappotto", "", "Si mise in fretta il cappotto.", "GOOD", "reflexive"),
    # Two pronouns.
    _it("andarsene", "", "Se n'è andato senza dire niente.", "GOOD", "reflexive"),
    _it("andarsene", "", "Me ne vado.", "GOOD", "reflexive"),
    _it("andarsene", "", "Ce ne siamo andati.", "GOOD", "reflexive"),
    _it("andarsene", "", "Vattene!", "GOOD", "reflexive"),
    _it("andarsene", "", "Andandosene, chiuse la porta.", "GOOD", "reflexive"),
    _it("cavarsela", "", "Se l'è cavata bene.", "GOOD", "reflexive"),
    _it("prendersela", "", "Non prendertela!", "GOOD", "reflexive"),
    # A pronoun that agrees with nothing.
    _it("farcela", "fare", "Ce l'ho fatta!", "GOOD", "reflexive"),
    _it("farcela", "", "Non ce la faccio più.", "GOOD", "reflexive"),
    _it("esserci", "essere", "C'è un problema.", "GOOD", "reflexive"),
    _it("volerci", "volere", "Ci vogliono due ore.", "GOOD", "reflexive"),
]

NOT_REFLEXIVE = [
    _it("lavarsi", "", "Lavò la macchina.", "MISS"),
    _it("lavarsi", "lavare", "Lavò la macchina.", "BAD"),
    _it("lavarsi", "lavare", "Lavalo con acqua fredda.", "BAD"),
    _it("lavarsi", "lavare", "I panni sono stati lavati.", "BAD"),
    _it("vestirsi", "", "I vestiti sono nuovi.", "MISS"),
    # The pronoun is another person than the subject.
    _it("lavarsi", "", "Mi ha lavato la macchina.", "MISS"),
    _it("lavarsi", "", "Ci lavano i vestiti in albergo.", "MISS"),
    _it("lavarsi", "", "Lavami la macchina!", "MISS"),
    _it("dirsi", "", "Dimmi la verità.", "MISS"),
    # "se" is "if".
    _it("lavarsi", "", "Se lava i piatti, esce.", "MISS"),
    _it("lavarsi", "", "Dice che se lo lava, si rovina.", "MISS"),
    # The pronoun belongs to another verb.
    _it("lavarsi", "", "Gianni mi disse che lavava la macchina.", "MISS"),
    _it("lavarsi", "", "Quando lava si rilassa.", "MISS"),
    _it("lavarsi", "", "Si sedette, lavò i piatti e uscì.", "MISS"),
    _it("lavarsi", "", "Si è messo a lavare i piatti.", "MISS"),
    _it("tagliarsi", "", "Si è fatto tagliare i capelli.", "MISS"),
    _it("accorgersi", "", "Marco accorse subito.", "MISS"),
    _it("trovarsi", "", "L'ho trovato e si è offeso.", "MISS"),
    _it("andarsene", "", "Si va al mare.", "MISS"),
    _it("farcela", "", "La torta la fa Marco.", "MISS"),
    _it("rendersi conto", "", "Mi rese il conto.", "MISS"),
    _it("rendersi conto", "", "Si rese utile e pagò il conto.", "MISS"),
]

ENCLITICS = [
    _it("raccontare", "", "Raccontamelo!", "GOOD"),
    _it("dire", "", "Dimmelo all'orecchio.", "GOOD"),
    _it("dire", "", "Diglielo tu.", "GOOD"),
    _it("dare", "", "Dammi la mano.", "GOOD"),
    _it("fare", "", "Facendolo bene, si impara.", "GOOD"),
    _it("prendere", "", "Prendilo pure.", "GOOD"),
    _it("portare", "", "Portandoli a scuola, ebbe un incidente.", "GOOD"),
    _it("punire", "", "Vuole punirlo.", "GOOD"),
    _it("avere", "", "Dopo averlo visto, partì.", "GOOD"),
    _it("mettere in moto", "", "Prova a metterla in moto.", "GOOD", "enclitic"),
    _it("prendere in giro", "", "Smettila di prendermi in giro!", "GOOD", "enclitic"),
    _it("fare male", "", "Non voglio fargli male.", "GOOD", "enclitic"),
    _it("mettere in moto", "", "Mettila nel garage in fondo.", "MISS"),
    # Nouns, adjectives and plain verb forms that end like a pronoun.
    _it("parare", "", "Lui parla troppo.", "MISS"),
    _it("carere", "", "La carne è buona.", "MISS"),
    _it("fare", "", "Gli attori famosi recitano.", "MISS"),
    _it("dolere", "", "Mangia troppi dolci.", "MISS"),
    _it("capitare", "", "La capitale è Roma.", "MISS"),
    _it("cuocere", "", "Le cucine sono moderne.", "MISS"),
    _it("campare", "", "Le campane suonano.", "MISS"),
    _it("vestire", "", "I vestiti sono nuovi.", "MISS"),
    _it("perire", "", "Corre un grave pericolo.", "MISS"),
    _it("lavare", "", "Lavavi i piatti.", "GOOD"),
    _it("dolce", "", "Mangia troppi dolci.", "GOOD"),
    _it("famoso", "", "Gli attori famosi recitano.", "GOOD"),
]

HOMOGRAPHS = [
    _it("salvare", "", "Salva le foto sul disco.", "GOOD", "homograph"),
    _it("chiudere", "", "Il negozio chiuse alle otto.", "GOOD", "homograph"),
    _it("scrivere", "", "Ha scritto una lettera.", "GOOD", "homograph"),
    _it("prendere", "", "Chi prese la borsa?", "GOOD", "homograph"),
    _it("formare", "", "I tre formano un gruppo e uno forma l'altro.", "GOOD"),
    _it("fermare", "", "Nessuno ferma il treno.", "GOOD", "homograph"),
    _it("lanciare", "", "Il portiere lancia la palla.", "GOOD", "homograph"),
    _it("tagliare la corda", "", "Di solito taglia la corda.", "GOOD", "homograph"),
    _it("prendere", "", "La presa elettrica è rotta.", "MISS"),
    _it("fermare", "", "Scese alla ferma del treno.", "MISS"),
    _it("dovere", "", "Dimmi dove abiti.", "MISS"),
    _it("marcire", "", "San Marco è una piazza.", "MISS"),
    _it("unire", "", "Ho visto una volpe.", "MISS"),
    _it("salvare", "", "Sparò una salva di cannone.", "MISS"),
    _it("formare", "", "Prese la forma di un uccello.", "MISS"),
]

WRITING = [
    # Elision and apostrophes.
    _it("ala", "", "Volava sull'ala dell'aereo.", "GOOD"),
    _it("ala", "", "Un uccello con l’ala rotta.", "GOOD"),
    _it("essere", "", "C'è un problema.", "GOOD"),
    _it("acqua", "", "Dell’acqua, per favore.", "GOOD"),
    # Capitals, accents, glued period, no-break space, soft hyphen, hyphen.
    _it("pipistrello", "", "Il PIPISTRELLO vola.", "GOOD"),
    _it("città", "", "Una citta\u0300 antica.", "GOOD"),
    _it("citta\u0300", "", "Una città antica.", "GOOD"),
    _it("sponda", "", "Un pezzo di spon\u00adda.", "GOOD"),
    _it("lavarsi", "lavare", "Voglio lavar\u00admi le mani.", "GOOD", "reflexive"),
    _it("lavarsi", "lavare", "Si\u00a0lava le mani.", "GOOD", "reflexive"),
    _it("mazza da baseball", "", "Ruppe la mazza\u00a0da\u00a0baseball.", "GOOD"),
    _it("riva", "", "Arrivò a riva.Poi partì.", "GOOD"),
    _it("tedesco", "", "Un accordo italo-tedesco.", "GOOD"),
    _it("italo-tedesco", "", "Un accordo italo-tedesco.", "GOOD"),
]

LONGEST = [
    _it("riva del fiume", "riva", "Camminava lungo la riva del fiume.", "GOOD"),
    _it("banca", "banca dati", "Usano una banca dati.", "BAD"),
    _it("tenda da campo", "tenda", "Montò la tenda.", "BAD"),
    _it("lavare", "lavarsi", "Il gatto si lavava.", "BAD", "reflexive"),
    _it("mettere * in moto", "mettere", "Mise la macchina in moto.", "GOOD"),
    _it("mettere * in moto", "mettere", "Mise in moto la macchina.", "GOOD"),
    _it("banca", "riva", "Vicino alla banca, sulla riva.", "UNK"),
    _it("lavarsi", "pettinarsi", "Si lava e si pettina.", "UNK", "reflexive"),
    _it("banca", "riva", "Non c'è niente.", "MISS"),
    # Never a part of a longer word.
    _it("sole", "", "Le suole erano consumate.", "MISS"),
    _it("riva", "", "Arrivava sempre tardi.", "MISS"),
    _it("ala", "", "La sala era grande.", "MISS"),
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
    text = "Se n'è proprio andato."
    (match,) = judged(_it("andarsene", "", text, "GOOD")).matches
    assert [text[start:end] for start, end in match.spans] == ["Se", "n", "andato"]


# Form, its parts with their lemmas; no parts where it is no verb with pronouns.
SPLITS = [
    ("lavarsi", "lavar/lavare si/si"),
    ("dirmelo", "dir/dire me/me lo/lo"),
    ("andarsene", "andar/andare se/se ne/ne"),
    ("dandoglielo", "dando/dare glie/glie lo/lo"),
    ("svegliatosi", "svegliato/svegliare si/si"),
    ("resosi", "reso/rendere si/si"),
    ("porsi", ""),  # the dictionary has a form of "porgere"
    ("imporsi", "impor/imporre si/si"),
    ("alzatevi", "alzate/alzare vi/vi"),
    ("dammelo", "dam/dare me/me lo/lo"),
    ("dimmi", "dim/dire mi/mi"),
    ("Vattene", "Vat/andare te/te ne/ne"),
    ("dagli", ""),
    ("diglielo", "di/dire glie/glie lo/lo"),
    *((form, "") for form in "parla carne dolci famosi lavavi capitale cucine campane pericolo mila".split()),
    *((form, "") for form in "vestiti lavati stalle fallo dalle valle settimane speciale cattivi".split()),
    ("x" * 1000 + "arsi", ""),
]


@pytest.mark.parametrize(("form", "parts"), SPLITS)
def test_enclitic_pronouns(form: str, parts: str) -> None:
    found = split_clitics(form, LEXICON)
    assert "".join(form[part.start : part.end] for part in found) in ("", form)
    assert " ".join(f"{form[p.start : p.end]}/{','.join(p.lemmas)}" for p in found) == parts


def test_an_imperative_like_a_participle_is_taken_apart_at_the_beginning_of_a_sentence() -> None:
    assert [part.lemmas for part in split_clitics("Lavati", LEXICON, initial=True)] == [("lavare",), ("ti",)]
    assert split_clitics("Tutti", LEXICON, initial=True) == ()


def test_forms_of_a_verb_with_persons() -> None:
    forms = CONJUGATION.forms("prendere", LEXICON)
    assert forms["prendo"] == {"1s"}
    assert forms["prese"] == {"0", "3s"}
    assert forms["presi"] == {"0", "1s"}
    assert CONJUGATION.forms("lavare", LEXICON)["lavi"] == {"1s", "2s", "3s"}
    # Without a dictionary nothing proves a strong perfect; the participle stands in a table.
    assert CONJUGATION.forms("prendere", None)["prese"] == {"0"}
    assert CONJUGATION.forms("casa", LEXICON) == {}


SPELLINGS = {
    "cercare": "cerchi",
    "pagare": "pagherò",
    "mangiare": "mangerei",
    "lasciare": "lasci",
    "studiare": "studi",
    "conoscere": "conosciuto",
    "sedere": "siede",
    "muovere": "mosse",
    "disporre": "disposto",
    "tradurre": "traduce",
    "attrarre": "attratto",
    "dirigere": "diretti",
}


@pytest.mark.parametrize("infinitive", SPELLINGS)
def test_spelling_and_strong_stems(infinitive: str) -> None:
    assert SPELLINGS[infinitive] in CONJUGATION.forms(infinitive, LEXICON)
