"""A checked ruleset in, findings about rules that would take too long out: loops in loops, rules in rules.

The worst case is counted: every loop goes over all it can go over, and every condition is tested.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import prod

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import children_of, place_of, statements_in
from interpreter.checker.graph import Part
from interpreter.checker.sizes import UNKNOWN_ROUNDS, Sizes
from interpreter.checker.types import SetOf
from interpreter.diagnostics import Finding, Report, Span
from interpreter.records import dataclass

MAX_STEPS = 100_000_000  # of one rule text with all it runs and asks for: some 20 million rounds of its loops
MAX_ASKING = 20_000_000  # rounds of loops that ask
MAX_WRITTEN = 50_000  # parts of one formula, with every quantity written out where it is asked for
MAX_ALL_WRITTEN = 1_000_000  # of all texts
MAX_OPTIONS = 10_000  # of all windows
MAX_CHAIN = 40  # rules inside rules
MAX_NEST = 12  # loops inside loops in one text
COMPARED = 8  # members that are looked through in the time of one step
ASKED_ROUNDS = 30  # of a loop that asks, where nothing says how often it goes round
NAMED = 4  # loops or rules that are named in a message


@dataclass(frozen=True, slots=True)
class Loop:
    what: str
    size: int
    at: Span


@dataclass(frozen=True, slots=True)
class Effort:
    steps: int = 1
    written: int = 1  # parts, if everything were written out
    nest: int = 0  # loops inside each other
    loops: tuple[Loop, ...] = ()  # the most expensive nest, outermost first
    asking: tuple[Loop, ...] = ()  # the longest nest of loops that ask: a decision comes between their rounds

    @property
    def rounds(self) -> int:
        return prod(loop.size for loop in self.asking)

    def __add__(self, other: Effort) -> Effort:
        if not other.nest and not other.asking and (self.steps >= other.steps or not (self.loops or other.loops)):
            return Effort(self.steps + other.steps, self.written + other.written, self.nest, self.loops, self.asking)
        more = self if self.steps >= other.steps else other
        longer = self if not other.asking or self.rounds >= other.rounds else other
        nest = max(self.nest, other.nest)
        return Effort(self.steps + other.steps, self.written + other.written, nest, more.loops, longer.asking)

    def times(self, loop: Loop, asks: bool = False) -> Effort:
        if asks:  # how long it goes on is up to the players, if nothing else says it
            known = replace(loop, size=ASKED_ROUNDS) if loop.size == UNKNOWN_ROUNDS else loop
            return Effort(self.steps, self.written, self.nest + 1, self.loops, (known, *self.asking))
        return Effort(self.steps * loop.size, self.written, self.nest + 1, (loop, *self.loops), self.asking)


NOTHING = Effort(0, 0)
ONE = Effort()
# Looked up by type, since most values of a ruleset are neither.
_WITH_RULES = frozenset({t.Fold, t.Asked, t.NetworkQuestion})
_SEARCHED = frozenset({t.SetFunction, t.Function, t.Entry, t.Comparison, t.OfField})


def total(efforts: Iterable[Effort], start: Effort = NOTHING) -> Effort:
    for effort in efforts:
        start += effort
    return start


def check_effort(checked: c.Checked, report: Report, bottom_up: Iterable[Part]) -> None:
    efforts = Efforts(checked, report)
    for part in bottom_up:
        efforts.add(part)
    efforts.count_options()


class Efforts:
    """What everything efforts. Parts come in an order in which each follows those it uses."""

    def __init__(self, checked: c.Checked, report: Report) -> None:
        self.checked = checked
        self.report = report
        self.sizes = Sizes(checked)
        self.known: dict[Part, Effort] = {}
        self.chains: dict[Part, tuple[Part, ...]] = {}
        self.used: set[Part] = set()
        self.asking: set[Part] = set()
        self.written = 0
        self.told_chain = False

    def add(self, part: Part) -> None:
        self.used = set()
        section, name = part
        match section:
            case "quantities":
                effort = self.quantity(self.checked.quantities[name])
            case "routines":
                effort = total(self.block(step.body) for step in self.checked.routines[name].steps)
            case "moments":
                effort = total(self.reaction(reaction) for reaction in self.checked.moments[name].reactions)
            case "networks":
                network = self.checked.networks[name]
                ends = total(self.value(end) for end in network.ends)
                effort = self.clause(network.edges, ends, "edges") + Effort(self.sizes.kind(network.nodes))
            case _:
                effort = self.window(self.checked.windows[name])
        self.known[part] = self.judged(effort, place_of(self.checked, part))
        self.written += self.known[part].written
        if self.written > MAX_ALL_WRITTEN:
            message = "all these quantities that ask for quantities grow too large together"
            hint = "name what is asked for more than once with `let`"
            self.report.add(Finding("F110", place_of(self.checked, part), message, hint))
            self.written = 0
        self.follow(part)
        if section == "windows" or (section != "quantities" and self.used & self.asking):
            self.asking.add(part)

    def count_options(self) -> None:
        """Offers at any window stand in every window."""
        options = [option for window in self.checked.windows.values() for option in window.options]
        if len(options) > MAX_OPTIONS:
            message = f"there are {len(options):,} options in all windows together, but {MAX_OPTIONS:,} are possible"
            hint = "offer them at fewer windows"
            self.report.add(Finding("F110", options[-1].at, message, hint))

    def follow(self, part: Part) -> None:
        """How deep rules lie inside each other here."""
        longest = max((self.chains.get(used, ()) for used in sorted(self.used)), key=len, default=())
        chain = (part, *longest)
        if len(chain) > MAX_CHAIN and not self.told_chain:
            self.told_chain = True  # all that use this one lie deeper still
            names = [f"'{name}'" for _, name in chain[:NAMED]]
            message = f"more than {MAX_CHAIN} rules lie inside each other here: {', '.join(names)} and so on"
            hint = "let some of them do the work of those they use"
            self.report.add(Finding("F110", place_of(self.checked, part), message, hint))
        self.chains[part] = chain

    def use(self, part: Part) -> Effort:
        self.used.add(part)
        return self.known.get(part, ONE)

    def judged(self, effort: Effort, at: Span) -> Effort:
        """The effort, if it can be borne; what was told once is not told again for all that use it."""
        bearable = effort.steps <= MAX_STEPS and effort.rounds <= MAX_ASKING
        if bearable and effort.written <= MAX_WRITTEN and effort.nest <= MAX_NEST:
            return Effort(effort.steps, effort.written, 0, effort.loops, effort.asking)
        if effort.steps > MAX_STEPS and effort.loops:
            self.too_long(effort.steps, effort.loops, MAX_STEPS)
        elif effort.rounds > MAX_ASKING:
            self.too_long(effort.rounds, effort.asking, MAX_ASKING)
        elif effort.nest > MAX_NEST:
            message = f"more than {MAX_NEST} loops lie inside each other here"
            self.report.add(Finding("F109", at, message, "make procedures or quantities of the inner ones"))
        else:
            message = "this asks for quantities that ask for quantities, several times each, and grows too large"
            self.report.add(Finding("F110", at, message, "name what is asked for more than once with `let`"))
        return ONE

    def too_long(self, steps: int, loops: tuple[Loop, ...], limit: int) -> None:
        first, *rest = [loop for loop in loops if loop.size > 1] or list(loops)
        sizes = " × ".join(f"{loop.size:,}" for loop in (first, *rest[: NAMED - 1]))
        more = " × …" if len(rest) >= NAMED else ""
        message = f"this may take {steps:,} steps, because loops lie inside each other: {sizes}{more} rounds"
        hint = f"go over fewer things at once; at most {limit:,} steps are possible"
        notes = tuple((loop.at, f"{loop.what} goes round {loop.size:,} times") for loop in rest[: NAMED - 1])
        self.report.add(Finding("F109", first.at, message, hint, notes))

    # ------------------------------------------------------------ declarations
    def quantity(self, quantity: c.Quantity) -> Effort:
        effort = self.formula(quantity.formula)
        for modifier in quantity.modifiers:
            each = self.formula(modifier.source.in_force) + self.value(modifier.to)
            each += NOTHING if modifier.when is None else self.value(modifier.when)
            effort += self.carried(each, modifier.source)
        return effort

    def reaction(self, reaction: c.Reaction) -> Effort:
        each = self.formula(reaction.source.in_force) + self.block(reaction.body)
        each += NOTHING if reaction.when is None else self.value(reaction.when)
        return self.carried(each, reaction.source)

    def carried(self, each: Effort, source: c.Source) -> Effort:
        """An effect counts once for every thing that carries it, and is written out for each."""
        size = self.sizes.carriers(source)
        if size <= 1:
            return each
        loop = Loop(f"'{source.label}'", size, source.at)
        return replace(each.times(loop), written=each.written * size, nest=each.nest)

    def window(self, window: c.Window) -> Effort:
        """Options are listed one after the other; what happens when one is chosen is a text of its own."""
        effort = total(self.formula(formula) for _, formula in window.keeps) + self.formula(window.limit)
        for option in window.options:
            listed = self.judged(self.option(option), option.at)
            done = self.judged(self.block(option.do), option.at)
            effort += listed + done
        return effort + self.block(window.after)

    def option(self, option: c.Option) -> Effort:
        effort = total((self.formula(formula) for _, formula in option.when), ONE)
        for source, when, _ in option.forbids:
            test = self.formula(source.in_force) + (NOTHING if when is None else self.value(when))
            effort += self.carried(test, source)
        for variable, formula in reversed(option.picks):
            size = self.sizes.of(formula.value)
            loop = Loop(f"the pick '{variable.name}'", size, formula.value.at)
            effort = self.formula(formula) + effort.times(loop)
        if option.source is None:
            return effort
        return self.carried(effort + self.formula(option.source.in_force), option.source)

    # ------------------------------------------------------------ statements
    def block(self, block: t.Block) -> Effort:
        return total(self.statement(statement) for statement in block)

    def statement(self, statement: t.Statement) -> Effort:
        match statement:
            case t.Let(value=value) | t.SetLocal(value=value):
                return self.value(value)
            case t.SetState(target=target, value=value):
                return self.value(target) + self.value(value)
            case t.Move(amount=amount, source=source, target=target):
                return self.value(amount) + self.value(source) + self.value(target)
            case t.If(branches=branches, otherwise=otherwise):
                tests = total(self.value(condition) for condition, _ in branches)
                return total((self.block(body) for body in (*(b for _, b in branches), otherwise)), tests)
            case t.For(clause=clause, body=body):
                return self.clause(clause, self.block(body), f"'for {clause.variable.name}'", self.asks(body))
            case t.While(condition=condition, body=body):
                rounds = ONE + self.value(condition) + self.block(body)
                return rounds.times(Loop("'while'", UNKNOWN_ROUNDS, statement.at), self.asks(body))
            case t.Repeat(times=times, body=body):
                rounds = ONE + self.block(body)
                loop = Loop("'repeat'", self.sizes.up_to(times), statement.at)
                return self.value(times) + rounds.times(loop, self.asks(body))
            case t.Run(routine=name, args=args):
                return self.called(("routines", name), args)
            case t.Announce(moment=name, args=args):
                return self.called(("moments", name), args)
            case t.Ask(window=name, args=args):
                self.use(("windows", name))
                return total((self.value(arg) for arg in args), ONE)
            case t.Clear(owner=owner) if owner is not None:
                return self.value(owner)
            case _:
                return ONE

    def asks(self, block: t.Block) -> bool:
        for statement in statements_in(block):
            match statement:
                case t.Ask():
                    return True
                case t.Run(routine=name) if ("routines", name) in self.asking:
                    return True
                case t.Announce(moment=name) if ("moments", name) in self.asking:
                    return True
        return False

    # ------------------------------------------------------------ values
    def formula(self, formula: t.Formula | None) -> Effort:
        if formula is None:
            return NOTHING
        return total((self.value(let.value) for let in formula.lets), self.value(formula.value))

    def called(self, part: Part, args: tuple[t.Value, ...]) -> Effort:
        inside = self.use(part)
        if part[0] != "quantities":  # only formulas are written out where they are used
            inside = Effort(inside.steps, 1, inside.nest, inside.loops, inside.asking)
        return total((self.value(arg) for arg in args), ONE + inside)

    def clause(self, clause: t.Clause, body: Effort, what: str, asks: bool = False) -> Effort:
        parts = [key.value for key in clause.keys] + ([clause.where] if clause.where is not None else [])
        loop = Loop(what, self.sizes.of(clause.source), clause.at)
        source, tests = self.value(clause.source), total(self.value(part) for part in parts)
        if asks:
            return source + (ONE + tests).times(loop) + body.times(loop, asks=True)
        return source + (ONE + tests + body).times(loop)

    def value(self, value: t.Value) -> Effort:
        kind = type(value)
        if kind in _WITH_RULES:
            return self.asked(value)
        effort = Effort(1 + self.searched(value)) if kind in _SEARCHED else ONE
        for part in children_of(value):
            effort += self.value(part)
        return effort

    def asked(self, value: t.Value) -> Effort:
        match value:
            case t.Fold(how=how, body=body, clause=clause):
                return self.clause(clause, ONE if body is None else self.value(body), f"'{how}'")
            case t.Asked(quantity=name, args=args):
                return self.called(("quantities", name), args)
            case t.NetworkQuestion(network=name, network_args=first, args=second):
                return self.called(("networks", name), (*first, *second))
        raise AssertionError(value)

    def searched(self, value: t.Value) -> int:
        """Steps that are not loops of the author: members looked through, lists made."""
        match value:
            case t.SetFunction(name="+" | "-", args=(left, right)):
                return self.sizes.of(left) * self.sizes.of(right) // COMPARED
            case t.SetFunction(args=(whole,)) | t.Function(name="position", args=(_, whole)):
                return self.sizes.of(whole) // COMPARED
            case t.Entry(table=table) if isinstance(table.type, SetOf):
                return self.sizes.of(table) // COMPARED
            case t.Comparison(op="in" | "not in", right=right) if not isinstance(right, t.AllOf | t.Numbers):
                return self.sizes.of(right) // COMPARED
            case t.OfField(kind=kind):
                return self.sizes.kind(kind) // COMPARED
            case _:
                return 0
