"""A session: a run whose requests stay open until a host answers them, even later or in another process.

`api/logged_run.py` plays it and keeps its log. A session is for the program that keeps it; what is seen of it and done
in it goes by a seat (`api/seat.py`), for which `api/player_views.py` says what its viewer may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api import arguments
from interpreter.api.boundaries import boundary_data
from interpreter.api.fair_dice import reveal
from interpreter.api.logged_run import LoggedRun
from interpreter.api.master import Master
from interpreter.api.one_at_a_time import asks_the_host, one_at_a_time
from interpreter.api.player_views import PlayerViews
from interpreter.api.players import HOST, Viewer
from interpreter.api.questions import Request
from interpreter.api.result import Result
from interpreter.api.seat import HostView, Seat
from interpreter.api.session_log import Answer, Beginning
from interpreter.api.single_run import result_of
from interpreter.diagnostics import PlayError
from interpreter.identity.closure import hashes_used
from interpreter.play import trace_events as ev
from interpreter.play.deciders import Policy
from interpreter.runtime.rng import PUBLIC
from interpreter.runtime.state import State
from interpreter.saves.digest import Digest
from interpreter.saves.header import book_hashes, header
from interpreter.saves.plan import AdoptionLine
from interpreter.shown_text import in_json

if TYPE_CHECKING:
    from interpreter.api.game import Game

Ask = Callable[[Request], Any]
"""Answers a request; None takes the default."""


@one_at_a_time
class Session:
    """A run under way. `Game.begin` and `Game.resume` make one; it changes with every answer.

    Several threads may call it and its seats: they wait for each other.
    """

    def __init__(self, game: Game, run: LoggedRun) -> None:
        self.game = game
        self._run, self._views = run, PlayerViews(game, run)
        self.adopted: tuple[AdoptionLine, ...] = ()
        """What has changed in the rules since the session was saved, if it was resumed, and where it goes on."""
        self._digest = Digest()
        self.earlier: tuple[Mapping[str, Any], ...] = ()
        """The saves of what was played under other rules, before the session went back to a boundary."""
        self.beside: Mapping[str, Any] = {}
        """What the save of the session carries for its host, under `host`."""

    @property
    def beginning(self) -> Beginning:
        """The arguments of the session."""
        return self._run.beginning

    @property
    def players(self) -> Mapping[str, tuple[str, ...]]:
        """The players, each with the things and roles that the player answers for now."""
        return self._run.players.names

    @property
    def only_player(self) -> str | None:
        """The player, if there is just one: what that one may not see need not be shown to anybody."""
        return next(iter(self.players)) if len(self.players) == 1 else None

    @property
    def policy(self) -> str | Policy | None:
        """The policy that answers for the things and roles without a player."""
        return self._run.policy

    # Seats ------------------------------------------------------------------------------------------------------

    def seat(self, viewer: Viewer) -> Seat:
        """What a viewer may see and do: a player by name, `SPECTATOR`, who sees what everybody sees, or `HOST`, who
        sees all. Raises PlayError where there is no such player."""
        viewer = self._run.players.read_viewer(viewer)
        return self.host if viewer is HOST else Seat(viewer, self.game, self._run, self._views)

    @property
    def host(self) -> HostView:
        """The seat of the host, from which nothing is hidden."""
        return HostView(HOST, self.game, self._run, self._views)

    @property
    def asked(self) -> tuple[str, ...]:
        """The players who can answer an open request, by name, without what they are asked."""
        return tuple([player for player in self.players if self._views.asks(player)])

    @asks_the_host
    @arguments.with_checked_arguments
    def run(self, ask: Ask) -> Session:
        """Ask the host for each answer until the session is over; None takes the default. Raises PlayError without a
        default."""
        while not self.over:
            with self._run.lock:
                one = self._views.open_requests()[0]
            value = ask(one)
            if value is None:
                if not one.has_default:
                    raise PlayError(say.no_answer(one.path, one.who, one.question))
                value = one.default
            self.host.answer(one.id, value)
        return self

    # How it stands ----------------------------------------------------------------------------------------------

    @property
    def depth(self) -> int | None:
        """The depth in the trace of the step that asks; None where nothing is asked."""
        return self._run.course.run.depth if self._run.course.open else None

    @property
    def turn(self) -> tuple[int, int]:
        """How many rounds and turns have begun."""
        return self._run.now

    @property
    def master(self) -> Master:
        """What the game master may do besides answering. It is for the host."""
        return Master(self)

    @property
    def taking_part(self) -> frozenset[str]:
        """The names of the things that take part in the scene under way, with those of which there is only one; of all
        things outside of a scene."""
        return self.game.taking_part(self.state)

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._run.course.over

    @property
    def result(self) -> Result | None:
        """The result of the run; None until it is over."""
        course = self._run.course
        if not course.over:
            return None
        prepared, beginning = self._run.prepared, self.beginning
        is_plain = (
            beginning.at is None and not beginning.words and all(one.stream == PUBLIC for one in self._run.throws)
        )
        seed = beginning.seed if is_plain else None  # else its faces do not follow from the seed alone
        return result_of(self.game, prepared, course.frame, course.run, course.record, seed)

    @property
    def state(self) -> State:
        """The current state."""
        return self._run.state

    @property
    def log(self) -> tuple[Answer, ...]:
        """Every answer so far: those given, those of chance and of the policy."""
        return tuple(self._run.log)

    @property
    def rounds(self) -> tuple[int, ...]:
        """The number of events before each round, from which `lines` can be read."""
        return tuple(n for n, event in enumerate(self._run.course.run.events) if isinstance(event, ev.RoundBegun))

    # Fair dice --------------------------------------------------------------------------------------------------

    @property
    def commitments(self) -> Mapping[str, str]:
        """What can be told of the dice before they fall, by stream: `public`, `hidden`. Raises PlayError where the seed
        is no fresh one."""
        commitments: Mapping[str, str] = self.reveal()["commitments"]
        return commitments

    @arguments.with_checked_arguments
    def reveal(self, *, hidden: bool = False) -> dict[str, Any]:
        """What proves that the dice fell as they had to, as plain data: the keys of the streams, and what was thrown.

        With `hidden`, also for what not everybody may see, which is then known to all. Raises PlayError where the seed
        is no fresh one.
        """
        return reveal(self.beginning.seed, self.beginning.words, self._run.throws, hidden)

    # Saving -----------------------------------------------------------------------------------------------------

    def to_data(self, *, with_rules: bool = False) -> dict[str, Any]:
        """The session as plain data, for `Game.resume`, which carry the rules if `with_rules`; `schemas/session.json`
        describes it."""
        game, run = self.game, self._run
        undone = [[one.to_data() for one in taken] for taken in run.undone]
        asked_again, refuses = dict(run.standing.asked_again), run.standing.refusals_data()
        policies = [f"policies.{run.policy}"] if isinstance(run.policy, str) else []
        uses = {**hashes_used(game.program, self.beginning.rule, *policies), **book_hashes(game.program)}
        kinds = game.program.kinds  # a journal goes on, and may make things of any
        return {
            **header("session", game.program, uses, kinds, game.ruleset_text if with_rules else None),
            "options": game.own_options,
            **self.beginning.to_data(),
            "policy": run.policy if isinstance(run.policy, str) else None,
            "log": [one.to_data() for one in run.log],
            "undone": undone,
            "asks_again": asked_again,
            "refuses": refuses,
            **self._asks_data(),
            "seal": run.seal_with(undone, asked_again, refuses),
            "open": [one.to_data() for one in self._views.open_requests()],
            "over": self.over,
            "now": self._views.state_data(HOST),
            "digest": self.digest,
            "boundary": self._boundary_data(),
            "earlier": list(self.earlier),
            **self.beside,
        }

    def _asks_data(self) -> dict[str, Any]:
        """Who is asked only what is usual; nothing where nobody is."""
        usual = self._run.standing.usual
        return {"asks_usual": sorted(usual)} if usual else {}

    @property
    def boundary_number(self) -> int | None:
        """How many answers came before the last boundary that a scene has passed; None where there is none."""
        point = self._run.last_boundary
        return point.number if point is not None else None

    def progress(self, known: int | None = None) -> dict[str, Any]:
        """What a journal appends after an answer: the log, what stands, the digest, and the last boundary, unless it
        is the one that is `known` by its number."""
        run = self._run
        is_new = known is None or known != self.boundary_number
        return {
            "log": [one.to_data() for one in run.log],
            "undone": [[one.to_data() for one in taken] for taken in run.undone],
            "asks_again": dict(run.standing.asked_again),
            "refuses": run.standing.refusals_data(),
            "asks_usual": sorted(run.standing.usual),
            "digest": self.digest,
            **({"boundary": self._boundary_data()} if is_new else {}),
        }

    @property
    def digest(self) -> str:
        """A hash of all that has happened, which does not depend on texts."""
        return self._digest.of(self._run.course.run.events)

    def _boundary_data(self) -> dict[str, Any] | None:
        """The last boundary that a scene has passed, and how many answers came before it."""
        point = self._run.last_boundary
        scene = self.game.program.scenes.get(self.beginning.rule.removeprefix("scenes."))
        if point is None or point.boundary is None or scene is None:
            return None
        data = boundary_data(self.game.program, scene, point.boundary, point.dice)
        return {**data, "answers": point.number} if data is not None else None

    def to_json(self, *, with_rules: bool = False) -> str:
        """The same as JSON text."""
        return in_json(self.to_data(with_rules=with_rules))
