"""Dice that nobody can predict, and of which a host can prove that they fell as they had to."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import subprocess
from collections import Counter
from copy import deepcopy
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interpreter
from interpreter import HOST, SPECTATOR, Game, PlayError, Session
from interpreter.cli import group
from interpreter.host.sessions import HostSessions
from interpreter.runtime import rng
from interpreter.runtime.rng import HashedNumbers, Pcg32, SeededDice, commitments, fresh_seed, stream_key
from interpreter.values import Die

SEED = "000102030405060708090a0b0c0d0e0f"
VERIFIER = Path(__file__).parents[1] / "docs" / "examples" / "verify_dice.mjs"

# The generator ---------------------------------------------------------------------------------------------------


def test_fresh_seeds_are_128_bits_of_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(rng.os, "urandom", lambda size: asked.append(size) or bytes(range(size)))
    assert fresh_seed() == SEED and asked == [16]


def test_numbers_are_those_of_hmac_sha_256_as_a_page_of_code_gives_them() -> None:
    """Known answers, which `verify_dice.mjs` works out with other code, and RFC 2104 written out with SHA-256 alone."""

    def mac(key: bytes, message: bytes) -> bytes:
        inner, outer = (bytes(b ^ pad for b in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
        return hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).digest()

    key = mac(bytes.fromhex(SEED), b"houserule dice: public")
    assert key == stream_key(SEED, "public")
    blocks = mac(key, b"0 tulip, 7") + mac(key, b"1 tulip, 7")
    numbers = HashedNumbers(key, "tulip, 7")
    expected = [int.from_bytes(blocks[at : at + 4]) for at in range(0, 64, 4)]
    assert [numbers.below(1 << 32) for _ in range(16)] == expected


def test_the_mac_is_that_of_rfc_4231() -> None:
    assert hmac.digest(b"Jefe", b"what do ya want for nothing?", "sha256").hex() == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


def test_known_answers() -> None:
    """What a fresh seed means never changes."""
    dice = SeededDice(SEED)
    assert dice.throw([Die(6)] * 20) == [2, 3, 6, 6, 1, 1, 2, 2, 1, 2, 5, 6, 6, 4, 1, 3, 4, 6, 3, 4]
    assert dice.hidden.throw([Die(20)] * 10) == [11, 7, 16, 17, 11, 11, 12, 5, 7, 7]
    assert SeededDice(SEED, "tulip").throw([Die(6)] * 10) == [3, 4, 4, 2, 6, 1, 3, 5, 2, 2]
    assert commitments(SEED) == {
        "public": "c3ec186d71f64e9ceff5918974d8dd903001c03a14adaf95fbe5bc641d7ae700",
        "hidden": "5d84181956dc33e0c29cfbd484de6606e6cdbeebec278a30f0a7ddcf46e79f7b",
    }


def test_the_place_in_each_stream_is_kept() -> None:
    dice, again = SeededDice(SEED), SeededDice(SEED)
    dice.throw([Die(6)] * 13), dice.hidden.throw([Die(6)] * 3)
    again.position = dice.position
    assert dice.position == (13, 3)
    assert again.throw([Die(10)] * 20) == dice.throw([Die(10)] * 20)
    assert again.hidden.throw([Die(10)] * 20) == dice.hidden.throw([Die(10)] * 20)


def test_hidden_throws_tell_nothing_of_public_ones() -> None:
    """Whatever is thrown in one stream, the other gives the same."""
    dice, other = SeededDice(SEED), SeededDice(SEED)
    other.hidden.throw([Die(20)] * 100)
    assert dice.throw([Die(20)] * 50) == other.throw([Die(20)] * 50)


def test_a_whole_number_gives_the_faces_of_pcg32() -> None:
    generator = Pcg32(7)
    faces = [generator.below(20) + 1 for _ in range(20)]
    dice = SeededDice(7)
    assert dice.throw([Die(20)] * 10) + dice.hidden.throw([Die(20)] * 10) == faces


@pytest.mark.parametrize("seed", [2024, SEED], ids=["pcg32", "fresh"])
@pytest.mark.parametrize("size", [2, 3, 6, 10, 20])
@pytest.mark.parametrize("gap", [1, 2, 8])
def test_a_face_tells_nothing_of_a_later_one(seed: int | str, size: int, gap: int) -> None:
    """Serial test: all pairs of faces at a distance are as likely, by chi-square."""
    throws = max(20 * size * size, 4000)
    faces = SeededDice(seed).throw([Die(size)] * (throws + gap))
    pairs = Counter(zip(faces, faces[gap:], strict=False))
    expected, freedom = throws / size**2, size**2 - 1
    chi_square = sum((pairs[a, b] - expected) ** 2 / expected for a in range(1, size + 1) for b in range(1, size + 1))
    assert abs(chi_square - freedom) < 6 * sqrt(2 * freedom)


@pytest.mark.parametrize("seed", [2024, SEED], ids=["pcg32", "fresh"])
def test_faces_rise_and_fall_as_often_as_they_should(seed: int | str) -> None:
    """Runs test: of three numbers in a row, the middle one is the highest or the lowest two times in three."""
    below = SeededDice(seed).generator.below
    numbers = [below(1 << 32) for _ in range(20_000)]
    turns = sum((b > a) == (b > c) for (a, b), (_, c) in zip(pairwise(numbers), pairwise(numbers[1:]), strict=False))
    expected, variance = 2 * (20_000 - 2) / 3, (16 * 20_000 - 29) / 90
    assert abs(turns - expected) < 6 * sqrt(variance)


@pytest.mark.parametrize("size", [2, 4, 6, 12, 20, 100])
def test_every_face_of_a_fresh_seed_is_as_likely(size: int) -> None:
    for dice in (SeededDice(SEED), SeededDice(SEED).hidden):
        counted = Counter(dice.throw([Die(size)] * (400 * size)))
        chi_square = sum((counted[face] - 400) ** 2 / 400 for face in range(1, size + 1))
        assert abs(chi_square - (size - 1)) < 6 * sqrt(2 * (size - 1)) + 3


# Seeds in the interface -------------------------------------------------------------------------------------------

CARDS = """
ruleset: cards
ladders: {card: [two, three, queen, ace]}
kinds:
  table:
    one: yes
    has:
      deck: {list_of: card, default: "[two, three, queen, ace]", seen_by: []}
      open: {list_of: card, default: []}
  gambler:
    has:
      hand: {list_of: card, default: [], seen_by: owner}
      luck: {type: number, default: 0, seen_by: owner}
      wins: {type: number, default: 0, seen_by: everybody}
mechanics:
  any_number: {steps: {thrown: {roll: d20}, number: sum(thrown)}}
events:
  fate: {inputs: {who: {type: gambler}, number: {type: number}}, steps: {kept: {set: who.luck, to: number}}}
scenes:
  evening:
    inputs: {gamblers: {list_of: gambler, least: 1}}
    round:
      dealing:
        steps:
          everybody:
            for: one
            among: scene.gamblers
            each:
              card:   {draw: 1, from: table.deck}
              held:   {put: card, into: one.hand}
              public: {roll: 2d6}
              stays:  {choose: yes_no, by: one, default: yes}
      betting:
        steps:
          everybody:
            for: one
            among: scene.gamblers
            each:
              secret: {roll: d20}
              doubled: sum(secret) * 2
              kept:   {set: one.luck, to: doubled}
              called: {call: any_number}
              caused: {cause: fate, with: {who: one, number: called.number}}
              damage: {roll: d8}
              won:    {set: one.wins, to: sum(damage)}
    outcomes: {late: scene.round == 2}
"""


@pytest.fixture(scope="module")
def cards() -> Game:
    return interpreter.loads(CARDS)


def begin(game: Game, **more: Any) -> Session:
    state = game.state(ada={"is": "gambler"}, bo={"is": "gambler"})
    players = {"anna": ["ada"], "ben": ["bo"]}
    return game.begin("evening", state=state, players=players, gamblers=["ada", "bo"], **more)


def played(game: Game, **more: Any) -> Session:
    return begin(game, **more).run(lambda request: True)


def test_a_fresh_seed_is_given_again_in_python_and_at_the_terminal() -> None:
    game = interpreter.load("jadeclaw")
    first = game.roll("contest", own="4d12", against="4d12")
    assert isinstance(first.seed, str) and len(first.seed) == 32
    assert game.roll("contest", own="4d12", against="4d12", seed=first.seed.upper()).faces == first.faces
    said = CliRunner().invoke(group, ["roll", "jadeclaw", "contest", "own=4d12", "against=4d12", "--seed", first.seed])
    assert f"seed {first.seed}; faces {','.join(map(str, first.faces))}" in said.output


@pytest.mark.parametrize("seed", ["", "7", "0x12", "g" * 32, SEED[:-1], SEED + "0", True, 2.5, b"1" * 32])
def test_what_is_no_seed_is_refused(cards: Game, seed: Any) -> None:
    with pytest.raises(PlayError, match="HR670"):
        cards.roll("any_number", seed=seed)
    host = HostSessions(cards)
    call = {"do": "roll", "rule": "any_number", "seed": seed if not isinstance(seed, bytes) else []}
    reply = host.reply(json.dumps(call))
    assert not reply["ok"] and reply["error"]["code"] == "HR670", reply


def test_a_session_with_a_fresh_seed_is_saved_and_taken_up(cards: Game) -> None:
    session = begin(cards)
    for _ in range(3):
        session.host.answer(session.host.requests[0].id, True)
        resumed = cards.resume(session.to_json())
        assert resumed.to_data() == json.loads(session.to_json())
    session.host.undo()
    ahead, later = session, cards.resume(session.to_json())
    for one in (ahead, later):
        one.run(lambda request: True)
    assert ahead.to_data() == later.to_data() and ahead.result is not None
    assert cards.replay(ahead.result).faces == ahead.result.faces


@pytest.mark.parametrize(
    "change",
    [{"seed": "zz"}, {"seed": 5}, {"seed": True}, {"words": "x"}, {"words": 5}, {"words": "\ud800"}, {"dice": 3},
     {"dice": [1]}, {"dice": [-1, 0]}, {"dice": ["a", 0]}, {"dice": [True, 0]}],
    ids=str,
)  # fmt: skip
def test_a_save_with_another_seed_or_place_is_refused(cards: Game, change: dict[str, Any]) -> None:
    data = json.loads(played(cards).to_json())
    if "dice" in change:
        assert data["boundary"] is not None
        data["boundary"] |= change
        data["at"] = data["boundary"] | {}
        data["at"].pop("state"), data["at"].pop("answers")
    else:
        data |= change
    with pytest.raises(PlayError):
        cards.resume(data)


# What is hidden -----------------------------------------------------------------------------------------------------


def test_a_roll_that_goes_into_a_hidden_value_is_told_to_nobody_else(cards: Game) -> None:
    session = played(cards, seed=3)
    luck = {who: session.host.look(f"{who}.luck") for who in ("ada", "bo")}
    assert len(set(luck.values())) == 2
    for viewer in ("anna", "ben", SPECTATOR):
        told = [line for line in session.seat(viewer).lines() if line.name in ("secret", "doubled", "thrown", "number")]
        assert told == [], viewer
        assert any(line.name == "damage" for line in session.seat(viewer).lines())
    assert any(line.name == "secret" and "d20" in line.text for line in session.seat(HOST).lines())


def test_hidden_values_fall_from_a_stream_of_their_own(cards: Game) -> None:
    throws = played(cards).reveal(hidden=True)["throws"]
    streams = {one["path"].rpartition(".")[2]: one["stream"] for one in throws}
    assert streams == {"card": "hidden", "public": "public", "secret": "hidden", "thrown": "hidden", "damage": "public"}


def test_a_hidden_roll_at_the_table_is_asked_of_nobody_who_may_not_see_it(cards: Game) -> None:
    session = begin(cards, dice="table")
    while not (session.host.requests[0].kind == "faces" and session.host.requests[0].name == "secret"):
        request = session.host.requests[0]
        faces = [die["faces"][0] if "faces" in die else 1 for die in request.dice]
        session.host.answer(request.id, faces if request.kind == "faces" else True)
    assert session.seat("ben").requests == () and session.seat(SPECTATOR).requests == ()


# Proofs ---------------------------------------------------------------------------------------------------------------


def verified(revealed: dict[str, Any], *told: str) -> tuple[int, str]:
    done = subprocess.run(["node", str(VERIFIER), *told], input=json.dumps(revealed), capture_output=True, text=True,
                          check=False)  # fmt: skip
    return done.returncode, done.stdout.strip() or done.stderr


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not there")


@needs_node
def test_other_code_verifies_the_dice_of_a_session(cards: Game) -> None:
    seed = fresh_seed()
    told = commitments(seed)
    session = played(cards, seed=seed, words="anna: tulip, ben: 7 ✿")
    assert session.commitments == told
    public, whole = session.reveal(), session.reveal(hidden=True)
    assert set(public["keys"]) == {"public"} and {one["stream"] for one in public["throws"]} == {"public"}
    assert len(public["throws"]) == 6 and len(whole["throws"]) == 14
    assert verified(public, told["public"]) == (0, "6 throws fell as they had to")
    assert verified(whole, *told.values()) == (0, "14 throws fell as they had to")


@needs_node
def test_other_code_finds_what_was_forged(cards: Game) -> None:
    session = played(cards, words="a", seed=fresh_seed())
    told, whole = session.commitments.values(), session.reveal(hidden=True)

    def forged(**changes: Any) -> str:
        code, said = verified(deepcopy(whole) | changes, *told)
        assert code == 1
        return said

    assert "not the one that was promised" in forged(keys=played(cards).reveal(hidden=True)["keys"])
    assert "was thrown, and" in forged(words="b")
    assert "numbers were taken before" in forged(throws=whole["throws"][2:])
    other = deepcopy(whole["throws"])
    other[-1]["faces"] = [other[-1]["faces"][0] % 8 + 1]
    assert "was thrown, and" in forged(throws=other)


@needs_node
def test_what_was_taken_back_is_no_part_of_the_proof(cards: Game) -> None:
    session = begin(cards)
    for _ in range(2):
        session.host.answer(session.host.requests[0].id, True)
    session.host.undo()
    assert verified(session.reveal(hidden=True), *session.commitments.values())[0] == 0
    session.host.redo()
    session.run(lambda request: False)
    assert verified(session.reveal(hidden=True), *session.commitments.values())[0] == 0


def test_what_a_number_gives_proves_nothing(cards: Game) -> None:
    for session in (begin(cards, seed=3), begin(cards, dice="table")):
        with pytest.raises(PlayError, match="HR690"):
            session.reveal()
    with pytest.raises(PlayError, match="HR670"):
        begin(cards, seed=3, words="tulip")


def test_a_host_program_commits_and_reveals() -> None:
    game = interpreter.loads(CARDS)
    host = HostSessions(game)

    def reply(**call: Any) -> dict[str, Any]:
        return host.reply(json.dumps(call))

    committed = reply(do="commit")
    things = {one: {"is": "gambler"} for one in ("ada", "bo")}
    call = {"rule": "evening", "things": things, "given": {"gamblers": ["ada", "bo"]}, "players": {"anna": ["ada"]}}
    begun = reply(do="begin", seed=committed["seed"], words="tulip", **call)
    assert begun["ok"], begun
    revealed = reply(do="reveal", viewer="host")
    assert revealed["ok"], revealed
    assert revealed["reveal"]["commitments"] == committed["commitments"]
    assert set(revealed["reveal"]["keys"]) == {"public"}
    assert set(reply(do="reveal", viewer="host", hidden=True)["reveal"]["keys"]) == {"public", "hidden"}
    assert not reply(do="reveal", viewer={"player": "anna"})["ok"]


# Saves that are given away ------------------------------------------------------------------------------------------

KEY = b"sixteen bytes or more"


def test_a_signed_save_comes_back_as_it_was(cards: Game) -> None:
    session = begin(cards)
    state, result = cards.to_json(cards.state(ada={"is": "gambler"})), cards.roll("any_number").to_json()
    for save, read in ((session.to_json(), cards.resume), (state, cards.state), (result, cards.replay)):
        signed = interpreter.sign(save, KEY)
        assert interpreter.verify(signed, KEY) == json.loads(save)
        assert interpreter.verify(json.loads(signed), KEY) == json.loads(save)
        read(interpreter.verify(json.dumps(json.loads(signed), indent=1, sort_keys=True), KEY))


def test_a_forged_save_is_refused(cards: Game) -> None:
    """One that nobody signed is only held to itself: a log that is made up, and leads where it says, is taken up."""
    real, forged = begin(cards, seed=3), begin(cards, seed=4)
    assert cards.resume(forged.to_json())
    signed = json.loads(interpreter.sign(real.to_json(), KEY))
    for save in (forged.to_data(), signed | {"seed": 4}, signed | {"signature": "00"}, signed | {"signature": None},
                 signed | {"signature": "é"}, json.loads(interpreter.sign(real.to_json(), KEY[::-1]))):  # fmt: skip
        with pytest.raises(PlayError, match="HR691"):
            interpreter.verify(save, KEY)
    for wrong in (b"short", "a text of some length"):
        with pytest.raises(PlayError, match="HR670"):
            interpreter.sign(real.to_json(), wrong)  # type: ignore[arg-type]
    for save in ("[]", "{", "{}"):
        with pytest.raises(PlayError, match="HR678"):
            interpreter.sign(save, KEY)


# Replay ---------------------------------------------------------------------------------------------------------------


def result_data(with_rules: bool = True, **more: Any) -> tuple[Game, dict[str, Any]]:
    game = interpreter.load("jadeclaw")
    return game, game.roll("contest", own="4d12", against="4d12", **more).to_data(with_rules=with_rules)


@pytest.mark.parametrize("seed", [7, SEED])
def test_a_result_with_another_seed_is_refused(seed: int | str) -> None:
    game, data = result_data(seed=seed)
    assert game.replay(data).seed == seed
    for other in (8, fresh_seed()):
        with pytest.raises(PlayError, match="seed"):
            game.replay(data | {"seed": other})
    assert game.replay(data | {"seed": None}).faces == tuple(data["faces"])


@pytest.mark.parametrize("key", ["text", "name", "kind", "depth", "path"])
def test_a_result_with_another_trace_is_refused(key: str) -> None:
    game, data = result_data(seed=7)
    trace = deepcopy(data["trace"])
    trace[1][key] = 3 if key == "depth" else "something else"
    with pytest.raises(PlayError, match=r"trace"):
        game.replay(data | {"trace": trace})
    with pytest.raises(PlayError, match=r"trace"):
        game.replay(data | {"trace": data["trace"][:-1]})


def test_texts_of_a_trace_may_be_those_of_other_rules() -> None:
    game, data = result_data(with_rules=False, seed=7)
    data["trace"][0]["text"] = "as it was worded once"
    assert game.replay(data).outcome == data["outcome"]
