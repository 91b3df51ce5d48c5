"""A chat in which several people play one scene: an example of how to speak with `houserule host`.

    python chat.py RULESET SCENE things.json

`things.json` holds what `begin` takes: `things`, `players` and `given`. Then every line on standard input is
something that somebody says in the chat, and what the bot says comes out, to all or to one:

    anna: 5                 answers the first question that anna is asked
    anna: 2 shove           answers the second
    anna:                   gives the answer in brackets
    anna: no!               answers the same question so until the round ends
    ben: look               shows ben what ben may see
    ben: undo               takes the last answer back

A bot of a real chat does the same with messages instead of lines. Everything passes through one pipe as JSON, so it
could be written in any language; nothing of the interpreter is imported here.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

HOST = shlex.split(os.environ.get("HOUSERULE", "houserule"))


class Refused(Exception):
    """The host says no, and why."""


class Host:
    """The other end of the pipe."""

    def __init__(self, ruleset: str) -> None:
        self.process = subprocess.Popen(
            [*HOST, "host", ruleset], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def call(self, do: str, **rest: Any) -> dict[str, Any]:
        """One line there, one line back."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps({"do": do, **rest}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if not reply["ok"]:
            error = reply["error"]
            raise Refused(error["message"] + (f" ({error['help']})" if error["help"] else ""))
        return reply


class Chat:
    """Who plays, what was told to whom, and what the bot says."""

    def __init__(self, host: Host, players: list[str]) -> None:
        self.host, self.players = host, players
        self.told = dict.fromkeys(players, "")

    def say(self, to: str, text: str) -> None:
        print(f"[{to}] {text}")

    def tell_news(self) -> None:
        """What has happened since, as each player may know it; then what each is asked."""
        for player in self.players:
            news = self.host.call("lines", viewer={"player": player}, since=self.told[player])
            for line in news["lines"]:
                self.say(player, line["shown"])
            self.told[player] = news["cursor"]
        for player in self.players:
            for number, request in enumerate(self.asked(player), 1):
                for line in about(request):
                    self.say(player, f"   {line}")
                self.say(player, f"{number}. {question(request)}")

    def asked(self, player: str) -> list[dict[str, Any]]:
        return self.host.call("requests", viewer={"player": player})["requests"]

    def heard(self, player: str, words: list[str]) -> None:
        """Somebody has said something."""
        if words == ["look"]:
            for thing, has in self.host.call("view", viewer={"player": player})["things"].items():
                self.say(player, f"{thing}: " + ", ".join(f"{name} {value}" for name, value in has.items()))
            return
        if words == ["undo"]:
            self.host.call("undo", viewer="host")
            self.say("all", f"{player} takes the last answer back")
        else:
            open_ = self.asked(player)
            several = len(words) > 1 and words[0].isdigit() and 0 < int(words[0]) <= len(open_)
            number = int(words.pop(0)) if several else 1
            if not open_:
                self.say(player, "you are not asked anything")
                return
            request = open_[number - 1]
            stands = {}
            if words and words[-1].endswith("!") and request["kind"] not in ("text", "faces"):
                words[-1], stands = words[-1][:-1], {"until": "round"}
            value: Any = words if request["kind"] in ("some", "faces") else " ".join(words)
            if value in ("", [], [""]) and "default" in request:
                value = request["default"]
            self.host.call("answer", request=request["id"], value=value, viewer={"player": player}, **stands)
        self.tell_news()


def about(request: dict[str, Any]) -> list[str]:
    """What somebody should know before a question: how they are doing, what it is about, what the answers mean."""
    known = [request.get("status"), request.get("about")]
    return [one for one in known if one] + [f"{word}: {means}" for word, means in request.get("meanings", {}).items()]


def question(request: dict[str, Any]) -> str:
    """A question as a line, with what it is about, the answers, and the one that stands in brackets."""
    text = request.get("question") or request["name"].replace("_", " ")
    who = f"{request['who']}: " if request["who"] else ""
    of = f" for {request['of']}" if "of" in request else ""
    usual = f" [{request['default']}]" if "default" in request else ""
    answers = ""
    if "low" in request:
        answers = f" ({request['low']} to {request['high']})"
    elif request["kind"] == "yes_no":
        answers = " (yes or no)"
    elif "options" in request:
        answers = f" ({', '.join(map(str, request['options']))})"
    return f"{who}{text}{of}{answers}{usual}"


def main(ruleset: str, scene: str, things: str) -> None:
    began = json.loads(Path(things).read_text("utf-8"))
    host = Host(ruleset)
    host.call("begin", rule=scene, **began)
    chat = Chat(host, list(began["players"]))
    chat.tell_news()
    for line in sys.stdin:
        player, _, words = line.partition(":")
        try:
            chat.heard(player.strip(), words.split())
        except Refused as why:
            chat.say(player.strip(), f"no: {why}")
        if host.call("requests", viewer="spectator")["over"]:
            result = host.call("result", viewer="host")["result"]
            chat.say("all", f"it is over: {result['outcome'] or 'without an outcome'}")
            break
    host.call("quit")


if __name__ == "__main__":
    main(*sys.argv[1:])
