"""What somebody does with the page: writes, sees, rolls, shares, and comes back without a network."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from page import DESK, NARROW, PHONE, Visitor

pytestmark = pytest.mark.thorough

Visit = Callable[..., Visitor]

CRITICALS = {"critical hit": "10.0%", "hit": "60.0%", "miss": "30.0%", "hits": "70.0%"}
"""The chances of the first example."""

ATTACK = "ruleset: ours\nextends: dnd5e\nchanges:\n  options.critical_from.default:\n    set: {}\n    because: More.\n"

TWO_DICE = """ruleset: two
mechanics:
  test:
    inputs: {{number: {{type: number, from: 2, to: 12, default: 7}}}}
    steps: {{dice: {{roll: 2d6}}, total: sum(dice)}}
    outcomes:
      {outcome}: total >= number
      failure: otherwise
"""


# Writing and seeing --------------------------------------------------------------------------------------------------


def test_the_first_odds_are_shown_ahead_and_python_agrees(visitor: Visit) -> None:
    me = visitor()
    me.tab.goto(me.address)
    me.tab.wait_for_selector("html[data-ahead]", state="attached")  # on a slow machine, Python may answer meanwhile
    assert me.chances() == CRITICALS
    me.tab.wait_for_selector("html[data-odds]", state="attached")
    assert me.chances() == CRITICALS
    assert me.complaints == []


def test_what_is_typed_moves_the_odds(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click(".cm-line:has-text('set: 19')")
    me.tab.keyboard.press("End")
    me.sees_new_odds(lambda: (me.tab.keyboard.press("Backspace"), me.tab.keyboard.type("8")))
    assert me.chances()["critical hit"] == "15.0%"
    row = me.tab.locator("#odds .bars tr", has_text="critical hit").first
    assert "".join(row.inner_text().split()).endswith("▲+10.0pts")


def test_odds_that_are_old_say_so_and_the_way_out_is_a_button(visitor: Visit) -> None:
    me = visitor().opens()
    me.writes(TWO_DICE.format(outcome="success").replace("sum(dice)", "smu(dice)"))
    me.tab.locator("#problems .problem", has_text="smu").first.wait_for()
    assert "of the last version" in me.tab.locator("#stale").inner_text()
    me.tab.click("#tab-roll")
    assert me.tab.locator("#stale").is_visible()
    me.tab.click("#tab-see")
    me.sees_new_odds(lambda: me.tab.locator("#problems .fixes button").first.click())
    assert "sum(dice)" in me.tab.locator(".cm-content").inner_text()
    assert me.chances() == {"success": "58.3%", "failure": "41.7%"}
    assert "old" not in (me.tab.get_attribute("#see", "class") or "")
    assert me.tab.locator("#stale").is_hidden()


def test_the_form_is_made_of_the_rules(visitor: Visit) -> None:
    me = visitor().opens()
    me.sees_new_odds(lambda: me.tab.click("[aria-label='more armour class']"))
    assert me.chances()["miss"] == "35.0%"
    me.tab.click("details.more summary")
    me.sees_new_odds(lambda: me.tab.click("#form label.check:text-is('advantage')"))
    assert me.chances()["critical hit"] == "19.0%"
    me.sees_new_odds(lambda: me.tab.fill("input[aria-label='bonus']", "many"))
    assert me.tab.locator("#odds .refused").is_visible()


def test_a_number_is_read_exactly_at_least_and_at_most(visitor: Visit) -> None:
    me = visitor().opens()
    me.writes(TWO_DICE.format(outcome="success"))
    me.tab.locator("#odds .bars th", has_text="success").wait_for()
    slider = me.tab.locator("#odds input[type=range]")
    assert slider.get_attribute("aria-valuetext") == "exactly 7: 16.7%"
    me.sees_new_odds(lambda: me.tab.check("input[value=at_least]", force=True))
    assert me.tab.locator("#odds .reading").inner_text().startswith("at least 7: 58.3% = 7/12")
    me.tab.focus("#odds input[type=range]")
    me.tab.keyboard.press("ArrowRight")
    assert me.tab.locator("#odds .reading").inner_text().startswith("at least 8: 41.7% = 5/12")


def test_a_sweep_follows_the_form(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.wait_for_selector("#sweep svg")
    me.tab.select_option("#sweep select", "armour_class")
    me.tab.wait_for_selector("#sweep caption:has-text('armour class')", state="attached")
    rows = me.tab.locator("#sweep table tbody tr").all_inner_texts()
    assert len(rows) == 15 and any(row.startswith("12\t10.0%\t60.0%\t30.0%") for row in rows)


def test_the_editor_completes_and_explains(visitor: Visit) -> None:
    me = visitor().opens()
    me.writes("ruleset: ours\nextends: dnd5e\nchanges:\n  options.critical.default:\n    set: ")
    me.tab.keyboard.press("Control+Space")
    me.tab.locator(".cm-tooltip-autocomplete li", has_text="max_plus_roll").wait_for()
    me.tab.keyboard.press("Escape")
    me.tab.hover(".cm-line:has-text('critical.default') span")
    me.tab.locator(".cm-tooltip .hover").wait_for()


def test_a_house_rule_is_shown_beside_what_it_changes(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("[role=tab]:has-text('dnd5e as it is')")
    me.tab.locator("#fixed").wait_for()
    assert me.tab.locator(".cm-line .changed").all_inner_texts() == ["default", "default"]
    me.tab.click("[data-file='rules.yaml']")
    assert "extends: dnd5e" in me.tab.locator(".cm-content").inner_text()
    me.sees_new_odds(lambda: me.writes(ATTACK.format(18)))
    assert me.chances()["critical hit"] == "15.0%"


# Beginning -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_newcomer_makes_another_critical_hit_without_knowing_a_name(visitor: Visit, size: dict[str, int]) -> None:
    me = visitor(size, has_touch=True).opens()
    suggested = me.tab.locator(".cm-tooltip-autocomplete li")
    me.tab.tap("#begin")
    me.tab.tap("#games summary:has-text('Dungeons')")
    me.sees_new_odds(lambda: me.tab.tap("[data-over=dnd5e]"))
    assert me.tab.locator("#mechanic").evaluate("menu => menu.value") == "attack"
    me.tab.tap("#suggest")  # the first value is selected
    suggested.filter(has_text="max_plus_roll").wait_for()
    me.tab.wait_for_timeout(200)  # at first the list takes no keys, so that nobody chooses by mistake
    me.tab.keyboard.press("ArrowDown")
    me.tab.locator(".cm-completionInfo", has_text="on top of the roll").wait_for()
    me.sees_new_odds(lambda: suggested.filter(has_text="max_plus_roll").tap())
    assert "set: max_plus_roll" in me.tab.locator(".cm-content").inner_text()
    average = "5.65 (was 5.475)"
    assert average in me.tab.locator("#strip" if size == PHONE else "#odds").inner_text()
    me.waits(f"document.getElementById('told').textContent.includes('{average}')")
    me.tab.locator(".cm-line", has_text="set: 20").locator("span").last.tap()
    me.tab.keyboard.press("End")
    me.tab.keyboard.press("Backspace")
    me.tab.keyboard.press("Backspace")
    me.sees_new_odds(lambda: me.tab.keyboard.type("18"))
    assert me.chances()["critical hit"] == "15.0%"
    me.tab.wait_for_timeout(500)
    assert suggested.count() == 0  # Enter would choose what nobody asked for


def test_the_rule_that_is_shown_follows_the_change_until_somebody_chooses_one(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("#begin")
    me.tab.click("#games summary:has-text('Dungeons')")
    me.sees_new_odds(lambda: me.tab.click("[data-over=dnd5e]"))
    text = "ruleset: ours\nextends: dnd5e\nchanges:\n  options.natural_rolls.default: {{set: {}, because: So.}}\n"
    me.sees_new_odds(lambda: me.writes(text.format("everything")))
    assert me.tab.input_value("#mechanic") == "check"
    me.sees_new_odds(lambda: me.tab.select_option("#mechanic", "attack"))
    me.sees_new_odds(lambda: me.writes(text.format("attacks")))
    me.sees_new_odds(lambda: me.writes(text.format("everything")))
    assert me.tab.input_value("#mechanic") == "attack"


def test_rules_with_a_problem_are_shared_with_a_warning(visitor: Visit) -> None:
    me = visitor().opens()
    me.writes(TWO_DICE.format(outcome="success").replace("sum(dice)", "smu(dice)"))
    me.tab.locator("#problems .problem").first.wait_for()
    link = shared(me).removeprefix(me.address)
    assert "problem" in me.tab.locator("#link-problem").inner_text()
    you = visitor()
    you.tab.goto(you.address + link)
    you.tab.locator("#odds [role=status]", has_text="These rules have a problem").wait_for()


def test_where_nothing_can_be_suggested_the_page_says_so(visitor: Visit) -> None:
    me = visitor(PHONE).opens()
    me.tab.click(".cm-line:has-text('Try it')")
    me.tab.click("#suggest")
    me.tab.locator("#help.none p", has_text="Nothing to suggest").wait_for()


def test_every_example_has_odds(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("#begin")
    names = [one.get_attribute("data-example") for one in me.tab.locator("[data-example]").all()]
    assert len(names) == 8
    me.tab.keyboard.press("Escape")
    for name in names:
        me.tab.click("#begin")
        me.sees_new_odds(lambda name=name: me.tab.click(f"[data-example={name}]"))
        assert me.tab.get_attribute("#state", "data-kind") == "good", name
        assert me.chances(), name
    assert me.complaints == []


def test_a_house_rule_begins_over_a_game_and_a_game_opens_whole(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("#begin")
    me.tab.click("#games summary:has-text('Blades')")
    me.sees_new_odds(lambda: me.tab.click("[data-over=blades]"))
    assert "options.push_costs.default" in me.tab.locator(".cm-content").inner_text()
    assert me.tab.get_attribute("#state", "data-kind") == "good"
    me.tab.click("#begin")
    me.sees_new_odds(lambda: me.tab.click("[data-game=blades]"))
    assert me.tab.locator("#files [role=tab]").count() > 1


# Rolling, reading, sharing -------------------------------------------------------------------------------------------


def test_a_roll_shows_dice_and_a_trace_and_a_seed_repeats_it(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("#tab-roll")
    me.tab.fill(".seed", "7")

    def rolled() -> str:
        me.tab.click("#throw")
        me.tab.locator("#roll .result").wait_for()
        return me.tab.locator("#roll .dice").inner_text()

    first = rolled()
    assert "d20" in first and rolled() == first
    me.tab.locator("#roll .trace summary").first.click()
    assert me.tab.locator("#roll .trace li li").first.is_visible()


def test_the_rulebook_is_searched_in_a_frame_where_no_other_script_runs(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("#tab-read")
    book = me.tab.frame_locator("#read iframe")
    book.locator("#search").fill("critical hit")
    assert re.fullmatch("[1-9] entr(y|ies)", book.locator("#found").inner_text())
    assert book.locator("article.entry:visible").count() < book.locator("article.entry").count()
    book.locator("nav a:visible").last.click()
    place = book.locator("nav a:visible").last.get_attribute("href")
    frame = me.tab.locator("#read iframe").element_handle().content_frame()
    assert frame.evaluate("location.hash") == place and book.locator("h1").count() == 1
    assert me.complaints == []
    assert me.tab.locator("#read iframe").get_attribute("sandbox") == "allow-scripts"
    assert frame.evaluate("window.origin") == "null"
    run = "text => { const one = document.createElement('script'); one.text = text; document.body.append(one); }"
    frame.evaluate(run, "document.title = 'taken'")
    assert frame.evaluate("document.title") != "taken"


def shared(me: Visitor) -> str:
    me.tab.click("#share")
    me.waits("document.getElementById('link').value !== ''")
    return str(me.tab.input_value("#link"))


def test_a_link_holds_everything(visitor: Visit) -> None:
    me = visitor().opens()
    me.sees_new_odds(lambda: me.writes(ATTACK.format(17)))
    me.sees_new_odds(lambda: me.tab.click("[aria-label='more bonus']"))
    chances, link = me.chances(), shared(me)
    assert len(link) < 600
    you = visitor()
    you.address = ""
    you.opens(link)
    assert you.chances() == chances
    assert you.tab.input_value("input[aria-label='bonus']") == "6"
    assert "set: 17" in you.tab.locator(".cm-content").inner_text()


@pytest.mark.parametrize("code", ["1.no", "1.AAAA", "2.q1YqSa0oUbIqKSpN1VEqLkksSVWyUkrOzy1KLS7OzM9TqgUA", "<script>"])
def test_a_link_that_is_not_whole_says_so(visitor: Visit, code: str) -> None:
    me = visitor().opens(f"#{code}")
    assert "not whole" in me.tab.locator("#notice").inner_text()
    assert me.chances() == CRITICALS


def saved(me: Visitor, text: str) -> None:
    """Wait until the browser has kept a text."""
    me.waits(f"(localStorage.getItem('houserule') ?? '').includes({json.dumps(text)})")


def test_a_link_that_is_not_whole_leaves_what_somebody_wrote(visitor: Visit) -> None:
    me = visitor().opens()
    me.sees_new_odds(lambda: me.writes(ATTACK.format(17)))
    me.tab.evaluate("location.hash = '#1.no'")
    me.tab.locator("#notice").wait_for()
    assert "set: 17" in me.tab.locator(".cm-content").inner_text()
    saved(me, "set: 17")
    me.tab.goto("about:blank")
    me.opens("#1.no")
    assert "not whole" in me.tab.locator("#notice").inner_text()
    assert "set: 17" in me.tab.locator(".cm-content").inner_text()


def test_what_is_written_after_sharing_is_there_after_a_reload(visitor: Visit) -> None:
    me = visitor().opens()
    me.sees_new_odds(lambda: me.writes(ATTACK.format(17)))
    shared(me)
    me.tab.keyboard.press("Escape")
    me.sees_new_odds(lambda: me.writes(ATTACK.format(16)))
    saved(me, "set: 16")
    me.tab.reload()
    me.tab.wait_for_selector("html[data-odds]", state="attached")
    assert me.chances()["critical hit"] == "25.0%"


def test_what_somebody_wrote_is_there_after_another_link_and_another_beginning(visitor: Visit) -> None:
    you = visitor().opens()
    you.sees_new_odds(lambda: you.writes(ATTACK.format(15)))
    link = shared(you).removeprefix(you.address)
    me = visitor().opens()
    me.tab.click("#begin")
    assert not me.tab.locator("#before").is_visible()
    me.tab.keyboard.press("Escape")
    me.sees_new_odds(lambda: me.writes(ATTACK.format(17)))
    saved(me, "set: 17")
    me.tab.goto("about:blank")
    me.opens(link)
    assert me.chances()["critical hit"] == "30.0%"
    me.tab.click("#begin")
    me.sees_new_odds(lambda: me.tab.click("#before"))
    assert me.chances()["critical hit"] == "20.0%"
    me.tab.click("#begin")
    me.sees_new_odds(lambda: me.tab.click("[data-example=pool]"))
    me.tab.click("#begin")
    me.sees_new_odds(lambda: me.tab.click("#before"))
    assert me.chances()["critical hit"] == "20.0%"


def test_a_link_that_unpacks_to_much_is_stopped(visitor: Visit) -> None:
    me = visitor().opens()
    link = me.tab.evaluate(
        """async () => {
          const text = JSON.stringify({text: 'x'.repeat(50_000_000)});
          const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
          const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
          let binary = '';
          for (const byte of bytes) binary += String.fromCharCode(byte);
          return '#1.' + btoa(binary).replaceAll('+', '-').replaceAll('/', '_');
        }"""
    )
    you = visitor().opens(link)
    assert "not whole" in you.tab.locator("#notice").inner_text()


def test_strangers_text_is_only_text(visitor: Visit) -> None:
    me = visitor().opens()
    evil = "<img src=x onerror=document.title='taken'>"
    text = TWO_DICE.format(outcome="success").replace("ruleset: two\n", f'ruleset: two\ntitle: "{evil}"\n')
    me.sees_new_odds(lambda: me.writes(text))
    me.tab.click("#tab-read")
    me.tab.frame_locator("#read iframe").locator("h1").first.wait_for()
    assert me.tab.inner_text("#title") == evil
    assert me.tab.locator("img").count() == 0 and me.tab.title() != "taken"


def test_files_are_saved_as_the_command_takes_them(visitor: Visit, tmp_path: Path) -> None:
    import interpreter

    me = visitor().opens()
    me.sees_new_odds(lambda: me.writes(TWO_DICE.format(outcome="success")))
    shared(me)
    with me.tab.expect_download() as download:
        me.tab.click("#save-files")
    file = tmp_path / "two.yaml"
    download.value.save_as(file)
    assert interpreter.load(str(file)).odds("test").of("outcome")["success"] * 12 == 7
    me.tab.keyboard.press("Escape")
    me.tab.click("#begin")
    file.write_text(file.read_text("utf-8").replace("2d6", "3d6"), "utf-8")
    me.sees_new_odds(lambda: me.tab.set_input_files("#open-files", str(file)))
    assert me.chances()["success"] == "90.7%"


# Playing -------------------------------------------------------------------------------------------------------------


def test_a_scene_is_played_at_one_screen_and_covered_between_players(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.click("#begin")
    me.tab.click("#games summary:has-text('Fiend Wake')")
    me.tab.click("[data-play=duel]")
    me.tab.click("[data-scene=duel]")
    me.tab.click("[data-seat=anna]")
    question = me.tab.locator("#play .question")
    question.wait_for()
    asked = question.inner_text()
    assert asked.startswith("anna decides for brakk")
    me.tab.click("#play .answers button >> nth=0")
    me.waits(f"document.querySelector('#play .question')?.innerText !== {json.dumps(asked)}")
    me.tab.click("#play button:has-text('Undo')")
    me.tab.click("[data-seat=anna]")
    question.wait_for()
    assert question.inner_text() == asked
    for _ in range(20):
        if me.tab.locator("[data-seat=ben]").count():
            break
        asked = question.inner_text()
        me.tab.click("#play .answers button >> nth=0")
        me.waits(f"document.querySelector('#play .question')?.innerText !== {json.dumps(asked)}")
    assert question.count() == 0 and "Hand the device to ben" in me.tab.locator("#play").inner_text()
    me.tab.click("[data-seat=ben]")
    me.tab.click("#play summary:has-text('What is on the table')")
    assert "tactical points 5" in me.tab.locator("#play .things").inner_text()


# Time, memory, and no network ----------------------------------------------------------------------------------------


def test_work_that_takes_long_is_shown_and_can_be_stopped(visitor: Visit) -> None:
    me = visitor().opens()
    me.writes(
        "ruleset: long\nmechanics:\n  test:\n    inputs: {number: {type: number, default: 1}}\n    steps:\n"
        "      dice: {roll: (number)d100}\n      total: sum(dice)\n"
        "    outcomes: {high: total > 50 * number, low: otherwise}\n"
    )
    me.tab.locator("#form input[aria-label='number']").wait_for()
    me.tab.fill("input[aria-label='number']", "1000")
    me.tab.locator("#stop").wait_for()
    me.tab.click("#stop")
    me.waits("document.documentElement.dataset.engine === 'ready'")
    me.sees_new_odds(lambda: me.tab.fill("input[aria-label='number']", "1"))
    assert me.chances()["high"] == "50.0%"


def test_it_works_again_without_a_network(visitor: Visit) -> None:
    me = visitor().opens()
    me.waits("navigator.serviceWorker.controller !== null")
    me.tab.context.set_offline(True)
    me.tab.reload()
    me.tab.wait_for_selector("html[data-odds]", state="attached")
    assert me.chances() == CRITICALS


def test_without_the_snapshot_it_starts_more_slowly(visitor: Visit) -> None:
    me = visitor(service_workers="block")
    me.tab.route("**/snapshot.pack", lambda route: route.fulfill(status=200, body=b"no snapshot"))
    me.opens()
    assert me.chances() == CRITICALS


# Everybody -----------------------------------------------------------------------------------------------------------


def test_the_keyboard_alone_is_enough(visitor: Visit) -> None:
    me = visitor().opens()
    press = me.tab.keyboard.press

    def goes_to(selector: str, key: str = "Tab") -> None:
        for _ in range(60):
            if me.tab.evaluate("one => document.activeElement?.matches(one) ?? false", selector):
                return
            press(key)
        raise AssertionError(f"the keyboard does not reach {selector}")

    goes_to(".cm-content")
    press("Control+a")
    me.sees_new_odds(lambda: me.tab.keyboard.insert_text(ATTACK.format(16)))
    press("Escape")
    press("Escape")
    me.tab.wait_for_timeout(2500)  # somebody may be slow
    press("Tab")  # after Escape, Tab leaves the editor
    assert me.tab.evaluate("document.activeElement.id") == "suggest"
    goes_to("#mechanic")
    goes_to("input[aria-label='armour class']")
    me.sees_new_odds(lambda: press("ArrowUp"))
    assert me.tab.input_value("input[aria-label='armour class']") == "13"
    assert me.chances()["critical hit"] == "25.0%"
    goes_to("#tab-see", "Shift+Tab")
    press("ArrowRight")
    goes_to("#throw")
    press("Enter")
    me.tab.locator("#roll .result").wait_for()
    goes_to("#share", "Shift+Tab")
    press("Enter")
    me.tab.locator("#share-dialog[open]").wait_for()
    press("Escape")
    assert not me.tab.locator("#share-dialog").is_visible()


def test_the_skip_link_leads_to_the_odds_and_keeps_the_rules(visitor: Visit) -> None:
    me = visitor(PHONE).opens()
    me.sees_new_odds(lambda: me.writes(ATTACK.format(16)))
    me.tab.focus("#skip")
    me.tab.keyboard.press("Enter")
    assert me.tab.evaluate("document.activeElement.id") == "panels"
    assert me.tab.locator("#see").is_visible()
    assert "set: 16" in (me.tab.text_content(".cm-content") or "")


def test_the_arrow_keys_go_through_the_files_and_a_fix_leads_back_to_the_text(visitor: Visit) -> None:
    me = visitor().opens()
    me.tab.focus("[data-file='rules.yaml']")
    me.tab.keyboard.press("ArrowRight")
    me.tab.locator("#fixed").wait_for()
    chosen = "document.activeElement.matches('#files [aria-selected=true]')"
    me.waits(chosen)
    me.tab.keyboard.press("ArrowRight")
    assert me.tab.evaluate(chosen) and me.tab.locator("#fixed").is_hidden()
    me.writes(TWO_DICE.format(outcome="success").replace("sum(dice)", "smu(dice)"))
    me.tab.locator("#problems .fixes button").first.focus()
    me.sees_new_odds(lambda: me.tab.keyboard.press("Enter"))
    assert me.tab.evaluate("document.activeElement.matches('.cm-content')")


def test_those_who_hear_the_page_are_told_the_odds_the_outcome_and_what_was_copied(visitor: Visit) -> None:
    me = visitor(permissions=["clipboard-read", "clipboard-write"]).opens()
    told = me.tab.locator("#told[role=status]")
    me.sees_new_odds(lambda: me.writes(ATTACK.format(18)))
    me.waits("document.getElementById('told').textContent.startsWith('critical hit 15.0% (was 5.0%), hit 55.0%')")
    me.tab.click("#tab-roll")
    me.tab.click("#throw")
    me.tab.locator("#roll [role=status] .result").wait_for()
    assert me.tab.locator("#roll [role=status] .trace").count() == 0
    shared(me)
    me.tab.click("#copy-link")
    me.tab.locator("#copied[role=status]", has_text="Copied").wait_for(state="attached")
    assert told.count() == 1


SMALL = """() => [...document.querySelectorAll(
    'button, select, input:not([type=radio], [type=checkbox], [type=file]), summary, label.check, .segments label'
  )]
  .filter(one => one.checkVisibility() && !one.closest('.apart'))
  .map(one => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 39.5 || box.height < 39.5)
  .map(([one, box]) => `${one.outerHTML.slice(0, 80)}: ${box.width} x ${box.height}`)"""
"""What is too small for a finger."""


@pytest.mark.parametrize("size", [PHONE, NARROW], ids=["phone", "narrow"])
def test_a_phone_shows_one_part_at_a_time_and_nothing_lies_beside_the_screen(
    visitor: Visit, size: dict[str, int]
) -> None:
    me = visitor(size).opens()
    strip = me.tab.locator("#strip")
    assert "critical hit 10.0%" in strip.inner_text().replace("\n", " ")
    me.sees_new_odds(lambda: me.writes(ATTACK.format(18)))
    assert "critical hit 15.0%" in strip.inner_text().replace("\n", " ")
    strip.click()
    for part in ("see", "roll", "read", "write"):
        me.tab.click(f"nav [data-view={part}]")
        assert me.width_that_overflows() <= 0, part


def test_motion_is_reduced_for_those_who_ask(visitor: Visit) -> None:
    me = visitor(reduced_motion="reduce").opens()
    assert me.tab.evaluate("getComputedStyle(document.querySelector('.track i')).transitionDuration") == "0s"


def first(me: Visitor) -> None:
    me.tab.wait_for_selector("#sweep svg")


def problem(me: Visitor) -> None:
    me.writes(TWO_DICE.format(outcome="success").replace("sum(dice)", "smu(dice)"))
    me.tab.locator("#problems .fixes button").first.wait_for()
    me.tab.keyboard.press("Escape")
    me.tab.mouse.move(900, 5)


def completion(me: Visitor) -> None:
    me.writes("ruleset: ours\nextends: dnd5e\nchanges:\n  options.critical.default:\n    set: ")
    me.tab.keyboard.press("Control+Space")
    me.tab.locator(".cm-tooltip-autocomplete li").first.wait_for()


def roll(me: Visitor) -> None:
    me.tab.click("nav [data-view=roll]" if me.tab.locator("nav").is_visible() else "#tab-roll")
    me.tab.fill(".seed", "11")
    me.tab.click("#throw")
    me.tab.locator("#roll .die").first.wait_for()


def beginning(me: Visitor) -> None:
    me.tab.click("#begin")


def sharing(me: Visitor) -> None:
    shared(me)


def rulebook(me: Visitor) -> None:
    me.tab.click("#tab-read")
    me.tab.frame_locator("#read iframe").locator("h1").first.wait_for()


def playing(me: Visitor) -> None:
    me.tab.click("#begin")
    me.tab.click("#games summary:has-text('Fiend Wake')")
    me.tab.click("[data-play=duel]")
    me.tab.click("[data-scene=duel]")
    me.tab.click("[data-seat=anna]")
    me.tab.locator("#play .question").wait_for()


def odds_of_a_phone(me: Visitor) -> None:
    me.tab.click("nav [data-view=see]")
    me.tab.wait_for_selector("#sweep svg")


def nothing(me: Visitor) -> None:
    pass


STATES: list[tuple[str, dict[str, int], bool, Callable[[Visitor], None]]] = [
    ("desk", DESK, False, first),
    ("problem", DESK, True, problem),
    ("completion", DESK, False, completion),
    ("roll", DESK, True, roll),
    ("begin", DESK, False, beginning),
    ("rulebook", DESK, False, rulebook),
    ("play", DESK, True, playing),
    ("phone-rules", PHONE, False, nothing),
    ("phone-odds", PHONE, True, odds_of_a_phone),
    ("phone-share", NARROW, False, sharing),
]


@pytest.mark.parametrize(("name", "size", "dark", "reach"), STATES, ids=[state[0] for state in STATES])
def test_nothing_serious_keeps_anybody_out(
    visitor: Visit, name: str, size: dict[str, int], dark: bool, reach: Any
) -> None:
    """`PICTURES=docs/page` writes the pictures of the documentation."""
    me = visitor(size, dark, reduced_motion="reduce").opens()
    reach(me)
    assert me.violations() == []
    assert me.width_that_overflows() <= 0
    if size in (PHONE, NARROW):
        assert me.tab.evaluate(SMALL) == []
    if folder := os.environ.get("PICTURES"):
        me.tab.screenshot(path=Path(folder) / f"{name}.png")
    assert me.complaints == []
