"""Docstrings: there are some, their examples run, and the stubs say what there is."""

import ast
import doctest
import importlib.util
import inspect
import subprocess
import sys

import navmap
import numpy
import pytest
from conftest import ROOT

STUB = ROOT / "bindings/python/python/navmap/__init__.pyi"
PUBLIC = [getattr(navmap, name) for name in navmap.__all__]


def documented():
    for thing in PUBLIC:
        yield thing.__name__, thing
        if inspect.isclass(thing):
            for name, member in vars(thing).items():
                if not name.startswith("_"):
                    yield f"{thing.__name__}.{name}", member


EXAMPLES = [(name, thing.__doc__) for name, thing in documented() if ">>>" in (thing.__doc__ or "")]


def test_everything_public_has_a_docstring():
    bare = [name for name, thing in documented() if not (thing.__doc__ or "").strip()]
    assert bare == []
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("name, text", [*EXAMPLES, ("navmap", navmap.__doc__)], ids=lambda value: value[:30])
def test_the_examples_of_docstrings_run(name, text):
    known = {"navmap": navmap, "numpy": numpy, "nav": navmap.open("corpus/source/town.nav")}
    test = doctest.DocTestParser().get_doctest(text, known, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    said = []
    assert runner.run(test, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("page", ["docs/python.md", "bindings/python/README.md"])
def test_the_programs_of_the_pages_run(page, tmp_path, monkeypatch):
    known = {}
    for name in ("duckdb", "pandas", "polars", "pyarrow"):
        known[name] = pytest.importorskip(name)
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    (tmp_path / "maps").symlink_to(ROOT / "corpus/source")
    monkeypatch.chdir(tmp_path)
    blocks = [block.split("```")[0] for block in (ROOT / page).read_text().split("```python\n")[1:]]
    assert blocks
    for block in blocks:
        if "geopandas" in block and importlib.util.find_spec("geopandas") is None:
            continue
        exec(compile(block, page, "exec"), known | {"navmap": navmap})
        known["navmap"] = navmap


def parameters(function):
    """The names of the parameters of a stub, those by keyword alone marked."""
    own = [a.arg for a in [*function.args.posonlyargs, *function.args.args] if a.arg not in ("self", "cls")]
    return own + [f"*{a.arg}" for a in function.args.kwonlyargs]


def found(thing):
    kinds = inspect.signature(thing).parameters.values()
    named = [p for p in kinds if p.name not in ("self", "$self", "cls")]
    return [f"*{p.name}" if p.kind is p.KEYWORD_ONLY else p.name for p in named]


def test_the_stub_names_what_there_is_with_its_parameters():
    tree = ast.parse(STUB.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(classes) | set(functions) == set(navmap.__all__)
    for name, node in functions.items():
        assert parameters(node) == found(getattr(navmap, name)), name
    for name, node in classes.items():
        kind = getattr(navmap, name)
        if issubclass(kind, BaseException):
            continue
        stubbed = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
        there = {n for n in vars(kind) if not n.startswith("_")}
        assert {n for n in stubbed if not n.startswith("_")} == there, name
        assert all(hasattr(kind, n) for n in stubbed if n != "__getattr__"), name
        for method, one in stubbed.items():
            is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in one.decorator_list)
            assert is_property == (type(vars(kind).get(method)).__name__ == "getset_descriptor"), (name, method)
            if not is_property and not method.startswith("_"):
                assert parameters(one) == found(getattr(kind, method)), (name, method)


@pytest.mark.parametrize(
    "method", ["distances", "find_path", "find_route", "distance_map", "distance_matrix"]
)
def test_help_says_which_weight_there_is_without_one(method):
    assert inspect.signature(getattr(navmap.Index, method)).parameters["weight"].default == "distance"


def test_type_checkers_read_the_stub(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "use.py"
    program.write_text(
        "import navmap\n"
        "nav = navmap.open('a.nav')\n"
        "ids: list[int] = nav.index().find_path((0, 0, 0), 7, weight='hops')\n"
        "name: str | None = nav.areas[0].place\n"
        "for outcome in navmap.scan(['maps']):\n"
        "    counts: dict[str, int] = outcome.counts\n"
        "columns: list[str] = navmap.scan('maps').areas.select(['id']).columns\n"
        "import navmap.awpy, navmap.spark, numpy, types\n"
        "at = numpy.zeros(3, dtype='f4')\n"
        "index, mesh = nav.index(), navmap.awpy.NavMesh('a.nav')\n"
        "areas: list[int | None] = [index.find_area(at), mesh.find_area(at)]\n"
        "ids = index.find_path(at, [0.0, 0.0, 0.0], factors=types.MappingProxyType({7: 2.0})) + mesh.find_path(at, at)\n"
        "nav.draw(classes=types.MappingProxyType({7: 'near'}))\n"
        "nav.edit('help', files=types.MappingProxyType({'a.txt': b''}))\n"
        "navmap.open('a.ain', hull=1), navmap.from_bytes(b'', name='a.zip', member='a.ain', hull='1')\n"
        "navmap.spark.register(None)\n"
        "source: type = navmap.spark.MeshSource\n"
    )
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", ["awpy", "spark"])
def test_the_stubs_beside_it_name_what_their_modules_have(module):
    there, stub = (ast.parse(STUB.with_name(f"{module}{ending}").read_text()) for ending in (".py", ".pyi"))

    def names(tree, kind):
        return {node.name: node for node in tree.body if isinstance(node, kind) and node.name[0] != "_"}

    for kind in (ast.FunctionDef, ast.ClassDef):
        assert set(names(stub, kind)) == set(names(there, kind))
    functions = names(there, ast.FunctionDef)
    for name, node in names(stub, ast.FunctionDef).items():
        assert parameters(node) == parameters(functions[name]), name


def test_the_package_is_marked_as_typed_and_brings_nothing_along():
    assert (STUB.parent / "py.typed").exists()
    program = "import sys; before = set(sys.modules); import navmap; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["navmap", "navmap._navmap"]
