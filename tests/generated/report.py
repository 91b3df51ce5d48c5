"""What is told of many games: what came of them, what was held and refused, and how much of the language they use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from .constructs import language, used

UNGROWN = {
    "key step is.*": "a stated type changes nothing where the expression shows it; see the page of the language",
    "key step first_of.*": "the same of cases",
    "key case.*": "the check `cases` writes cases with what enumeration gives, and holds them",
    "key grid.*": "grids of cases only write cases shorter; bundled rulesets are full of them",
    "key doing.*": "what is done first in a case; `test_lasting.py` plays one thing after another",
    "key ruleset.cases": "the check `cases` writes them",
    "key state.*": "scene files name things that the questions here name themselves; see `test_scenes.py`",
    **dict.fromkeys(
        [
            f"key {form}.formerly"
            for form in ("kind", "attribute", "declaration", "mechanic", "event", "action", "scene", "phase", "word")
        ],
        "no game is older than its rules; `test_adopt.py` takes up older saves",
    ),
    "key mechanic.typical": "nothing plays them; `test_delta.py` compares odds there",
    "key table.claims": "claims are held to the dice by `test_claims.py`",
    "key claim.*": "claims are held to the dice by `test_claims.py`",
    "key layer.*": "sections of a layer's own add names as a ruleset does; some of them are grown",
    "key part.*": "a part has any of the sections of a ruleset; some of them are grown",
    "key tag.is": "the long form of a tag, whose title changes nothing in play; see `test_titles.py`",
    "key scene_outcome.tells": "a text, which changes nothing in play; see `test_story.py`",
    "key step choose.minor": "it changes whom a terminal asks, and no answer; see `test_short_rounds.py`",
    "key step pay.minor": "the same of payments",
    "key declaration.minor": "the same of inputs of actions; see `test_standing_answers.py`",
    "key event.passes": "only mechanics are called",
    "key event.by": "it says who causes an event at the table, and only `check` reads it",
    "key action.passes": "only mechanics are called",
    "key reaction.passes": "only mechanics are called",
    "key step make.named": "no rule here asks for a text; `test_made_names.py` plays it in every way",
    "key attribute.least": "lists that things have grow and shrink",
}
"""What of the language no generated game uses, and why; a key may end with `*`."""


def constructs(tree: Any) -> set[str]:
    """The constructs that a game uses, with its house rules."""
    found = used(tree["game"])
    for one in (*tree.get("house_rules", ()), *tree.get("parts", ())):
        found |= used(one)
    return found


@dataclass
class Tally:
    """What came of games so far."""

    games: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, about: str, held: Counter[str], uses: set[str]) -> None:
        """Count one more game."""
        self.games += 1
        self.kinds[kind] += 1
        self.held.update(held)
        if kind == "rejected":
            self.rejected[about.partition(" ")[0]] += 1
        else:
            self.uses.update(uses)

    def lines(self) -> Iterator[str]:
        """The summary."""
        yield f"{self.games} games"
        for kind, count in self.kinds.most_common():
            yield f"  {count:7}  {kind}"
        if self.rejected:
            yield "rejected, by code: " + ", ".join(f"{count} {code}" for code, count in self.rejected.most_common())
        for head, wanted in (("held", "held: "), ("refused", "refuses"), ("besides", "")):
            rows = {key: n for key, n in self.held.items() if wanted in key and self._head(key) == head}
            if rows:
                yield head
                yield from (f"  {count:7}  {key.removeprefix('held: ')}" for key, count in sorted(rows.items()))
        yield from self.coverage()

    def _head(self, key: str) -> str:
        return "held" if key.startswith("held: ") else "refused" if "refuses" in key else "besides"

    def coverage(self) -> Iterator[str]:
        """How many games use each construct; what none of them uses, and why."""
        for kind, ones in language().items():
            rows = [(self.uses[one], one.partition(" ")[2]) for one in ones]
            yield f"games that use each {kind}: " + ", ".join(f"{name} {count}" for count, name in rows if count)
        for one, why in self.unused():
            yield f"  no game uses {one}: {why or 'NO REASON IS KNOWN'}"

    def unused(self) -> Iterator[tuple[str, str]]:
        """The constructs that no game uses, each with the reason why, empty where there is none."""
        for ones in language().values():
            for one in ones:
                if not self.uses[one]:
                    yield one, next((why for key, why in UNGROWN.items() if fnmatchcase(one, key)), "")
