"""A language in, the program's own words in it out; a ruleset's text may override them under `interpreter`."""

HELP = """\
  NUMBER         choose that option (or type the beginning of what it says)
  ?              this help;  ? NUMBER  explains an option
  why OPTION     why an option is not offered
  explain TEXT   where a number comes from
  u              take your last choice back
  log            the whole log;  table  the table again;  save FILE  a copy of the record
  q              leave; the record stays and can be resumed"""

GERMAN = {
    HELP: """\
  NUMMER         wählt diese Möglichkeit (oder den Anfang ihres Textes eingeben)
  ?              diese Hilfe;  ? NUMMER  erklärt eine Möglichkeit
  why WAS        warum eine Möglichkeit nicht zur Wahl steht
  explain TEXT   woher eine Zahl kommt
  u              nimmt die letzte eigene Wahl zurück
  log            der ganze Bericht;  table  noch einmal der Tisch;  save DATEI  eine Kopie der Aufzeichnung
  q              verlassen; die Aufzeichnung bleibt und kann fortgesetzt werden""",
    "{p} decides": "{p} entscheidet",
    "there are options 1 to {n}": "es gibt die Möglichkeiten 1 bis {n}",
    "which option? type ? and its number": "welche Möglichkeit? ? und ihre Nummer eingeben",
    "(? helps)": "(? hilft)",
    "yes": "ja",
    "no": "nein",
    "and": "und",
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
    "left; go on with: {command}": "verlassen; weiter mit: {command}",
    "recorded in {file}": "aufgezeichnet in {file}",
}

PHRASES: dict[str, dict[str, str]] = {"en": {}, "de": GERMAN}
