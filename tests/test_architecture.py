"""What holds between the packages, read from the code itself; and which words of the language the rulesets use.

`python -m tests.record words` writes `docs/words.md` anew.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_packages import PACKAGE

import interpreter
from interpreter import bundled, ir, pipeline
from interpreter.ir import traversal
from interpreter.manual import words as manual
from interpreter.manual.pages import Section
from interpreter.runtime.functions import FORMS, FUNCTIONS
from interpreter.syntax import grammar, json_schemas, verb_grammar
from interpreter.syntax.document import Entry, Mapping, Node, Sequence
from interpreter.syntax.shapes import ByKey, ByVerb, ListOf, MapOf, Ref, Shape, alternatives, names_in

FILES = sorted(PACKAGE.rglob("*.py"))
WORDS = PACKAGE.parent / "docs" / "words.md"


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, inside functions too, with the line."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def places(wrong: Callable[[ast.AST], bool], among: list[Path] = FILES) -> list[str]:
    """Where a kind of node stands: `interpreter/api/game.py:12`."""
    return [
        f"{file.relative_to(PACKAGE.parent)}:{getattr(node, 'lineno', 0)}"
        for file in among
        for node in ast.walk(tree(file))
        if wrong(node)
    ]


def calls(*names: str) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, ast.Call) and ast.unparse(node.func) in names


# What stands where ------------------------------------------------------------------------------------------------


CLOCKS = ("budget.py", "files.py", "chunks.py")
"""What looks at a clock: for how long somebody works, or waits for a file that another program writes."""


def test_faces_come_from_one_place() -> None:
    """Nothing but `rng` and `simulation` knows a generator, and what checks rules knows nothing of it."""
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} {module}"
        for file in FILES
        for line, module in imports(file)
        if (module.split(".")[0] in ("random", "secrets", "time", "uuid") and file.name not in ("rng.py", *CLOCKS))
        or (module.split(".")[0] == "numpy" and file.parent.name not in ("simulation", "workers"))
        or (module.startswith("interpreter.runtime.rng") and file.parent.name in ("syntax", "layers", "ir", "checker"))
    ]
    assert wrong == []


def test_every_cache_of_the_process_is_bounded() -> None:
    """A host that loads many rulesets keeps only so much of those that it has dropped.

    The cache of a function without parameters holds one result.
    """
    unbounded = {
        f"{file.relative_to(PACKAGE)}: {node.name}"
        for file in FILES
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.args)
        if any(ast.unparse(one) in BOUNDLESS for one in node.decorator_list)
    }
    of_shapes = {
        "syntax/schema.py: _fitting_alternative",
        "syntax/shapes.py: alternatives",
        "syntax/shapes.py: names_in",
    }
    assert unbounded == {"syntax/schema.py: _validator"} | of_shapes  # one for each form of file, and for each shape


def test_loading_makes_no_shapes() -> None:
    """The shapes of values belong to the grammar, so caches about them are bounded."""
    rules = bundled.rulesets()["fiend-wake"]
    interpreter.check(rules)
    before = names_in.cache_info().currsize
    interpreter.check(rules)
    assert names_in.cache_info().currsize == before > 0


BOUNDLESS = ("cache", "functools.cache", "lru_cache(None)", "lru_cache(maxsize=None)")


def test_only_the_command_prints_or_leaves() -> None:
    library_files = [file for file in FILES if file.parent.name != "cli" and file.name != "testing/coverage.py"]
    assert places(calls("print", "sys.exit", "exit", "quit", "input", "click.echo"), library_files) == []


def test_what_plays_never_sees_yaml() -> None:
    seen = [
        f"{file.name}:{line} {module}"
        for file in FILES
        if file.parent.name in ("ir", "play", "codegen", "simulation")
        or file.name in ("evaluator.py", "expression_writer.py", "reference.py")
        for line, module in imports(file)
        if module.split(".")[0] == "yaml" or module.startswith(("interpreter.syntax.document", "interpreter.checker"))
    ]
    assert seen == []


def test_errors_are_worded_in_one_package() -> None:
    others = [file for file in FILES if file.parent.name != "diagnostics"]
    assert places(calls("Diagnostic", "say.Diagnostic"), others) == []


def test_nodes_have_no_behaviour() -> None:
    def behaves(node: ast.AST) -> bool:
        return isinstance(node, ast.FunctionDef) and not any(ast.unparse(d) == "property" for d in node.decorator_list)

    assert places(behaves, [PACKAGE / "ir" / f"{name}.py" for name in ("expressions", "steps", "rules")]) == []


def test_nothing_of_the_host_is_evaluated() -> None:
    assert places(calls("__import__", "yaml.load", "yaml.compose")) == []
    # What is written out of typed nodes: expressions, and whole rules for simulations. `tests/test_written.py` holds
    # that no text of an author gets into it.
    assert {one.partition(":")[0] for one in places(calls("eval", "compile"))} == {"interpreter/runtime/evaluator.py"}
    assert {one.partition(":")[0] for one in places(calls("exec"))} == {
        "interpreter/codegen/module.py",
        "interpreter/frozen.py",  # the methods of classes, of the names of their fields
    }
    # What a process sent to another one of the same simulation, or of the same workers; nothing else is unpickled.
    unpickle = {"interpreter/api/instance.py", "interpreter/workers/pool.py", "interpreter/workers/process.py"}
    assert {one.partition(":")[0] for one in places(calls("pickle.loads"))} == unpickle
    # What a command keeps for the next one; `tests/test_check_cache.py` holds that it calls nothing.
    own = places(lambda node: isinstance(node, ast.ClassDef) and "pickle.Unpickler" in map(ast.unparse, node.bases))
    assert {one.partition(":")[0] for one in own} == {"interpreter/cli/check_cache.py"}


def test_no_module_knows_the_name_of_a_game() -> None:
    names = ["fiend", "jade", *(name for name in bundled.rulesets() if not re.fullmatch(r"\d*d\d+", name))]
    games = re.compile("|".join(rf"\b{name.replace('-', '[-_ ]?')}" for name in names), re.IGNORECASE)
    wrong = []
    for file in FILES:
        docs = {
            node.body[0].lineno
            for node in ast.walk(tree(file))
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node)
        }
        for token in tokenize.generate_tokens(io.StringIO(file.read_text("utf-8")).readline):
            named = token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT) and games.search(token.string)
            if named and not (token.type == tokenize.STRING and token.start[0] in docs):
                wrong.append(f"{file.relative_to(PACKAGE)}:{token.start[0]} {token.string.strip()[:60]}")
    assert wrong == []


def test_the_schemas_are_those_of_the_grammar(tmp_path: Path) -> None:
    json_schemas.write_schemas(tmp_path)
    made = sorted(tmp_path.iterdir())
    assert len(made) == len(json_schemas.FILES) + 2
    for file in made:
        stored = (bundled.schemas() / file.name).read_text("utf-8")
        assert stored == file.read_text("utf-8"), "write them anew: python -m tests.record schemas"


@pytest.mark.parametrize("name", sorted(file.name for file in bundled.schemas().iterdir()))
def test_every_schema_is_one(name: str) -> None:
    from jsonschema import Draft202012Validator

    made = json.loads((bundled.schemas() / name).read_text("utf-8"))
    Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"


# Words -----------------------------------------------------------------------------------------------------------

SLOTS = {ir.Filtered: "where", ir.Sorted: "by", ir.Otherwise: "otherwise", ir.Conditional: "if else", ir.Joined: "&"}


@cache
def used_words() -> dict[tuple[str, str], list[str]]:
    """For each kind and word of the language (verbs, their companions, functions, forms) the rulesets that use it."""
    used: dict[tuple[str, str], list[str]] = {("verb", verb): [] for verb in verb_grammar.VERBS}
    used |= {("key of a step", f"{verb}: {key}"): [] for verb, key in _companions()}
    used |= {("function", name): [] for name in (*FUNCTIONS, *FORMS)}
    used |= {("form", name): [] for name in SLOTS.values()}
    for name, file in bundled.rulesets().items():
        loaded = pipeline.from_path(file)
        assert loaded.program is not None and loaded.world is not None
        found = set(_in_expressions(loaded.program))
        found |= set(_in_steps(loaded.world.root))
        for word in sorted(found & used.keys()):
            used[word].append(name)
    return used


def _companions() -> Iterator[tuple[str, str]]:
    beside = ("if", "else", "about", "cites")
    for key in beside:
        yield "any", key
    for verb, form in verb_grammar.VERBS.items():
        yield from ((verb, key) for key in form.keys if key != verb and key not in beside)


def _in_steps(node: Node) -> Iterator[tuple[str, str]]:
    """The verbs and their companions of all steps of a ruleset, wherever its grammar has steps."""
    for step in steps_in(node, Ref("ruleset")):
        if isinstance(step.value, Mapping):
            verb = verb_grammar.verbs_in(step.value.by_key)[0]
            yield "verb", verb
            yield from (("key of a step", f"{verb}: {key}") for key in step.value.by_key)
            yield from (("key of a step", f"any: {key}") for key in step.value.by_key)
        else:
            yield "verb", "is"


def steps_in(node: Node, shape: Shape) -> Iterator[Entry]:
    """Every step below a node of a shape, with its name."""
    if isinstance(node, Sequence):
        yield from (one for of in alternatives(shape) if isinstance(of, ListOf) for item in node.items
                    for one in steps_in(item, of.of))  # fmt: skip
    for entry in node.entries if isinstance(node, Mapping) else ():
        for of in alternatives(shape):
            inner = _shape_at(of, node, entry.key.text)
            if inner is verb_grammar.STEP:
                yield entry
            if inner is not None:
                yield from steps_in(entry.value, inner)


def _shape_at(shape: Shape, node: Mapping, key: str) -> Shape | None:
    """The shape of the value at a key; None where such a value has no such key."""
    match shape:
        case MapOf(of):
            return of
        case Ref(form):
            return grammar.FORMS[form].keys.get(key)
        case ByVerb():
            verbs = verb_grammar.verbs_in(node.by_key)
            return verb_grammar.VERBS[verbs[0]].keys.get(key) if verbs else None
        case ByKey(word, has, has_not):
            return _shape_at(has if word in node.by_key else has_not, node, key)
    return None


def _in_expressions(program: ir.Program) -> Iterator[tuple[str, str]]:
    stack: list[Any] = [program]
    while stack:
        here = stack.pop()
        if isinstance(here, (tuple, list)):
            stack += here
        elif isinstance(here, dict):
            stack += here.values()
        elif is_dataclass(here) and not isinstance(here, type):
            skipped = ("type", "span", "tree", "resolved")
            stack += [getattr(here, one.name) for one in fields(here) if one.name not in skipped]
            if isinstance(here, ir.Builtin):
                yield "function", here.name
            if isinstance(here, ir.PoolLiteral) and here.span.text.startswith("times"):
                yield "function", "times"
            if isinstance(here, ir.Quotient) and here.span.text.startswith(here.rounding):
                yield "function", here.rounding
            if type(here) in SLOTS:
                yield "form", SLOTS[type(here)]


def words_page() -> str:
    """`docs/words.md`."""
    lines = [
        "# The words of the language",
        "",
        "Written by `python -m tests.record words`; a test compares it.",
        "`houserule explain WORD` tells what a word means, with an example.",
        "",
        "## Index",
        "",
        "| word | explained in |",
        "|---|---|",
        *(f"| `{word}` | {', '.join(map(link_to, manual.sections_about(word)))} |" for word in sorted(manual.words())),
        "",
        "## Which words the bundled rulesets use",
        "",
        "A word that no ruleset uses is not wrong, but no bundled game needs it.",
    ]
    used = used_words()
    for kind in dict.fromkeys(kind for kind, _ in used):
        lines += ["", f"### {kind.capitalize()}", "", "| word | used by |", "|---|---|"]
        lines += [f"| `{word}` | {', '.join(by) or '(none)'} |" for (of, word), by in used.items() if of == kind]
    return "\n".join(lines) + "\n"


def link_to(section: Section) -> str:
    title = section.title.replace("`", "")
    return f"[{title}]({section.page}#{section.anchor})"


def test_the_list_of_used_words_is_up_to_date() -> None:
    stored = WORDS.read_text("utf-8") if WORDS.is_file() else ""
    made = words_page()
    changed = sorted(set(made.splitlines()) ^ set(stored.splitlines()))
    assert made == stored, "write it anew: python -m tests.record words\n" + "\n".join(changed)


@pytest.mark.parametrize("name", bundled.rulesets())
def test_no_step_of_a_ruleset_is_missed(name: str) -> None:
    """The steps of the text are those of the program, which the checker makes; `start` has no name of its own."""
    loaded = pipeline.from_path(bundled.rulesets()[name])
    assert loaded.program is not None and loaded.world is not None
    found = {one.key.span for one in steps_in(loaded.world.root, Ref("ruleset")) if one.key.text != "start"}
    assert found == {one.span for one in traversal.nodes_under((loaded.program,)) if isinstance(one, ir.Step)}


def test_words_are_found_where_they_stand() -> None:
    used = used_words()
    assert "jadeclaw" in used["verb", "pair"] and "fiend-wake" not in used["verb", "pair"]
    assert "fiend-wake" in used["function", "upto"]
    assert "jadeclaw" in used["key of a step", "raise: past_top"]
    assert "jadeclaw" in used["function", "up"]
