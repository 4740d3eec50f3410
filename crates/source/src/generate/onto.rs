//! Queries of a map for an existing mesh: its ladders, and which areas are stairs.

use super::draft::Draft;
use super::ladders::Rungs;
use super::nodes::NONE;
use super::options::{Game, Within};
use super::rules::Rules;
use super::terrain::Terrain;
use super::walk::Walker;
use crate::buf::{HeadBuf, LadderBuf, SourceBuf};
use crate::record::{AreaId, Ladder, LadderId, LadderSlot};

/// Adds ladders of a map to a mesh, and links them to areas as the game does when it makes them: `boxes` are those of the
/// ladders. Their ids follow the highest in the mesh. Returns the number of ladders that lead to any area.
///
/// Meshes up to version 5 store no ladders: the game finds them in the map each time. They are left out when the mesh is written.
pub fn add_ladders(map: &dyn Terrain, boxes: &[Within], mesh: &mut SourceBuf) -> usize {
    let walker = walker(map, &mesh.head);
    let draft = Draft::around(mesh);
    let mut ladders: Vec<Rungs> = boxes.iter().map(|ladder| walker.rungs(ladder)).collect();
    ladders.iter_mut().for_each(|rungs| walker.link_rungs(&draft, rungs));
    let ids: Vec<AreaId> = mesh.areas.iter().map(|area| area.id).collect();
    put_ladders(mesh, &ladders, |at| Some((at as usize, *ids.get(at as usize)?)));
    ladders.iter().filter(|rungs| rungs.areas.iter().any(|area| *area != NONE)).count()
}

/// Whether the ground of an area is stairs. Always false in GoldSrc.
#[doc(hidden)]
pub fn is_stairs(map: &dyn Terrain, head: &HeadBuf, shape: &crate::record::Shape) -> bool {
    let walker = walker(map, head);
    !walker.rules.gold && super::later::is_stairs(walker, shape)
}

fn walker<'t>(map: &'t dyn Terrain, head: &HeadBuf) -> Walker<'t> {
    let game = Game::by_version(head.version, head.subversion).unwrap_or(Game::GarrysMod);
    Walker { map, rules: Rules::for_game(game) }
}

/// Adds ladders to a mesh, and to the lists of the areas they lead to. `area` maps the number of an area to its position and id.
pub(super) fn put_ladders(
    mesh: &mut SourceBuf,
    ladders: &[Rungs],
    area: impl Fn(u32) -> Option<(usize, AreaId)>,
) {
    let last = mesh.ladders.iter().map(|each| each.ladder.id().get()).max().unwrap_or(0);
    let list = |mesh: &mut SourceBuf, at: u32, up: bool, ladder: LadderId| {
        let found = area(at).and_then(|(at, _)| mesh.areas.get_mut(at));
        if let Some(area) = found {
            let list = if up { &mut area.ladders_up } else { &mut area.ladders_down };
            if !list.contains(&ladder) {
                list.push(ladder);
            }
        }
    };
    for (rungs, number) in ladders.iter().zip(last.saturating_add(1)..) {
        let number = LadderId::new(number);
        let mut ladder = Ladder::new(number, rungs.top, rungs.bottom, rungs.width, rungs.direction);
        ladder.set_length(rungs.length);
        for (slot, at) in LadderSlot::ALL.into_iter().zip(rungs.areas) {
            ladder.set_area(slot, area(at).map(|(_, id)| id).unwrap_or_default());
        }
        let [ahead, left, right, _, bottom] = rungs.areas;
        if rungs.climbs {
            list(mesh, bottom, true, number);
        }
        [ahead, left, right, rungs.behind].into_iter().for_each(|area| list(mesh, area, false, number));
        mesh.ladders.push(LadderBuf::from(ladder));
    }
}
