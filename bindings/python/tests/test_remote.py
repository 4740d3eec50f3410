"""Meshes of object stores and servers: what is brought here, and how little is read of the rest."""

import contextlib
import gc
import http.server
import pathlib
import pickle
import threading
import time
import zipfile

import navmap
import pytest

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def maps(tmp_path):
    """A folder with a mesh, an archive with one, a picture that is large, and a damaged mesh."""
    folder = tmp_path / "there"
    (folder / "old").mkdir(parents=True)
    town = pathlib.Path("corpus/source/town.nav").read_bytes()
    (folder / "old" / "town.nav").write_bytes(town)
    (folder / "cut.nav").write_bytes(town[: len(town) // 2])
    (folder / "radar.png").write_bytes(b"\x89PNG" + bytes(300_000))
    with zipfile.ZipFile(folder / "pack.zip", "w") as pack:
        pack.writestr("maps/packed.nav", town)
    return folder


def told(folder):
    below = len(str(folder).rstrip("/")) + 1
    return [(outcome.location[below:], outcome.status, outcome.counts.get("areas")) for outcome in navmap.scan(folder)]


def test_what_lies_in_memory_is_read_as_what_lies_in_a_folder(maps, tmp_path):
    memory = fsspec.filesystem("memory")
    memory.put(str(maps), "/navmap-test/maps", recursive=True)
    try:
        brought = navmap.fetch("memory://navmap-test/maps", tmp_path / "here")
        assert told(brought) == told(maps) != []
        assert not list(brought.rglob("radar.png")) and not list(brought.rglob("*.part"))
        one = navmap.fetch("memory://navmap-test/maps/old/town.nav", tmp_path / "one")
        assert [path.name for path in one.iterdir()] == ["town.nav"]
        # What has changed there changes here.
        memory.pipe("/navmap-test/maps/cut.nav", (maps / "old" / "town.nav").read_bytes())
        navmap.fetch(["memory://navmap-test/maps"], tmp_path / "here")
        assert "error" in [status for _, status, _ in told(maps)] and "error" not in [status for _, status, _ in told(brought)]
        with pytest.raises(FileNotFoundError, match="navmap-test/none"):
            navmap.fetch("memory://navmap-test/none", tmp_path / "none")
    finally:
        memory.rm("/navmap-test", recursive=True)


@pytest.fixture
def stored():
    """Puts a folder into memory and gives its address."""
    memory = fsspec.filesystem("memory")

    def put(folder, name="maps"):
        memory.put(str(folder), f"/navmap-stored/{name}", recursive=True)
        return f"memory://navmap-stored/{name}"

    yield put
    memory.rm("/navmap-stored", recursive=True)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Where temporary folders are made; empty again at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    gc.collect()
    # The thread of a run goes a little later than its last outcome.
    until = time.monotonic() + 10
    while list(folder.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(folder.iterdir()) == []


def everything(of, base):
    """All that is told of a mesh of a scan, with its place below the base."""
    findings = [(f.severity, f.code, f.message, f.byte) for f in of.findings]
    error = of.error and (type(of.error), of.error.kind, of.error.message, of.error.byte, (of.error.path or "").removeprefix(base))
    said = (of.family, of.form, of.game, of.version, of.bytes, of.status, of.message, of.finding_count, of.counts)
    return (of.location.removeprefix(base), *said, findings, error)


@pytest.mark.parametrize("task", ["survey", "head", "check", "graph"])
def test_a_scan_of_an_address_is_that_of_the_folder(stored, temporary, task):
    address = stored("corpus")
    here = [everything(outcome, "corpus") for outcome in navmap.scan("corpus", task=task)]
    there = [everything(outcome, address) for outcome in navmap.scan(address, task=task)]
    assert there == here and {"ok", "error"} <= {row[6] for row in here} and len(here) > 100


def test_tables_of_an_address_are_those_of_the_folder(maps, stored, temporary, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    address = stored(maps)
    for name in ("files", "findings", "areas", "connections"):
        with pytest.warns(navmap.DamagedWarning) if name in ("areas", "connections") else contextlib.nullcontext():
            here = pyarrow.table(navmap.scan(maps).table(name)).to_pylist()
            there = pyarrow.table(pickle.loads(pickle.dumps(navmap.scan(address).table(name)))).to_pylist()
        assert there == [row | {"path": row["path"].replace(str(maps), address)} for row in here] != [], name
    counts = navmap.scan(address).write_tables(tmp_path / "out", ["areas"])
    assert address in (tmp_path / "out" / "source_areas.csv").read_text() and counts["errors"] == 1
    with pytest.raises(ValueError, match="navmap.fetch"):
        navmap.scan(address).write_tables(tmp_path / "parts", ["areas"], update=True)


def test_what_is_asked_for_by_its_address_is_found(maps, stored, temporary):
    address = stored(maps)
    nav = navmap.open(f"{address}/old/town.nav")
    assert (nav.path, nav.member, len(nav.areas) > 20) == (f"{address}/old/town.nav", None, True)
    inside = navmap.open(f"{address}/pack.zip!maps/packed.nav")
    assert (inside.path, inside.member) == (f"{address}/pack.zip", "maps/packed.nav")
    assert len(navmap.Index.open(stored("corpus/fox/set", "set"))) == len(navmap.Index.open("corpus/fox/set"))
    with pytest.raises(navmap.NavError) as raised:
        navmap.open(f"{address}/radar.png")
    assert raised.value.path == f"{address}/radar.png"
    for ask in (navmap.open, navmap.Index.open, lambda place: navmap.scan(place).areas.to_polars()):
        with pytest.raises(FileNotFoundError) as raised:
            ask(f"{address}/none.nav")
        assert raised.value.path == f"{address}/none.nav"
    # Named by itself, what is no mesh and what is not there are outcomes, as of files here.
    one, other, last = navmap.scan([f"{address}/radar.png", f"{address}/none.nav", str(maps / "old")])
    assert (one.path, one.error.kind) == (f"{address}/radar.png", "not-a-mesh")
    assert (other.path, type(other.error)) == (f"{address}/none.nav", FileNotFoundError) and last.status == "ok"
    only = [f"{address}/pack.zip!maps/packed.nav"]
    assert [outcome.location for outcome in navmap.scan(address, only=only)] == only


def test_a_file_that_cannot_be_brought_is_an_outcome(maps, stored, temporary, monkeypatch):
    from fsspec.implementations.memory import MemoryFileSystem

    address = stored(maps)
    for method in ("cat_file", "get_file"):
        real = getattr(MemoryFileSystem, method)

        def refuse(self, path, *more, real=real, **options):
            if path.endswith("town.nav"):
                raise PermissionError("not\nfor you")
            return real(self, path, *more, **options)

        with monkeypatch.context() as patched:
            patched.setattr(MemoryFileSystem, method, refuse)
            found = {outcome.path.removeprefix(address): outcome for outcome in navmap.scan(address)}
        wrong = found.pop("/old/town.nav")
        assert isinstance(wrong.error, OSError) and "not for you" in wrong.message and wrong.error.path == wrong.path
        assert sorted(found) == ["/cut.nav", "/pack.zip"], method
        rows = navmap.scan(f"{address}/old/town.nav", progress=False)
        with monkeypatch.context() as patched:
            patched.setattr(MemoryFileSystem, "get_file", refuse if method == "get_file" else MemoryFileSystem.get_file)
            assert [outcome.status for outcome in rows] == ["error" if method == "get_file" else "ok"]


def test_names_that_are_one_here_are_files_of_their_own(stored, temporary):
    memory = fsspec.filesystem("memory")
    stored("corpus/quake", "apart")
    address = "memory://navmap-stored/odd"
    mesh = pathlib.Path("corpus/quake/nav3-v6.nav").read_bytes()
    odd = ["a:b.nav", "a_b.nav", "m?v=1.nav", "m?v=2.nav", "c d.nav", "c%20d.nav", "e\\f.nav", "e/f.nav", "g.nav"]
    for name in odd:
        memory.pipe(f"/navmap-stored/odd/{name}", mesh)
    memory.pipe("/navmap-stored/odd/empty.nav", b"")
    found = {outcome.path: outcome for outcome in navmap.scan(address)}
    assert "empty" in found.pop(f"{address}/empty.nav").message
    found = {path: outcome.status for path, outcome in found.items()}
    assert sorted(found) == sorted(f"{address}/{name}" for name in odd) and set(found.values()) == {"ok"}


def test_a_file_of_a_chain_is_called_by_what_opens_it(maps, stored):
    address = stored(maps)
    for root in (f"zip://maps::{address}/pack.zip", f"zip://::{address}/pack.zip", f"simplecache::{address}/old", "memory://"):
        paths = [outcome.location for outcome in navmap.scan(root) if outcome.status == "ok"]
        assert paths, root
        for path in paths:
            assert navmap.open(path).path is not None, path
    assert f"{address}/old/town.nav" in paths


def test_a_folder_that_may_not_be_listed_is_an_outcome(maps, temporary, tmp_path):
    from fsspec.implementations.local import LocalFileSystem

    class Denying(LocalFileSystem):
        protocol = "denying"

        def ls(self, path, detail=False, **options):
            if path.rstrip("/").endswith("/old"):
                raise PermissionError(13, "not for you", path)
            return super().ls(path, detail=detail, **options)

    fsspec.register_implementation("denying", Denying, clobber=True)
    address = f"denying://{maps}"
    found = {outcome.path.removeprefix(address): outcome for outcome in navmap.scan(address)}
    assert sorted(found) == ["/cut.nav", "/old", "/pack.zip"]
    assert found["/old"].status == "error" and "not for you" in found["/old"].message
    (alone,) = navmap.scan(f"{address}/old")
    assert alone.status == "error" and "not for you" in alone.message
    with pytest.raises(PermissionError):
        navmap.fetch(address, tmp_path / "here")


def test_an_address_is_told_from_a_path():
    from navmap import _navmap

    for path in ("C:/maps", "C:\\maps", "maps/a.nav", "a:b", "./memory:x", "1s://x"):
        outcomes = list(_navmap.scan(path))
        assert [type(outcome.error) for outcome in outcomes] == [FileNotFoundError] and outcomes[0].path == path, path
    with pytest.raises(ValueError, match="nosuch"):
        list(navmap.scan("nosuch://bucket/maps"))


def test_no_name_leads_out_of_the_folder(tmp_path):
    from navmap import _remote

    for path in ("/r/../../etc/a.nav", "/r/./a.nav", "/r/%2e%2e/a.nav", "/r/..\\..\\a.nav", "/r/a?b.nav"):
        local = _remote._local(tmp_path, "/r", path)
        assert tmp_path in local.parents and ".." not in local.parts, path
    with pytest.raises(ValueError, match="no name"):
        _remote._local(tmp_path, "/r", "/r/..")


class Ranges(http.server.SimpleHTTPRequestHandler):
    """A server that knows ranges and counts the bytes that it sends of each file."""

    sent = {}

    def do_GET(self):
        path = pathlib.Path(self.translate_path(self.path))
        if not path.is_file():
            return super().do_GET()
        data, status = path.read_bytes(), 200
        if "Range" in self.headers:
            first, last = self.headers["Range"].removeprefix("bytes=").split("-")
            status, whole = 206, len(data)
            data = data[int(first) : int(last) + 1]
        self.send_response(status)
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{int(first) + len(data) - 1}/{whole}")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.sent[path.name] = self.sent.get(path.name, 0) + len(data)

    def log_message(self, *words):
        pass


@pytest.fixture
def server(maps):
    """The address of a server with the folder, and the bytes that it has sent of each file."""
    pytest.importorskip("aiohttp")
    handler = type("Handler", (Ranges,), {"sent": {}})
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *more: handler(*more, directory=str(maps)))
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_port}/", handler.sent
    served.shutdown()
    served.server_close()


def test_a_server_is_scanned_as_a_folder_is(maps, server, temporary):
    address, sent = server
    assert sorted(told(address)) == sorted(told(maps)) != []
    assert sent.pop("radar.png") <= 4096 and all(count > 4096 for name, count in sent.items() if name != "pack.zip")
    sent.clear()
    sizes = {outcome.path: outcome.bytes for outcome in navmap.scan(address, task="head") if outcome.member is None}
    assert sizes[f"{address}old/town.nav"] == (maps / "old/town.nav").stat().st_size
    assert all(count <= 4096 for name, count in sent.items() if name != "pack.zip") and "town.nav" in sent
    sent.clear()
    left = [outcome.path for outcome in navmap.scan(address, glob="*/cut.nav")]
    assert left == [f"{address}cut.nav"] and sent["town.nav"] <= 4096 < sent["cut.nav"]
    sent.clear()
    assert navmap.open(f"{address}old/town.nav").path == f"{address}old/town.nav" and set(sent) == {"town.nav"}
    with pytest.raises(FileNotFoundError):
        navmap.open(f"{address}none.nav")


def test_of_a_server_only_heads_are_read_of_what_is_no_mesh(maps, server, tmp_path):
    address, sent = server
    assert told(navmap.fetch(address, tmp_path / "here")) == told(maps) != []
    assert sent["radar.png"] <= 4096 < sent["town.nav"]


def test_a_server_that_does_not_answer_is_told_and_one_bad_page_costs_that_page(maps, server):
    address, _ = server
    (alone,) = navmap.scan("http://127.0.0.1:1/")
    assert alone.status == "error" and "No such file" not in alone.message
    (maps / "empty.nav").write_bytes(b"")
    real = fsspec.filesystem("http").__class__.ls

    def refuse(self, url, *more, **options):
        if url.rstrip("/").endswith("/old"):
            raise RuntimeError("503, message='Service Unavailable'")
        return real(self, url, *more, **options)

    patched = pytest.MonkeyPatch()
    patched.setattr(fsspec.filesystem("http").__class__, "ls", refuse)
    try:
        found = {outcome.path.removeprefix(address): outcome for outcome in navmap.scan(address)}
    finally:
        patched.undo()
    assert "503" in found["old"].message and {"cut.nav", "pack.zip"} <= set(found)
    assert "empty" in found["empty.nav"].message
