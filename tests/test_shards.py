"""Sessions in processes: a call that ends its process loses no session, and shows nothing else than in one process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import workers_tasks as tasks

import interpreter
from interpreter.budget import Budget
from interpreter.host import shards
from interpreter.host.sessions import HostSessions
from interpreter.host.shards import Shard

RULES = """
ruleset: guess
roles: {player: Whoever guesses.}
mechanics:
  heavy:
    inputs: {passed: {type: number, from: 1, to: 9999}}
    steps: {tries: {repeat: passed, each: {one: 'count(groups(upto(999)))'}}}
    outcomes: {done: otherwise}
scenes:
  game:
    guard: 1000
    has: {found: {type: number, default: 0}}
    round:
      guess:
        steps:
          dice: {roll: d6}
          said: {choose: number, from: 1, to: 6, by: player, default: 1}
          right: {set: scene.found, to: scene.found + 1, if: said == sum(dice)}
    outcomes: {over: scene.round >= 300}
"""


@pytest.fixture
def shard() -> Iterator[Shard]:
    made = Shard(interpreter.loads(RULES), (), False, Budget(seconds=0.5, memory=128 << 20))
    yield made
    made.close()


def ask(shard: Shard | HostSessions, do: str, **keys: Any) -> dict[str, Any]:
    return shard.reply(json.dumps({"do": do, **keys}).encode())


def play(host: Shard | HostSessions, rounds: int) -> None:
    for _ in range(rounds):
        (request,) = ask(host, "requests", viewer={"player": "ann"})["requests"]
        assert ask(host, "answer", viewer={"player": "ann"}, request=request["id"], value=3)["ok"]


def begin(host: Shard | HostSessions, **keys: Any) -> None:
    assert ask(host, "begin", rule="game", players={"ann": ["player"]}, **keys)["ok"]


def test_sessions_outlive_the_process_that_they_are_in(shard: Shard) -> None:
    begin(shard)
    play(shard, 5)
    before = ask(shard, "save", viewer="host")["saved"]
    with pytest.raises(Exception, match="code 3"):
        shard.workers.submit(tasks.end_process).result()
    assert ask(shard, "save", viewer="host")["saved"] == before
    play(shard, 2)


def test_a_call_that_the_system_ends_says_so_and_changes_nothing(shard: Shard, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(shard)
    play(shard, 3)
    before = ask(shard, "view", viewer="host")
    with monkeypatch.context() as instead:
        instead.setattr(shards, "reply_here", tasks.spin_at)
        reply = ask(shard, "view", viewer="host", tag=7)
    assert (reply["tag"], reply["ok"], reply["error"]["code"]) == (7, False, "HR638")
    assert ask(shard, "view", viewer="host") == before


def test_a_call_whose_process_ends_says_so(shard: Shard, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(shard)
    before = ask(shard, "view", viewer="host")
    with monkeypatch.context() as instead:
        instead.setattr(shards, "reply_here", tasks.end_process_at)
        assert ask(shard, "view", viewer="host")["error"]["code"] == "HR639"
    assert ask(shard, "view", viewer="host") == before


def test_a_call_that_takes_too_much_says_where(shard: Shard) -> None:
    reply = ask(shard, "roll", rule="heavy", given={"passed": 9999})
    assert reply["error"]["code"] == "HR638"
    assert ask(shard, "roll", rule="heavy", given={"passed": 9})["ok"]


def test_a_long_session_is_kept_as_a_save(shard: Shard) -> None:
    alone = HostSessions(interpreter.loads(RULES))
    for one in (shard, alone):
        begin(one, seed=4)
        play(one, shards.MOST_CALLS + 20)
    shard.workers.submit(tasks.end_process).exception()
    assert ask(shard, "view", viewer="host") == ask(alone, "view", viewer="host")
    assert ask(shard, "undo", viewer="host") == ask(alone, "undo", viewer="host")


def test_the_command_keeps_sessions_apart_and_its_replies_in_the_order_of_each_session(
    tmp_path: Any,
) -> None:
    (tmp_path / "guess.yaml").write_text(RULES)
    calls = [
        {
            "do": "begin",
            "rule": "game",
            "players": {"ann": ["player"]},
            "session": name,
            "tag": [name, "begin"],
            "seed": 1,
        }
        for name in "abcd"
    ]
    calls += [{"do": "roll", "rule": "heavy", "given": {"passed": 9999}, "tag": ["", "heavy"]}]
    calls += [{"do": "view", "viewer": "host", "session": name, "tag": [name, "view"]} for name in "abcd"]
    calls += [{"do": "sessions", "tag": ["", "all"]}, {"do": "quit", "tag": ["", "end"]}]
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "host", str(tmp_path / "guess.yaml"), "--workers", "2"],
        input="\n".join(map(json.dumps, calls)), capture_output=True, text=True, check=True,
    )  # fmt: skip
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(replies) == len(calls)
    for name in "abcd":
        own = [one["tag"][1] for one in replies if one["tag"][0] == name]
        assert own == [one["tag"][1] for one in calls if one["tag"][0] == name]  # type: ignore[index]
    assert replies[-1] == {"ok": True, "tag": ["", "end"]}
    assert [one["error"]["code"] for one in replies if not one["ok"]] == ["HR638"]


def test_a_session_that_takes_too_much_moves_to_where_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    replies: list[dict[str, Any]] = []
    host = shards.ShardedHost(2, Budget(seconds=0.5, memory=128 << 20), interpreter.loads(RULES), replies.append)
    monkeypatch.setattr(shards, "reply_here", tasks.reply_or_spin)

    def take(do: str, **keys: Any) -> None:
        assert host.take(json.dumps({"do": do, **keys}).encode())

    for name in ("ann", "ben"):
        take("begin", rule="game", players={"ann": ["player"]}, session=name, seed=1)
    take("view", viewer="host", session="ann", tag="before")
    take("look", viewer="host", session="ann", expression="spin", tag="spun")
    take("view", viewer="host", session="ben", tag="other")
    take("view", viewer="host", session="ann", tag="after")
    take("sessions", tag="names")
    host.close()
    of = {one["tag"]: one for one in replies if "tag" in one}
    assert of["spun"]["error"]["code"] == "HR638"
    assert {**of["after"], "tag": ""} == {**of["before"], "tag": ""}
    assert of["other"]["ok"]
    assert list(of).index("other") < list(of).index("after")


def test_a_call_that_takes_long_is_made_again_where_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    replies: list[dict[str, Any]] = []
    host = shards.ShardedHost(2, Budget(seconds=2.0, memory=128 << 20), interpreter.loads(RULES), replies.append)
    monkeypatch.setattr(shards, "QUICK", 0.01)  # so that the next call is long
    shares: list[tuple[str, float]] = []
    reply_to = Shard.reply_to

    def note_share(shard: Shard, call: Any, line: bytes, share: float) -> Any:
        shares.append((call["do"], share))
        return reply_to(shard, call, line, share)

    monkeypatch.setattr(Shard, "reply_to", note_share)

    def take(do: str, **keys: Any) -> None:
        assert host.take(json.dumps({"do": do, **keys}).encode())

    take("begin", rule="game", players={"ann": ["player"]}, session="ann", seed=1)
    long = "sum(upto(100) by count(groups(upto(999))))"
    take("look", viewer="host", session="ann", expression=long, tag="long")
    take("view", viewer="host", session="ann", tag="after")
    take("forget", session="ann", tag="forgotten")
    take("begin", rule="game", players={"ann": ["player"]}, session="ann", seed=2, tag="again")
    take("view", viewer="host", session="ann", tag="new")
    host.close()
    of = {one["tag"]: one for one in replies if "tag" in one}
    assert {tag: one.get("error") for tag, one in of.items()} == dict.fromkeys(of)
    assert set(of) == {"long", "after", "forgotten", "again", "new"}
    assert [share for do, share in shares if do == "look"] == [0.01, 1.0]
    assert [share for do, share in shares if do == "begin"] == [0.01, 0.01]
