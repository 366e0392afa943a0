"""A scenario in, findings out (none: it passed): sets the state up, makes the steps, compares."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter import Derivation, Event, Game, GameStopped, Impossible, Option, Ruleset
from interpreter.compiler.extension import TextInvalid
from interpreter.diagnostics import Finding, Span, did_you_mean
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence
from interpreter.runtime.machine import TEXT
from interpreter.runtime.scenario import Clause, Scenario, ShapeTrouble, as_mapping, as_text, as_texts, read_settings

Tell = Callable[[Game, list[Event]], list[str]]  # events -> log lines; given by the views, which runtime does not know


class Failed(Exception):
    """The scenario goes no further; carries its finding."""

    def __init__(
        self, code: str, span: Span, message: str, hint: str | None = None, related: Span | None = None
    ) -> None:
        super().__init__(message)
        places = () if related is None else ((related, "this rule stopped it"),)
        self.finding = Finding(code, span, message, hint, places)


@dataclass(slots=True)
class _Stage:
    """The game under rehearsal and everything that was told so far."""

    game: Game
    tell: Tell
    events: list[Event] = field(default_factory=list)

    def hear(self) -> None:
        self.events.extend(self.game.events)


def rehearse(scenario: Scenario, ruleset: Ruleset, tell: Tell) -> list[Finding]:
    """Play the scenario; every expectation that does not hold is a finding at its own line."""
    try:
        stage = _Stage(_begin(scenario, ruleset), tell)
        stage.hear()
        for path, value in scenario.given:
            _set(stage, path, value)
        _check_invariants(stage.game, scenario)
        for clause in scenario.when:
            _step(stage, clause)
    except (Failed, ShapeTrouble) as trouble:
        return [trouble.finding]
    findings = []
    for clause in scenario.then:
        try:
            findings += _expect(stage, clause)
        except (Failed, ShapeTrouble) as trouble:
            findings.append(trouble.finding)
    return findings


@contextmanager
def _blaming(node: Node, code: str = "C105") -> Iterator[None]:
    """Whatever the game says about a text of the scenario is said at that text."""
    try:
        yield
    except Impossible as trouble:
        raise Failed("C103", node.span, str(trouble)) from None
    except TextInvalid as trouble:
        found = trouble.finding
        raise Failed(found.code, _inside(node, found.span), found.message, found.hint) from None
    except GameStopped as trouble:
        found = trouble.finding
        elsewhere = found.span if found.span.file != TEXT else None  # else it is the text itself
        raise Failed(code, node.span, f"{found.code} {found.message}", found.hint, elsewhere) from None


def _inside(node: Node, span: Span) -> Span:
    """A place in a text, as a place in the file the text stands in."""
    if not isinstance(node, Scalar):
        return node.span
    lines = node.text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: span.line - 1]) + span.col - 1
    line, col = node.locate(offset)
    return Span(
        node.span.file, line, col, line, col + max(1, span.end_col - span.col if span.end_line == span.line else 1)
    )


def _check_invariants(game: Game, scenario: Scenario) -> None:
    broken = game.broken() if scenario.given else []
    if broken:
        places = game.machine.info["invariants"]
        raise Failed(
            "C104",
            scenario.given[0][0].span,
            f"this state cannot be: {', '.join(broken)} does not hold",
            "set what belongs to it as well, so that the invariant holds again",
            related=Span(*places[broken[0]]),
        )


def _begin(scenario: Scenario, ruleset: Ruleset) -> Game:
    """A fresh game with the players and options asked for."""
    seats = scenario.players
    count = len(seats) if isinstance(seats, tuple) else seats or max(ruleset.players)
    if count not in ruleset.players:
        counts = ", ".join(map(str, ruleset.players))
        raise Failed("C102", scenario.span, f"'{ruleset.id}' is not for {count} players", f"it is for {counts}")
    if isinstance(seats, tuple):
        expected = tuple(ruleset.seats[:count])
        if set(seats) != set(expected):
            raise Failed(
                "C102",
                scenario.span,
                f"with {count} players the seats are {', '.join(expected)}, not {', '.join(seats)}",
            )
    for name, value in scenario.options.items():
        if name not in ruleset.options:
            raise Failed(
                "C102", scenario.span, f"'{ruleset.id}' has no option '{name}'", did_you_mean(name, ruleset.options)
            )
        values = [str(known) for known in ruleset.options[name]]
        if value not in values:
            raise Failed("C102", scenario.span, f"option '{name}' cannot be '{value}'", did_you_mean(value, values))
    with _blaming(scenario.at):
        return ruleset.new_game(players=count, seed=scenario.seed, options=scenario.options, told=True)


def _set(stage: _Stage, path: Scalar, node: Node) -> None:
    with _blaming(path):
        stage.game.set(path.text, read_value(node))


def _step(stage: _Stage, clause: Clause) -> None:
    match clause.verb:
        case "set":
            for path, node in read_settings(clause.node):
                _set(stage, path, node)
        case "run":
            with _blaming(clause.node):
                stage.game.run(as_text(clause.node))
            stage.hear()
        case _:
            _choose(stage, clause)


def _choose(stage: _Stage, clause: Clause) -> None:
    seat, option = _read_choice(clause.node)
    decision = stage.game.decision
    if decision is None:
        raise Failed("C105", clause.span, "nobody is asked anything here")
    if seat is not None and seat not in stage.game.seats:
        raise Failed("C105", clause.span, f"no seat is called '{seat}'; there are {', '.join(stage.game.seats)}")
    if seat is not None and decision.seat != seat:
        raise Failed("C105", clause.span, f"it is {decision.seat} who is asked ({decision.window}), not {seat}")
    with _blaming(clause.node):
        refusal = stage.game.choose(option)
    if refusal is not None:
        hint = _offered_hint(option, decision.options)
        raise Failed("C105", clause.node.span, refusal.message, None if hint in refusal.message else hint)
    stage.hear()


def _read_choice(node: Node) -> tuple[str | None, str]:
    if isinstance(node, Mapping):
        parts = _parts(node, ("seat", "option"), needed=("option",))
        return (as_text(parts["seat"]) if "seat" in parts else None), as_text(parts["option"])
    return None, as_text(node)


def _offered_hint(option: str, offered: Iterable[Option]) -> str:
    ids = [each.id for each in offered]
    return did_you_mean(option, ids) or f"offered: {', '.join(ids[:12])}{' …' if len(ids) > 12 else ''}"


def _expect(stage: _Stage, clause: Clause) -> list[Finding]:
    """What one expectation finds wrong."""
    game, node = stage.game, clause.node
    match clause.verb:
        case "equal":
            return [finding for key, value in read_settings(node) for finding in _expect_equal(game, key, value)]
        case "offered":
            return _expect_offered(game, clause)
        case "only_offered":
            return _expect_only_offered(game, clause)
        case "not_offered":
            return _expect_not_offered(game, clause)
        case "log":
            return [finding for text in as_texts(node) for finding in _expect_log(stage, text, node.span)]
        case "explain":
            return _expect_explanation(game, clause)
        case "asks":
            return _expect_asked(game, clause)
        case "ranks":
            return _expect_ranks(game, clause)
        case "absent":
            return [finding for name in as_texts(node) for finding in _expect_absent(game, name, node.span)]
        case "seen" | "hidden":
            return _expect_sight(game, clause)
        case _:
            wanted = read_value(node)
            return [] if game.finished is wanted else [_differs("finished", wanted, game.finished, node.span)]


def _expect_ranks(game: Game, clause: Clause) -> list[Finding]:
    if game.result is None:
        return [Finding("C106", clause.span, "the game is not over, so nobody is ranked")]
    ranks = {standing.seat: standing.rank for standing in game.result.standings}
    pairs = [(key, read_value(value)) for key, value in read_settings(clause.node)]
    return [
        _differs(f"rank of {key.text}", rank, ranks.get(key.text), key.span)
        for key, rank in pairs
        if ranks.get(key.text) != rank
    ]


def _expect_absent(game: Game, name: str, span: Span) -> list[Finding]:
    """The game must know nothing of this name: no kind, thing, window, option, phase, moment, quantity or constant."""
    info = game.machine.info
    known = {f"a {section[:-1]}": info[section] for section in ("kinds", "phases", "moments", "constants")}
    known["a quantity"] = info["quantities"]
    known["a thing"] = [thing for kind in info["kinds"].values() for thing in kind["things"]]
    known["a field"] = [field for kind in info["kinds"].values() for field in kind["fields"]]
    known["a window"] = [window["name"] for window in info["windows"]]
    known["an option"] = [option["name"] for window in info["windows"] for option in window["options"]]
    found = [what for what, names in known.items() if name in names]
    return [Finding("C106", span, f"'{name}' is {found[0]} of this game")] if found else []


def _expect_sight(game: Game, clause: Clause) -> list[Finding]:
    """Fields that a seat can or cannot see; where no seat is named, none of them and nobody who watches."""
    parts = _parts(as_mapping(clause.node), ("seat", "fields"), needed=("fields",))
    seats = [as_text(parts["seat"])] if "seat" in parts else [*game.seats, None]
    wanted, findings = clause.verb == "seen", []
    for path in as_texts(parts["fields"]):
        with _blaming(parts["fields"]):
            wrong = [seat or "whoever watches" for seat in seats if game.sees(seat, path) is not wanted]
        if wrong:
            says = f"{', '.join(wrong)} {'cannot' if wanted else 'can'} see '{path}'"
            findings.append(Finding("C106", parts["fields"].span, says))
    return findings


def _expect_equal(game: Game, key: Scalar, node: Node) -> list[Finding]:
    with _blaming(key):
        got = game.evaluate(key.text)
    wanted = read_value(node)
    return [] if same_value(got, wanted) else [_differs(key.text, wanted, got, node.span)]


def _expect_offered(game: Game, clause: Clause) -> list[Finding]:
    seat, option = _read_choice(clause.node)
    decision = game.decision
    asked = decision.seat if decision else "nobody"
    if decision is None or (seat is not None and seat != asked):
        return [_differs("who is asked", seat or "somebody", asked, clause.span)]
    ids = [each.id for each in decision.options]
    if option in ids:
        return []
    with _blaming(clause.node):
        reason = game.why_not(option).message
    return [
        Finding(
            "C106", clause.node.span, f"'{option}' is not offered: {reason}", _offered_hint(option, decision.options)
        )
    ]


def _expect_only_offered(game: Game, clause: Clause) -> list[Finding]:
    """Exactly these options, in any order."""
    offered = {each.id for each in game.decision.options} if game.decision else set()
    wanted = set(as_texts(clause.node))
    differences = (("missing", wanted - offered), ("offered too", offered - wanted))
    return [
        Finding("C106", clause.node.span, f"{what}: {', '.join(sorted(options))}")
        for what, options in differences
        if options
    ]


def _expect_not_offered(game: Game, clause: Clause) -> list[Finding]:
    parts = _parts(as_mapping(clause.node), ("seat", "option", "because"), needed=("option",))
    option = as_text(parts["option"])
    decision = game.decision
    asked = decision.seat if decision else "nobody"
    if "seat" in parts and as_text(parts["seat"]) != asked:
        return [_differs("who is asked", as_text(parts["seat"]), asked, clause.span)]
    if decision is not None and option in [each.id for each in decision.options]:
        return [Finding("C106", clause.node.span, f"'{option}' is offered to {asked}")]
    if "because" not in parts:
        return []
    with _blaming(clause.node):
        answer = game.why_not(option)
    failing = [one.name for one in answer.clauses if not one.holds]
    said = failing or answer.message  # without clauses the reason is a sentence: any words of it will do
    missing = [one for one in as_texts(parts["because"]) if one not in said]
    return (
        [
            _differs(
                f"why '{option}' is not offered",
                ", ".join(missing),
                ", ".join(failing) or answer.message,
                parts["because"].span,
            )
        ]
        if missing
        else []
    )


def _expect_log(stage: _Stage, text: str, span: Span) -> list[Finding]:
    lines = stage.tell(stage.game, stage.events)
    if any(text in line for line in lines):
        return []
    return [
        Finding("C106", span, f"no line of the log has '{text}'", f"the last lines: {' / '.join(lines[-4:]) or 'none'}")
    ]


def _expect_explanation(game: Game, clause: Clause) -> list[Finding]:
    parts = _parts(as_mapping(clause.node), ("of", "mentions"), needed=("of", "mentions"))
    with _blaming(parts["of"]):
        told = "\n".join(_flatten(game.explain(as_text(parts["of"]))))
    missing = [text for text in as_texts(parts["mentions"]) if text not in told]
    return [
        Finding("C106", parts["mentions"].span, f"the explanation does not mention '{text}'", told.replace("\n", " / "))
        for text in missing
    ]


def _flatten(node: Derivation) -> list[str]:
    place = f"{node.place[0]}:{node.place[1]}" if node.place else ""
    line = f"{node.value} {node.text} {place} {' '.join(node.ref)}{' assumed' if node.assumed else ''}"
    return [line, *(text for child in node.children for text in _flatten(child))]


def _expect_asked(game: Game, clause: Clause) -> list[Finding]:
    """Who is asked and where; `nobody` where nothing is to be decided."""
    decision = game.decision
    if isinstance(clause.node, Scalar) and clause.node.text == "nobody":
        asked = f"{decision.seat} ({decision.window})" if decision else "nobody"
        return [] if decision is None else [_differs("who is asked", "nobody", asked, clause.span)]
    parts = _parts(as_mapping(clause.node), ("seat", "window"), needed=())
    got = {"seat": decision.seat if decision else None, "window": decision.window if decision else None}
    return [
        _differs(key, as_text(node), got[key], node.span) for key, node in parts.items() if as_text(node) != got[key]
    ]


def _parts(node: Mapping, known: tuple[str, ...], needed: tuple[str, ...]) -> dict[str, Node]:
    for key, entry in node.entries.items():
        if key not in known:
            raise ShapeTrouble(entry.key.span, f"unknown key '{key}'", did_you_mean(key, known))
    for key in needed:
        if key not in node.entries:
            raise ShapeTrouble(node.span, f"'{key}' is missing")
    return {key: entry.node for key, entry in node.entries.items()}


def _differs(what: str, wanted: object, got: object, span: Span) -> Finding:
    return Finding("C106", span, f"{what}: expected {show(wanted)}, got {show(got)}")


def read_value(node: Node) -> object:
    """A value as the game knows it: number, flag, id, none, or a list of those."""
    match node:
        case Sequence(items=items):
            return [read_value(item) for item in items]
        case Scalar(value="none" | None):
            return None
        case Scalar(value=value):
            return value
        case _:
            raise ShapeTrouble(node.span, "expected a value or a list of values")


def same_value(got: object, wanted: object) -> bool:
    """Equal, and not true for 1."""
    if isinstance(got, list | tuple) and isinstance(wanted, list):
        return len(got) == len(wanted) and all(same_value(one, other) for one, other in zip(got, wanted, strict=True))
    return isinstance(got, bool) == isinstance(wanted, bool) and got == wanted


def show(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return f"[{', '.join(map(show, value))}]"
        case _:
            return str(value)
