"""Networks on the board: edges in, what can be reached from where and how far it is out.

A network is the same as long as the fields it is made of are. Those fields are its key: a network asked for again is
found again, with everything that was worked out about it, whatever has happened elsewhere in the game meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable

FAR = 9999
MAX_KEPT = 500  # networks that are remembered at a time


class Graph:
    """Places and what is next to them. Areas and distances are worked out when they are first asked for."""

    __slots__ = ("_areas", "_distances", "around")

    def __init__(self, size: int, edges: Iterable[tuple[int, int]]) -> None:
        self.around: list[list[int]] = [[] for _ in range(size)]
        for a, b in edges:
            if b not in self.around[a]:
                self.around[a].append(b)
            if a not in self.around[b]:
                self.around[b].append(a)
        self._areas: dict[int, tuple[int, ...]] = {}
        self._distances: dict[int, dict[int, int]] = {}

    def area(self, start: int) -> tuple[int, ...]:
        found = self._areas.get(start)
        if found is None:
            members = self.distances(start)
            found = tuple(sorted(members))
            for member in members:  # edges go both ways: all members have the same area
                self._areas[member] = found
        return found

    def distances(self, start: int) -> dict[int, int]:
        found = self._distances.get(start)
        if found is None:
            found = self._distances[start] = {start: 0}
            row = [start]
            while row:
                further = []
                for here in row:
                    for there in self.around[here]:
                        if there not in found:
                            found[there] = found[here] + 1
                            further.append(there)
                row = further
        return found


class Networks(dict[tuple[int, ...], Graph]):
    """The networks of one program, by what they are made of."""

    def keep(self, key: tuple[int, ...], graph: Graph) -> Graph:
        if len(self) >= MAX_KEPT:
            self.clear()
        self[key] = graph
        return graph


def graph(size: int, edges: Iterable[tuple[int, int]]) -> Graph:
    return Graph(size, edges)


def reach(network: Graph, start: int) -> tuple[int, ...]:
    return network.area(start)


def neighbours(network: Graph, start: int) -> list[int]:
    return sorted(network.around[start])


def distance(network: Graph, start: int, goal: int) -> int:
    return network.distances(start).get(goal, FAR)
