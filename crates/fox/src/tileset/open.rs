//! Opens a set: finds the files, reads the index's facts from each, and orders them into layers and tiles.

use super::resolve::{Resolved, resolve};
use super::scan::Scan;
use super::{LayerIndex, Part, TileIndex, TileSet, parallel};
use crate::flags::TILE_SIDE;
use crate::record::TileId;
use navmap_core::Severity;
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::format::{SetFinding, has_extension};
use navmap_core::text::path_text;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files per task of a reading thread.
const FILES: usize = 1;
/// Files per task of a thread that resolves links, which takes a tenth of the time of reading them.
const LINKS: usize = 64;
/// The most levels of nested folders.
const DEPTH: u32 = 32;

/// Lists a named file, or the `.nav2` files of a folder and its subfolders. Links to folders are not followed.
pub(super) fn list(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        return list_folder(path, DEPTH, files);
    }
    files.push(path.to_owned());
    Ok(())
}

fn list_folder(folder: &Path, depth: u32, files: &mut Vec<PathBuf>) -> Result<()> {
    let located = |error| Error::from(error).in_file(folder);
    for entry in fs::read_dir(folder).map_err(located)? {
        let entry = entry.map_err(located)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(located)?);
        if kind.is_dir() {
            if let Some(depth) = depth.checked_sub(1) {
                list_folder(&path, depth, files)?;
            }
        } else if has_extension(&path, &["nav2"]) {
            files.push(path);
        }
    }
    Ok(())
}

/// Opens and reads every file, then builds the set.
pub(super) fn build<'a>(
    mut paths: Vec<PathBuf>,
    open: impl Fn(&Path) -> Result<Backing<'a>> + Sync + Send,
) -> TileSet<'a> {
    // Compared as text: comparing by path component takes longer than reading some of the files.
    paths.sort_unstable_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    paths.dedup();
    assemble(parallel::map(paths, FILES, |path| open(&path).and_then(|bytes| Scan::read(path, bytes))))
}

/// Builds the set from opened files. Errors of files that could not be opened come last.
pub(super) fn build_from<'a>(mut files: Vec<Result<(PathBuf, Backing<'a>)>>) -> TileSet<'a> {
    files.sort_by(|a, b| match (a, b) {
        (Ok((a, _)), Ok((b, _))) => a.as_os_str().cmp(b.as_os_str()),
        _ => a.is_err().cmp(&b.is_err()),
    });
    assemble(parallel::map(files, FILES, |file| file.and_then(|(path, bytes)| Scan::read(path, bytes))))
}

/// Files of one layer, in order of tile and part. Boxed, because sorting moves them several times.
type LayerScans<'a> = Vec<Box<Scan<'a>>>;

fn assemble(scans: Vec<Result<Box<Scan<'_>>>>) -> TileSet<'_> {
    let (mut failures, mut findings) = (Vec::new(), Vec::new());
    let mut by_layer: BTreeMap<String, LayerScans<'_>> = BTreeMap::new();
    for scan in scans {
        match scan {
            Ok(scan) => match by_layer.get_mut(&scan.layer) {
                Some(layer) => layer.push(scan),
                None => drop(by_layer.insert(scan.layer.clone(), vec![scan])),
            },
            Err(error) => failures.push(error),
        }
    }
    let mut layers: Vec<_> = by_layer.into_iter().collect();
    layers.sort_by_key(|(_, scans)| std::cmp::Reverse(scans.len()));
    let main_map = layers.first().and_then(|(_, scans)| scans.first()).map(|scan| scan.map.clone());

    let mut set = TileSet { layers: vec![], tiles: vec![], parts: vec![], failures, findings: vec![] };
    let mut ordered: LayerScans<'_> = Vec::new();
    for (name, scans) in layers {
        let scans = in_order(scans, &mut findings);
        let Some(first) = scans.first() else { continue };
        if main_map.as_ref() != Some(&first.map) {
            let message = format!(
                "belongs to map {}, most of the set to {}",
                first.map,
                main_map.as_deref().unwrap_or("")
            );
            findings.push(first.finding(Severity::Warning, "mixed-maps", message));
        }
        let tiles = tile_ranges(&scans, ordered.len());
        let columns = columns(&scans);
        cross_check(&scans, columns, &mut findings);
        let start = set.tiles.len();
        let mut cells = Vec::with_capacity(tiles.len());
        for (tile, index) in tiles.iter().zip(start..) {
            let offset = usize::try_from(tile.parts.start).unwrap_or_default().saturating_sub(ordered.len());
            if let (Some(scan), Ok(index)) = (scans.get(offset), u32::try_from(index)) {
                let (column, row) = cell(scan.frame.origin);
                cells.push((column, row, index));
            }
        }
        cells.sort_unstable();
        set.tiles.extend(tiles);
        let map = first.map.clone();
        set.layers.push(LayerIndex { name, map, tiles: start..set.tiles.len(), columns, cells });
        ordered.extend(scans);
    }

    let resolved = parallel::map((0..ordered.len()).collect(), LINKS, |index| resolve(&set, &ordered, index));
    let kept = parallel::map(ordered.into_iter().zip(resolved).collect(), LINKS, |(scan, resolved)| {
        let findings: Vec<_> = resolved.findings(&scan.path).collect();
        (keep(*scan, resolved), findings)
    });
    set.parts.reserve_exact(kept.len());
    for (part, odd) in kept {
        set.parts.push(part);
        findings.extend(odd);
    }
    set.tiles.shrink_to_fit();
    set.findings = findings;
    set
}

/// Orders the files of a layer by tile and part, and drops a second file of the same part.
fn in_order<'a>(mut scans: LayerScans<'a>, findings: &mut Vec<SetFinding>) -> LayerScans<'a> {
    scans.sort_by_key(|scan| (scan.tile, scan.part));
    let mut kept: LayerScans<'a> = Vec::with_capacity(scans.len());
    for scan in scans {
        match kept.last().filter(|last| (last.tile, last.part) == (scan.tile, scan.part)) {
            Some(last) => {
                let message = format!(
                    "part {} of tile {} is {} already, this file is left out",
                    scan.part,
                    scan.tile,
                    path_text(&last.path)
                );
                findings.push(scan.finding(Severity::Error, "duplicate-tile", message));
            }
            None => kept.push(scan),
        }
    }
    kept
}

fn tile_ranges(scans: &[Box<Scan<'_>>], first: usize) -> Vec<TileIndex> {
    let mut end = u32::try_from(first).unwrap_or(u32::MAX);
    scans
        .chunk_by(|a, b| a.tile == b.tile)
        .filter_map(|parts| {
            let start = end;
            end = end.saturating_add(u32::try_from(parts.len()).unwrap_or(u32::MAX));
            parts.first().map(|part| TileIndex { id: part.tile, parts: start..end })
        })
        .collect()
}

/// The 128 m cell of an origin. In a tiled map the origin is on the cell's corner.
pub(super) fn cell([x, _, z]: [f32; 3]) -> (i32, i32) {
    let cell = |at: f32| (at / TILE_SIDE + 1.0 / 256.0).floor() as i32;
    (cell(x), cell(z))
}

/// Columns of a layer, by a majority of links over northern and southern sides, else by a majority of names.
fn columns(scans: &[Box<Scan<'_>>]) -> Option<u16> {
    let most = |votes: &mut dyn Iterator<Item = u16>| {
        let mut counts = BTreeMap::<u16, u32>::new();
        for vote in votes {
            let count = counts.entry(vote).or_default();
            *count = count.saturating_add(1);
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(columns, _)| columns)
    };
    let named = |scan: &Scan<'_>| {
        let (x, z) = scan.coordinates?;
        let (column, row) = (x.checked_sub(101)?, z.checked_sub(101)?);
        let above = scan.tile.0.checked_sub(column)?;
        let columns = above.checked_div(row)?;
        (columns.checked_mul(row) == Some(above) && column < columns).then_some(columns)
    };
    most(&mut scans.iter().filter_map(|scan| scan.columns))
        .or_else(|| most(&mut scans.iter().filter_map(|scan| named(scan))))
}

/// Checks that the files of a layer agree about each other.
fn cross_check(scans: &[Box<Scan<'_>>], columns: Option<u16>, findings: &mut Vec<SetFinding>) {
    for tile in scans.chunk_by(|a, b| a.tile == b.tile) {
        let Some(first) = tile.first() else { continue };
        if first.part != 0 {
            let message = format!("part {} of tile {}, and part 0 is absent", first.part, first.tile);
            findings.push(first.finding(Severity::Warning, "split-part-absent", message));
        } else if first.split && tile.len() == 1 {
            let message = format!("part 0 of split tile {}, and there is no other part", first.tile);
            findings.push(first.finding(Severity::Info, "split-part-absent", message));
        }
        for part in tile.iter().skip(1) {
            if part.frame != first.frame || part.opaque != first.opaque {
                let message = format!(
                    "part {} of tile {} does not go with {}: origin, divisors or opaque id differ",
                    part.part,
                    part.tile,
                    path_text(&first.path)
                );
                findings.push(part.finding(Severity::Warning, "split-mismatch", message));
            }
        }
    }
    let Some(columns) = columns else { return };
    for scan in scans {
        if let Some(own) = scan.columns.filter(|own| *own != columns) {
            let message = format!("its links tell of a map of {own} columns, most of the set of {columns}");
            findings.push(scan.finding(Severity::Warning, "tile-columns", message));
        }
        if let Some((x, z)) = scan.coordinates
            && TileId::from_coordinates(x, z, columns) != Some(scan.tile)
        {
            let message =
                format!("named {x}_{z}, and holds tile {} of a map of {columns} columns", scan.tile);
            findings.push(scan.finding(Severity::Warning, "tile-name", message));
        }
        let place = scan.tile.corner(columns);
        let [x, _, z] = scan.frame.origin;
        if place.is_some_and(|place| place != [x, z]) {
            let message =
                format!("origin {x}, {z} is not that of tile {} in a map of {columns} columns", scan.tile);
            findings.push(scan.finding(Severity::Warning, "tile-origin", message));
        }
    }
}

/// Keeps the index's facts about a file once its links are resolved.
fn keep<'a>(scan: Scan<'a>, resolved: Resolved) -> Part<'a> {
    Part {
        path: scan.path,
        bytes: scan.bytes,
        frame: scan.frame,
        number: scan.part,
        slots: resolved.slots,
        borders: resolved.borders,
        unmatched: resolved.unmatched.into(),
    }
}
