"""Progress of a scan, in a terminal or a notebook."""

import sys
import time


def _line(files, meshes, size, errors, seconds):
    rate = size / 1e6 / seconds if seconds > 0 else 0.0
    bad = f", {errors:,} not readable" if errors else ""
    return f"{files:,} files, {meshes:,} meshes{bad}, {size / 1e6:,.1f} MB ({rate:,.0f} MB/s)"


class _Terminal:
    def __init__(self, stream):
        self.stream = stream
        self.began = time.monotonic()

    def __call__(self, files, meshes, size, errors, done):
        line = _line(files, meshes, size, errors, time.monotonic() - self.began)
        self.stream.write("\r\x1b[K" + ("" if done else line))
        self.stream.flush()


class _Notebook:
    def __init__(self, display):
        self.began = time.monotonic()
        self.handle = display({"text/plain": "..."}, raw=True, display_id=True)

    def __call__(self, files, meshes, size, errors, done):
        line = _line(files, meshes, size, errors, time.monotonic() - self.began)
        self.handle.update({"text/plain": line}, raw=True)


def _notebook():
    # Nobody is in a notebook unless IPython has been imported.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or shell.__class__.__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display

    return display


def reporter(progress):
    """What is called with (files, meshes, bytes, errors, done), or None."""
    if callable(progress):
        return progress
    if progress is False:
        return None
    if progress not in (None, True):
        raise TypeError(f"progress is True, False, None or a callable, not {type(progress).__name__}")
    display = _notebook()
    if display is not None:
        return _Notebook(display)
    stream = sys.stderr
    if stream is not None and (progress or stream.isatty()):
        return _Terminal(stream)
    return None
