//! The floor plan of a map, to lie under its mesh.

use super::columns::Part;
use navmap_draw::Plan;
use serde_json::json;

/// The floor plan of a map as one block of bytes: the length of a head in JSON (4 bytes, little-endian), the head, blanks up to a
/// multiple of 4, and the columns that the head names.
///
/// | column | holds |
/// |---|---|
/// | `floor_corners_of`, `floor_corners`, `floor_water` | polygons of ground and water |
/// | `wall_ends`, `wall_top`, `wall_clip` | straight pieces of wall: both ends at the foot, the height of the top, whether nobody sees it |
///
/// Coordinates are those of the mesh. Linear in the corners.
pub fn plan(plan: &Plan) -> Vec<u8> {
    let mut part = Part::default();
    let most = plan.floors.iter().map(|floor| floor.corners.len()).max().unwrap_or(0);
    let corners = plan.floors.iter().map(|floor| Some(floor.corners.len() as u32));
    part.numbers("floor_corners_of", most + 1, corners);
    let corners = plan.floors.iter().flat_map(|floor| &floor.corners);
    part.floats("floor_corners", corners.flat_map(|corner| corner.to_array()));
    part.bytes8("floor_water", plan.floors.iter().map(|floor| u8::from(floor.water)));
    let ends = plan.walls.iter().flat_map(|wall| wall.ends);
    part.floats("wall_ends", ends.flat_map(|end| end.to_array()));
    part.floats("wall_top", plan.walls.iter().map(|wall| wall.top));
    part.bytes8("wall_clip", plan.walls.iter().map(|wall| u8::from(wall.clip)));
    part.block(json!({"step": plan.step, "human": plan.human}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::Point;
    use navmap_draw::{PlanFloor, PlanWall};

    #[test]
    fn a_plan_is_a_head_and_columns() {
        let corners: Vec<Point> =
            [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0)].map(|(x, y)| Point::new(x, y, 1.0)).into();
        let wall = PlanWall { ends: [corners[0], corners[1]], top: 9.0, clip: false };
        let floors = vec![PlanFloor { corners, water: true }];
        let bytes = super::plan(&Plan { floors, walls: vec![wall], step: 18.0, human: 72.0 });
        let long = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let head: serde_json::Value = serde_json::from_slice(&bytes[4..4 + long]).unwrap();
        assert!(long.is_multiple_of(4) && head["step"] == 18.0, "{head}");
        let columns = head["columns"].as_array().unwrap();
        let lengths: Vec<(&str, u64)> = columns
            .iter()
            .map(|column| (column["name"].as_str().unwrap(), column["length"].as_u64().unwrap()))
            .collect();
        let wanted = [
            ("floor_corners_of", 1),
            ("floor_corners", 9),
            ("floor_water", 1),
            ("wall_ends", 6),
            ("wall_top", 1),
            ("wall_clip", 1),
        ];
        assert_eq!(lengths, wanted);
    }
}
