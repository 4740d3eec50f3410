"""Files of object stores and servers, through fsspec, which is imported when it is asked for."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import tempfile
import urllib.parse

import navmap

# A kind of mesh or archive is told by its first page.
HEAD = 4096
# Files that are asked for at once, where a store takes more than one question.
AT_ONCE = 16
# The parts of a VPK, which its directory names.
PART = re.compile(r"_\d{3}\.vpk$", re.IGNORECASE)


class _Listed:
    """The files at an address, and how they are read.

    `files` are their paths in the store with their sizes, or None where a listing does not tell them; `errors` says of folders why
    they could not be listed.
    """

    def __init__(self, address):
        try:
            import fsspec
        except ImportError as error:
            raise ImportError(f"{address} is read through fsspec, which is not installed: pip install fsspec") from error
        self.address = address
        self.fs, self.root = fsspec.core.url_to_fs(address)
        protocol = self.fs.protocol if isinstance(self.fs.protocol, str) else self.fs.protocol[0]
        # A server tells no folder from a file: what ends in a slash is a page of links.
        self.is_quoted = protocol.startswith("http")
        self.is_file = self.is_quoted and not self.root.endswith("/")
        self.errors = {}
        self.files = {self.root: None} if self.is_file else self._find()
        self.places = None

    def _find(self):
        top = self.root.rstrip("/")
        below = top + "/" if top else ""
        found = self._walk(below) if self._is_walked() else self.fs.find(self.root, detail=True)
        if not found and not self.errors and self.fs.isfile(self.root):
            found = {self.root: {}}
        found = {path: entry.get("size") for path, entry in found.items()}
        self.is_file = list(found) == [self.root]
        # A page may link to what lies elsewhere.
        return found if self.is_file else {path: found[path] for path in sorted(found) if path.startswith(below)}

    def _is_walked(self):
        """Whether the store lists one folder at a time. Others, such as S3, list all that lies below a name."""
        from fsspec import AbstractFileSystem
        from fsspec.asyn import AsyncFileSystem
        from fsspec.implementations.cached import CachingFileSystem

        kind = type(self.fs.fs if isinstance(self.fs, CachingFileSystem) else self.fs)
        if issubclass(kind, AsyncFileSystem):
            return kind._find is AsyncFileSystem._find
        return kind.find is AbstractFileSystem.find

    def _walk(self, below):
        """As `find` does it, which passes over what it may not list, and ends at a page that is none."""
        found, waiting, seen = {}, [self.root], {self.root.rstrip("/")}
        while waiting:
            folder = waiting.pop()
            try:
                listing = self.fs.ls(folder, detail=True)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except Exception as error:  # noqa: BLE001 - whatever a store raises is what is wrong with that folder
                if folder == self.root:
                    raise
                self.errors[folder] = error
                continue
            for entry in listing:
                name = entry["name"].rstrip("/")
                if entry["type"] != "directory":
                    found[entry["name"]] = entry
                elif name.startswith(below) and name not in seen:
                    seen.add(name)
                    waiting.append(name)
        return found

    def local(self, path, folder):
        """Where a file lies in a folder, never outside of it, and no two at one place."""
        if self.is_file:
            return _local(folder, self.root, path, self.is_quoted)
        if self.places is None:
            self._place()
        return pathlib.Path(folder, self.places[path])

    def _place(self):
        """Finds a place for each file and for each folder without a listing: in a folder with a number, if its own is taken."""
        self.places, taken, folders, numbers = {}, set(), set(), {}

        def keys(place):
            return [os.path.normcase(part) for part in (place, *place.parents[:-1])]

        for path in [*self.files, *self.errors]:
            own = place = _local("", self.root, path, self.is_quoted)
            # What was tried for files of this name is not tried again.
            number = numbers.get(own, 1)
            if number > 1:
                place = pathlib.Path(str(number), own)
            while keys(place)[0] in folders or not taken.isdisjoint(keys(place)):
                number += 1
                place = pathlib.Path(str(number), own)
            numbers[own] = number
            self.places[path] = place
            taken.add(keys(place)[0])
            folders.update(keys(place)[1:])

    def called(self, path):
        """The address of a file. Of a chain such as `zip://maps::s3://bucket/a.zip` the path is that of the first link with one."""
        if path == self.root:
            return self.address
        links = self.address.split("::")
        at = next((at for at, link in enumerate(links) if "://" in link), -1)
        scheme, colon, rest = links[at].rpartition("://")
        top = f"{rest.rstrip('/')}/" if rest else ""
        links[at] = scheme + colon + top + path[len(self.root) :].lstrip("/")
        return "::".join(links)

    def each(self, work, paths):
        """Does the same for each file, and gives for each what came of it: a value or an exception."""

        def tried(path):
            try:
                return work(path)
            except Exception as error:  # noqa: BLE001 - whatever a store raises is what is wrong with that file
                return error

        if not getattr(self.fs, "async_impl", False):
            return [tried(path) for path in paths]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(tried, paths))

    def heads(self, folder):
        """Writes the first page of each file into a folder, and gives what went wrong by path."""

        def head(path):
            local = self.local(path, folder)
            local.parent.mkdir(parents=True, exist_ok=True)
            local.write_bytes(self.head(path))

        done = self.each(head, self.files)
        return {path: error for path, error in zip(self.files, done) if error is not None}

    def head(self, path):
        """The first page of a file. A range of nothing is refused."""
        if self.files[path] == 0:
            return b""
        try:
            return self.fs.cat_file(path, start=0, end=HEAD)[:HEAD]
        except Exception as error:
            if getattr(error, "status", None) != 416:
                raise
            return b""

    def size(self, path):
        size = self.files[path]
        return self.fs.info(path)["size"] if size is None else size

    def known(self, folder):
        """Of the files whose heads lie in a folder those that a scan takes for something: by path, whether it is a bare mesh."""
        of = {os.path.normpath(self.local(path, folder)): path for path in self.files}
        seen = {}
        for outcome in navmap.scan(folder, task="head", progress=False):
            path = of.get(os.path.normpath(outcome.path))
            seen[path] = outcome.family is not None and outcome.member is None
        seen.pop(None, None)
        packs = {path[: -len("_dir.vpk")] for path in seen if path.lower().endswith("_dir.vpk")}
        return seen | {path: False for path in self.files if PART.search(path) and PART.sub("", path) in packs}

    def whole(self, path, folder):
        """Brings a file, under a temporary name first."""
        local = self.local(path, folder)
        local.parent.mkdir(parents=True, exist_ok=True)
        part = local.with_name(f".{local.name}.{os.getpid()}.part")
        try:
            self.fs.get_file(path, str(part))
            os.replace(part, local)
        finally:
            part.unlink(missing_ok=True)


def _local(folder, root, path, is_quoted=True):
    """Where a remote path lies below a folder, never outside of it. One of a server is quoted, and may have a query."""
    inside = path[len(root) :] if path.startswith(root) else path
    inside = urllib.parse.unquote(inside.split("?")[0]) if is_quoted else inside
    inside = inside.replace("\\", "/").strip("/") or path.rstrip("/").rpartition("/")[2]
    parts = [re.sub(r'[<>:"|?*\x00-\x1f]', "_", part) for part in inside.split("/") if part not in ("", ".", "..")]
    if not parts:
        raise ValueError(f"{path} has no name for a file")
    return pathlib.Path(folder, *parts)


def _raise(errors):
    """The first error of a file, if there is one."""
    for error in errors:
        if error is not None:
            raise error


def fetch(urls, folder):
    """See `navmap.fetch`."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for url in [urls] if isinstance(urls, (str, os.PathLike)) else urls:
        listed = _Listed(os.fspath(url))
        _raise(listed.errors.values())
        if not listed.files:
            raise FileNotFoundError(2, "No such file or directory", str(url))
        with tempfile.TemporaryDirectory(prefix="navmap-") as temporary:
            _raise(listed.heads(temporary).values())
            wanted = sorted(listed.known(temporary))
        _raise(listed.each(lambda path: listed.whole(path, folder), wanted))
    return folder


class _Copies:
    """What is brought for a run: see `bring`."""

    def __init__(self, folder, heads, keeps):
        self.folder, self.only_heads, self.keeps = folder, heads, keeps
        self.originals, self.failed = {}, {}

    def place(self, number, address):
        """Brings what lies at an address, and gives the place of its copy."""
        outer, bang, member = address.partition("!")
        top = self.folder / str(number)
        try:
            listed = _Listed(outer)
        except (ImportError, ValueError):
            raise
        except Exception as error:  # noqa: BLE001 - a store that cannot be asked is as a folder that cannot be read
            self.fail(top, address, error)
            return [top]
        places = self.file(listed, top) if listed.is_file else self.files(listed, top, outer)
        return [pathlib.Path(f"{place}!{member}") for place in places] if bang else places

    def fail(self, local, address, error):
        """Says why a file has no copy. Of one that is not there its own name says it."""
        self.originals[str(local)] = address
        if not isinstance(error, FileNotFoundError):
            self.failed[str(local)] = " ".join(str(error).split()) or type(error).__name__

    def file(self, listed, top):
        """Brings the one file that an address names, whatever it is."""
        self.originals[str(listed.local(listed.root, top))] = listed.address
        error = self.copy(listed, listed.root, top)
        if error is None and listed.root.lower().endswith("_dir.vpk"):
            self.parts(listed, top)
        return [listed.local(listed.root, top)]

    def parts(self, listed, top):
        """Brings the parts of a VPK beside its directory."""
        folder, _, name = listed.root.rpartition("/")
        stem = name[: -len("_dir.vpk")]
        beside = [path for path in listed.fs.find(folder, maxdepth=1) if PART.sub("", path.rpartition("/")[2]) == stem]
        for path in beside:
            listed.fs.get_file(path, str(top / path.rpartition("/")[2]))

    def files(self, listed, top, address):
        """Brings the meshes of a folder, and archives that may hold some. Gives the places that a scan has to be told."""
        self.originals[str(top)] = address
        if not listed.files and not listed.errors:
            return [top]
        top.mkdir()
        for path in listed.files:
            self.originals[str(listed.local(path, top))] = listed.called(path)
        wrong = listed.heads(top)
        for path in wrong:
            listed.local(path, top).unlink(missing_ok=True)
        known = listed.known(top)
        rest = [path for path in listed.files if path not in wrong]
        # A head that is no page long is the whole file.
        long = [path for path in rest if listed.local(path, top).stat().st_size >= HEAD]
        left = {path for path in long if path not in known or (known[path] and self.leaves(listed, path))}
        wrong |= self.done(listed, [path for path in long if path not in left], lambda path: listed.whole(path, top))
        # What is left of a file is as long as the file: a scan tells how long meshes, and maps beside them, are.
        sized = [path for path in left if path in known or path.lower().endswith(".bsp")]
        wrong |= self.done(listed, sized, lambda path: os.truncate(listed.local(path, top), listed.size(path)))
        wrong |= listed.errors
        for path, error in wrong.items():
            self.fail(listed.local(path, top), listed.called(path), error)
        return [top, *(listed.local(path, top) for path in wrong)]

    def leaves(self, listed, path):
        """Whether the head of a mesh is enough."""
        return self.only_heads or (self.keeps is not None and not self.keeps(listed.called(path)))

    def copy(self, listed, path, top):
        """Brings one file, and gives what went wrong."""
        wrong = self.done(listed, [path], lambda path: listed.whole(path, top))
        for error in wrong.values():
            self.fail(listed.local(path, top), listed.called(path), error)
        return wrong.get(path)

    @staticmethod
    def done(listed, paths, work):
        """Does work for files, and gives what went wrong by path."""
        return {path: error for path, error in zip(paths, listed.each(work, paths)) if error is not None}


def bring(paths, *, heads=False, keeps=None):
    """Brings what lies at addresses into a new folder for temporary files, for the length of a run.

    `paths` are pairs of a path and whether it is an address. Of meshes that `keeps` does not keep, and with `heads` of all, only the
    first page is read; what follows is a hole. Gives the folder, the paths with those of copies in place of addresses, the address of
    each copy, and why there is none.
    """
    folder = pathlib.Path(tempfile.mkdtemp(prefix="navmap-"))
    try:
        copies = _Copies(folder, heads, keeps)
        places = []
        for number, (path, is_address) in enumerate(paths):
            places += copies.place(number, os.fspath(path)) if is_address else [path]
        return str(folder), places, copies.originals, copies.failed
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
