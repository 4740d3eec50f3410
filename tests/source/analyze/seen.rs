//! The worked examples of visibility lists.

use super::{analyzed, owned};
use crate::edit::{E, Linked, flat, mesh};
use navmap::format::source::analyze::{Phase, VisibleSets};
use navmap_testkit::source::Mesh;

fn row(count: u32) -> Mesh {
    let areas = (1..=count).map(|id| flat(id, [100.0 * id as f32, 100.0 * id as f32 + 100.0], [0.0, 100.0]));
    mesh(areas)
}

fn lists(mesh: &Mesh) -> Vec<(u32, Vec<(u32, u8)>)> {
    let (after, _) = analyzed(mesh, &[Phase::Visibility], None);
    after.areas.into_iter().map(|area| (area.inherit, area.visible)).collect()
}

#[test]
fn an_area_extends_the_list_of_the_neighbour_that_is_most_like_its_own() {
    let mut three = row(3).both(1, E, 2).both(2, E, 3);
    three.areas[0].visible = vec![(1, 3), (2, 3)];
    three.areas[1].visible = vec![(1, 3), (2, 3), (3, 3)];
    three.areas[2].visible = vec![(2, 3), (3, 3)];
    let folded = [(2, vec![(3, 0)]), (0, vec![(1, 3), (2, 3), (3, 3)]), (2, vec![(1, 0)])];
    assert_eq!(lists(&three), folded);
    // Folding what is folded changes nothing.
    let (once, _) = analyzed(&three, &[Phase::Visibility], None);
    assert_eq!(lists(&once), folded);
}

/// Two areas that see each other and differ in `differences` further ones.
fn apart(differences: u32) -> Mesh {
    let mut mesh = row(70).both(1, E, 2);
    mesh.areas[0].visible = vec![(1, 3), (2, 3)];
    mesh.areas[1].visible = (1..3 + differences).map(|id| (id, 3)).collect();
    mesh
}

#[test]
fn a_list_is_extended_by_64_differences_and_not_by_65() {
    assert_eq!(lists(&apart(64))[0].0, 2);
    assert_eq!(lists(&apart(64))[0].1.len(), 64);
    assert_eq!(lists(&apart(65))[0], (0, vec![(1, 3), (2, 3)]));
}

#[test]
fn an_area_that_others_extend_extends_none() {
    let mut three = row(3).both(1, E, 2).both(2, E, 3);
    for area in &mut three.areas {
        area.visible = vec![(1, 3), (2, 3), (3, 1)];
    }
    // 1 extends 2; 2 is extended; 3 extends 2.
    assert_eq!(lists(&three).iter().map(|(anchor, _)| *anchor).collect::<Vec<_>>(), [2, 0, 2]);
    // 1 extends 2; 3 sees 1 alone, which stands for 2.
    let mut hook = row(3).both(1, E, 2).both(1, E, 3);
    hook.areas.iter_mut().for_each(|area| area.visible = vec![(1, 3), (2, 3)]);
    assert_eq!(lists(&hook).iter().map(|(anchor, _)| *anchor).collect::<Vec<_>>(), [2, 0, 2]);
}

#[test]
fn dead_areas_leave_the_lists_and_what_inherits_is_unfolded() {
    let mut two = row(2).both(1, E, 2);
    two.areas[0].visible = vec![(2, 1), (4711, 3), (2, 2), (0, 1)];
    two.areas[0].inherit = 2;
    two.areas[1].visible = vec![(1, 3), (2, 3)];
    let own = owned(&two);
    let sets = VisibleSets::decode(&own).unwrap();
    let first: Vec<_> = sets.of_area(0).iter().map(|seen| (seen.area, seen.visibility().bits())).collect();
    assert_eq!(
        first,
        [(0, 3), (1, 1)],
        "an own entry comes before an inherited one, the first before the second"
    );
    assert_eq!(sets.dangling(), 3);
    assert_eq!(lists(&two), [(2, vec![(2, 1)]), (0, vec![(1, 3), (2, 3)])]);
}

#[test]
fn left_4_dead_names_areas_by_position() {
    let mut two = Mesh { subversion: Some(14), ..row(2).both(1, E, 2) };
    two.areas[0].visible = vec![(0, 3), (1, 3), (2, 3)];
    two.areas[1].visible = vec![(1, 3)];
    assert_eq!(lists(&two), [(2, vec![(0, 3)]), (0, vec![(1, 3)])]);
}
