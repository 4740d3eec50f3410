//! Static props of Source. Their shapes are in models outside of the map, or in its own archive. The map itself says which props
//! there are, and where.

use super::lumps::Lumps;
use super::phy::{self, Piece};
use super::placed::Placed;
use super::shapes::Shapes;
use super::tree::Plane;
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use std::collections::BTreeMap;
use zerocopy::byteorder::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// An entry of the game lump, whose content each game defines. Offsets count from the beginning of the file. The length is that of
/// what a packed entry unpacks to.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawGame {
    id: [u8; 4],
    flags: U16,
    _version: U16,
    offset: U32,
    len: U32,
}

/// The part of a prop common to all versions.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawProp {
    origin: [F32; 3],
    angles: [F32; 3],
    model: U16,
    _leaves: [U16; 2],
    solid: u8,
}

const _: () = assert!(size_of::<RawGame>() == 16 && size_of::<RawProp>() == 31);

/// `sprp`, as stored.
const STATIC_PROPS: [u8; 4] = *b"prps";
const PACKED: u16 = 1;
const NAME: usize = 128;
/// The solidity of a prop: none, or that of its model; any other value means a box.
const NOT: u8 = 0;
const SHAPED: u8 = 6;

/// The solid props of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct Props {
    models: Vec<Box<str>>,
    list: Vec<Prop>,
    /// The shapes of props whose models were found.
    pub(super) shapes: Shapes,
}

#[derive(Clone, Copy, Debug)]
struct Prop {
    placed: Placed,
    model: u32,
    shaped: bool,
    /// Whether traces hit it.
    stands: bool,
}

impl Props {
    pub(super) fn read(lumps: &Lumps<'_>, limits: &Limits) -> Result<Self> {
        let lump = lumps.lump(35, limits)?;
        let mut found = Self { shapes: Shapes::within(lumps.len()), ..Self::default() };
        if lump.is_empty() {
            return Ok(found);
        }
        let within = |error: Error| error.in_record("lump", 35);
        let mut cursor = Cursor::new(&lump, 0);
        let games = cursor.list32::<RawGame>("game lumps").map_err(within)?;
        // The game takes the last of several. To read all would let a small map name one long list thousands of times.
        if let Some(game) = games.iter().rfind(|game| game.id == STATIC_PROPS) {
            let packed = game.flags.get() & PACKED != 0;
            let lump = lumps.game_lump(game.offset.get(), game.len.get(), packed, limits);
            found.list(&lump.map_err(within)?).map_err(within)?;
        }
        Ok(found)
    }

    fn list(&mut self, lump: &[u8]) -> Result<()> {
        let mut cursor = Cursor::new(lump, 0);
        let names = cursor.list32::<[u8; NAME]>("models of static props")?;
        cursor.list32::<U16>("leaves of static props")?;
        let props = cursor.u32("static props")? as usize;
        let rest = cursor.rest();
        let size = rest.len().checked_div(props).unwrap_or(0);
        if props == 0 || size < size_of::<RawProp>() {
            return match props {
                0 => Ok(()),
                _ => Err(cursor.overclaim("static props", props as u64)),
            };
        }
        self.models.extend(names.iter().map(|name| {
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            String::from_utf8_lossy(name).into_owned().into_boxed_str()
        }));
        for prop in rest.chunks_exact(size).take(props) {
            let Ok((prop, _)) = RawProp::ref_from_prefix(prop) else { continue };
            if prop.solid == NOT {
                continue;
            }
            let (model, shaped) = (prop.model.get().into(), prop.solid == SHAPED);
            let (origin, angles) = (prop.origin.map(F32::get), prop.angles.map(F32::get));
            if !origin.iter().chain(&angles).all(|part| part.is_finite()) {
                return Err(Error::invalid("static prop", "a number that is none"));
            }
            let placed = Placed::at(origin, angles);
            self.list.push(Prop { placed, model, shaped, stands: false });
        }
        Ok(())
    }

    /// Gives props without a shape that of their model, if `find` returns the file of this path. Returns the errors of damaged
    /// models, each once.
    pub(super) fn add_models(&mut self, mut find: impl FnMut(&str) -> Option<Vec<u8>>) -> Vec<Error> {
        // By path: the list of models may have one many times.
        let mut known: BTreeMap<String, Option<Vec<Piece>>> = BTreeMap::new();
        let mut wrong = Vec::new();
        for prop in self.list.iter_mut().filter(|prop| !prop.stands) {
            let model = self.models.get(prop.model as usize);
            let Some(path) = model.and_then(|name| path_of(name, prop.shaped)) else { continue };
            let known = known.entry(path).or_insert_with_key(|path| {
                let file = find(path)?;
                if prop.shaped {
                    let read = phy::pieces(&file).map_err(|error| error.in_file(path));
                    return read.map_err(|error| wrong.push(error)).ok().filter(|pieces| !pieces.is_empty());
                }
                phy::bounds(&file).map(|bounds| vec![cuboid(bounds)])
            });
            if let Some(pieces) = known {
                prop.stands = self.shapes.add(&prop.placed, pieces);
                // Room never grows, so the other props of a model that did not fit are not tried.
                if !prop.stands {
                    *known = None;
                }
            }
        }
        self.shapes.settle();
        wrong
    }

    /// The models of the props that traces pass through, each with the number of props.
    pub(super) fn ignored(&self) -> BTreeMap<&str, u32> {
        let mut found: BTreeMap<&str, u32> = BTreeMap::new();
        for prop in self.list.iter().filter(|prop| !prop.stands) {
            let name = self.models.get(prop.model as usize).map_or("?", |name| name);
            let sum = found.entry(name).or_default();
            *sum = sum.saturating_add(1);
        }
        found
    }

    /// The number of props that traces hit.
    pub(super) fn standing(&self) -> usize {
        self.list.iter().filter(|prop| prop.stands).count()
    }
}

/// The path of the file with the shape of a model: its collision, or the model itself for its box.
fn path_of(model: &str, shaped: bool) -> Option<String> {
    let name = model.to_ascii_lowercase().replace('\\', "/");
    let name = name.strip_suffix(".mdl")?;
    Some(format!("{name}.{}", if shaped { "phy" } else { "mdl" }))
}

/// A box as a convex piece.
fn cuboid([low, high]: [[f32; 3]; 2]) -> Piece {
    let ([x0, y0, z0], [x1, y1, z1]) = (low, high);
    let side = |normal: [f32; 3], distance: f32| Plane { normal, distance };
    let planes = vec![
        side([1.0, 0.0, 0.0], x1),
        side([-1.0, 0.0, 0.0], -x0),
        side([0.0, 1.0, 0.0], y1),
        side([0.0, -1.0, 0.0], -y0),
        side([0.0, 0.0, 1.0], z1),
        side([0.0, 0.0, -1.0], -z0),
    ];
    let corners = [z0, z1].into_iter().flat_map(|z| [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]);
    Piece { planes, corners: corners.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_lists_the_last_is_read_as_in_the_game() {
        let prop = [[0; 30].as_slice(), &[SHAPED]].concat();
        let list =
            |model: u8| [[1, 0, 0, 0].as_slice(), &[model; NAME], &[0; 4], &[1, 0, 0, 0], &prop].concat();
        let entry = |at: u32| {
            let words = [at, 171].map(u32::to_le_bytes);
            [STATIC_PROPS.as_slice(), &[0; 4], words.as_flattened()].concat()
        };
        let span = [1036_u32, 36, 0, 0].map(u32::to_le_bytes);
        let mut bytes = [b"VBSP".as_slice(), &[20, 0, 0, 0], &[0; 16 * 35], span.as_flattened()].concat();
        bytes.resize(1036, 0);
        bytes
            .extend([[2, 0, 0, 0].as_slice(), &entry(1072), &entry(1243), &list(b'a'), &list(b'b')].concat());
        let props = Props::read(&Lumps::parse(&bytes).unwrap(), &Limits::default()).unwrap();
        let ignored: Vec<(&str, u32)> = props.ignored().into_iter().collect();
        assert!(matches!(ignored[..], [(model, 1)] if model.starts_with('b')), "{ignored:?}");
    }
}
