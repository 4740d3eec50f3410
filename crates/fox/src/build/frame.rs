//! Origin, divisors and search grid of a tile under construction.

use super::input::Input;
use super::{BuildOptions, TILE_SIDE};
use crate::buf::{FoxBuf, HeadBuf};
use crate::record::TileId;
use crate::view::Frame;
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

/// The parameters of a tile, before its polygons are cut.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) frame: Frame,
    pub(super) tile: TileId,
    /// Extent in x and z from the origin, in metres.
    pub(super) reach: [f64; 2],
    pub(super) grid: Grid,
}

/// The cells of the search space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) origin: [f32; 3],
    pub(super) cells: [u32; 3],
    pub(super) side: u32,
    pub(super) height: u32,
}

impl Plan {
    pub(super) fn over(input: &Input<'_>, options: &BuildOptions<'_>) -> Result<Self> {
        let corners = input.triangles.iter().flat_map(|t| t.corners).map(|at| input.scene.position(at));
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for corner in corners {
            low.iter_mut().zip(corner).for_each(|(to, v)| *to = to.min(v));
            high.iter_mut().zip(corner).for_each(|(to, v)| *to = to.max(v));
        }
        if !(options.sector.is_finite() && options.sector > 0.0) {
            return Err(Error::invalid("sector", format!("{} m, it has to be more than 0", options.sector)));
        }
        if options.bucket == 0 {
            return Err(Error::invalid("bucket", "0 m, it has to be more"));
        }
        if let Some(like) = options.like {
            let plan = Self::like(like, high, options)?;
            plan.holds(low, high, "the frame of --like")?;
            return Ok(plan);
        }
        let plan = Self::new(low, high, options)?;
        plan.holds(low, high, "the tile")?;
        Ok(plan)
    }

    /// The plan for rebuilding a tile.
    fn like(like: &FoxBuf, [_, top, _]: [f64; 3], options: &BuildOptions<'_>) -> Result<Self> {
        let frame = like.head.frame();
        let reach = [0, 2].map(|axis| 65_535.0 / f64::from(*frame.divisors.get(axis).unwrap_or(&1)));
        let grid = like.search.as_ref().map(|space| Grid {
            origin: space.origin.map(|v| v.get()),
            cells: space.counts,
            side: space.side,
            height: space.height,
        });
        let grid = match grid {
            Some(grid) if grid.side > 0 && grid.cells.iter().all(|n| (1..=4096).contains(n)) => grid,
            _ => Grid::new(frame.origin, reach, top, options.bucket)?,
        };
        Ok(Self { frame, tile: like.head.tile(), reach, grid })
    }

    /// The plan for a tile over a box.
    pub(super) fn new(low: [f64; 3], high: [f64; 3], options: &BuildOptions<'_>) -> Result<Self> {
        let mut origin = options.origin.unwrap_or(low.map(down));
        let mut reach = [0.0; 2];
        let mut tile = TileId(0);
        if let Some((id, columns)) = options.tile {
            tile = id;
            let corner = id.corner(columns).ok_or_else(|| Error::invalid("columns", "0 of them"))?;
            let [x, _, z] = &mut origin;
            [*x, *z] = corner;
            reach = [f64::from(TILE_SIDE); 2];
        } else {
            let ([x, _, z], [hx, _, hz]) = (origin, high);
            let [rx, rz] = &mut reach;
            (*rx, *rz) = ((hx - f64::from(x)).max(1.0), (hz - f64::from(z)).max(1.0));
        }
        let [_, y, _] = origin;
        let [_, top, _] = high;
        let [rx, rz] = reach;
        let extents = [("x", rx), ("y", (top - f64::from(y)).max(1.0)), ("z", rz)];
        let mut divisors = [0; 3];
        for (to, (axis, extent)) in divisors.iter_mut().zip(extents) {
            *to = divisor(extent);
            if *to == 0 {
                let why = format!("{extent:.0} m on {axis}, 65535 fit");
                return Err(Error::invalid("extent", why));
            }
        }
        let weight_divisor = divisor(4.0 * rx.max(rz));
        if weight_divisor == 0 {
            let why = format!("{:.0} m on the longer side, 16383 fit the weights of the graph", rx.max(rz));
            return Err(Error::invalid("extent", why));
        }
        let grid = Grid::new(origin, reach, top, options.bucket)?;
        Ok(Self { frame: Frame { origin, divisors, weight_divisor }, tile, reach, grid })
    }

    /// Whether the tile can store the positions in a box. `whose` names it in the error.
    fn holds(&self, low: [f64; 3], high: [f64; 3], whose: &str) -> Result<()> {
        let ([rx, rz], [_, quanta, _]) = (self.reach, self.frame.divisors);
        let reach = [rx, 65_535.0 / f64::from(quanta.max(1)), rz];
        for ((axis, (low, high)), (origin, reach)) in ["x", "y", "z"]
            .into_iter()
            .zip(low.into_iter().zip(high))
            .zip(self.frame.origin.into_iter().zip(reach))
        {
            let origin = f64::from(origin);
            if low < origin - 1e-3 || high > origin + reach + 1e-3 {
                let why = format!(
                    "the faces reach from {low} to {high} m on {axis}, {whose} from {origin} to {}",
                    origin + reach
                );
                return Err(Error::invalid("extent", why));
            }
        }
        Ok(())
    }

    pub(super) fn head(&self, options: &BuildOptions<'_>) -> HeadBuf {
        if let Some(like) = options.like {
            return HeadBuf { opaque: options.opaque.unwrap_or(like.head.opaque), ..like.head };
        }
        HeadBuf::new(self.tile, self.frame, options.opaque.unwrap_or_default())
    }
}

impl Grid {
    fn new(origin: [f32; 3], reach: [f64; 2], top: f64, bucket: u32) -> Result<Self> {
        let [x, y, z] = origin;
        let y = floor(y);
        let [nx, nz] = reach.map(|reach| (reach / f64::from(bucket)).ceil().max(1.0) as u32);
        if u64::from(nx).saturating_mul(u64::from(nz)) > MOST_BUCKETS {
            let why = format!("{nx} by {nz} of them, {MOST_BUCKETS} are enough: raise --bucket");
            return Err(Error::invalid("buckets", why));
        }
        Ok(Self { origin: [x, y, z], cells: [nx, 1, nz], side: bucket, height: tall(y, top) })
    }
}

/// The bottom of a search space for faces that begin at this height.
pub(super) fn floor(y: f32) -> f32 {
    32.0 * ((y - 32.0) / 32.0).floor()
}

/// The bucket height of a search space with this floor, for faces up to `top`.
pub(super) fn tall(floor: f32, top: f64) -> u32 {
    (256.0 * ((top - f64::from(floor)) / 256.0).ceil().max(1.0)) as u32
}

/// The most buckets of a search space. A tile of the games has 169.
const MOST_BUCKETS: u64 = 1 << 20;

/// A frame for the heights between two limits, with the same x and z.
pub(crate) fn frame_of_heights(frame: Frame, low: f64, high: f64) -> Option<Frame> {
    let mut frame = frame;
    let ([_, y, _], [_, quanta, _]) = (&mut frame.origin, &mut frame.divisors);
    *y = down(low);
    *quanta = divisor((high - f64::from(*y)).max(1.0));
    (y.is_finite() && *quanta > 0).then_some(frame)
}

/// Quanta per metre so that this extent fits 16 bits; 0 if none fits.
fn divisor(extent: f64) -> u16 {
    (65_535.0 / extent).trunc().clamp(0.0, 65_535.0) as u16
}

/// The nearest `f32` at or below a number.
pub(super) fn down(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}

/// An id computed from the mesh: FNV-1a of 128 bits over origin, vertices, faces and attributes.
pub(super) fn opaque(tile: &FoxBuf) -> [u8; 16] {
    let mut hash = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D_u128;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013B);
        }
    };
    add(tile.head.origin.as_bytes());
    for group in &tile.groups {
        add(group.mesh.vertices.as_bytes());
        for face in group.mesh.faces.iter() {
            add(&face.corners);
            add(&face.segment.0.to_le_bytes());
        }
        add(group.world.attributes.as_bytes());
    }
    hash.to_le_bytes()
}
