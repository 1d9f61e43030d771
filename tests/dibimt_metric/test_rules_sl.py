"""Slovene phenomena with the builtin analyzer: what a rule finds, and what must be left alone."""

from __future__ import annotations

from tests.dibimt_metric.phenomena import Case, judged


def _sl(good: str, bad: str, text: str, label: str, rule: str | None = None) -> Case:
    return Case("sl", good, bad, text, label, rule)


REFLEXIVE = [
    # Next to each other as in the dictionary: found without any rule.
    _sl("vrniti se", "vrniti", "Nikoli več ni hotel vrniti se domov.", "GOOD"),
    _sl("bati se", "", "Boji se teme.", "GOOD"),
    # Second in the clause, the verb right after it, or after auxiliaries.
    _sl("vrniti se", "vrniti", "Jutri se vrne z denarjem.", "GOOD", "reflexive"),
    _sl("vrniti se", "vrniti", "Včeraj se je vrnila z morja.", "GOOD", "reflexive"),
    _sl("vrniti se", "vrniti", "Nikoli se nisem vrnil.", "GOOD", "reflexive"),
    _sl("vrniti se", "vrniti", "Kdaj se boš vrnil?", "GOOD", "reflexive"),
    _sl("vrniti se", "vrniti", "Upam, da bi se čim prej vrnila.", "GOOD", "reflexive"),
    # Far from the verb.
    _sl("znebiti se", "", "Starega avtomobila se je po dolgem oklevanju končno znebil.", "GOOD", "reflexive"),
    _sl("vrniti se", "vrniti", "Otroci so se šele pozno zvečer vrnili domov.", "GOOD", "reflexive"),
    _sl("odločiti se", "", "Vlada se o predlogu še ni odločila.", "GOOD", "reflexive"),
    # After the verb, with auxiliaries between.
    _sl("znebiti se", "", "Znebil sem se ga šele spomladi.", "GOOD", "reflexive"),
    _sl("spomniti se", "", "Spomnila sva se vseh podrobnosti.", "GOOD", "reflexive"),
    _sl("bati se", "", "Bojim pa se, da bo prepozno.", "GOOD", "reflexive"),
    # The particle si.
    _sl("predstavljati si", "predstavljati se", "Kaj si pod tem predstavljate?", "GOOD", "reflexive"),
    _sl("zapomniti si", "", "Tega imena si ne morem zapomniti.", "GOOD", "reflexive"),
    _sl("ogledati si", "ogledati se", "V Parizu smo si ogledali stolnico.", "GOOD", "reflexive"),
    # A clause between particle and verb.
    _sl("potegovati se", "", "Brat se z obljubo, da bo znižal cene, poteguje za župana.", "GOOD", "reflexive"),
    _sl("upreti se", "", "Stanovalci so se policistom, ki so jih iskali, uprli.", "GOOD", "reflexive"),
    _sl("ogledati si", "", "Razstavo si lahko, kadar je odprta, ogledate zastonj.", "GOOD", "reflexive"),
    # Further words, after the verb and before it.
    _sl("dvigniti se v zrak", "dvigniti", "Balon se je počasi dvignil v zrak.", "GOOD", "reflexive"),
    _sl("dvigniti se v zrak", "dvigniti", "Dvignil se je v zrak.", "GOOD", "reflexive"),
    _sl("dvigniti se v zrak", "", "V zrak se je dvignil oblak prahu.", "GOOD", "reflexive"),
    # si and se are two words.
    _sl("predstaviti si", "predstaviti se", "Novi učitelj se je predstavil staršem.", "BAD", "reflexive"),
    _sl("ogledati se", "", "V Parizu smo si ogledali stolnico.", "MISS"),
    _sl("vrniti se", "vrniti", "Hotel si je vrniti ugled.", "BAD"),
    # The particle belongs to another clause, or to the other verb of two.
    _sl("vrniti se", "vrniti", "Ko se je zmračilo, je vrnil knjigo.", "BAD"),
    _sl("vrniti se", "vrniti", "Nasmehnil se je in vrnil knjigo.", "BAD"),
    _sl("vrniti se", "vrniti", "Vrnil je knjigo, ker se je pokvarila.", "BAD"),
    _sl("vrniti se", "vrniti", "Nasmehnil se je. Vrnil je knjigo.", "BAD"),
    # An ordinary subordinate clause is no insertion.
    _sl("potegovati se", "", "Zmotil se je, ko je rekel, da potegujejo vrv.", "MISS"),
    _sl("vrniti se", "", "Bali so se, da ga ne bo, toda vrnil je knjigo.", "MISS"),
    # Further words that stand apart.
    _sl("dvigniti se v zrak", "", "Cene so se v ponedeljek dvignile, zrak pa je čist.", "MISS"),
    # No particle at all.
    _sl("vrniti se", "vrniti", "Knjigo je vrnil včeraj.", "BAD"),
    _sl("vrniti", "vrniti se", "Knjigo je vrnil včeraj.", "GOOD"),
]

INFLECTION = [
    # Cases of nouns.
    _sl("sence", "", "Hladno krpo je držala na levem sencu.", "GOOD", "inflection"),
    _sl("biljard", "", "Večer so preživeli ob pivu in biljardu.", "GOOD", "inflection"),
    _sl("ravnilo", "", "Rob je narisal z ravnilom.", "GOOD", "inflection"),
    _sl("vlečka", "", "Nekdo ji je stopil na vlečko.", "GOOD", "inflection"),
    _sl("goščava", "", "Zajec je izginil v goščavi.", "GOOD", "inflection"),
    _sl("egoizem", "", "Ničesar ne pojasnimo z egoizmom.", "GOOD"),
    _sl("egoizem", "", "Podlegel je egoizmu.", "GOOD", "inflection"),
    _sl("brigadir", "", "Pozdravil je brigadirja.", "GOOD", "inflection"),
    _sl("atelje", "", "Slikarka živi nad ateljejem.", "GOOD", "inflection"),
    # Dual.
    _sl("delavnica", "", "Odprli so jo dve delavnici.", "GOOD"),
    _sl("biljard", "", "V kleti stojita dva biljarda.", "GOOD", "inflection"),
    # Past tense, gender and number, dual.
    _sl("ponarediti", "", "Uradnik je ponaredil podpis.", "GOOD", "inflection"),
    _sl("ponarejati", "", "Tajnica je podpise ponarejala.", "GOOD", "inflection"),
    _sl("vzleteti", "", "Letalo je kljub megli vzletelo.", "GOOD", "inflection"),
    _sl("izvrtati", "", "Hrošči so izvrtali luknje.", "GOOD", "inflection"),
    _sl("pobotati se", "", "Sestri sta se končno pobotali.", "GOOD", "reflexive"),
    _sl("eksplodirati", "", "Tri mine so eksplodirale.", "GOOD", "inflection"),
    # Present and imperative.
    _sl("poležavati", "", "Ob nedeljah poležavava do desetih.", "GOOD", "inflection"),
    _sl("planiti", "", "Planite skozi vrata!", "GOOD", "inflection"),
    # Participles.
    _sl("mobilizirati", "", "Stric je bil mobiliziran pri osemnajstih.", "GOOD", "inflection"),
    _sl("pretihotapiti", "", "Slika je bila pretihotapljena čez mejo.", "GOOD", "inflection"),
    # In an expression.
    _sl("zatožna klop", "klop", "Oklepal se je ograje zatožne klopi.", "GOOD", "inflection"),
    # Not by chance.
    _sl("biljard", "", "Večer je bil dolg.", "MISS"),
    _sl("stati", "", "Kje sta moja copata?", "MISS"),
    _sl("most", "", "Plačali so mostnino.", "MISS"),
    _sl("sencati", "", "V senci je bilo hladno.", "MISS"),
]

HOMOGRAPHS = [
    _sl("popraviti", "", "Mehanik je avto popravil v eni uri.", "GOOD", "homograph"),
    _sl("praviti", "", "Ljudje pravijo marsikaj, on pravi drugače.", "GOOD"),
    _sl("praviti", "", "Tako pravi moja babica.", "GOOD", "homograph"),
    _sl("živeti", "", "Na otoku živi le še en ribič.", "GOOD", "homograph"),
    _sl("trkati", "", "Nekdo je trkal na vrata.", "GOOD"),
    _sl("voditi", "", "Ta pot vodi na vrh.", "GOOD", "homograph"),
    _sl("odmevati", "", "Po dolini odmeva streljanje.", "GOOD", "homograph"),
    _sl("pojasniti", "", "Ministrica je pojasnila razloge.", "GOOD", "homograph"),
    # Still the noun.
    _sl("prava", "", "Prava ni bilo nikjer.", "GOOD"),
    _sl("vodilo", "", "Resnica je njegovo vodilo.", "GOOD"),
    # The form itself is the noun.
    # The dictionary has the participle as an adjective.
    _sl("ponarediti", "", "Podpis je bil ponarejen.", "GOOD", "homograph"),
    _sl("imenovati", "", "Za direktorico so imenovani trije ljudje.", "GOOD", "homograph"),
    _sl("romati", "", "Njen roman je izšel jeseni.", "MISS"),
    _sl("odgovoriti", "", "Kdo je za to odgovoren?", "MISS"),
    _sl("poročiti", "", "Poročilo je dolgo.", "MISS"),
]

SEVERAL_WORDS = [
    _sl("suhi dok", "dok", "Ladjo so popravljali v suhem doku.", "GOOD"),
    _sl("zatožna klop", "klop", "Sedel je na klop.", "BAD"),
    _sl("topniška granata", "granata", "Našli so tri topniške granate.", "GOOD"),
    _sl("železniška postaja", "postaja", "Čakala je pred železniško postajo.", "GOOD"),
    _sl("železniška postaja", "", "Železniška nova postaja.", "MISS"),
    _sl("vložiti * kandidaturo", "", "Vložil je svojo drugo kandidaturo.", "GOOD"),
    _sl("vložiti * kandidaturo", "", "Vložila je kandidaturo.", "GOOD"),
    _sl("vložiti * kandidaturo", "", "Vložil je tožbo. Kandidaturo je umaknil.", "MISS"),
    _sl("vložiti * kandidaturo", "", "Kandidaturo je vložil sosed.", "MISS"),
]

LONGEST = [
    _sl("priti k sebi", "priti", "Ranjenec je prišel k sebi.", "GOOD"),
    _sl("priti k sebi", "priti", "Ranjenec je prišel sam.", "BAD"),
    _sl("most", "paluba", "S palube se je videl most.", "UNK"),
    _sl("most / paluba", "pomol", "S palube se je videl most.", "GOOD"),
    _sl("most", "paluba", "Nič se ni videlo.", "MISS"),
    _sl("bati", "bati se", "Bal se je teme.", "BAD"),
]

WRITING = [
    _sl("most", "", "Šli smo čez most.", "GOOD"),
    _sl("most", "", "Šli smo čez most.Potem je deževalo.", "GOOD"),
    _sl("most", "", "Šli smo čez most...", "GOOD"),
    _sl("klop", "", "Kje je klop?!", "GOOD"),
    # Hyphens and apostrophes.
    _sl("pošta", "", "Prejel sem e-pošto.", "GOOD"),
    _sl("e-pošta", "pošta", "Prejel sem e-pošta sporočilo.", "GOOD"),
    _sl("restavracija", "", "Večerjali so v kavarni\u2011restavraciji.", "GOOD"),
    _sl("Arc", "", "Film o Ivani d\u2019Arc.", "GOOD"),
    # Letters in two characters.
    _sl("šotor", "", "Spali so v s\u030cotoru.", "GOOD"),
    _sl("čopič", "", "C\u030copic\u030c je suh.", "GOOD"),
    # Capitals.
    _sl("banka", "", "BANKA JE ZAPRTA.", "GOOD"),
    _sl("ljubljana", "", "Živi v Ljubljani.", "GOOD"),
    # Quotes, no-break space, soft hyphen, zero-width space.
    _sl("banka", "", "Rekel je: »Banka!«", "GOOD"),
    _sl("banka", "", "Rekel je: „banka“.", "GOOD"),
    _sl("suhi dok", "", "To je suhi\u00a0dok.", "GOOD"),
    _sl("vrniti se", "vrniti", "Jutri se\u00a0vrne.", "GOOD", "reflexive"),
    _sl("knjižnica", "", "V knjiž\u00adnici je mir.", "GOOD"),
    _sl("banka", "", "To je \u200bbanka\u200b.", "GOOD"),
    # Letters with and without a caron are two letters.
    _sl("kos", "", "Kupil je koš.", "MISS"),
    # Never a part of a longer word.
    _sl("miš", "", "Mišica ga boli.", "MISS"),
    _sl("klop", "", "Klopotec je utihnil.", "MISS"),
    _sl("banka", "", "Bankir se smeje.", "MISS"),
    _sl("dok", "", "Doktor je odšel.", "MISS"),
    _sl("se", "", "Sestra spi.", "MISS"),
]

CASES = [*REFLEXIVE, *INFLECTION, *HOMOGRAPHS, *SEVERAL_WORDS, *LONGEST, *WRITING]


def test_spans_of_a_particle_far_from_its_verb() -> None:
    text = "Starega avta se je končno znebil."
    (match,) = judged(_sl("znebiti se", "", text, "GOOD")).matches
    assert [text[start:end] for start, end in match.spans] == ["se", "znebil"]
