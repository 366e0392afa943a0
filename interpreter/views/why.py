"""Why an option is offered or not in, text out: the reason as players say it, the rules, and what was computed."""

import textwrap

from interpreter.runtime.questions import WhyNot, fill_gaps
from interpreter.views.explain import draw_derivation
from interpreter.views.tables import Paint, plain
from interpreter.views.words import Words


def draw_why(
    id_: str,
    answer: WhyNot,
    window: str,
    words: Words,
    width: int = 100,
    paint: Paint = plain,
    edge: int | None = None,
    open_to_all: bool = False,
) -> list[str]:
    """The option and the reason, the rules it comes from, then every clause: those that fail with their derivation.

    Unless it is open to all, nothing is told of clauses that read what is hidden from some seat, and a clause that
    holds is told by its words (a reason that does not apply) where it has some.
    """
    option, *given = id_.replace(",", " ").split() or [""]
    picks = dict(part.partition("=")[::2] for part in given)
    lines = (
        [paint(words.option(window, option, picks), "bold")] if answer.clauses or answer.offered else []
    )  # it could be read
    failing = [words.clause(window, option, name) for name in answer.failing]
    lines.append("; ".join(failing) if failing else fill_gaps(words.own(answer.sentence), answer.values))
    if answer.ref:
        lines.append(paint(", ".join(answer.ref), "dim"))
    for clause in answer.clauses:
        if clause.holds:
            continue
        lines.append(f"{paint(words.own('no'), 'red')} {clause.name}")
        for child in clause.derivation.children if open_to_all or not clause.hidden else []:
            drawn = draw_derivation(child, width - 4, paint, edge=edge and edge - 4, words=words)
            lines.append(textwrap.indent(drawn, "    "))
    holding = [clause.name for clause in answer.clauses if clause.holds]
    told = {} if open_to_all else {name: words.clause_text(window, option, name) for name in holding}
    reasons = [text for text in told.values() if text]
    if reasons:
        lines.append(f"{paint(words.own('does not apply:'), 'green')} {'; '.join(reasons)}")
    bare = [name for name in holding if not told.get(name)]
    return [*lines, f"{paint(words.own('yes'), 'green')} {', '.join(bare)}"] if bare else lines
