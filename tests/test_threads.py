"""Several threads at one session: each call sees and leaves a whole run, or is refused in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from threading import Barrier, Thread

import pytest

import interpreter
from interpreter import HOST, Session
from interpreter.diagnostics import PlayError

VOTES = """
ruleset: votes
kinds: {hero: {has: {luck: {type: number, default: 0}}}}
mechanics:
  vote:
    inputs: {everybody: {list_of: hero}}
    steps:
      rounds:
        repeat: 6
        each:
          said: {choose: yes_no, by: everybody, ask: Aye?}
          die: {roll: d6}
"""


@pytest.fixture
def eager_switches() -> Iterator[None]:
    """Let threads take turns so often that a call is nearly always interrupted."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(many: int, work: Callable[[int], None]) -> list[BaseException]:
    """The errors that threads end with which all begin at once."""
    begin, errors = Barrier(many), list[BaseException]()

    def begun(number: int) -> None:
        begin.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=begun, args=(number,)) for number in range(many)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return errors


def answer_all(session: Session, number: int) -> None:
    """Answer whatever is asked until nothing is; another thread may have been quicker."""
    while not session.over:
        for request in session.host.requests:
            try:
                session.host.answer(request.id, number % 2 == 0)
            except PlayError as refused:
                assert refused.diagnostic.code in ("HR661", "HR674"), refused  # answered already, and open no more
        session.seat("anna").news()
        session.seat("anna").view()
        session.to_data()
        assert session.host.lines() and session.turn and session.log is not None


@pytest.mark.usefixtures("eager_switches")
@pytest.mark.parametrize("seed", range(4))
def test_threads_answer_one_session(seed: int) -> None:
    names = [f"h{number}" for number in range(8)]
    state = {name: {"is": "hero"} for name in names}
    game = interpreter.loads(VOTES)
    session = game.begin("vote", state=state, everybody=names, seed=seed, players={"anna": names[:4], "bo": names[4:]})
    assert in_threads(8, lambda number: answer_all(session, number)) == []
    assert session.over and len({one.request for one in session.log}) == len(session.log) == 6 * 9
    assert game.resume(session.to_json()).digest == session.digest


@pytest.mark.usefixtures("eager_switches")
def test_threads_that_answer_and_take_back_leave_a_session_that_can_be_resumed() -> None:
    names = [f"h{number}" for number in range(4)]
    game = interpreter.loads(VOTES)
    session = game.begin("vote", state={name: {"is": "hero"} for name in names}, everybody=names, seed=1, players={})

    def work(number: int) -> None:
        for turn in range(12):
            try:
                if (turn + number) % 3 == 0:
                    session.host.undo() if number % 2 else session.host.redo()
                elif session.host.requests:
                    session.host.answer(session.host.requests[0].id, turn % 2 == 0)
            except (PlayError, IndexError):  # what was open was answered meanwhile
                continue

    assert in_threads(6, work) == []
    assert game.resume(session.to_json()).digest == session.digest
    assert session.seat(HOST).requests or session.over
