"""Meshes of object stores and servers: what is brought here, and how little is read of the rest."""

import http.server
import pathlib
import threading
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
    below = len(str(folder)) + 1
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


def test_no_name_leads_out_of_the_folder(tmp_path):
    from navmap import _remote

    for path in ("/r/../../etc/a.nav", "/r/./a.nav", "/r/%2e%2e/a.nav", "/r/..\\..\\a.nav"):
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


def test_of_a_server_only_heads_are_read_of_what_is_no_mesh(maps, tmp_path):
    pytest.importorskip("aiohttp")
    handler = type("Handler", (Ranges,), {"sent": {}})
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *more: handler(*more, directory=str(maps)))
    threading.Thread(target=served.serve_forever, daemon=True).start()
    try:
        brought = navmap.fetch(f"http://127.0.0.1:{served.server_port}/", tmp_path / "here")
    finally:
        served.shutdown()
        served.server_close()
    assert told(brought) == told(maps) != []
    assert handler.sent["radar.png"] <= 4096 < handler.sent["town.nav"]
