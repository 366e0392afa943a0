"""A language in, the program's own words in it out; a ruleset's text may override them under `interpreter`."""

GERMAN = {
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
