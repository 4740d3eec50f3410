//! navmap's lazy views as an owned mesh: what is written from it must be the file again, byte for byte. So every byte of
//! a file can be reached, and is read as what it is.

use navmap::format::source::{Approach, Area, Direction, Ladder, SourceNav, VisibleTarget};
use navmap_testkit::source as kit;

/// The mesh by way of the public views; `None` where it cannot be read to its end.
pub(crate) fn mesh_of(nav: &SourceNav<'_>) -> Option<kit::Mesh> {
    let mut mesh = kit::Mesh {
        version: nav.version(),
        subversion: nav.subversion(),
        bsp_size: nav.bsp_size().unwrap_or(0),
        analyzed: nav.analyzed().unwrap_or(0),
        places: nav.places().map(|place| place.stored().to_vec()).collect(),
        unnamed: nav.has_unnamed_areas().unwrap_or(0),
        population: nav.default_population().unwrap_or_default().to_vec(),
        population_number: nav.unknown_after_population().unwrap_or(0),
        ..kit::Mesh::default()
    };
    let mut areas = nav.areas();
    for area in areas.by_ref() {
        mesh.areas.push(area_of(&area.ok()?));
    }
    let after = areas.finish().ok()?;
    mesh.ladders.extend(after.ladders().iter().map(ladder_of));
    mesh.ladders.extend(after.old_ladders().iter().map(|l| kit::Ladder {
        id: l.id().get(),
        width: l.width(),
        top: l.top(),
        bottom: l.bottom(),
        length: l.length(),
        direction: l.direction_stored(),
        dangling: l.dangling(),
        areas: l.areas().map(|(_, area)| area.get()),
    }));
    mesh.visibility_range = after.visibility_range().unwrap_or(0.0);
    mesh.tail = after.trailing().to_vec();
    Some(mesh)
}

fn ladder_of(l: &Ladder) -> kit::Ladder {
    kit::Ladder {
        id: l.id().get(),
        width: l.width(),
        top: l.top(),
        bottom: l.bottom(),
        length: l.length(),
        direction: l.direction_stored(),
        dangling: 0,
        areas: [l.top_forward(), l.top_left(), l.top_right(), l.top_behind(), l.bottom_area()]
            .map(|id| id.get()),
    }
}

fn area_of(area: &Area<'_>) -> kit::Area {
    let old_spots = area.old_hiding_spots().iter();
    let spots = area.hiding_spots().iter().map(|spot| kit::Spot {
        id: spot.id().get(),
        position: spot.position(),
        flags: spot.flags().bits(),
    });
    let shape = area.shape();
    kit::Area {
        id: area.id().get(),
        attributes: area.attributes().bits(),
        nw: shape.north_west(),
        se: shape.south_east(),
        ne_z: shape.north_east_z(),
        sw_z: shape.south_west_z(),
        connections: Direction::ALL.map(|side| area.connections(side).iter().map(|id| id.get()).collect()),
        spots: spots
            .chain(old_spots.map(|at| kit::Spot { position: at.to_array(), ..kit::Spot::default() }))
            .collect(),
        approaches: area.approaches().iter().map(approach_of).collect(),
        paths: area.encounter_paths().map(|path| path_of(&path)).collect(),
        place: area.place().map_or(0, u16::from),
        ladders_up: area.ladders_up().iter().map(|id| id.get()).collect(),
        ladders_down: area.ladders_down().iter().map(|id| id.get()).collect(),
        occupy: area.earliest_occupy_times().unwrap_or_default(),
        light: area.light().unwrap_or_default(),
        spawn: area.spawn_attributes().unwrap_or_default().bits(),
        spawn_number: area.unknown_after_spawn_attributes().unwrap_or(0),
        visible: area
            .visible_areas()
            .iter()
            .map(|entry| {
                let target = match area.visible_target(entry) {
                    VisibleTarget::Id(id) => id.get(),
                    VisibleTarget::Index(index) => index,
                };
                (target, entry.visibility().bits())
            })
            .collect(),
        inherit: area.inherits_visibility_from().map_or(0, |id| id.get()),
        game: area.tf_attributes().map(|bits| bits.bits()).or(area.insurgency_attributes()).unwrap_or(0),
    }
}

fn approach_of(approach: &Approach) -> kit::Approach {
    kit::Approach {
        here: approach.here().get(),
        previous: approach.previous().get(),
        previous_how: approach.previous_to_here().0,
        next: approach.next().get(),
        next_how: approach.here_to_next().0,
    }
}

fn path_of(path: &navmap::format::source::EncounterPath<'_>) -> kit::Path {
    kit::Path {
        from: path.from().get(),
        from_side: path.from_direction_stored().unwrap_or(0),
        to: path.to().get(),
        to_side: path.to_direction_stored().unwrap_or(0),
        ends: path.ends().unwrap_or_default(),
        spots: path.spots().iter().map(|spot| (spot.spot().get(), spot.t_stored())).collect(),
        old_spots: path.old_spots().iter().map(|spot| (spot.position(), spot.t())).collect(),
    }
}

/// Holds the lazy views against the plain reader: both refuse, or both read the same mesh. Returns whether it was read.
///
/// Where navmap refuses a layout that does not land on the end, the plain reader, which does not ask, may have read it.
pub(crate) fn assert_agree(bytes: &[u8], what: &str) -> bool {
    let eager = kit::read(bytes);
    let lazy = SourceNav::parse(bytes).ok().and_then(|nav| mesh_of(&nav));
    match (lazy, eager) {
        (Some(lazy), Some(eager)) => {
            // Written out, since a number that is none is not equal to itself.
            let written = kit::write(&lazy);
            assert_eq!(written, kit::write(&eager), "{what}: lazy and eager disagree");
            assert_eq!(written, bytes, "{what}: not every byte is reached");
            true
        }
        (None, None) => false,
        (None, Some(eager)) => {
            let known =
                matches!((eager.version, eager.subversion), (_, None | Some(0)) | (16, Some(1 | 2 | 14)));
            assert!(!known, "{what}: refused, and the plain reader reads it");
            false
        }
        // A version that is newer than all that are known is tried with the last layout.
        (Some(lazy), None) => {
            assert!(lazy.version > 16, "{what}: read, and the plain reader refuses it");
            false
        }
    }
}
