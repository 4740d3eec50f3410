//! Where off-mesh connections start and end: which tile stores one, and on which polygons the engine would put its ends.

use super::editor::DetourEditor;
use super::rebuild::MOST;
use crate::buf::{LinksBuf, TileBuf};
use crate::grid::{Bits, over_side};
use crate::layout::Refs;
use crate::tile::Tile;
use navmap_core::edit::Refusal;
use navmap_core::error::Error;

/// The side of a connection that ends in its own tile.
const INSIDE: u8 = 0xFF;

/// A place of a connection.
#[derive(Debug)]
pub(super) struct Placed {
    /// The tile that stores it.
    pub(super) tile: u32,
    /// The side of that tile over which it ends.
    pub(super) side: u8,
    /// Area and flags of the polygon that it starts on.
    pub(super) under: (u8, u32),
    /// What has to be said of its end.
    pub(super) said: Option<String>,
}

fn refused(error: &Error) -> Refusal {
    Refusal::new(error.to_string())
}

fn spelt([x, y, z]: [f32; 3]) -> String {
    format!("{x},{y},{z}")
}

/// The side of a tile that a point lies over, seen from above, by the rule of Detour's builder.
fn side(tile: &TileBuf, [x, _, z]: [f32; 3]) -> u8 {
    let ([low_x, _, low_z], [high_x, _, high_z]) = (tile.head.min, tile.head.max);
    match (x >= high_x, z >= high_z, x < low_x, z < low_z) {
        (true, false, false, false) => 0,
        (true, true, false, false) => 1,
        (false, true, false, false) => 2,
        (false, true, true, false) => 3,
        (false, false, true, false) => 4,
        (false, false, true, true) => 5,
        (false, false, false, true) => 6,
        (true, false, false, true) => 7,
        _ => INSIDE,
    }
}

impl DetourEditor {
    /// Refuses a tile that cannot be made anew.
    ///
    /// # Errors
    /// If it cannot be. The refusal says why.
    pub(super) fn mutable(&self, tile: u32) -> Result<(), Refusal> {
        match self.faults.get(tile as usize).copied().flatten() {
            None => Ok(()),
            Some(why) => Err(Refusal::new(format!("tile {tile} keeps its polygons and connections: {why}"))),
        }
    }

    /// The polygon of a tile, as it is now, that a point lands on.
    fn land(&self, number: u32, at: [f32; 3], radius: f32) -> Result<Option<(u8, u32)>, Refusal> {
        let Some(tile) = self.current(number).map_err(|error| refused(&error))? else { return Ok(None) };
        let bytes = tile.encode().map_err(|error| refused(&error))?;
        let refs = if matches!(tile.links, LinksBuf::Wide(_)) { Refs::Wide } else { Refs::Narrow };
        let tile = Tile::parse(&bytes, 0, refs).map_err(|error| refused(&error))?;
        self.look(tile.ground());
        let mut left = u64::MAX;
        let landed =
            tile.land(at, radius, &mut left).and_then(|polygon| tile.polygons().get(polygon as usize));
        Ok(landed.map(|polygon| (polygon.area(), polygon.flags())))
    }

    /// The radius of the agent of the first tile, or a usual one.
    pub(super) fn radius(&self) -> f32 {
        let agent = self.opened.tiles.first().and_then(|tile| tile.head.agent);
        agent.map_or(0.6, |[_, radius, _]| radius).max(0.01)
    }

    /// Finds where a connection belongs.
    ///
    /// # Errors
    /// If the engine would leave it out, since an end lies on no polygon within the radius, or the tile cannot hold it.
    pub(super) fn placed(&self, [start, end]: [[f32; 3]; 2], radius: f32) -> Result<Placed, Refusal> {
        if !start.iter().chain(&end).all(|value| value.is_finite()) {
            return Err(Refusal::new("an end is no number"));
        }
        self.look(self.opened.tiles.len());
        for (number, tile) in (0_u32..).zip(&self.opened.tiles) {
            if side(tile, start) != INSIDE {
                continue;
            }
            self.mutable(number)?;
            let Some(under) = self.land(number, start, radius)? else { continue };
            let over = side(tile, end);
            let said = match over {
                INSIDE => {
                    if self.land(number, end, radius)?.is_none() {
                        return Err(nowhere("ends", end, radius));
                    }
                    None
                }
                over => self.ends_over(tile, over, end, radius)?,
            };
            return Ok(Placed { tile: number, side: over, under, said });
        }
        Err(nowhere("starts", start, radius))
    }

    /// Looks for the end of a connection over a side of its tile.
    fn ends_over(
        &self,
        tile: &TileBuf,
        over: u8,
        end: [f32; 3],
        radius: f32,
    ) -> Result<Option<String>, Refusal> {
        let Some(there) = over_side(tile.head.at, over) else { return Err(nowhere("ends", end, radius)) };
        self.look(self.opened.tiles.len());
        for (number, _) in (0_u32..).zip(&self.opened.tiles).filter(|(_, tile)| tile.head.at == there) {
            if self.land(number, end, radius)?.is_some() {
                return Ok(None);
            }
        }
        if self.opened.dialect.is_whole() {
            return Err(nowhere("ends", end, radius));
        }
        let [x, y] = there;
        Ok(Some(format!("it ends in tile {x}, {y}, which is another file")))
    }

    /// Refuses one more connection in a tile that is full.
    ///
    /// # Errors
    /// If references have no room for one more polygon.
    pub(super) fn room(&self, tile: u32) -> Result<(), Refusal> {
        let wide = self.opened.refs == Refs::Wide;
        let most = match self.opened.parameters.as_ref() {
            None => MOST,
            Some(parameters) => {
                let bits = Bits::for_mesh(Some(parameters), wide).polygon;
                1_usize.checked_shl(bits).map_or(MOST, |most| most.min(MOST))
            }
        };
        let grounds = self.grounds.get(self.range(tile)).unwrap_or_default();
        let jumps = self.jumps.iter().filter(|jump| jump.used && jump.tile == tile).count();
        let polygons = grounds.iter().filter(|ground| ground.used).count().saturating_add(jumps);
        let vertices = self.opened.tiles.get(tile as usize).map_or(0, |tile| tile.vertices.len());
        if polygons >= most {
            return Err(Refusal::new(format!(
                "tile {tile} has {polygons} polygons, and references reach {most}"
            )));
        }
        if vertices.saturating_add(jumps.saturating_add(1).saturating_mul(2)) > MOST {
            return Err(Refusal::new(format!("tile {tile} has no room for two more vertices")));
        }
        Ok(())
    }
}

fn nowhere(what: &str, at: [f32; 3], radius: f32) -> Refusal {
    let at = spelt(at);
    Refusal::new(format!(
        "it {what} at {at}, where no polygon is within {radius}: the engine would leave it out"
    ))
}
