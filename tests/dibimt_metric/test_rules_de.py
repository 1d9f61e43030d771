"""German, phenomenon by phenomenon, by the builtin analyzer: what rules find and what they leave alone."""

from __future__ import annotations

from tests.dibimt_metric.phenomena import Case, judge, judged


def _de(good: str, bad: str, text: str, label: str, rule: str | None = None, *enable: str) -> Case:
    return Case("de", good, bad, text, label, rule, enable)


REFLEXIVE = [
    _de("sich freuen", "", "Ich freue mich auf den Sommer.", "GOOD", "reflexive"),
    _de("sich freuen", "", "Freust du dich auf das Fest?", "GOOD", "reflexive"),
    _de("sich freuen", "", "Wir haben uns sehr über deinen Brief gefreut.", "GOOD", "reflexive"),
    _de("sich freuen", "", "Ihr freut euch bestimmt schon.", "GOOD", "reflexive"),
    _de("sich freuen", "", "Ich glaube, dass sich die Kinder darüber freuen.", "GOOD", "reflexive"),
    # Adjacent as in the dictionary: found without any rule, too.
    _de("sich erinnern", "", "Er konnte sich erinnern.", "GOOD"),
    _de("sich erinnern", "erinnern", "Daran erinnere ich mich noch genau.", "GOOD", "reflexive"),
    _de("sich waschen", "", "Er bat mich, mich vor dem Essen zu waschen.", "GOOD", "reflexive"),
    # The second verb shares the subject of the first.
    _de("sich waschen", "", "Ich stand auf und wusch mich mit kaltem Wasser.", "GOOD", "reflexive"),
    # Imperatives have no subject.
    _de("sich beeilen", "", "Beeilt euch!", "GOOD", "reflexive"),
    _de("sich beeilen", "", "Bitte beeile dich ein wenig.", "GOOD", "reflexive"),
    _de("sich Sorgen machen", "", "Sie macht sich seit Wochen große Sorgen.", "GOOD", "reflexive"),
    _de("sich Sorgen machen", "", "Sie macht sich Sorgen um ihren Bruder.", "GOOD", "reflexive"),
    _de("sich zur Wehr setzen", "", "Wir setzten uns gegen die Vorwürfe zur Wehr.", "GOOD", "reflexive"),
    # Inventories put the governed preposition last.
    _de("sich verlassen auf", "verlassen", "Ich verlasse mich ganz auf dich.", "GOOD", "reflexive"),
    # Not reflexive: the pronoun is another person than the subject.
    _de("sich erinnern", "", "Er erinnerte mich an meinen Vater.", "MISS"),
    _de("sich erinnern", "erinnern", "Das Lied erinnert uns an den Krieg.", "BAD"),
    _de("sich waschen", "", "Die Schwester wusch mich jeden Morgen.", "MISS"),
    # The subject that agrees stands in another clause.
    _de("sich erinnern", "", "Er erinnerte mich daran, dass ich noch arbeiten musste.", "MISS"),
    _de("sich erinnern", "", "Ich lachte, aber er erinnerte mich an mein Versprechen.", "MISS"),
    # A question is no imperative.
    _de("sich erinnern", "", "Erinnert dich das an etwas?", "MISS"),
    _de("sich waschen", "", "Sie wusch mir die Haare.", "MISS"),
    # The pronoun belongs to the verb on the other side of the conjunction.
    _de("sich waschen", "", "Er setzte sich hin und wusch das Geschirr.", "MISS"),
    _de("sich bewegen", "", "Der Zug hielt, und er bewegte die Hand.", "MISS"),
]

SEPARABLE = [
    _de("zurücklegen", "legen", "Die Karawane legte jeden Tag fast 100 Meilen zurück.", "GOOD", "separable"),
    _de("aufgeben", "", "Gib nicht auf!", "GOOD", "separable"),
    _de("anrufen", "", "Rufst du mich morgen an?", "GOOD", "separable"),
    _de("ablehnen", "", "Der Ausschuss lehnte den Antrag ab, weil das Geld fehlte.", "GOOD", "separable"),
    _de("aufstehen", "", "Sie stand auf und ging zum Fenster.", "GOOD", "separable"),
    _de("ausgehen", "", "Das Licht ging aus oder wurde gelöscht.", "GOOD", "separable"),
    _de("einschlafen", "", "Als ich nach Hause kam, schlief das Kind gerade ein.", "GOOD", "separable"),
    # Infinitives may follow without a comma, comparisons without any mark.
    _de("aufhören", "", "Er hörte auf zu rauchen.", "GOOD", "separable"),
    _de("aussehen", "", "Das Haus sieht aus wie ein Schloss.", "GOOD", "separable"),
    # A relative clause lies between; its verb before the comma is no owner of the prefix.
    _de("zurückgeben", "geben", "Er gab das Buch, das er geliehen hatte, zurück.", "GOOD", "separable"),
    _de("zurücklegen", "", "Sie legte Äpfel, Birnen und Bananen zurück.", "GOOD", "separable"),
    # An ordinal number ends no sentence.
    _de("abreisen", "", "Die Gäste reisten am 13. November ab.", "GOOD", "separable"),
    _de("vorlesen", "", "Die Lehrerin las aus „Faust“ vor.", "GOOD", "separable"),
    # Prefixes that only the candidate knows.
    _de("lahmlegen", "", "Der Sturm legte den ganzen Verkehr lahm.", "GOOD", "separable"),
    _de("stattfinden", "", "Das Konzert findet morgen statt.", "GOOD", "separable"),
    _de("teilnehmen", "", "An dem Kurs nahmen zwölf Leute teil.", "GOOD", "separable"),
    _de("kennenlernen", "lernen", "So lernten wir einander kennen.", "GOOD", "separable"),
    # Spelling variants: prefix and verb as two words.
    _de("kennenlernen", "lernen", "Dort haben wir uns kennen gelernt.", "GOOD", "separable"),
    _de(
        "zusammenarbeiten",
        "arbeiten",
        "Sie weigerten sich, mit uns zusammen zu arbeiten.",
        "GOOD",
        "separable",
    ),
    _de("eingehen", "", "Der Chef ging auf alle Fragen ein.", "GOOD", "separable"),
    # The verb that claims the prefix is the nearer one.
    _de("aufgeben", "", "Er gab ihr das Geld und stand auf.", "MISS"),
    _de("vorkommen", "", "Sie kam herein und schlug einen Ausflug vor.", "MISS"),
    _de("einsagen", "", "„Das sagt nichts“, räumte der Minister ein.", "MISS"),
    # A preposition, not a prefix.
    _de("abfallen", "", "Ab Oktober fallen die Preise.", "MISS"),
    _de("anstehen", "", "Sie stand an der Tür.", "MISS"),
    _de("aufgeben", "", "Auf diese Frage gab er keine Antwort.", "MISS"),
    _de("ausnehmen", "", "Er nahm ein Buch aus dem Regal.", "MISS"),
    # Adverbs in pairs, set phrases.
    _de("abkommen", "", "Er kommt ab und zu vorbei.", "MISS"),
    _de("zukommen", "", "Sie kommt nur ab und zu.", "MISS"),
    _de("mitgehen", "", "Der Hund geht mit und ohne Leine.", "MISS"),
    _de("anspielen", "", "Er spielte von Anfang an.", "MISS"),
    _de("vorschreiben", "", "Schwarze Zahlen schreibt nach wie vor die Bank.", "MISS"),
    _de("auslesen", "", "Sie las aus „Faust“.", "MISS"),
    _de("vorkommen", "", "Er kommt vor- und nachmittags.", "MISS"),
    # The prefix belongs to a later verb, or to another clause.
    _de("umsehen", "", "Seht her, um zu lernen.", "MISS"),
    _de("warmkommen", "", "Sie kam ins Haus, um sich warm zu halten.", "MISS"),
    _de("ausdenken", "", "Ich denke, das Spiel ist aus.", "MISS"),
    _de("einmeinen", "", "Ich meine, dass wir gehen, und schlafe ein.", "MISS"),
    # A participle before a noun is no verb in second place.
    _de("ausgründen", "", "Das wirkt sich auf gegründete Firmen aus.", "MISS"),
    # The noun "Stellen" is no form of "stellen".
    _de("anstellen", "", "Die Bank strich viele Stellen, die Kunden riefen an.", "MISS"),
    _de("abteilen", "", "Ein Teil bricht ab.", "MISS"),
]

SEPARABLE_FORMS = [
    _de("zurücklegen", "", "Sie haben über hundert Meilen zurückgelegt.", "GOOD"),
    _de("zurücklegen", "", "Es gelang ihnen, die Strecke zurückzulegen.", "GOOD"),
    # Not in the dictionary, or there as another word.
    _de("zurücklegen", "legen", "Weil er den Weg zu Fuß zurücklegte, kam er spät.", "GOOD", "separable_forms"),
    _de("zurücklegen", "", "Die täglich zurückgelegten Meilen wurden gezählt.", "GOOD", "separable_forms"),
    _de("anvertrauen", "", "Er hat mir ein Geheimnis anvertraut.", "GOOD", "separable_forms"),
    _de("aufgeben", "geben", "Sie hat den Plan aufgegeben.", "GOOD"),
    _de("aufgeben", "geben", "Sie weigerte sich aufzugeben.", "GOOD"),
    _de("teilnehmen", "nehmen", "Er hat daran teilgenommen.", "GOOD"),
    # Joined once, not twice.
    _de("aufaufgeben", "", "Sie hat den Plan aufgegeben.", "MISS"),
    _de("legen", "", "Die Strecke, die er zurücklegte, war lang.", "MISS"),
    # Nouns.
    _de("aufgeben", "", "Die Aufgaben waren schwer.", "MISS"),
    _de("zugehen", "", "Die Zugehörigkeit zur Kirche spielt keine Rolle.", "MISS"),
]

VERB_FORMS = [
    # The dictionary gives these to other words, or to none.
    _de("stehen", "", "Er stand vor dem Haus.", "GOOD", "verb_forms"),
    _de("brechen", "", "Das Eis brach unter ihm.", "GOOD", "verb_forms"),
    _de("fallen", "", "Der Apfel fällt vom Baum.", "GOOD", "verb_forms"),
    _de("stehen", "", "Wir haben stundenlang gestanden.", "GOOD", "verb_forms"),
    _de("brauchen", "", "Das haben wir nicht gebraucht.", "GOOD", "verb_forms"),
    _de("freuen", "", "Das hat alle gefreut.", "GOOD", "verb_forms"),
    _de("ändern", "", "Die Lage hat sich geändert.", "GOOD"),
    _de("verachten", "", "Sie haben ihn immer verachtet.", "GOOD", "verb_forms"),
    _de("massieren", "", "Sie hat mir den Rücken massiert.", "GOOD", "verb_forms"),
    _de("sich entscheiden", "", "Wir haben uns längst entschieden.", "GOOD", "reflexive"),
    _de("ertrinken", "", "Er ist im See ertrunken.", "GOOD", "verb_forms"),
    _de("bekennen", "", "Das war uns bekannt.", "MISS"),  # an adjective that looks like a participle
    _de("aufstehen", "stehen", "Er stand früh auf.", "GOOD", "separable"),
    _de("abbrechen", "brechen", "Sie brach das Gespräch ab.", "GOOD", "separable"),
    _de("stehen", "", "Der Stand der Dinge ist unklar.", "MISS"),
    _de("brechen", "", "Die Brache lag hinter dem Hof.", "MISS"),
    _de("fällen", "", "Das Haus gefiel ihm.", "MISS"),
]

REFLEXIVE_AND_SEPARABLE = [
    _de("sich vorstellen", "stellen", "Sie stellten uns nicht vor.", "MISS"),
    _de("sich vorstellen", "stellen", "Wir stellten uns der Reihe nach vor.", "GOOD", "reflexive"),
    _de("sich vorstellen", "", "Stell dich bitte kurz vor!", "GOOD", "reflexive"),
    _de("sich ausruhen", "", "Nach dem Essen ruhte sie sich eine Stunde aus.", "GOOD", "reflexive"),
    _de("sich ausruhen", "", "Ich muss mich dringend ausruhen.", "GOOD", "reflexive"),
    _de("sich zurückziehen", "", "Ich beschloss, mich für einige Tage zurückzuziehen.", "GOOD", "reflexive"),
    _de("sich anziehen", "anziehen", "Zieh dich warm an, es ist kalt.", "GOOD", "reflexive"),
    _de("sich durchsetzen", "sich setzen", "Der Vorschlag setzte sich am Ende durch.", "GOOD", "reflexive"),
    # Another person's things.
    _de("sich anziehen", "", "Sie zog mich aus dem Wasser.", "MISS"),
    _de("sich vorstellen", "", "Er stellte mich seinen Eltern vor.", "MISS"),
]

INVERSION = [
    _de(
        "aus der Mode kommen",
        "kommen",
        "Solche Hüte kamen schon vor Jahren aus der Mode.",
        "GOOD",
        "inversion",
    ),
    _de("aus der Mode kommen", "", "Wann kommt das endlich aus der Mode?", "GOOD", "inversion"),
    _de("aus der Mode kommen", "", "Solche Hüte sind längst aus der Mode gekommen.", "GOOD"),
    _de("aus der Mode kommen", "", "Solche Hüte begannen aus der Mode zu kommen.", "GOOD", "inversion"),
    _de("aus der Mode kommen", "", "Aus der Mode kamen sie erst später.", "GOOD"),
    _de("in Kraft treten", "", "Das Gesetz tritt im Januar in Kraft.", "GOOD", "inversion"),
    _de("zur Verfügung stellen", "", "Die Stadt stellt den Raum kostenlos zur Verfügung.", "GOOD", "inversion"),
    _de("Rad fahren", "", "Im Urlaub fahren wir viel Rad.", "GOOD", "inversion"),
    _de("spazieren gehen", "gehen", "Abends gingen sie am Ufer spazieren.", "GOOD", "inversion"),
    _de("auf * Wünsche eingehen", "", "Der Wirt ging auf alle unsere Wünsche ein.", "GOOD", "separable"),
    _de("auf * Wünsche eingehen", "", "Der Wirt ist auf alle unsere Wünsche eingegangen.", "GOOD"),
    _de("auf * Wünsche eingehen", "", "Man muss auf ihre Wünsche eingehen.", "GOOD"),
    _de("in Betracht ziehen", "ziehen", "Wir zogen auch einen Umzug in Betracht.", "GOOD", "inversion"),
    _de(
        "ans Tageslicht bringen",
        "",
        "Die Untersuchung brachte neue Fakten ans Tageslicht.",
        "GOOD",
        "inversion",
    ),
    _de("warten auf", "", "Ich warte schon lange auf dich.", "GOOD", "inversion"),
    # The rest stands in another clause.
    _de("aus der Mode kommen", "", "Sie kamen, als der Hut aus der Mode war.", "MISS"),
    _de("aus der Mode kommen", "", "Sie kamen zu spät und gingen aus der Mode­abteilung.", "MISS"),
    _de("aus der Mode kommen", "", "Die Frauen kamen aus der neuen Mode.", "MISS"),  # a gap, and no wildcard
    _de("in Kraft treten", "", "Sie traten in den Saal voller Kraft.", "MISS"),
    _de("auf * Wünsche eingehen", "", "Der Wirt ging auf alle unsere Wünsche zu.", "MISS"),
    _de("warten auf", "", "Ich warte hier, bis du auf dem Bahnsteig bist.", "MISS"),
]

GUARD = [
    _de("geben", "", "Sie gab den Plan nach langem Zögern auf.", "MISS", "separated_guard"),
    _de("geben", "", "Er gab das Buch, das er geliehen hatte, zurück.", "MISS", "separated_guard"),
    _de("", "stehen", "Er steht jeden Morgen um sechs auf.", "MISS", "separated_guard"),
    _de("sich setzen", "", "Der Vorschlag setzte sich am Ende durch.", "MISS", "separated_guard"),
    _de("kündigen", "", "Der Minister kündigte eine Reform an.", "MISS", "separated_guard"),
    _de("lernen", "", "Wir haben uns in Rom kennen gelernt.", "MISS", "separated_guard"),
    _de("geben", "", "Sie gab ihm den Schlüssel.", "GOOD"),
    _de("geben", "", "Sie gab ihm das Geld und stand auf.", "GOOD"),
    _de("geben", "", "Auf diese Frage gab er keine Antwort.", "GOOD"),
    _de("kommen", "", "Er kommt gleich.", "GOOD"),  # an adverb, although there is "gleichkommen"
    _de("kommen", "", "Sie kommt nur ab und zu.", "GOOD"),
    _de("sehen", "", "Ich sah das Kind, das Licht ging an.", "GOOD"),
    _de("Stelle", "", "Sie trat eine neue Stelle an.", "GOOD"),
    _de("Stelle", "", "Die Firma bietet offene Stellen an.", "GOOD"),
    _de("spielen", "", "Er spielte von Anfang an.", "GOOD"),
]

COMPOUND = [
    _de("Zuweisung", "", "Die Stationszuweisung erfolgt morgen.", "GOOD", "compound", "compound"),
    _de("Bank", "", "Auf der Gartenbank saß eine Katze.", "GOOD", "compound", "compound"),
    # the dictionary writes these verbs with ß, the keys have ss
    _de("abschließen", "schließen", "Er schließt die Tür ab.", "GOOD", "separable"),
    _de("abschließen", "schließen", "Wir schlossen den Vertrag gestern ab.", "GOOD", "separable"),
    _de("sich anschließen", "schließen", "Er schließt sich der Gruppe an.", "GOOD", "reflexive"),
    _de("", "schließen", "Er schließt die Tür ab.", "MISS"),
    # the candidate for the whole word is the longer match
    _de("Holzkohle", "Kohle", "Wir grillen mit Holzkohle.", "GOOD", None, "compound"),
    _de("Bank", "", "Die Gartenbänke sind neu.", "MISS"),
    _de("Zuweisung", "", "Die Stationszuweisung erfolgt morgen.", "MISS"),
    _de("Bank", "", "Der Bankräuber entkam.", "MISS", None, "compound"),  # only as the last part
    _de("Ei", "", "Die Partei gewann.", "MISS", None, "compound"),  # too short to be told from a syllable
]

LONGEST = [
    _de("zurücklegen", "legen", "Sie legten die Strecke in zwei Tagen zurück.", "GOOD", "separable"),
    _de("Sandbank", "Bank", "Das Schiff lief auf eine Sandbank.", "GOOD"),
    _de("Bank", "Sandbank", "Das Schiff lief auf eine Sandbank.", "BAD"),
    _de("Bahn", "U-Bahn", "Wir nahmen die U-Bahn.", "BAD"),
    _de("U-Bahn", "Bahn", "Wir nahmen die U-Bahn bis zur Bahn.", "UNK"),  # and once by itself
    _de("aus der Mode kommen", "Mode / kommen", "Hüte kamen bald aus der Mode.", "GOOD", "inversion"),
    _de("sich vorstellen", "vorstellen", "Wir stellten uns nacheinander vor.", "GOOD", "reflexive"),
    # What stands between the pieces of a match is not in it.
    _de("zurücklegen", "Strecke", "Sie legten die Strecke schnell zurück.", "UNK", "separable"),
]

WRITING = [
    # Wildcard: any words, also none, but not beyond the sentence.
    _de("das * Wort", "", "Er hat das letzte Wort.", "GOOD"),
    _de("das * Wort", "", "Sie ergriff das Wort.", "GOOD"),
    _de("das * Wort", "", "Ich mag das. Ein Wort genügt.", "MISS"),
    _de("in * Hinsicht", "", "Das ist in mancher Hinsicht neu.", "GOOD"),
    # Hyphen and apostrophe end a word; the whole counts too.
    _de("Bahn", "", "Die U-Bahn kam.", "GOOD"),
    _de("E-Mail", "", "Er schrieb mir E-Mails.", "GOOD"),
    _de("gehen", "", "Wie geht’s dir?", "GOOD"),
    _de("Bank", "", "Die Bank‑Filiale schließt.", "GOOD"),  # no-break hyphen
    # Period, quotes, no-break space, soft hyphen, zero-width space.
    _de("Bank", "", "Sie saß auf der Bank.", "GOOD"),
    _de("Bank", "", "Er sagte: „Bank“, nicht »Ufer«.", "GOOD"),
    _de("schwarzes Brett", "", "Es hängt am schwarzen\u00a0Brett.", "GOOD"),
    _de("Donaudampfschiff", "", "Das Donau\u00addampf\u00adschiff legt an.", "GOOD"),
    _de("Bank", "", "Die \u200bBank\u200b schließt.", "GOOD"),
    # ß and ss, old spelling, umlauts in two characters, capitals.
    _de("Schloss", "", "Das Schloß steht am See.", "GOOD"),
    _de("Schloß", "", "Die Schlösser stehen am See.", "GOOD"),
    _de("Straße", "", "Die Strasse ist leer.", "GOOD"),
    _de("Maßnahme", "", "Die Massnahmen wirken.", "GOOD", "spelling"),
    _de("wissen", "", "Er wußte es nicht.", "GOOD", "spelling"),
    _de("Maß", "", "Die Masse tobte.", "MISS"),  # the dictionary has the word as it is written
    _de("Schuss", "", "Man hörte zwei Schüsse.", "GOOD"),
    _de("Tür", "", "Die Tu\u0308r klemmt.", "GOOD"),
    _de("Tu\u0308r", "", "Die Türen klemmen.", "GOOD"),
    _de("Bank", "", "DIE BANK SCHLIESST.", "GOOD"),
    _de("schließen", "", "DIE BANK SCHLIESST HEUTE.", "GOOD"),
    _de("Bank", "", "ALLE BANKEN SCHLIESSEN.", "GOOD"),
    _de("bank", "", "Die Banken schließen.", "GOOD"),
    # Lemma to lemma, word by word.
    _de("schwarzes Brett", "", "An den schwarzen Brettern hing nichts.", "GOOD"),
    _de("rote Karte", "", "Der Spieler sah die Rote Karte.", "GOOD"),
    # Never a part of a longer word.
    _de("Bank", "", "Der Bankräuber entkam.", "MISS"),
    _de("Bank", "", "Die Datenbank ist voll.", "MISS"),
    _de("Ufer", "", "Das Hufeisen bringt Glück.", "MISS"),
    _de("kommen", "", "Das Kommando wartete.", "MISS"),
    _de("Rat", "", "Die Ratte lief weg.", "MISS"),
    _de("Schloss", "", "Der Schlosser kam.", "MISS"),
    # Neither across a sentence border nor with other words between.
    _de("schwarzes Brett", "", "Es war schwarz. Das Brett brach.", "MISS"),
    _de("schwarzes Brett", "", "Ein schwarzes altes Brett.", "MISS"),
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
    case = _de("Zuweisung", "", "Die Stationszuweisung erfolgt morgen.", "GOOD", "compound", "compound")
    assert [match.flagged for match in judged(case).matches] == [True]
    assert "compound" not in judge("de").active


def test_spans_of_a_separated_verb() -> None:
    text = "Sie legte den Weg zurück."
    (match,) = judged(_de("zurücklegen", "legen", text, "GOOD")).matches
    assert [text[start:end] for start, end in match.spans] == ["legte", "zurück"]
    assert match.text == "legte den Weg zurück"
