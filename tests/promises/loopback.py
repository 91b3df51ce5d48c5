"""Two hundred sessions at one host with workers, a fifth of them hostile: `python -m promises.loopback --seconds 300`.

It tells how long honest answers took, whether each honest session is what its calls make of it alone, and how the
memory of the processes grows over games that are begun, played and forgotten.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import interpreter
from interpreter.host.sessions import HostSessions
from promises.makers import VALUES, any_expression

SCENE, GAME = "duel", "fiend-wake"
SESSIONS, HOSTILE = 200, 40
THINKS = 4.0
"""The mean seconds that a player thinks before an answer; a hostile one sends its calls as often."""


class Host:
    """`houserule host` with workers, as a program that leads it sees it."""

    def __init__(self, workers: int) -> None:
        command = [sys.executable, "-m", "interpreter", "host", GAME, SCENE, "--workers", str(workers)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._tag, self._turn = 0, threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            reply = json.loads(line)
            future = self._waiting.pop(reply.get("tag"), None)
            if future is not None:
                future.set_result(reply)

    def ask(self, **call: Any) -> dict[str, Any]:
        """The reply to a call."""
        future: Future[dict[str, Any]] = Future()
        assert self.process.stdin is not None
        with self._turn:
            self._tag += 1
            self._waiting[self._tag] = future
            self.process.stdin.write(json.dumps({**call, "tag": self._tag}).encode() + b"\n")
            self.process.stdin.flush()
        return future.result(120)

    def memory(self) -> int:
        """The kilobytes of memory of the host and its processes."""
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
        rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
        family = {self.process.pid}
        for _ in range(4):
            family |= {pid for pid, parent, _ in rows if parent in family}
        return sum(size for pid, _, size in rows if pid in family)


def answer_of(request: Mapping[str, Any], chance: random.Random) -> Any:
    """An answer that a request allows, its default if it has one."""
    if request.get("default") is not None:
        return request["default"]
    options = request.get("options") or []
    return chance.choice(options) if options else None


def play_honestly(host: Host, name: str, until: float, seen: dict[str, Any]) -> None:
    """Play a session with answers that its requests allow, and note each call and how long its reply took."""
    chance = random.Random(name)
    calls: list[dict[str, Any]] = []

    def ask(**call: Any) -> dict[str, Any]:
        begun = time.perf_counter()
        reply = host.ask(session=name, **call)
        seen["took"].append(time.perf_counter() - begun)
        if reply["ok"] and call["do"] in ("begin", "answer"):
            calls.append(call)
        elif not reply["ok"] and call["do"] != "answer":
            seen["refused"].append((call["do"], reply["error"]["code"]))
        return reply

    ask(do="begin", scene=SCENE, seed=chance.randrange(1 << 30))
    while time.monotonic() < until:
        time.sleep(chance.expovariate(1 / THINKS))
        requests = ask(do="requests", viewer="host").get("requests") or []
        if not requests:
            break
        ask(do="answer", viewer="host", request=requests[0]["id"], value=answer_of(requests[0], chance))
    seen["played"].append((name, calls))


def lost_sessions(host: Host, played: list[tuple[str, list[dict[str, Any]]]]) -> list[str]:
    """The sessions whose view at the host is not what their calls make of them alone.

    It is asked when all have been played, since this process takes time of the processor for it.
    """
    scene = interpreter.load_scene(SCENE)
    lost = []
    for name, calls in played:
        alone = HostSessions(scene.game, scenes=[scene])
        for call in calls:
            alone.reply(json.dumps({**call, "session": name}))
        here = alone.reply(json.dumps({"do": "view", "viewer": "host", "session": name}))
        there = host.ask(do="view", viewer="host", session=name)
        if here != {key: value for key, value in there.items() if key != "tag"}:
            lost.append(name)
    return lost


def play_badly(host: Host, name: str, until: float, seen: dict[str, Any]) -> None:
    """Send what takes long, what is wrong, and what is nonsense."""
    chance = random.Random(name)
    host.ask(do="begin", scene=SCENE, session=name, seed=1)
    while time.monotonic() < until:
        time.sleep(chance.expovariate(1 / THINKS))
        bad: list[dict[str, Any]] = [
            {"do": "look", "viewer": "host", "expression": "sum(upto(1000) by count(groups(upto(1000))))"},
            {"do": "odds", "rule": "roll", "given": {"stat": "count(groups(upto(1000)))"}, "of": ["outcome"]},
            {"do": "simulate", "rule": "roll", "given": {"stat": 5, "skill": 3, "difficulty": 7}, "runs": 10**9},
            {"do": "check", "text": "ruleset: a\nmechanics: {m: {steps: {r: {roll: 999d999}}}}" * chance.randint(1, 3)},
            {"do": "look", "viewer": "host", "expression": any_expression(chance)},
            {"do": "answer", "viewer": "host", "request": "1", "value": chance.choice(VALUES)},
            {"do": "resume", "saved": {"session": chance.choice(VALUES)}},
            {"do": "undo", "viewer": "host"},
        ]
        reply = host.ask(session=name, **chance.choice(bad))
        seen["broken"] += [reply["error"]] if not reply["ok"] and reply["error"]["code"] == "HR999" else []


def begin_and_forget(host: Host, games: int) -> list[int]:
    """The memory after every tenth of so many games, which are begun, played for a few answers, and forgotten."""
    sizes = []
    chance = random.Random(1)
    for number in range(games):
        name = f"game {number}"
        host.ask(do="begin", scene=SCENE, session=name, seed=number)
        for _ in range(3):
            requests = host.ask(do="requests", viewer="host", session=name).get("requests") or []
            if requests:
                value = answer_of(requests[0], chance)
                host.ask(do="answer", viewer="host", session=name, request=requests[0]["id"], value=value)
        host.ask(do="forget", session=name)
        if (number + 1) % max(games // 10, 1) == 0:
            sizes.append(host.memory())
    return sizes


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=3)
    asked = parser.parse_args()
    host = Host(asked.workers)
    host.ask(do="scenes")
    until = time.monotonic() + asked.seconds
    seen: dict[str, Any] = {"took": [], "refused": [], "played": [], "broken": []}
    bad = asked.sessions * HOSTILE // SESSIONS
    threads = [
        threading.Thread(target=play_badly if number < bad else play_honestly, args=(host, f"s{number}", until, seen))
        for number in range(asked.sessions)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = sorted(seen["took"])
    print(f"{asked.sessions} sessions, {bad} of them hostile: {len(took):,} honest calls")
    print(
        f"median {statistics.median(took) * 1000:.0f} ms, 95 of 100 within {took[len(took) * 95 // 100] * 1000:.0f} ms",
        flush=True,
    )
    lost = lost_sessions(host, seen["played"])
    unplayed = asked.sessions - bad - len(seen["played"])
    print(
        f"lost: {len(lost) + unplayed}, refused: {len(seen['refused'])}, internal errors: {len(seen['broken'])}",
        flush=True,
    )
    sizes = begin_and_forget(host, asked.games)
    print(f"memory over {asked.games:,} games, MB: {', '.join(str(size // 1024) for size in sizes)}")
    host.ask(do="quit")
    sys.exit(bool(lost or unplayed or seen["refused"] or seen["broken"]))


if __name__ == "__main__":
    main()
