//! What a walk over a Source mesh touches, through getters and by the plain reader.

use navmap::format::source::{Area, AreaId, EncounterPath, SourceNav};
use navmap_testkit::source as kit;

fn bits(point: [f32; 3]) -> u64 {
    point.iter().fold(0, |sum, value| sum + u64::from(value.to_bits()))
}

/// Id, flags, four corners of one area.
#[inline(always)]
fn outline(area: &Area<'_>) -> u64 {
    let corners = area.corners().into_iter().fold(0, |sum, corner| sum + bits(corner));
    corners + u64::from(area.id().get()) + u64::from(area.attributes().bits())
}

/// Id, flags, four corners of every area.
pub(crate) fn walk(bytes: &[u8]) -> u64 {
    let nav = SourceNav::parse(bytes).expect("a mesh");
    nav.areas().fold(0, |sum: u64, area| sum.wrapping_add(outline(&area.expect("an area"))))
}

/// Every field of every record, through its getters.
pub(crate) fn visit(bytes: &[u8]) -> u64 {
    let nav = SourceNav::parse(bytes).expect("a mesh");
    let mut areas = nav.areas();
    let mut sum = 0;
    let mut paths = 0;
    while let Some(area) = areas.next_with_paths(|path| paths += encounter(&path)) {
        sum += whole(&area.expect("an area"));
    }
    sum += paths;
    for ladder in areas.finish().expect("an end").ladders() {
        sum += u64::from(ladder.id().get()) + u64::from(ladder.width().to_bits()) + bits(ladder.top());
        sum += bits(ladder.bottom())
            + u64::from(ladder.length().to_bits())
            + u64::from(ladder.direction_stored());
        sum += ladder.areas().iter().map(|(_, id)| u64::from(id.get())).sum::<u64>();
    }
    sum
}

#[inline(always)]
fn whole(area: &Area<'_>) -> u64 {
    let ids = |ids: &[AreaId]| ids.iter().map(|id| u64::from(id.get())).sum::<u64>();
    let mut sum = outline(area);
    sum += area.all_connections().map(|(_, id)| u64::from(id.get())).sum::<u64>();
    for spot in area.hiding_spots() {
        sum += u64::from(spot.id().get()) + bits(spot.position()) + u64::from(spot.flags().bits());
    }
    for approach in area.approaches() {
        sum += ids(&[approach.here(), approach.previous(), approach.next()]);
        sum += u64::from(approach.previous_to_here().0) + u64::from(approach.here_to_next().0);
    }
    sum += area.place().map_or(0, |place| u64::from(place.get()));
    sum += area.ladders_up().iter().chain(area.ladders_down()).map(|id| u64::from(id.get())).sum::<u64>();
    let times = area.earliest_occupy_times().into_iter().flatten();
    sum +=
        times.chain(area.light().into_iter().flatten()).map(|value| u64::from(value.to_bits())).sum::<u64>();
    for entry in area.visible_areas() {
        sum += u64::from(entry.target()) + u64::from(entry.visibility().bits());
    }
    sum += area.inherits_visibility_from().map_or(0, |id| u64::from(id.get()));
    sum + area.tf_attributes().map_or(0, |attributes| u64::from(attributes.bits()))
}

/// Every field of an encounter path.
#[inline(always)]
fn encounter(path: &EncounterPath<'_>) -> u64 {
    let sides =
        [path.from_direction_stored(), path.to_direction_stored()].map(|side| u64::from(side.unwrap_or(0)));
    let mut sum = u64::from(path.from().get()) + u64::from(path.to().get()) + sides[0] + sides[1];
    for spot in path.spots() {
        sum += u64::from(spot.spot().get()) + u64::from(spot.t_stored());
    }
    sum
}

/// What [`walk`] should say, by the plain reader.
pub(crate) fn walk_naive(bytes: &[u8]) -> u64 {
    kit::read(bytes)
        .expect("a mesh")
        .areas
        .iter()
        .fold(0, |sum: u64, area| sum.wrapping_add(outline_naive(area)))
}

fn outline_naive(a: &kit::Area) -> u64 {
    let corners = [a.nw, [a.se[0], a.nw[1], a.ne_z], a.se, [a.nw[0], a.se[1], a.sw_z]];
    corners.into_iter().map(bits).sum::<u64>() + u64::from(a.id) + u64::from(a.attributes)
}

/// What [`visit`] should say, by the plain reader.
pub(crate) fn visit_naive(bytes: &[u8]) -> u64 {
    let mesh = kit::read(bytes).expect("a mesh");
    let n = |values: &[u32]| values.iter().map(|value| u64::from(*value)).sum::<u64>();
    let mut sum = 0;
    for a in &mesh.areas {
        sum += outline_naive(a) + a.connections.iter().map(|side| n(side)).sum::<u64>();
        sum += a.spots.iter().map(|s| n(&[s.id, s.flags.into()]) + bits(s.position)).sum::<u64>();
        for p in &a.approaches {
            sum += n(&[p.here, p.previous, p.next, p.previous_how.into(), p.next_how.into()]);
        }
        for p in &a.paths {
            sum += n(&[p.from, p.to, p.from_side.into(), p.to_side.into()]);
            sum += p.spots.iter().map(|(spot, t)| n(&[*spot, (*t).into()])).sum::<u64>();
        }
        sum += n(&[a.place.into(), a.inherit, a.game]) + n(&a.ladders_up) + n(&a.ladders_down);
        sum += a.occupy.iter().chain(&a.light).map(|value| u64::from(value.to_bits())).sum::<u64>();
        sum += a.visible.iter().map(|(target, bits)| n(&[*target, (*bits).into()])).sum::<u64>();
    }
    for l in &mesh.ladders {
        sum += n(&[l.id, l.width.to_bits(), l.length.to_bits(), l.direction])
            + n(&l.areas)
            + bits(l.top)
            + bits(l.bottom);
    }
    sum
}
