"""What is imported is what is asked for. That `import navmap` alone brings nothing along is tested in `test_doc.py`."""

import subprocess
import sys

PROGRAM = """
import sys
before = set(sys.modules)
import navmap
navmap.open("corpus/source/town.nav").draw().svg
navmap.scan("corpus/quake").tables
print(*sorted(set(sys.modules) - before))
"""


def test_what_is_asked_for_is_imported_and_no_more():
    done = subprocess.run([sys.executable, "-I", "-c", PROGRAM], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.startswith("navmap")}
    assert ours == {"navmap", "navmap._navmap"}
    assert not {"numpy", "polars", "pandas", "pyarrow", "fsspec", "html", "json"} & set(done.stdout.split())
