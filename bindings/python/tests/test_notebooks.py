"""The notebooks run, and the pictures of the gallery are what they draw."""

import pathlib

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "bindings/python/examples/notebooks").glob("*.ipynb"))
GALLERY = ROOT / "docs/gallery"


def test_there_are_five_and_none_holds_what_it_has_drawn():
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        assert '"image/' not in path.read_text() and '"outputs": []' in path.read_text()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_draws_what_the_gallery_shows(path, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    for name in ("ipykernel", "duckdb", "numpy", "polars"):
        pytest.importorskip(name)
    monkeypatch.setenv("NAVMAP_GALLERY", str(tmp_path))
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    client.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    drawn = sorted(tmp_path.glob("*.svg"))
    assert drawn
    for picture in drawn:
        assert picture.read_bytes() == (GALLERY / picture.name).read_bytes(), f"{picture.name}: run the notebook again"


def test_every_picture_of_the_gallery_is_shown_on_its_page():
    page = (ROOT / "docs/gallery.md").read_text()
    pictures = [path.name for path in GALLERY.iterdir()]
    assert pictures and all(f"gallery/{name}" in page for name in pictures)
    assert all(pathlib.Path(path).name in page for path in NOTEBOOKS)
