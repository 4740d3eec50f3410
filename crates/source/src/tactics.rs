//! What the neutral graph is told of hiding spots, visibility and encounter paths.

use super::area::{Area, VisibleTarget};
use super::flags::Visibility;
use super::record::AreaId;
use navmap_core::graph::{HidingKinds, HidingSpot, Sight, TacticsVisitor};

/// How much of an area an entry of a visibility list shows, by the engine's tests: any bit, a bit without a name included, makes
/// it partly visible.
fn sight(visibility: Visibility) -> Sight {
    if visibility.is_empty() {
        Sight::Hidden
    } else if visibility.contains(Visibility::COMPLETELY) {
        Sight::Wholly
    } else {
        Sight::Partly
    }
}

/// Hands out what one area says. Areas that do not exist are left out. Encounter paths of versions 1 and 2 name no spots, so
/// their ways have none.
pub(super) fn tell(
    area: &Area<'_>,
    node_of: impl Fn(AreaId) -> Option<u32>,
    visitor: &mut dyn TacticsVisitor,
) {
    let node = area.index();
    for spot in area.hiding_spots() {
        // The bits are the engine's own.
        let kinds = HidingKinds(spot.flags().bits());
        let (id, at) = (Some(spot.id().get()), spot.position().into());
        visitor.spot(&HidingSpot { id, node: Some(node), at, kinds });
    }
    for spot in area.old_hiding_spots() {
        let at = spot.to_array().into();
        visitor.spot(&HidingSpot { id: None, node: Some(node), at, kinds: HidingKinds::COVER });
    }
    if let Some(anchor) = area.inherits_visibility_from().and_then(&node_of) {
        visitor.inherits(node, anchor);
    }
    for entry in area.visible_areas() {
        let seen = match area.visible_target(entry) {
            VisibleTarget::Id(id) => node_of(id),
            VisibleTarget::Index(index) => Some(index),
        };
        if let Some(seen) = seen {
            visitor.sight(node, seen, sight(entry.visibility()));
        }
    }
    for path in area.encounter_paths() {
        let Some((from, to)) = node_of(path.from()).zip(node_of(path.to())) else { continue };
        visitor.way(node, from, to);
        for spot in path.spots() {
            visitor.watch(spot.spot().get(), spot.t());
        }
    }
}
