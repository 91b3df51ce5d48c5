"""Of every class of nodes and types: which fields are rules, and which only tell people what the rules are.

Two programs whose nodes agree in the fields that are rules play the same. A field that a class lacks here is an error,
so a new field must be classified before anything can be saved.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t


@dataclass(frozen=True)
class Fields:
    """The names of the fields of one class, separated by spaces.

    Play follows from those that are a `rule`. Those that `tells` are places and texts for people. Those under `follows`
    are worked out from the rules, here or elsewhere in the program. Those under `policy` are the answers of policies,
    which are units of their own.
    """

    rule: str
    tells: str = ""
    follows: str = ""
    policy: str = ""


FIELDS: dict[type, Fields] = {
    ir.Declaration: Fields(
        "name type low high default optional where fewest most among by",
        tells="path span about meanings ask shows minor",
    ),
    ir.Outcome: Fields("name condition counts_as steps", tells="path span tells about", follows="refs"),
    ir.Outcomes: Fields("cases as_of"),
    ir.Also: Fields("name reading", tells="path about", follows="type"),
    ir.Requirement: Fields("name condition", tells="path span about"),
    ir.Mechanic: Fields(
        "name inputs requires steps outcomes also by", tells="title about path span", follows="type needs_inlining"
    ),
    ir.HeldAttribute: Fields(
        "declared counter derived starts part per lasts refuses when_full when_hit_full when_empty seen_by",
        tells="bookkeeping",
        follows="type",
    ),
    ir.Kind: Fields("name has one part written_as requires", tells="about path span summary"),
    ir.UseLimit: Fields("times per", tells="path span"),
    ir.Cost: Fields("name amount key", tells="path span"),
    ir.Upgrade: Fields("to limit waives counted counts_as", tells="path"),
    ir.Action: Fields("rule actor costs limit kind upgrade may_refuse", tells="shows", policy="answers pays"),
    ir.Reaction: Fields("action events before automatic", tells="ask", policy="answers"),
    ir.Phase: Fields("name steps", tells="title about path span", follows="type"),
    ir.Scene: Fields("rule has phases guard outcomes"),
    ir.Function: Fields("name takes gives", tells="path about", follows="type refs"),
    ir.TableRow: Fields("key low high value", tells="path span"),
    ir.Table: Fields("name keys rows off", tells="path about", follows="type refs"),
    ir.Modifier: Fields("name to takes adds by", tells="title path"),
    ir.RecordType: Fields("name written_as has", tells="path", follows="type"),
    ir.Let: Fields("formula"),
    ir.RollDice: Fields("parts each counts again guard"),
    ir.Reroll: Fields("of which most by to"),
    ir.Place: Fields("dice showing"),
    ir.Raise: Fields("of which ladder rungs by past_top when_full"),
    ir.Stages: Fields("start then", follows="begun reads_row"),
    ir.Repeat: Fields("times each until keep carry"),
    ir.Pair: Fields("ours theirs missing first each"),
    ir.Compare: Fields("lines ties"),
    ir.Choose: Fields(
        "kind by among where together low high most least default", tells="ask shows meanings minor", policy="answers"
    ),
    ir.PolicyAnswer: Fields("formula calls"),
    ir.Call: Fields("mechanic given roles"),
    ir.FirstOf: Fields("cases"),
    ir.FirstOfCase: Fields("name condition value", tells="path"),
    ir.StepGroup: Fields("steps"),
    ir.End: Fields("outcome"),
    ir.ForEach: Fields("name among where each keyed"),
    ir.ChooseEach: Fields("choice among asked budget"),
    ir.SortKey: Fields("name way formula ranks", tells="path"),
    ir.Order: Fields("of keys"),
    ir.Lvalue: Fields("thing kind name key", tells="span", follows="type"),
    ir.Shift: Fields("amount target down"),
    ir.Pay: Fields("amount purses payer may_refuse", tells="minor", policy="answers mixes"),
    ir.Assign: Fields("target value"),
    ir.Include: Fields("value target lasts"),
    ir.Exclude: Fields("value target"),
    ir.Make: Fields("kind given named"),
    ir.Destroy: Fields("thing"),
    ir.Cause: Fields("event given later"),
    ir.Act: Fields("action actor given"),
    ir.Offer: Fields("actions to most", tells="ask", policy="answers"),
    ir.ChangeEvent: Fields("given"),
    ir.CancelEvent: Fields(""),
    ir.Turn: Fields("who steps"),
    ir.Draw: Fields("number target refill"),
    ir.Put: Fields("values target"),
    ir.Take: Fields("values target"),
    ir.Step: Fields("name action condition instead at_most", tells="path span about", follows="type refs"),
    ir.Constant: Fields("value", tells="span", follows="type"),
    ir.Local: Fields("name", tells="span", follows="type"),
    ir.Option: Fields("name", tells="span", follows="type"),
    ir.Element: Fields("", tells="span", follows="type"),
    ir.DieField: Fields("name", tells="span", follows="type"),
    ir.Field: Fields("of name", tells="span", follows="type"),
    ir.Attribute: Fields("of kind name", tells="span", follows="type"),
    ir.MapEntry: Fields("of key sure", tells="span", follows="type"),
    ir.Column: Fields("of name maps", tells="span", follows="type"),
    ir.RollPart: Fields("of name", tells="span", follows="type"),
    ir.Negative: Fields("of", tells="span", follows="type"),
    ir.Arithmetic: Fields("sign left right", tells="span", follows="type"),
    ir.Quotient: Fields("left right rounding bare", tells="span", follows="type"),
    ir.Relation: Fields("sign left right ranks", tells="span", follows="type"),
    ir.Membership: Fields("item of", tells="span", follows="type"),
    ir.Not: Fields("of", tells="span", follows="type"),
    ir.And: Fields("left right", tells="span", follows="type"),
    ir.Or: Fields("left right", tells="span", follows="type"),
    ir.Conditional: Fields("condition then otherwise", tells="span", follows="type"),
    ir.Otherwise: Fields("of instead", tells="span", follows="type"),
    ir.ListLiteral: Fields("items", tells="span", follows="type"),
    ir.PoolLiteral: Fields("number die", tells="span", follows="type"),
    ir.Tagged: Fields("dice tags", tells="span", follows="type"),
    ir.Joined: Fields("left right", tells="span", follows="type"),
    ir.Filtered: Fields("of condition", tells="span", follows="type"),
    ir.Sorted: Fields("of key", tells="span", follows="type"),
    ir.Builtin: Fields("name arguments", tells="span", follows="type"),
    ir.Apply: Fields("name arguments", tells="span", follows="type reads_state"),
    ir.Lookup: Fields("name keys", tells="span", follows="type reads_state"),
    ir.Converted: Fields("of to", tells="span", follows="type"),
    ir.RecordLiteral: Fields("fields", tells="span", follows="type"),
    ir.Formula: Fields("body", tells="span", follows="type refs tree resolved"),
    t.Number: Fields("low high"),
    t.YesNo: Fields(""),
    t.Text: Fields(""),
    t.Word: Fields("name words ranked counts_as", tells="where"),
    t.Record: Fields("name fields", tells="where", follows="_hash"),
    t.SingleDie: Fields(""),
    t.Dice: Fields("least"),
    t.ThrownDie: Fields("parts throws"),
    t.Roll: Fields("least single parts throws shows thrown_once most fewest"),
    t.DiceCode: Fields(""),
    t.List: Fields("of least"),
    t.Object: Fields("kind"),
    t.Map: Fields("key of least"),
    t.Maybe: Fields("of"),
    t.Anything: Fields("not_yet"),
}

RULES: dict[type, tuple[str, ...]] = {of: tuple(fields.rule.split()) for of, fields in FIELDS.items()}
"""The fields that are rules, by class."""
