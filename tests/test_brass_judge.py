"""Brass a second time: the rules written down in Python, run beside the ruleset, and compared at every decision.

What is printed (map, cards, counters) comes from the ruleset; what happens is told here anew. At every decision both
must ask the same seat the same question with the same answers, and everything that lies open must lie alike.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, Ruleset, load

ROOT = Path(__file__).resolve().parent.parent
PRICES = [1, 1, 2, 2, 3, 3, 4, 4]
BONUS = [3, 3, 2, 2, 1, 1, 0, 0]
AMOUNT = [n - 10 for n in range(10)] + [0] + [n for n in range(1, 11) for _ in range(2)]
AMOUNT += [n for n in range(11, 21) for _ in range(3)] + [n for n in range(21, 30) for _ in range(4)] + [30] * 3
ASIDE = {(3, "canal"): 9, (3, "rail"): 6, (4, "canal"): 6, (4, "rail"): 2}
INDUSTRIES = ("cotton_mill", "port", "coal_mine", "iron_works", "shipyard")
YIELDS = {"coal_mine": "coal", "iron_works": "iron"}
VIRTUAL = {"liverpool": "birkenhead", "birkenhead": "liverpool"}
PORT_FIRST = {"lancaster_2": "lancaster_1", "preston_2": "preston_1"}
OUTSIDE = ("scotland", "yorkshire", "midlands")
TWO_CIRCLES = (*OUTSIDE, "blackpool", "southport", "northwich")
PRINTED = {
    "counter": ("industry", "level", "supply", "cost", "income", "points", "coal", "iron", "cubes"),
    "space": ("location", "suits"),
    "link": ("one_end", "other_end", "rail"),
    "card_type": ("location", "industry"),
}
LYING = ("owner", "counter", "flipped", "cubes")

Question = tuple[str, str, set[str]]
Asking = Generator[Question, str, Any]


class Judge:
    """One game of Brass: a coroutine that asks what the rules ask, and the board it plays on."""

    def __init__(self, game: Game) -> None:
        self.game, self.seats = game, list(game.seats)
        self.counters: dict[str, dict[str, Any]] = facts(game, "counter")
        self.spaces = facts(game, "space")
        self.links = facts(game, "link")
        self.cards = facts(game, "card_type")
        self.on: dict[str, list[Any]] = {}  # space -> [owner, counter, flipped, cubes]
        self.owner: dict[str, str] = {}  # link -> player
        self.stacks = {(p, i): self.full_stack(i) for p in self.seats for i in INDUSTRIES}
        self.cash = dict.fromkeys(self.seats, 30)
        self.spent = dict.fromkeys(self.seats, 0)
        self.space = dict.fromkeys(self.seats, 10)
        self.points = dict.fromkeys(self.seats, 0)
        self.hands: dict[str, Counter[str]] = {}
        self.track = {"coal": 8, "iron": 8}
        self.cotton, self.period, self.round, self.deck, self.actions, self.rails = 0, "canal", 0, 0, 0, 0
        first = game.evaluate("the(p in players by lowest p.order)")
        at = self.seats.index(first)
        self.order = self.seats[at:] + self.seats[:at]

    def full_stack(self, industry: str) -> list[str]:
        own = sorted((c["level"], name) for name, c in self.counters.items() if c["industry"] == industry)
        return [name for _, name in own for _ in range(self.counters[name]["supply"])]

    # ---- asking
    def ask(self, seat: str, window: str, options: set[str]) -> Asking:
        if len(options) == 1:
            return next(iter(options))
        return (yield seat, window, options)

    # ---- the order of play
    def play(self) -> Asking:
        rounds = {3: 10, 4: 8}[len(self.seats)]
        for self.period in ("canal", "rail"):
            self.deck = 66 - ASIDE[len(self.seats), self.period]
            self.hands = {p: Counter() for p in self.seats}
            self.tiles = Counter([0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4])
            self.draw()
            for self.round in range(1, rounds + 1):
                for p in self.order:
                    yield from self.collect(p)
                for p in self.order:
                    yield from self.turn(p)
                self.order.sort(key=lambda p: self.spent[p])
                self.spent = dict.fromkeys(self.seats, 0)
                self.draw()
            assert self.deck == 0 and not any(self.hands[p].total() for p in self.seats)
            for p in self.seats:
                self.points[p] += self.score(p)
            if self.period == "canal":
                self.owner = {}
                self.on = {x: it for x, it in self.on.items() if self.counters[it[1]]["level"] > 1}
                self.cotton = 0

    def draw(self) -> None:
        if self.deck == 0:
            return
        for p in self.order:
            seen_by_owner = self.game.observe(p)["card"].items()
            held = Counter(card.rpartition(".")[0] for card, it in seen_by_owner if it["holder"] == p)
            drawn = held - self.hands[p]
            assert self.hands[p] <= held
            assert drawn.total() == min(8 - self.hands[p].total(), self.deck)
            self.deck -= drawn.total()
            self.hands[p] = held

    def collect(self, p: str) -> Asking:
        amount = AMOUNT[self.space[p]]
        while amount < 0 and self.cash[p] + amount < 0 and any(it[0] == p for it in self.on.values()):
            own = {f"give_up x={x}" for x, it in self.on.items() if it[0] == p}
            x = (yield from self.ask(p, "give_up_counter", own)).partition("=")[2]
            self.cash[p] += self.counters[self.on.pop(x)[1]]["cost"] // 2
        self.cash[p] += amount

    def turn(self, p: str) -> Asking:
        self.actions = 1 if (self.period, self.round) == ("canal", 1) else 2
        while self.actions:
            t = (yield from self.ask(p, "play_card", {f"play t={t}" for t in self.hands[p] if self.hands[p][t]}))[7:]
            self.hands[p][t] -= 1
            self.actions -= 1
            yield from self.act(p, t)

    def act(self, p: str, t: str) -> Asking:
        looked = False
        while True:
            builds, anywhere = self.builds(p, t), self.builds(p, None)
            rails, loans = self.possible_links(p, 0), self.loans(p)
            tops = self.tops(p) if self.price("iron") == 0 or self.price("iron") <= self.cash[p] else set()
            options = builds | rails | {f"develop c={c}" for c in tops} | loans
            options |= {"sell"} if self.sales(p) else set()
            options |= {"combine"} if self.actions and anywhere and not looked else set()
            if not options:
                return
            option = yield p, "act", options | {"done"}
            name, picks = parse(option)
            if name == "combine":
                looked = True
                option = yield p, "build_anywhere", anywhere | {"done"}
                if option == "done":
                    continue
                name, picks = parse(option)
                yield from self.build(p, picks["c"], picks["x"])
                self.actions -= 1
                cards = {f"give_up t={t2}" for t2 in self.hands[p] if self.hands[p][t2]}
                t2 = (yield from self.ask(p, "give_up_card", cards)).partition("=")[2]
                self.hands[p][t2] -= 1
            elif name == "build":
                yield from self.build(p, picks["c"], picks["x"])
            elif name == "link":
                yield from self.lay(p, picks["l"], 0)
                more = self.possible_links(p, 1) if self.period == "rail" else set()
                if more and (option := (yield p, "second_rail", more | {"done"})) != "done":
                    yield from self.lay(p, parse(option)[1]["l"], 1)
            elif name == "develop":
                yield from self.develop(p, picks["c"])
                free = self.price("iron") == 0 or self.price("iron") <= self.cash[p]
                more = {f"develop c={c}" for c in self.tops(p)} if free else set()
                if more and (option := (yield p, "develop_more", more | {"done"})) != "done":
                    yield from self.develop(p, parse(option)[1]["c"])
            elif name == "sell":
                yield from self.sell(p)
            elif name == "loan":
                for _ in range(int(picks["n"])):
                    self.space[p] = max(s for s in range(100) if AMOUNT[s] == AMOUNT[self.space[p]] - 1)
                self.cash[p] += 10 * int(picks["n"])
            return

    # ---- places and ways
    def ends(self, link: str) -> tuple[str, str]:
        return self.links[link]["one_end"], self.links[link]["other_end"]

    def ways(self, *starts: str) -> dict[str, int]:
        """How many constructed links away everything is from the nearer of some places."""
        far, queue = dict.fromkeys(starts, 0), deque(starts)
        while queue:
            here = queue.popleft()
            for link in self.owner:
                one, other = self.ends(link)
                for a, b in ((one, other), (other, one)):
                    if a == here and b not in far:
                        far[b] = far[a] + 1
                        queue.append(b)
        return far

    def linked(self, p: str) -> set[str]:
        return {a for link, q in self.owner.items() if q == p for a in self.ends(link)}

    def standing(self, p: str) -> set[str]:
        return {self.spaces[x]["location"] for x, it in self.on.items() if it[0] == p}

    def industry(self, x: str) -> str:
        return self.counters[self.on[x][1]]["industry"]

    def at_port(self, *starts: str) -> bool:
        ports = {self.spaces[x]["location"] for x in self.on if self.industry(x) == "port"} | set(OUTSIDE)
        return bool(ports & set(self.ways(*starts)))

    # ---- cubes
    def price(self, m: str) -> int:
        if m == "iron" and self.sources("iron"):
            return 0
        return PRICES[8 - self.track[m]] if self.track[m] else 5

    def sources(self, m: str, *ends: str) -> set[str]:
        with_cubes = [x for x, it in self.on.items() if it[3] and YIELDS.get(self.industry(x)) == m]
        if m == "iron":
            return set(with_cubes)
        far = self.ways(*ends)
        reached = {x: far[self.spaces[x]["location"]] for x in with_cubes if self.spaces[x]["location"] in far}
        return {x for x, n in reached.items() if n == min(reached.values())}

    def coal_price(self, *ends: str) -> int | None:
        """None: no coal can be brought there."""
        if self.sources("coal", *ends):
            return 0
        return self.price("coal") if self.at_port(*ends) else None

    def use(self, p: str, m: str, *ends: str) -> Asking:
        found = self.sources(m, *ends)
        if found:
            window, option = {"coal": ("coal_from", "mine"), "iron": ("iron_from", "works")}[m]
            x = (yield from self.ask(p, window, {f"{option} x={x}" for x in found})).partition("=")[2]
            self.take(x)
        else:
            self.pay(p, self.price(m))
            self.track[m] = max(0, self.track[m] - 1)

    def take(self, x: str) -> None:
        self.on[x][3] -= 1
        if self.on[x][3] == 0:
            self.flip(x)

    def flip(self, x: str) -> None:
        p, c, flipped, _ = self.on[x]
        assert not flipped
        self.on[x][2] = True
        self.space[p] = min(99, self.space[p] + self.counters[c]["income"])

    def pay(self, p: str, n: int) -> None:
        assert 0 <= n <= self.cash[p]
        self.cash[p] -= n
        self.spent[p] += n

    # ---- industries
    def tops(self, p: str) -> set[str]:
        return {self.stacks[p, i][0] for i in INDUSTRIES if self.stacks[p, i]}

    def builds(self, p: str, t: str | None) -> set[str]:
        return {f"build c={c} x={x}" for c in self.tops(p) for x in self.spaces if self.may_build(p, t, c, x)}

    def may_build(self, p: str, t: str | None, c: str, x: str) -> bool:
        counter, place, old = self.counters[c], self.spaces[x]["location"], self.on.get(x)
        industry, level = counter["industry"], counter["level"]
        if not self.spaces[x]["suits"][INDUSTRIES.index(industry)] or level == 0:
            return False
        if (self.period == "rail" and level == 1) or (self.period == "canal" and c == "shipyard_2"):
            return False
        if self.period == "canal" and place in ("barrow_in_furness", "birkenhead"):
            return False
        mine = old is not None and old[0] == p
        if t is not None and self.cards[t]["location"] != place:
            near = self.linked(p) | (self.standing(p) if self.period == "rail" else set())
            connected = place in near or VIRTUAL.get(place) in near or mine
            if self.cards[t]["industry"] != industry or not (connected or not (self.linked(p) or self.standing(p))):
                return False
        if old is not None:
            if self.industry(x) != industry or self.counters[old[1]]["level"] >= level:
                return False
            m = YIELDS.get(industry)
            cubes = any(it[3] for y, it in self.on.items() if YIELDS.get(self.industry(y)) == m)
            if not mine and (m is None or self.track[m] or cubes):
                return False
        if self.period == "canal" and place in self.standing(p) and not mine:
            return False
        if industry == "port" and x in PORT_FIRST and PORT_FIRST[x] not in self.on:
            return False
        coal = self.coal_price(place) if counter["coal"] else 0
        iron = self.price("iron") if counter["iron"] else 0
        return coal is not None and counter["cost"] + coal + iron <= self.cash[p]

    def build(self, p: str, c: str, x: str) -> Asking:
        counter, place = self.counters[c], self.spaces[x]["location"]
        if counter["coal"]:
            yield from self.use(p, "coal", place)
        if counter["iron"]:
            yield from self.use(p, "iron")
        self.pay(p, counter["cost"])
        self.stacks[p, counter["industry"]].pop(0)
        m = YIELDS.get(counter["industry"])
        self.on[x] = [p, c, False, counter["cubes"]]
        if counter["industry"] == "shipyard":
            self.flip(x)
        if m == "iron" or (m == "coal" and self.at_port(place)):
            while self.on[x][3] and self.track[m] < 8:
                self.cash[p] += PRICES[7 - self.track[m]]
                self.track[m] += 1
                self.take(x)

    def develop(self, p: str, c: str) -> Asking:
        yield from self.use(p, "iron")
        self.stacks[p, self.counters[c]["industry"]].remove(c)

    # ---- links
    def possible_links(self, p: str, before: int) -> set[str]:
        found: set[str] = set()
        if list(self.owner.values()).count(p) == 14:
            return found
        near = self.linked(p) | self.standing(p)
        for link, it in self.links.items():
            one, other = self.ends(link)
            if it["rail"] != (self.period == "rail") or link in self.owner or not {one, other} & near:
                continue
            coal = self.coal_price(one, other) if it["rail"] else 0
            cost = (10 if before else 5) if it["rail"] else 3
            if coal is not None and cost + coal <= self.cash[p]:
                found.add(f"link l={link}")
        return found

    def lay(self, p: str, link: str, before: int) -> Asking:
        self.owner[link] = p
        if self.links[link]["rail"]:
            yield from self.use(p, "coal", *self.ends(link))
        self.pay(p, 3 if not self.links[link]["rail"] else 10 if before else 5)

    # ---- cotton and loans
    def sales(self, p: str) -> set[str]:
        found = set()
        for x, (q, _, flipped, _) in self.on.items():
            if q == p and self.industry(x) == "cotton_mill" and not flipped:
                far = self.ways(self.spaces[x]["location"])
                if self.cotton < 8 and self.at_port(self.spaces[x]["location"]):
                    found.add(f"to_market x={x}")
                for y, it in self.on.items():
                    if self.industry(y) == "port" and not it[2] and self.spaces[y]["location"] in far:
                        found.add(f"to_port x={x} y={y}")
        return found

    def sell(self, p: str) -> Asking:
        sold = 0
        while options := self.sales(p):
            option = yield from self.ask(p, "sell_cotton", options | ({"done"} if sold else set()))
            if option == "done":
                return
            name, picks = parse(option)
            if name == "to_market":
                tile = self.turned()
                self.tiles[tile] -= 1
                assert self.tiles[tile] >= 0
                self.cotton = min(8, self.cotton + tile)
                if self.cotton == 8:
                    return
                self.flip(picks["x"])
                self.space[p] = min(99, self.space[p] + BONUS[self.cotton])
            else:
                self.flip(picks["x"])
                self.flip(picks["y"])
            sold += 1

    def turned(self) -> int:
        return [dict(event.args)["n"] for event in self.game.events if event.name == "tile_turned"][-1]

    def loans(self, p: str) -> set[str]:
        if self.period == "rail" and self.deck == 0:
            return set()
        return {f"loan n={n}" for n in (1, 2, 3) if AMOUNT[self.space[p]] - n >= -10}

    # ---- points
    def score(self, p: str) -> int:
        points = sum(self.counters[c]["points"] for q, c, flipped, _ in self.on.values() if q == p and flipped)
        for link, q in self.owner.items():
            for end in self.ends(link):
                if q == p:
                    points += 2 if end in TWO_CIRCLES else 0
                    points += sum(1 for x, it in self.on.items() if it[2] and self.spaces[x]["location"] == end)
        return points + (max(0, self.cash[p]) // 10 if self.period == "rail" else 0)

    # ---- comparing
    def board(self) -> dict[str, Any]:
        left = {f"{p}.{i}": len(stack) for (p, i), stack in self.stacks.items()}
        return {
            "period": (self.period, self.round, self.cotton),
            "players": {p: (self.cash[p], self.spent[p], self.space[p], self.points[p]) for p in self.seats},
            "order": self.order,
            "spaces": {x: tuple(it) for x, it in self.on.items()},
            "links": self.owner,
            "track": self.track,
            "stacks": left,
        }


def facts(game: Game, kind: str) -> dict[str, dict[str, Any]]:
    things = game.machine.info["kinds"][kind]["things"]
    return {thing: {name: game.evaluate(f"{thing}.{name}") for name in PRINTED[kind]} for thing in things}


def parse(option: str) -> tuple[str, dict[str, str]]:
    name, *picks = option.split()
    return name, dict(pick.split("=") for pick in picks)


def seen(game: Game) -> dict[str, Any]:
    """What the ruleset says, in the shape of Judge.board."""
    data = game.observe()
    table, players = data["table"]["table"], data["player"]
    return {
        "period": (table["period"], table["round"], table["cotton"]),
        "players": {p: (it["cash"], it["spent"], it["income"], it["points"]) for p, it in players.items()},
        "order": sorted(players, key=lambda p: players[p]["order"]),
        "spaces": {x: tuple(it[name] for name in LYING) for x, it in data["space"].items() if it["counter"]},
        "links": {link: it["owner"] for link, it in data["link"].items() if it["owner"]},
        "track": {m: it["on_track"] for m, it in data["commodity"].items()},
        "stacks": {stack: it["left"] for stack, it in data["stack"].items()},
    }


LIKES = {"build": 12, "sell": 30, "link": 6, "combine": 2, "to_port": 3, "to_market": 2, "loan": 0.4, "done": 0.2}


def builder(options: list[str], dice: random.Random) -> str:
    """Somebody who builds and sells where he can, so that the board fills and counters flip."""
    names = Counter(option.split()[0] for option in options)
    return dice.choices(options, [LIKES.get(o.split()[0], 1) / names[o.split()[0]] for o in options])[0]


def compare(brass: Ruleset, players: int, seed: int) -> Game:
    game, dice = brass.new_game(players, seed=seed), random.Random(seed)
    judge = Judge(game)
    asking = judge.play()
    answer = None
    while True:
        try:
            seat, window, options = asking.send(answer)
        except StopIteration:
            break
        assert game.decision is not None, (seat, window)
        offered = [option.id for option in game.decision.options]
        assert (game.decision.seat, game.decision.window, set(offered)) == (seat, window, options)
        assert seen(game) == judge.board()
        if window == "play_card":
            assert game.broken() == []
        answer = builder(sorted(offered), dice)
        assert game.choose(answer) is None
    assert game.finished
    assert seen(game) == judge.board()
    assert game.evaluate("count(k in cards where k.holder is not none)") == 0
    return game


@pytest.fixture(scope="module")
def brass() -> Ruleset:
    return load(ROOT / "rulesets" / "brass")


@pytest.mark.parametrize("players", [3, 4])
def test_the_ruleset_and_the_judge_agree_at_every_decision(brass: Ruleset, players: int) -> None:
    for seed in range(3):
        compare(brass, players, seed)
