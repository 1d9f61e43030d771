"""Dutch, phenomenon by phenomenon, by the builtin analyzer: what rules find and what they leave alone."""

from __future__ import annotations

from tests.dibimt_metric.phenomena import Case, judge, judged


def _nl(good: str, bad: str, text: str, label: str, rule: str | None = None, *enable: str) -> Case:
    return Case("nl", good, bad, text, label, rule, enable)


REFLEXIVE = [
    _nl("zich herinneren", "herinneren", "Ik herinner me die dag nog goed.", "GOOD", "reflexive"),
    _nl("zich herinneren", "", "Ik herinner mij die dag nog goed.", "GOOD", "reflexive"),
    _nl("zich herinneren", "", "Herinner je je die zomer nog?", "GOOD", "reflexive"),
    _nl("zich vergissen", "", "Je hebt je vergist in het adres.", "GOOD", "reflexive"),
    _nl("zich schamen", "", "We schamen ons daar niet voor.", "GOOD", "reflexive"),
    _nl("zich schamen", "", "Het meisje schaamde zich diep.", "GOOD", "reflexive"),
    _nl("zich haasten", "", "Omdat de trein vertrok, moesten wij ons haasten.", "GOOD", "reflexive"),
    _nl("zich wassen", "", "Ik stond op en waste me met koud water.", "GOOD", "reflexive"),
    _nl("zich wassen", "", "Ze hielp me om me te wassen.", "GOOD", "reflexive"),
    # Imperatives have no subject.
    _nl("zich schamen", "", "Schaam je!", "GOOD", "reflexive"),
    _nl("zich zorgen maken", "", "Ik maak me geen zorgen.", "GOOD", "reflexive"),
    _nl("zich bewust zijn van", "", "Ze was zich bewust van het gevaar.", "GOOD", "reflexive"),
    # Inventories put the governed preposition last.
    _nl("zich bezighouden met", "", "Hij houdt zich vooral met vogels bezig.", "GOOD", "reflexive"),
    # Adjacent as in the dictionary: found without any rule, too.
    _nl("zich herinneren", "", "Hij kon het zich herinneren.", "GOOD"),
    # Not reflexive: the pronoun is another person than the subject.
    _nl("zich herinneren", "herinneren", "Hij herinnerde me aan mijn belofte.", "BAD"),
    _nl("zich wassen", "", "De zuster waste me elke ochtend.", "MISS"),
    _nl("zich herinneren", "", "Dat lied herinnert ons aan de oorlog.", "MISS"),
    # The subject that agrees stands in another clause.
    _nl("zich herinneren", "", "Hij herinnerde me eraan, dat ik nog moest werken.", "MISS"),
    _nl("zich herinneren", "", "Ik lachte, maar hij herinnerde me aan mijn belofte.", "MISS"),
    # A question is no imperative.
    _nl("zich herinneren", "", "Herinnert je dat aan iets?", "MISS"),
    # The pronoun belongs to the verb on the other side of the conjunction.
    _nl("zich wassen", "", "Hij schaamde zich en waste de borden.", "MISS"),
    _nl("zich wassen", "", "Ze waste haar handen.", "MISS"),
]

SEPARABLE = [
    _nl("opgeven", "geven", "Geef niet op!", "GOOD", "separable"),
    _nl("opgeven", "geven", "Zij gaf het roken op.", "GOOD", "separable"),  # "roken" is a noun after "het"
    _nl("uitstellen", "stellen", "Hij stelde het lezen uit.", "GOOD", "separable"),
    _nl("opbellen", "", "Bel je me morgen op?", "GOOD", "separable"),
    _nl("afwijzen", "", "De commissie wees het voorstel af, omdat het geld ontbrak.", "GOOD", "separable"),
    _nl("opstaan", "", "Ze stond op en liep naar het raam.", "GOOD", "separable"),
    _nl("uitgaan", "", "Het licht ging uit of werd gedoofd.", "GOOD", "separable"),
    _nl("terugkomen", "", "Hij kwam terug, maar zei niets.", "GOOD", "separable"),
    _nl("aankomen", "", "Toen ik wegging, kwam de trein net aan.", "GOOD", "separable"),
    # What follows the verb may follow the prefix: Dutch closes its clauses earlier.
    _nl("aankomen", "", "Ze kwamen om tien uur aan in Utrecht.", "GOOD", "separable"),
    _nl("afhangen", "hangen", "Dat hangt af van het weer.", "GOOD", "separable"),
    _nl("uitnodigen", "nodigen", "Ze nodigde hem uit om te komen eten.", "GOOD", "separable"),
    _nl("teruggeven", "geven", "Hij gaf het boek dat hij geleend had, terug.", "GOOD", "separable"),
    # Infinitives and participles with the prefix as a word of its own.
    _nl("opgeven", "geven", "Ze weigerde op te geven.", "GOOD", "separable"),
    _nl("terugkeren", "keren", "Het was tijd om naar huis terug te keren.", "GOOD", "separable"),
    _nl("opgeven", "geven", "Ik denk dat hij het op heeft gegeven.", "GOOD", "separable"),
    _nl("bekendmaken", "maken", "Nadat de uitslag bekend was gemaakt, werd het stil.", "GOOD", "separable"),
    _nl("omkijken", "kijken", "Hij liep door zonder om te kijken.", "BAD"),  # "to look", most of the time
    _nl("omkijken", "kijken", "Ze had geen tijd om om te kijken.", "GOOD", "separable"),
    _nl("doorgaan", "gaan", "We hebben besloten om morgen door te gaan.", "GOOD", "separable"),
    # Prefixes of all kinds.
    _nl("gelijkspelen", "spelen", "De ploegen speelden met 1-1 gelijk.", "GOOD", "separable"),
    _nl("plaatsvinden", "vinden", "Het feest vindt morgen plaats.", "GOOD", "separable"),
    _nl("plaatsvinden", "", "Er vond een ongeluk plaats.", "GOOD", "separable"),
    _nl("deelnemen", "nemen", "Twaalf mensen namen deel aan de cursus.", "GOOD", "separable"),
    _nl("ademhalen", "halen", "Ze haalde diep adem.", "GOOD", "separable"),
    _nl("eruitzien", "zien", "Het huis ziet er goed uit.", "GOOD", "separable"),
    _nl("eruitzien", "", "Ik vind dat het er goed uitziet.", "GOOD", "separable"),
    _nl("ingaan", "gaan", "De directeur ging op alle vragen in.", "GOOD", "separable"),
    # The verb that claims the prefix is the nearer one.
    _nl("opgeven", "", "Hij gaf haar het geld en stond op.", "MISS"),
    _nl("voorkomen", "", "Ze kwam binnen en stelde een uitstapje voor.", "MISS"),
    # A preposition, not a prefix.
    _nl("opgeven", "", "Op die vraag gaf hij geen antwoord.", "MISS"),
    _nl("opstaan", "", "Zij stond op de brug.", "MISS"),
    _nl("uitnemen", "", "Hij nam een boek uit de kast.", "MISS"),
    _nl("aanwerken", "", "Hij werkt aan een roman.", "MISS"),
    # Prepositions that an adverb has left behind.
    _nl("overpraten", "", "Daar praten we morgen over.", "MISS"),
    _nl("aandenken", "", "Waar denk je aan?", "MISS"),
    _nl("inhebben", "", "Hij heeft er geen zin in.", "MISS"),
    # "zijn" is "his" here; "by ...ing" is no prefix.
    _nl("doorwerken", "", "Door te werken verdiende ze geld.", "MISS"),
    _nl("omkomen", "", "Ze had geen tijd om te komen.", "MISS"),
    _nl("voornemen", "", "Hij nam het duel voor Van Dijk waar.", "MISS"),
    _nl("samenmaken", "", "Ik denk dat het klopt, en we werken samen.", "MISS"),
    _nl("heenkijken", "", "Hij volgde het pad en liep om het huis heen.", "MISS"),
    # Adverbs in pairs, set phrases.
    _nl("afkomen", "", "Ze komt af en toe langs.", "MISS"),
    _nl("toekomen", "", "Hij komt alleen af en toe.", "MISS"),
    _nl("afspelen", "", "Hij speelde van jongs af piano.", "MISS"),
]

SEPARABLE_FORMS = [
    _nl("opgeven", "geven", "Ze heeft het plan opgegeven.", "GOOD"),
    _nl("gelijkspelen", "", "Ze hebben gelijkgespeeld.", "GOOD"),
    _nl("plaatsvinden", "", "De vergadering die gisteren plaatsvond, duurde lang.", "GOOD"),
    # Not in the dictionary, or there as another word.
    _nl("stopzetten", "zetten", "De productie werd stopgezet.", "GOOD", "separable_forms"),
    _nl("uitzoeken", "", "Ze heeft een jurk uitgezocht.", "GOOD", "separable_forms"),
    # Joined once, not twice.
    _nl("opopgeven", "", "Ze heeft het plan opgegeven.", "MISS"),
    _nl("geven", "", "Ze heeft het plan opgegeven.", "MISS"),
    # Nouns.
    _nl("opgeven", "", "De opgaven waren moeilijk.", "MISS"),
    _nl("uitgeven", "", "De uitgave is mooi.", "MISS"),
    _nl("aanslaan", "", "De aanslag mislukte.", "MISS"),
]

VERB_FORMS = [
    _nl("staan", "", "Het huis staat op een heuvel.", "GOOD", "verb_forms"),
    _nl("schrijven", "", "De kranten schreven erover.", "GOOD", "verb_forms"),
    _nl("vragen", "", "Hij vroeg de weg.", "GOOD", "verb_forms"),
    _nl("geven", "", "Zij gaven hem een fiets.", "GOOD", "verb_forms"),
    # "vroeg" is "early" here, not a form of "opvragen".
    _nl("opstaan", "staan", "De kinderen stonden vroeg op.", "GOOD", "separable"),
    _nl("oproepen", "roepen", "De vorst riep de staat op.", "GOOD", "separable"),
    _nl("opgeven", "geven", "Hij gaf de reden op.", "GOOD", "separable"),
    _nl("trainen", "", "Ze heeft maanden getraind.", "GOOD", "verb_forms"),
    _nl("vrezen", "", "De gevreesde storm bleef uit.", "GOOD", "verb_forms"),
    _nl("zich kwalificeren", "", "Ze heeft zich voor de finale gekwalificeerd.", "GOOD", "reflexive"),
    _nl("staan", "", "De staten hieven tol.", "MISS"),
    _nl("bekennen", "", "Dat was ons bekend.", "MISS"),  # an adjective that looks like a participle
]

REFLEXIVE_AND_SEPARABLE = [
    _nl("zich voorstellen", "stellen", "We stelden ons een voor een voor.", "GOOD", "reflexive"),
    _nl("zich voorstellen", "stellen", "Hij stelde zich aan de buren voor.", "GOOD", "reflexive"),
    _nl("zich terugtrekken", "trekken", "Ik trok me een paar dagen terug.", "GOOD", "reflexive"),
    _nl("zich terugtrekken", "", "Ik besloot me een paar dagen terug te trekken.", "GOOD", "reflexive"),
    _nl("zich aankleden", "", "Kleed je snel aan!", "GOOD", "reflexive"),
    _nl("zich voorbereiden", "", "Wij hebben ons goed voorbereid.", "GOOD", "reflexive"),
    # Another person's things.
    _nl("zich voorstellen", "", "Hij stelde me aan zijn ouders voor.", "MISS"),
    _nl("zich aankleden", "", "De moeder kleedde ons warm aan.", "MISS"),
]

INVERSION = [
    _nl("uit de mode raken", "raken", "Zulke hoeden raakten al snel uit de mode.", "GOOD", "inversion"),
    _nl("uit de mode raken", "", "Zulke hoeden zijn allang uit de mode geraakt.", "GOOD"),
    _nl("uit de mode raken", "", "Hoeden beginnen uit de mode te raken.", "GOOD", "inversion"),
    _nl(
        "uit de mode raken",
        "",
        "Omdat hoeden uit de mode zijn geraakt, dragen we petten.",
        "GOOD",
        "inversion",
    ),
    _nl("in werking treden", "treden", "De wet treedt in januari in werking.", "GOOD", "inversion"),
    _nl("rekening houden met", "houden", "Hij houdt altijd rekening met zijn buren.", "GOOD", "inversion"),
    _nl("gebruik maken van", "maken", "We maken vaak gebruik van de trein.", "GOOD", "inversion"),
    _nl("op de hoogte brengen", "", "Ze bracht de buren op de hoogte.", "GOOD", "inversion"),
    _nl("op * wensen ingaan", "ingaan", "De kok ging op al onze wensen in.", "GOOD", "separable"),
    _nl("op * wensen ingaan", "", "De kok is op al onze wensen ingegaan.", "GOOD"),
    _nl("de moed opgeven", "opgeven", "Ze gaf na een jaar de moed op.", "GOOD", "separable"),
    _nl("de moed opgeven", "opgeven", "Het is te vroeg om de moed op te geven.", "GOOD", "separable"),
    _nl("houden van", "houden", "Ze houdt nog veel van hem.", "GOOD", "inversion"),
    _nl("houden van", "", "Ik weet dat ze van hem houdt.", "GOOD", "inversion"),
    # The rest stands in another clause, or belongs to something else.
    _nl("uit de mode raken", "", "Ze raakten zoek, toen het uit de mode was.", "MISS"),
    _nl("uit de mode raken", "", "Ze raakten uit de dure mode.", "MISS"),  # a gap, and no wildcard
    _nl("op * wensen ingaan", "", "De kok ging op al onze wensen af.", "MISS"),
    _nl("houden van", "", "Hij hield de hand van zijn moeder.", "MISS"),
]

GUARD = [
    _nl("geven", "", "Ze gaf het plan na lang aarzelen op.", "MISS", "separated_guard"),
    _nl("", "staan", "Hij staat elke ochtend om zes uur op.", "MISS", "separated_guard"),
    _nl("geven", "", "Ze weigerde op te geven.", "MISS", "separated_guard"),
    _nl("hangen", "", "Dat hangt af van het weer.", "MISS", "separated_guard"),
    _nl("zich houden", "", "Hij houdt zich vooral met vogels bezig.", "MISS", "separated_guard"),
    _nl("geven", "", "Ze gaf hem de sleutel.", "GOOD"),
    _nl("geven", "", "Ze gaf hem het geld en stond op.", "GOOD"),
    _nl("geven", "", "Op die vraag gaf hij geen antwoord.", "GOOD"),
    _nl("denken", "", "Waar denk je aan?", "GOOD"),
    _nl("kijken", "", "Ze ging zitten om te kijken.", "GOOD"),
    _nl("lopen", "", "Hij liep naar haar toe.", "GOOD"),
    _nl("komen", "", "Hij komt alleen af en toe.", "GOOD"),
    _nl("hebben", "", "Hij heeft er geen zin in.", "GOOD"),
]

COMPOUND = [
    _nl("bed", "", "Het ziekenhuisbed stond bij het raam.", "GOOD", "compound", "compound"),
    _nl("bank", "", "De tuinbanken zijn nieuw.", "GOOD", "compound", "compound"),
    _nl("bed", "", "Het ziekenhuisbed stond bij het raam.", "MISS"),
    _nl("bed", "", "De bedbank is oud.", "MISS", None, "compound"),  # only as the last part
    _nl("ei", "", "De partij won.", "MISS", None, "compound"),
]

LONGEST = [
    _nl("zandbank", "bank", "Het schip liep op een zandbank.", "GOOD"),
    _nl("bank", "zandbank", "Het schip liep op een zandbank.", "BAD"),
    _nl("bed", "tv-bed", "Ze kochten een tv-bed.", "BAD"),
    _nl("opgeven", "geven", "Ze gaf het plan op.", "GOOD", "separable"),
    _nl("uit de mode raken", "mode / raken", "Hoeden raakten snel uit de mode.", "GOOD", "inversion"),
    _nl("zich voorstellen", "voorstellen", "We stelden ons netjes voor.", "GOOD", "reflexive"),
    # What stands between the pieces of a match is not in it.
    _nl("opgeven", "plan", "Ze gaf het plan snel op.", "UNK", "separable"),
]

WRITING = [
    # Wildcard: any words, also none, but not beyond the sentence.
    _nl("het * woord", "", "Hij heeft het laatste woord.", "GOOD"),
    _nl("het * woord", "", "Zij nam het woord.", "GOOD"),
    _nl("het * woord", "", "Ik hoorde het. Een woord volstaat.", "MISS"),
    # Hyphen and apostrophe end a word; the whole counts too.
    _nl("foto", "", "Ze bekeek de foto's.", "GOOD"),
    _nl("foto", "", "Ze bekeek de foto’s.", "GOOD"),
    _nl("e-mail", "", "Hij stuurde e-mails.", "GOOD"),
    _nl("tv", "", "De tv-gids ligt daar.", "GOOD"),
    _nl("zee-egel", "zee", "Hij trapte op een zee-egel.", "GOOD"),
    # Period, quotes, no-break space, soft hyphen.
    _nl("bank", "", "Hij zat op de bank.", "GOOD"),
    _nl("bank", "", "Hij zei: „bank”, niet ‘oever’.", "GOOD"),
    _nl("rode kaart", "", "Hij kreeg een rode\u00a0kaart.", "GOOD"),
    _nl("ziekenhuis", "", "Het zieken\u00adhuis is vol.", "GOOD"),
    # Diaeresis in two characters, capitals.
    _nl("ziekte", "", "ZIEKTE is geen schande.", "GOOD"),
    _nl("idee", "", "De ideee\u0308n waren goed.", "GOOD"),
    _nl("bank", "", "DE BANK SLUIT.", "GOOD"),
    # Lemma to lemma, word by word.
    _nl("rode kaart", "", "De spelers kregen rode kaarten.", "GOOD"),
    _nl("kind", "", "De kinderen lachten.", "GOOD"),
    # Never a part of a longer word.
    _nl("bank", "", "De bankier lachte.", "MISS"),
    _nl("bank", "", "De databank is vol.", "MISS"),
    _nl("oever", "", "De zeeoeverloper vloog weg.", "MISS"),
    _nl("kom", "", "De komkommer is groen.", "MISS"),
    _nl("rode kaart", "", "Het was rode wijn. De kaart viel.", "MISS"),
    _nl("rode kaart", "", "Een rode nieuwe kaart.", "MISS"),
]

CASES = [
    *REFLEXIVE,
    *SEPARABLE,
    *SEPARABLE_FORMS,
    *VERB_FORMS,
    *REFLEXIVE_AND_SEPARABLE,
    *INVERSION,
    *GUARD,
    *COMPOUND,
    *LONGEST,
    *WRITING,
]


def test_compound_matches_are_flagged() -> None:
    case = _nl("bed", "", "Het ziekenhuisbed stond bij het raam.", "GOOD", "compound", "compound")
    assert [match.flagged for match in judged(case).matches] == [True]
    assert "compound" not in judge("nl").active


def test_spans_of_a_separated_verb() -> None:
    text = "Ze weigerde op te geven."
    (match,) = judged(_nl("opgeven", "geven", text, "GOOD")).matches
    assert [text[start:end] for start, end in match.spans] == ["op", "geven"]
