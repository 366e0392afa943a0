"""Which part uses which: edges in, what can be reached, an order, and the way round a ring out.

Nearly every ruleset has no ring, so the library that finds the way round one is fetched only for those that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush

Part = tuple[str, str]  # (section, name)


class Graph:
    def __init__(self, parts: Iterable[Part], edges: Iterable[tuple[Part, Part]]) -> None:
        self.next: dict[Part, dict[Part, None]] = {part: {} for part in parts}
        for part, used in edges:
            self.next.setdefault(part, {})[used] = None
            self.next.setdefault(used, {})

    def reached_from(self, starts: Iterable[Part]) -> set[Part]:
        """The parts and all that they lead to."""
        waiting = list(starts)
        reached = set(waiting)
        while waiting:
            fresh = [used for used in self.next[waiting.pop()] if used not in reached]
            reached.update(fresh)
            waiting += fresh
        return reached

    def top_down(self) -> list[Part]:
        """All parts, each before those it uses and otherwise by name; those on a ring, and below one, are left out."""
        waits = dict.fromkeys(self.next, 0)
        for uses in self.next.values():
            for used in uses:
                waits[used] += 1
        free = [part for part, users in waits.items() if not users]
        heapify(free)
        done: list[Part] = []
        while free:
            part = heappop(free)
            done.append(part)
            for used in self.next[part]:
                waits[used] -= 1
                if not waits[used]:
                    heappush(free, used)
        return done

    def rings(self) -> Iterator[list[Part]]:
        """For parts that lead back to themselves, one way round: each leads to the next, the last to the first."""
        if len(self.top_down()) == len(self.next):
            return
        import networkx

        graph: networkx.DiGraph[Part] = networkx.DiGraph()
        graph.add_nodes_from(self.next)
        graph.add_edges_from((part, used) for part, uses in self.next.items() for used in uses)
        for ring in networkx.strongly_connected_components(graph):
            if len(ring) > 1 or any(graph.has_edge(part, part) for part in ring):
                yield [edge[0] for edge in networkx.find_cycle(graph.subgraph(ring))]
