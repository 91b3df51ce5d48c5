"""HR6: a run, and a scene under way; HR999: an error of this program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from shlex import quote

from interpreter.diagnostics.model import Diagnostic, PlayError
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import did_you_mean, list_words, near_or_list
from interpreter.shown_text import last_sentence


def internal_error(error: str, doing: str, version: str) -> Diagnostic:
    return Diagnostic("HR999", f"internal error, please report: {error}", NOWHERE,
                      f"send this message with {doing} and the version ({version})")  # fmt: skip


def unknown_mechanic(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR601", f"there is nothing to play called `{name}`", NOWHERE, near_or_list(name, known, "there are")
    )


def nothing_to_begin(name: str, scenes: Iterable[str], rules: Iterable[str], is_scene_file: bool) -> Diagnostic:
    """`scenes` are those of the ruleset, and `rules` the paths of its other rules."""
    scenes, rules = list(scenes), list(rules)
    near = did_you_mean(name, [*scenes, *rules])
    ways = [f"scenes: {list_words(scenes)}"] if scenes else []
    ways += [f"other rules by their paths: {list_words(rules)}"] if rules else []
    if is_scene_file:
        near = "it is a scene file: `load_scene` reads it, and a host that was started with it begins it as `scene`"
    return Diagnostic("HR601", f"there is no scene or rule to begin called `{name}`", NOWHERE, near or "; ".join(ways))


def unknown_input(span: Span, name: str, mechanic: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR602",
        f"`{mechanic}` has no input `{name}`",
        span,
        near_or_list(name, known, "it has") or "it has no inputs",
        about=name,
    )


def missing_input(name: str, mechanic: str, meaning: str) -> Diagnostic:
    return Diagnostic("HR603", f"`{mechanic}` needs `{name}`: {meaning}", NOWHERE, f"write `{name}=…`", about=name)


def missing_given(span: Span, name: str, scene: str, meaning: str) -> Diagnostic:
    """As `missing_input`, of a scene file."""
    missing = missing_input(name, scene, meaning or "it has no default")
    return replace(missing, span=span, help=f"write `{name}: …` under `given`")


def out_of_bounds(span: Span, name: str, value: int, low: int | None, high: int | None) -> Diagnostic:
    bounds = (
        f"from {low} to {high}"
        if low is not None and high is not None
        else (f"at least {low}" if low is not None else f"at most {high}")
    )
    return Diagnostic("HR604", f"`{name}` must be {bounds}, not {value}", span, about=name)


def wrong_length(span: Span, name: str, count: int, low: int | None, high: int | None) -> Diagnostic:
    bounds = (
        f"{low} to {high}"
        if low is not None and high is not None
        else f"at least {low}"
        if low is not None
        else f"at most {high}"
    )
    return Diagnostic("HR604", f"`{name}` must have {bounds} elements, not {count}", span, about=name)


FAILS_WHERE = "HR605"


def fails_where(span: Span, name: str, value: str, condition: str, functions: Mapping[str, str]) -> Diagnostic:
    """`functions` are those of the ruleset that the condition calls, with what they say about themselves. The condition
    is in the help, which players are not shown."""
    told = [f"it must satisfy `{condition}`", *(f"`{called}`: {about}" for called, about in functions.items() if about)]
    return Diagnostic(FAILS_WHERE, f"`{name}` cannot be `{value}`", span, "; ".join(told), about=name)


REQUIRED = "HR606"


def requirement_not_met(name: str, condition: str, span: Span, about: str = "") -> Diagnostic:
    """`about` says in the words of the ruleset why it is not possible."""
    reason = about.strip().removesuffix(".") or f"`{name}` requires `{condition}`"
    return Diagnostic(REQUIRED, f"this is not possible: {reason}", span, about=name)


def price_refused(span: Span, who: str) -> Diagnostic:
    """Of an action whose actor may refuse a price that somebody else has named."""
    return Diagnostic(REQUIRED, f"`{who}` does not do it at this price", span, about="pays")


def refused_before(span: Span, name: str) -> Diagnostic:
    """Of what an actor wants once more in the same offer."""
    return Diagnostic(REQUIRED, "this was refused already", span, "want something else, or pass", about=name)


def needs_things(ruleset: str, mechanic: str, name: str, kind: str) -> Diagnostic:
    """A mechanic whose input needs a thing, which nobody can type."""
    help_text = (
        f"`houserule act {ruleset} STATE {mechanic}` plays it in a state that has one: "
        "a file of things, or a session that `play` has saved with `:save FILE.json`"
    )
    message = f"`{name}` needs a `{kind}`, and there is none without a state"
    return Diagnostic("HR650", message, NOWHERE, help_text, about=name)


def written_so(text: str, meant: str) -> Diagnostic:
    return Diagnostic("HR620", f"`{text}` is not how dice are written", NOWHERE, f"write `{meant}`")


def number_beside_dice(span: Span, name: str, dice: str, number: str) -> Diagnostic:
    """Of an input of dice that is given as `2d6+3`."""
    return Diagnostic(
        "HR401", f"`{name}` is dice alone, and `{number}` is a number", span,
        f"give `{dice}`; a number that is added has an input or a field of its own, if the rule takes one",
    )  # fmt: skip


def too_few_faces(needed: str, given: int, before: str) -> Diagnostic:
    """`before` are the dice thrown before this one, in their order."""
    there = f"only {count_in_words(given, 'face')} given, but one more" if given else "no face is given, but one"
    help_text = "add it at the end, or leave all faces to chance" + _order_of_throws(before)
    return Diagnostic("HR610", f"{there} for `{needed}` is needed", NOWHERE, help_text)


def too_many_faces(span: Span, used: int, given: int, thrown: str) -> Diagnostic:
    asked = f"only {count_in_words(used, 'was', 'were')} asked for" if used else "none was asked for"
    help_text = "leave out the rest" + (f"; the dice were, in their order: {thrown}" if thrown else "")
    return Diagnostic("HR611", f"{count_in_words(given, 'face')} given, but {asked}", span, help_text)


def with_dice_before(slip: Diagnostic, before: str) -> Diagnostic:
    """A face that a die cannot show, with the dice thrown before it: perhaps the faces are in another order."""
    return replace(slip, help=(slip.help or "") + _order_of_throws(before))


def _order_of_throws(before: str) -> str:
    return f"; the dice before it, in their order: {before}" if before else ""


def no_such_face(span: Span, die: str, face: object, faces: str) -> Diagnostic:
    if isinstance(face, str) and "," in face and not face.lstrip().startswith("{"):
        message = f"`faces` is a list, and `{face}` is a single text, which the die `{die}` cannot show"
        return Diagnostic("HR612", message, span, f"write `[{face}]`")
    return Diagnostic("HR612", f"the die `{die}` cannot show `{face}`", span, f"it shows {faces}")


def count_in_words(number: int, one: str, many: str | None = None) -> str:
    if many is None:
        one, many = f"{one} is", f"{one}s are"
    return f"{number} {one if number == 1 else many}"


def wrong_number_of_faces(span: Span, dice: int, faces: int) -> Diagnostic:
    there = f"{dice} {'die' if dice == 1 else 'dice'}"
    return Diagnostic("HR613", f"{count_in_words(faces, 'face')} given for {there}", span,
                      "write one face for each die, or leave all faces to chance")  # fmt: skip


def not_an_answer(choice: str, answer: str, allowed: str, ask: str = "") -> Diagnostic:
    """`ask` is the question as it was put, if it was put to somebody; of a long one, the message has what it asks."""
    name = f"“{last_sentence(ask)}”" if ask else f"`{choice.rpartition('.')[2]}`"
    message = f"`{answer}` is not a valid answer to {name}" if answer else f"{name} needs an answer"
    return Diagnostic("HR620", message, NOWHERE, f"allowed: {allowed}", about=choice)


def several_meant(choice: str, answer: str, meant: Iterable[str]) -> Diagnostic:
    """An answer that may mean several options, by their titles."""
    return Diagnostic("HR620", f"`{answer}` may mean several answers", NOWHERE, f"one of: {'; '.join(meant)}",
                      about=choice)  # fmt: skip


def thing_not_for_action(title: str, word: str, possible: Mapping[str, str]) -> Diagnostic:
    """A thing that was named for an action; `possible` are what its inputs can be, in words."""
    ways = "; ".join(f"{name}: {words}" for name, words in possible.items())
    help = f"possible now: {ways}" if ways else None
    return Diagnostic("HR620", f"`{word}` cannot be chosen for “{title}”", NOWHERE, help, about=word)


def unknown_command(name: str) -> Diagnostic:
    return Diagnostic("HR620", f"there is no command `:{name}`", NOWHERE, ":help lists the commands", about=name)


def command_without_file(name: str) -> Diagnostic:
    help = f"write `:{name} FILE`"
    return Diagnostic("HR620", f"`:{name}` needs the name of a file", NOWHERE, help, about=name)


def incomplete_command(name: str, form: str) -> Diagnostic:
    return Diagnostic("HR620", f"`:{name}` is not complete", NOWHERE, f"write `{form}`", about=name)


def no_answer(choice: str, by: str | None, ask: str, example: str | None = None) -> Diagnostic:
    """`example` is an answer that is allowed, as it is typed."""
    who = f"`{by}`" if by else "a player"
    return Diagnostic(
        "HR621",
        f"{who} must decide `{choice}`" + (f": {ask}" if ask else ""),
        NOWHERE,
        f"answer it with `--choose {choice}=…`" if example is None else _how_to_answer(choice, example),
        about=choice,
    )


def _how_to_answer(choice: str, example: str) -> str:
    return f"answer it with `--choose`, such as `--choose {quote(f'{choice}={example}')}`"


def answers_used_up(choice: str, given: int, allowed: str) -> Diagnostic:
    """`allowed` says which answers it may have now."""
    now = f"; it may be {allowed} now" if allowed else ""
    answers = "1 answer was" if given == 1 else f"{given} answers were"
    return Diagnostic(
        "HR622", f"`{choice}` is asked again, but only {answers} given", NOWHERE,
        "a list gives one answer for each time the choice comes up; "
            f"if several are asked at once, answer by name: `{{ann: yes, bo: no}}`{now}",
        about=choice,
    )  # fmt: skip


def never_asked(choice: str, asked: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR623", f"`{choice}` was never asked", NOWHERE, near_or_list(choice, asked, "the rules asked"), about=choice
    )


def could_only_be(choice: str, answers: Iterable[str]) -> Diagnostic:
    """An answer to a choice that was settled each time, with what was possible."""
    possible = list(dict.fromkeys(answers))
    why = f"it could only be {possible[0]}"
    if len(possible) > 1:
        why = f"each time only one answer was possible: {', '.join(possible)}"
    return Diagnostic("HR623", f"`{choice}` was not asked: {why}", NOWHERE, "leave it out", about=choice)


def asked_less_often(choice: str, asked: int, given: int) -> Diagnostic:
    times = "once" if asked == 1 else f"{asked} times"
    return Diagnostic(
        "HR623", f"`{choice}` was asked {times}, but {given} answers are given", NOWHERE, "leave out the rest",
        about=choice,
    )  # fmt: skip


def ambiguous_choice(choice: str, paths: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR624",
        f"`{choice}` is ambiguous: it may mean {list_words(paths)}",
        NOWHERE,
        "write the longer name",
        about=choice,
    )


def nothing_to_choose(choice: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "HR625",
        f"`{choice}` must be answered, and there is nothing to choose from",
        span,
        "put an `if` beside it, or make it `choose: some` with `most: 1`",
        about=choice,
    )


def never_ends(span: Span, condition: str) -> Diagnostic:
    return Diagnostic("HR591", f"a die is thrown again whatever it shows: `{condition}` always holds", span,
                      "say which faces are thrown again, as in `face == 6`, or how often, as in `nth < 3`")  # fmt: skip


def guard_reached(span: Span, path: str, limit: int) -> Diagnostic:
    return Diagnostic(
        "HR630",
        f"`{path}` repeated {limit:,} times and reached its guard",
        span,
        "the guard is a safety limit: raise it, or find out why the loop does not end",
    )


def budget_spent(span: Span, what: str, limit: int) -> Diagnostic:
    return Diagnostic("HR631", f"this run needs more than {limit:,} {what}", span)


def over_budget(allowed: str) -> Diagnostic:
    return Diagnostic(
        "HR638",
        f"this takes more than it may: {allowed}",
        NOWHERE,
        "ask for less at once, such as fewer dice, passes or runs, or allow it more: `--budget`, or `Budget` in Python",
    )


def fewer_runs(why: Diagnostic, runs: int, asked: int) -> Diagnostic:
    """A warning that a simulation has ended before all runs that were asked for."""
    made = f"these are {runs:,} of {asked:,} runs: all of them take more than they may"
    return replace(why, severity="warning", message=made)


def process_ended(not_started: str = "") -> Diagnostic:
    """The end of a process before its call was answered, or why it does not start."""
    if not_started:
        return Diagnostic("HR639", not_started, NOWHERE, "see that its Python can import `interpreter`, and begin anew")
    return Diagnostic(
        "HR639", "the process of this call has ended", NOWHERE, "nothing else is lost: call again, with less"
    )


def cannot_compute(span: Span, name: str, why: str) -> Diagnostic:
    return Diagnostic("HR632", f"`{name}` cannot be computed: {why}", span, about=name)


def number_out_of_range(span: Span) -> Diagnostic:
    return Diagnostic("HR633", "this number does not fit into 64 bits", span)


def holds_too_much(span: Span, most: int) -> Diagnostic:
    return Diagnostic("HR637", f"this would hold more than {most:,} values", span)


def off_the_rows(span: Span, table: str, key: str) -> Diagnostic:
    return Diagnostic("HR634", f"`{table}` has no row for {key}", span, about=table)


def no_outcome(mechanic: str) -> Diagnostic:
    return Diagnostic("HR635", f"none of the outcomes of `{mechanic}` holds", NOWHERE)


def cannot_throw_anew(span: Span, roll: str | None) -> Diagnostic:
    if roll is None:
        why = "they were given as results, and no rule says what a new throw counts"
        return Diagnostic("HR636", f"these dice cannot be rerolled: {why}", span,
                          "roll them in the rules, or give dice that count what they show")  # fmt: skip
    why = f"`each` of `{roll}` asks, changes the state or ends the rule"
    return Diagnostic("HR636", f"these dice cannot be rerolled: {why}", span, THROWN_ANEW)


THROWN_ANEW = "do this in steps of their own after the reroll; `each` should only compute values"


def not_that_type(span: Span, name: str, wanted: str, text: str, why: str | None = None) -> Diagnostic:
    if wanted.startswith("a list") and why is None and "(" in text:
        why = "list the elements, `[1, 2, 3]`, or compute the list in the rules: values that are given are not computed"
    elif wanted.startswith("a list") and why is None and text and text[0] not in "[{":
        why = f"write `[{text}]`"
    return Diagnostic("HR640", f"`{name}` must be {wanted}, and `{text}` is not", span, why, about=name)


def unknown_option(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    help_text = near_or_list(name, known, "there are") or "this ruleset has no options"
    return Diagnostic("HR641", f"there is no option `{name}`", span, help_text, about=name)


def unknown_policy(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR642", f"there is no policy `{name}`", NOWHERE, near_or_list(name, known, "there are"))


def no_ruleset(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR643",
        f"there is no ruleset `{name}`, bundled or as a file or folder",
        NOWHERE,
        near_or_list(name, known, "bundled rulesets"),
    )


def nothing_bundled(name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR643", f"no ruleset `{name}` is bundled", NOWHERE, near_or_list(name, known, "bundled rulesets")
    )


def no_scene_file(name: str, ruleset: str | None, known: Iterable[str]) -> Diagnostic:
    """`known` are the scenes that come with a ruleset, or, without one, with all of them."""
    message = f"there is no file `{name}`, and no scene of that name comes with `{ruleset or 'houserule'}`"
    return Diagnostic("HR643", message, NOWHERE, near_or_list(name, known, "its scenes"))


def no_scene_to_begin(ruleset: str, scenes: Iterable[str], others: Iterable[str]) -> Diagnostic:
    """`scenes` are those of the rules, of which none can begin with things as they are by default."""
    scenes = list(scenes)
    if not scenes:
        help = f"rulesets with scenes are {list_words(others)}"
        return Diagnostic("HR643", f"there are no scenes in `{ruleset}`", NOWHERE, help)
    help = "write a scene file by hand: what its things need, the rules say"
    return Diagnostic("HR643", f"{list_words(scenes)} cannot begin with things as they are by default", NOWHERE, help)


def replay_differs(what: str, then: str, now: str) -> Diagnostic:
    return Diagnostic("HR644", f"the replay differs in `{what}`: {then} when it was saved, {now} now", NOWHERE)


def pickle_of_another_version(then: str, now: str) -> Diagnostic:
    message = f"this was pickled by houserule {then}, and only that version reads it, not {now}"
    return Diagnostic("HR645", message, NOWHERE, "use `to_json`, which later versions read")


def not_a_result(why: str) -> Diagnostic:
    return Diagnostic("HR645", f"this is not a saved result: {why}", NOWHERE)


def read_by_no_expression(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    help = near_or_list(name, known, "it reads") or "leave the value out"
    return Diagnostic("HR602", f"the expression does not read `{name}`", span, help, about=name)


def bad_assignment(text: str) -> Diagnostic:
    return Diagnostic("HR646", f"`{text}` is not an assignment", NOWHERE, "write `name=value`")


def result_comes_out_otherwise(changed: Sequence[str], problem: Diagnostic) -> Diagnostic:
    """`changed` says what has changed in the rules, and `problem` what comes of it."""
    told = "; ".join(changed[:3]) + (f"; and {len(changed) - 3} more" if len(changed) > 3 else "")
    return Diagnostic("HR647", f"{told}, and under the rules of now {problem.message}", NOWHERE,
                      "replay it with the rules that it was played with")  # fmt: skip


def nothing_to_explain(name: str, known: Iterable[str]) -> Diagnostic:
    help_text = did_you_mean(name, known) or "without a name, `explain` lists the rules"
    return Diagnostic("HR648", f"there is no rule, row or code `{name}`", NOWHERE, help_text)


def no_word_or_ruleset(name: str, known: Iterable[str]) -> Diagnostic:
    help_text = did_you_mean(name, known) or "docs/words.md lists all words, and `houserule list` all rulesets"
    return Diagnostic("HR648", f"there is no ruleset and no word of the language `{name}`", NOWHERE, help_text)


def nothing_to_explain_in_play(name: str, known: Iterable[str]) -> Diagnostic:
    help_text = did_you_mean(name, known) or "`?` alone explains this question, and `:look` lists the things"
    return Diagnostic("HR648", f"there is no rule or thing `{name}`", NOWHERE, help_text)


def value_removed(span: Span, path: str) -> Diagnostic:
    return Diagnostic("HR699", f"`{path}` was removed", span)


def nothing_for(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR682", f"this map has no entry for {key}", span,
                      "give a value for that case: `… otherwise 0`")  # fmt: skip


TOO_MANY_WAYS = "HR814"
"""The code of odds with too many paths."""


def too_many_ways(most: int) -> Diagnostic:
    return Diagnostic(TOO_MANY_WAYS, f"this scene has not ended after {most:,} paths through its phases", NOWHERE,
                      "allow more `seconds`, or `simulate` it instead")  # fmt: skip


def no_best_in_a_scene(way: str, name: str) -> Diagnostic:
    return Diagnostic("HR815", f"the decisions of a scene cannot be chosen for the {way} `{name}`", NOWHERE,
                      "let a `policy` answer, or `choices`")  # fmt: skip


def left_with_best(names: Iterable[str], goal: str) -> Diagnostic:
    message = f"odds of {list_words(names)} at the end cannot be combined with best answers for `{goal}`"
    return Diagnostic("HR816", message, NOWHERE, "let a `policy` answer, or `choices`")


def left_with_lists(names: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR816",
        f"odds of {list_words(names)} at the end cannot be combined with a list of answers to one choice",
        NOWHERE,
        "`simulate` it instead, or give one answer for each choice",
    )


def too_many_ways_to_the_end(most: int) -> Diagnostic:
    return Diagnostic(TOO_MANY_WAYS, f"more than {most:,} paths lead to the values at the end", NOWHERE,
                      "allow more `seconds`, or `simulate` it instead")  # fmt: skip


ALWAYS_STOPPED = "HR818"
"""The code of a scene no run of which reaches an outcome."""


def always_stopped(scene: str, policies: Iterable[str] | None = None) -> Diagnostic:
    """`policies` are those of the ruleset, where nothing answers what the scene asks; None where something does."""
    message = f"`{scene}` never reaches an outcome before its guard stops it"
    if policies is None:
        return Diagnostic(ALWAYS_STOPPED, message, NOWHERE, "raise its `guard`, or find out why it does not end")
    known = list_words([f"--policy {name}" for name in (*policies, "random")])
    message += ", as nobody acts: offers are passed and choices take their defaults"
    return Diagnostic(ALWAYS_STOPPED, message, NOWHERE, f"let a policy decide, with {known}")


MOST_CALLS_TOLD = 8
"""How many calls the trail of an error has at the most: a function that calls itself may be thousands deep."""


def with_place_of_call(problem: PlayError, name: str, span: Span) -> PlayError:
    """The error of a run with the place of a call that led to it, after those inside."""
    found = problem.diagnostic
    if found.span is NOWHERE or len(found.notes) >= MOST_CALLS_TOLD:
        return problem
    return PlayError(replace(found, notes=(*found.notes, (span, f"in `{name}`, which is called here"))))


def value_not_in_pile(span: Span, where: str, value: str) -> Diagnostic:
    return Diagnostic("HR681", f"{value} is not in `{where}`", span, about=where)
