"""What `import navmap` costs, by what it imports: no time is measured."""

import subprocess
import sys

ALONE = """
import sys
before = set(sys.modules)
import navmap
print(*sorted(set(sys.modules) - before))
"""


def test_importing_it_imports_nothing_else():
    done = subprocess.run([sys.executable, "-I", "-c", ALONE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["navmap", "navmap._navmap"]


def test_what_is_asked_for_is_imported_then():
    asked = ALONE.replace("import navmap\n", "import navmap\nnavmap.open('corpus/source/town.nav').draw().svg\nnavmap.scan('corpus/quake').tables\n")
    done = subprocess.run([sys.executable, "-I", "-c", asked], capture_output=True, text=True, check=True)
    heavy = {"numpy", "polars", "pandas", "pyarrow", "html", "json", "navmap._frames", "navmap.awpy", "navmap.spark"}
    assert not heavy & set(done.stdout.split())
