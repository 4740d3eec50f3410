"""Files of object stores and servers, through fsspec, which is imported when it is asked for."""

import os
import pathlib
import re
import tempfile
import urllib.parse

import navmap

# A kind of mesh or archive is told by its first page.
HEAD = 4096
# The parts of a VPK, which its directory names.
PART = re.compile(r"_\d{3}\.vpk$", re.IGNORECASE)


def _local(folder, root, path):
    """Where a remote path lies below a folder, never outside of it."""
    inside = path[len(root) :] if path.startswith(root) else path
    inside = urllib.parse.unquote(inside.split("?")[0]).replace("\\", "/").strip("/") or path.rstrip("/").rpartition("/")[2]
    parts = [re.sub(r'[<>:"|*\x00-\x1f]', "_", part) for part in inside.split("/") if part not in ("", ".", "..")]
    if not parts:
        raise ValueError(f"{path} has no name for a file")
    return pathlib.Path(folder, *parts)


def _heads(fs, listed, folder):
    """Writes the first page of each file into a folder, and gives the remote paths of those that a scan takes for something."""
    of = {}
    for path, local in listed.items():
        local.parent.mkdir(parents=True, exist_ok=True)
        local.write_bytes(fs.cat_file(path, start=0, end=HEAD)[:HEAD])
        of[os.path.normpath(local)] = path
    seen = {os.path.normpath(outcome.path) for outcome in navmap.scan(folder, task="head", progress=False)}
    return {path for local, path in of.items() if local in seen}


def fetch(urls, folder):
    """See `navmap.fetch`."""
    try:
        import fsspec
    except ImportError as error:
        raise ImportError("navmap.fetch reads through fsspec, which is not installed: pip install fsspec") from error
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for url in [urls] if isinstance(urls, (str, os.PathLike)) else urls:
        fs, root = fsspec.core.url_to_fs(os.fspath(url))
        paths = sorted(fs.find(root))
        if not paths:
            raise FileNotFoundError(2, "No such file or directory", str(url))
        with tempfile.TemporaryDirectory(prefix="navmap-") as temporary:
            wanted = _heads(fs, {path: _local(temporary, root, path) for path in paths}, temporary)
        packs = {path[: -len("_dir.vpk")] for path in wanted if path.lower().endswith("_dir.vpk")}
        wanted |= {path for path in paths if PART.search(path) and PART.sub("", path) in packs}
        for path in sorted(wanted):
            local = _local(folder, root, path)
            local.parent.mkdir(parents=True, exist_ok=True)
            part = local.with_name(f".{local.name}.{os.getpid()}.part")
            try:
                fs.get_file(path, str(part))
                os.replace(part, local)
            finally:
                part.unlink(missing_ok=True)
    return folder
