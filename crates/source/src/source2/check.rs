//! What is odd in a Source 2 mesh.

use super::area::PolygonArea;
use super::graph::Source2Graph;
use super::index::PolygonAreaIndex;
use super::view::Source2Nav;
use crate::check::CROUCH_JUMP;
use crate::check::values::{Repeats, beyond, ladder as ladder_values};
use crate::climb::Listed;
use crate::record::LadderId;
use Severity::{Deviation, Error, Info, Warning};
use navmap_core::error::Result;
use navmap_core::{Finding, Severity};

/// Owner and target: ids where edges are linked, positions over ladders.
type Link = (u32, u32);

pub(super) fn check(nav: &Source2Nav<'_>, found: &mut dyn FnMut(Finding)) -> Result<()> {
    let (mut links, mut corners): (Vec<Link>, _) = (Vec::new(), Vec::new());
    let mut listed: Vec<Listed> = Vec::new();
    let index = PolygonAreaIndex::build_with(nav, |area| {
        corners.push(area.corner_count());
        let id = area.id().get();
        links.extend(area.edges().flatten().map(|link| (id, link.area().get())));
        for (ladders, up) in [(area.ladders_above(), true), (area.ladders_below(), false)] {
            listed.extend(ladders.iter().map(|ladder| (area.index(), *ladder, up)));
        }
    })?;
    links.sort_unstable();
    let graph = Source2Graph::new(nav);
    let climbs = graph.climbed(&listed);
    let mut ladders: Vec<LadderId> = index.after_areas().all_ladders().map(|ladder| ladder.id()).collect();
    ladders.sort_unstable();
    let hulls = index.after_areas().parameters().hulls().count();
    let mut repeats = Repeats::default();
    for area in index.iter() {
        let mut report = |severity, code, at: u32, what: String| {
            let finding = Finding::new(severity, code, what).at(u64::from(at));
            let finding = finding.in_record("area", u64::from(area.index())).with_id(area.id().get());
            found(finding.placed(area.center()));
        };
        itself(&area, &index, &mut report);
        if usize::from(area.hull()) >= hulls {
            let what = format!("hull {} of {hulls}", area.hull());
            report(Warning, "hull-out-of-range", area.offsets().start.saturating_add(12), what);
        }
        connections(&area, &index, (&links, &climbs, &graph), &corners, &mut report);
        repeated(&area, &mut repeats, &mut report);
        let offsets = area.offsets();
        for (way, start, list) in [
            ("above", offsets.ladders_above, area.ladders_above()),
            ("below", offsets.ladders_below, area.ladders_below()),
        ] {
            for (i, id) in (0..).zip(list).filter(|(_, id)| ladders.binary_search(id).is_err()) {
                let what = format!("L#{id} {way}, which does not exist");
                report(Error, "dangling-ladder", entry(start, 4, i), what);
            }
        }
    }
    after(nav, &index, found);
    // Hulls are meshes of their own: no link leads from one to another.
    let offset = |node: u32| Some(index.get(node as usize)?.offsets().start.into());
    navmap_core::graph::check(&graph, true, offset, found);
    Ok(())
}

fn entry(start: u32, size: u32, i: u32) -> u32 {
    start.saturating_add(4).saturating_add(size.saturating_mul(i))
}

fn itself(
    area: &PolygonArea<'_>,
    index: &PolygonAreaIndex<'_, '_>,
    report: &mut impl FnMut(Severity, &'static str, u32, String),
) {
    let offsets = area.offsets();
    let id = area.id();
    if id.get() == 0 {
        report(Warning, "zero-area-id", offsets.start, "the id is 0, which means \"no area\"".to_owned());
    }
    if let Some(first) = index.position(id).filter(|first| *first as u64 != u64::from(area.index())) {
        report(Error, "duplicate-area-id", offsets.start, format!("#{id} is also record {first}"));
    }
    if area.corner_count() < 3 {
        let what = format!("a polygon of {} corners", area.corner_count());
        report(Warning, "degenerate-area", offsets.corners(), what);
    }
    for i in 0..area.corner_count() {
        match area.corner(i) {
            None => {
                let what = format!("corner {i} is a vertex that does not exist");
                report(Error, "vertex-out-of-range", offsets.corners(), what);
            }
            Some(corner) if !corner.iter().all(|value| value.is_finite()) => {
                let what = format!("corner {i} is not finite");
                report(Error, "non-finite-coordinate", offsets.corners(), what);
            }
            Some(_) => {}
        }
    }
    if area.corners().flatten().any(|value| beyond(&value)) {
        report(
            Deviation,
            "outside-world",
            offsets.corners(),
            "the area reaches beyond 16384 units".to_owned(),
        );
    }
}

fn repeated(
    area: &PolygonArea<'_>,
    repeats: &mut Repeats<(u32, u32)>,
    report: &mut impl FnMut(Severity, &'static str, u32, String),
) {
    let mut start = area.offsets().edges;
    for (edge, list) in (0..).zip(area.edges()) {
        let targets = list.iter().map(|link| (link.area().get(), link.edge()));
        repeats.visit(targets, |(target, to), i| {
            let what = format!("connected over edge {edge} to edge {to} of #{target} more than once");
            report(Warning, "duplicate-connection", entry(start, 8, i), what);
        });
        start = entry(start, 8, list.len() as u32);
    }
}

fn connections(
    area: &PolygonArea<'_>,
    index: &PolygonAreaIndex<'_, '_>,
    (links, climbs, graph): (&[Link], &[Link], &Source2Graph<'_, '_>),
    corners: &[usize],
    report: &mut impl FnMut(Severity, &'static str, u32, String),
) {
    let mut start = area.offsets().edges;
    for (edge, list) in (0..).zip(area.edges()) {
        for (i, link) in (0..).zip(list) {
            let (target, to) = (link.area(), link.edge());
            let at = entry(start, 8, i);
            let Some(position) = index.position(target) else {
                let what = format!("connected over edge {edge} to #{target}, which does not exist");
                report(Error, "dangling-connection", at, what);
                continue;
            };
            let count = corners.get(position).copied().unwrap_or(0);
            if target == area.id() {
                report(Warning, "self-connection", at, "connected to itself".to_owned());
            } else if to as usize >= count {
                let what = format!("connected to edge {to} of #{target}, which has {count}");
                report(Warning, "edge-out-of-range", at, what);
            } else if links.binary_search(&(target.get(), area.id().get())).is_err()
                // A ladder back is a way back: the graph counts one-way links the same way.
                && climbs.binary_search(&(position as u32, area.index())).is_err()
            {
                let rise = u32::try_from(position)
                    .ok()
                    .and_then(|to| graph.rise_over(area, edge, (to, link.edge())));
                if let Some(drop) = rise.map(|rise| -rise).filter(|drop| *drop > CROUCH_JUMP) {
                    let what = format!("drops {drop} units over edge {edge} to #{target}");
                    report(Info, "one-way-drop", at, what);
                } else {
                    let what = format!("one way over edge {edge} to #{target}");
                    report(Info, "one-way-connection", at, what);
                }
            }
        }
        start = entry(start, 8, list.len() as u32);
    }
}

fn after(nav: &Source2Nav<'_>, index: &PolygonAreaIndex<'_, '_>, found: &mut dyn FnMut(Finding)) {
    let after = index.after_areas();
    let size = if after.wide_ladders().is_empty() { 60 } else { 68 };
    for (i, ladder) in (0..).zip(after.all_ladders()) {
        let wide = after.wide_ladders().get(i as usize);
        let wide = wide.map(|l| [("bottom left", l.bottom_left()), ("bottom right", l.bottom_right())]);
        for (end, area) in ladder.areas().into_iter().chain(wide.into_iter().flatten()) {
            if area.get() != 0 && index.position(area).is_none() {
                let what = format!("{end} is #{area}, which does not exist");
                let finding = Finding::new(Error, "dangling-ladder-area", what);
                let at = u64::from(entry(after.offset(), size, i));
                let finding = finding.at(at).in_record("ladder", u64::from(i));
                found(finding.with_id(ladder.id().get()).placed(ladder.bottom()));
            }
        }
        let (sizes, ends) = ([ladder.width(), ladder.length()], [ladder.top(), ladder.bottom()]);
        ladder_values(sizes, ends, |severity, code, what| {
            let finding = Finding::new(severity, code, what).at(u64::from(entry(after.offset(), size, i)));
            let finding = finding.in_record("ladder", u64::from(i)).with_id(ladder.id().get());
            found(finding.placed(ladder.bottom()));
        });
    }
    for block in
        [nav.first_block(), nav.second_block(), after.third_block(), after.game_data()].into_iter().flatten()
    {
        if let Some(what) = block.damage() {
            found(Finding::new(Warning, "kv3-block", what).at(u64::from(block.offset())));
        }
    }
    nav.remark(after, found);
}
