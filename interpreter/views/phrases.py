"""A language in, the program's own words in it out; a ruleset's text may override them under `interpreter`."""

HELP = """\
  NUMBER         choose that option (or type the beginning of what it says)
  ? NUMBER       explains an option;  ? NAME  what something does
  why OPTION     why an option is not offered (why alone: how they are written)
  explain TEXT   where a number comes from
  u              take your last choice back
  t, t NAME      all tables, or one of them
  b              the board and the question again
  log, log 20    the whole log, or its last lines
  save FILE      a copy of the record
  q              leave; the record stays and can be resumed"""

GERMAN = {
    HELP: """\
  NUMMER         wählt diese Möglichkeit (oder den Anfang ihres Textes eingeben)
  ? NUMMER       erklärt eine Möglichkeit;  ? NAME  was etwas bewirkt
  why WAS        warum etwas nicht zur Wahl steht (nur why: wie man es schreibt)
  explain TEXT   woher eine Zahl kommt
  u              nimmt die letzte eigene Wahl zurück
  t, t NAME      alle Tabellen oder eine davon
  b              noch einmal die Übersicht und die Frage
  log, log 20    der ganze Bericht oder seine letzten Zeilen
  save DATEI     eine Kopie der Aufzeichnung
  q              verlassen; die Aufzeichnung bleibt und kann fortgesetzt werden""",
    "{p} decides": "{p} entscheidet",
    "there are options 1 to {n}": "es gibt die Möglichkeiten 1 bis {n}",
    "which option? type ? and its number": "welche Möglichkeit? ? und ihre Nummer eingeben",
    "nothing more is said about '{text}'; ? 1 explains option 1": "zu '{text}' steht nichts weiter da; ? 1 erklärt 1",
    "which option? e.g. why {option}": "welche Möglichkeit? zum Beispiel: why {option}",
    "(? helps)": "(? hilft)",
    "'{text}' may be any of {n} options; type its number": "'{text}' kann {n} Möglichkeiten meinen; gib die Nummer ein",
    "'{text}' is no option and no command": "'{text}' ist keine Möglichkeit und kein Befehl",
    "did you mean {hint}": "meinst du {hint}",
    "? helps, and why {text} may tell why not": "? hilft, und why {text} sagt vielleicht, warum nicht",
    "explain what? a field, a quantity or any expression of the rules": (
        "was erklären? ein Feld, eine Größe oder einen Ausdruck der Regeln"
    ),
    "that would tell what is hidden from somebody": "das würde verraten, was vor jemandem verborgen ist",
    "this game is not recorded": "dieses Spiel wird nicht aufgezeichnet",
    "everything is saved already, in {file}": "alles ist schon gesichert, in {file}",
    "a copy is in {file}": "eine Kopie liegt in {file}",
    "'{file}' exists already and is no earlier copy of this game; choose another name": (
        "'{file}' gibt es schon, und es ist keine frühere Kopie dieses Spiels; wähle einen anderen Namen"
    ),
    "cannot write '{file}': {trouble}": "'{file}' kann nicht geschrieben werden: {trouble}",
    "… {n} lines before (log {all})": "… {n} Zeilen davor (log {all})",
    "page {n} of {all}: + shows the next": "Seite {n} von {all}: + zeigt die nächste",
    "there is nothing in it": "sie ist leer",
    "tables: {names}": "Tabellen: {names}",
    "once": "das ist schon geschehen",
    "in force": "was es anbietet, ist nicht in Kraft",
    "forbidden": "etwas verbietet das jetzt",
    "does not apply:": "trifft nicht zu:",
    "yes": "ja",
    "no": "nein",
    "and": "und",
    "assumed": "angenommen",
    "before effects": "ohne Effekte",
    "it is offered": "das steht zur Wahl",
    "'{option}' is not offered now": "'{option}' steht jetzt nicht zur Wahl",
    "the game is over, so nothing can be chosen": "das Spiel ist vorbei, es gibt nichts mehr zu wählen",
    "the window '{window}' has no option '{option}'; it has {known}": (
        "'{option}' gibt es bei dieser Frage nicht, sondern {known}"
    ),
    "'{option}' belongs to the window '{other}', which is not open now": (
        "'{option}' gehört zu '{other}', und das ist jetzt nicht an der Reihe"
    ),
    "'{option}' has no pick '{pick}'; it has {known}": "zu '{option}' gehört kein '{pick}', sondern {known}",
    "'{option}' needs {pick}=…, one of {possible}": "zu '{option}' gehört {pick}=…, eines von {possible}",
    "'{word}' is not a {kind}; possible: {possible}": "'{word}' passt dort nicht; möglich: {possible}",
    "{pick} cannot be picked here; possible: {possible}": "{pick} steht hier nicht zur Wahl; möglich: {possible}",
    "Result": "Ergebnis",
    "rank": "Rang",
    "seat": "Platz",
    "score": "Wertung",
    "wins": "gewinnt",
    "win": "gewinnen",
    "nobody wins": "niemand gewinnt",
    "{p} takes a choice back": "{p} nimmt eine Wahl zurück",
    "{p}: press Enter when only you can see this": "{p}: drücke Enter, wenn nur du das hier siehst",
    "there is no choice of yours to take back": "es gibt keine eigene Wahl, die zurückgenommen werden kann",
    "that choice cannot be taken back: others have chosen since then, and this game hides something": (
        "diese Wahl kann nicht zurückgenommen werden: andere haben seitdem gewählt, und dieses Spiel verbirgt etwas"
    ),
    "that choice cannot be taken back: something came to light by it": (
        "diese Wahl kann nicht zurückgenommen werden: durch sie ist etwas ans Licht gekommen"
    ),
    "{n} players, seed {seed}": "{n} Spieler, Zufallszahl {seed}",
    "{n} players, after {count|# choice|# choices}": "{n} Spieler, nach {count|# Entscheidung|# Entscheidungen}",
    "left; go on with: {command}": "verlassen; weiter mit: {command}",
    "left; this game was not recorded": "verlassen; dieses Spiel wurde nicht aufgezeichnet",
    "recorded in {file}": "aufgezeichnet in {file}",
}

ENGLISH = {
    "once": "that has been done already",
    "in force": "what offers it is not in force",
    "forbidden": "something forbids it now",
}
PHRASES: dict[str, dict[str, str]] = {"en": ENGLISH, "de": GERMAN}
