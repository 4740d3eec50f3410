//! A Source 2 mesh that owns its memory. Known parts can be changed; everything else is kept byte for byte.

use super::area::PolygonArea;
use super::kv3::Kv3Block;
use super::record::EdgeLink;
use super::view::Source2Nav;
use crate::flags::Source2Attributes;
use crate::record::{AreaId, LadderId};
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

/// A mesh of version 30 to 36 that owns its memory. [`encode`](Self::encode) writes it. If nothing was changed, it
/// writes the bytes that were read.
///
/// Attributes, connections and ladder lists of areas can be changed. Polygons, ladders, generation parameters and the
/// blocks of the game stay as they are, since they are not known well enough to write them anew.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Source2Buf {
    /// The areas in file order. If the game keeps data of its own about them, none can be added or removed.
    pub areas: Vec<PolygonAreaBuf>,
    /// Up to the area count.
    before: Vec<u8>,
    /// From the ladders to the generation parameters.
    after: Vec<u8>,
    blocks: Vec<Block>,
    trailing: Vec<u8>,
    /// Ids of the areas as they were read.
    ids: Vec<AreaId>,
}

/// A block of the game: the bytes before it up to a multiple of 8, and its own.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    padding: Vec<u8>,
    bytes: Vec<u8>,
}

impl From<Kv3Block<'_>> for Block {
    fn from(block: Kv3Block<'_>) -> Self {
        Self { padding: block.padding().to_vec(), bytes: block.bytes().to_vec() }
    }
}

/// An area of a [`Source2Buf`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PolygonAreaBuf {
    /// Attributes.
    pub attributes: Source2Attributes,
    /// Connections by edge: as many lists as the polygon has corners.
    pub edges: Vec<Vec<EdgeLink>>,
    /// Ladders that one can climb from here.
    pub ladders_above: Vec<LadderId>,
    /// Ladders that one can climb down from here.
    pub ladders_below: Vec<LadderId>,
    id: AreaId,
    /// Hull, polygon and the number after it, as stored.
    shape: Vec<u8>,
    corners: usize,
}

impl PolygonAreaBuf {
    /// Its id.
    pub fn id(&self) -> AreaId {
        self.id
    }

    fn read(area: &PolygonArea<'_>, bytes: &[u8]) -> Self {
        let (shape, edges) = area.shape_and_edges();
        Self {
            attributes: area.attributes(),
            edges: area.edges().map(<[EdgeLink]>::to_vec).collect(),
            ladders_above: area.ladders_above().to_vec(),
            ladders_below: area.ladders_below().to_vec(),
            id: area.id(),
            shape: bytes.get(shape as usize..edges as usize).unwrap_or_default().to_vec(),
            corners: area.corner_count(),
        }
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        if self.edges.len() != self.corners {
            let why = format!("{} lists of connections for {} edges", self.edges.len(), self.corners);
            return Err(Error::invalid("area", why));
        }
        out.extend_from_slice(self.id.as_bytes());
        out.extend_from_slice(&self.attributes.bits().to_le_bytes());
        out.extend_from_slice(&self.shape);
        for edge in &self.edges {
            list(out, edge.len(), edge.as_bytes())?;
        }
        // Counts of hiding spots and encounters, which Source 2 does not store here.
        out.extend_from_slice(&[0; 5]);
        list(out, self.ladders_above.len(), self.ladders_above.as_bytes())?;
        list(out, self.ladders_below.len(), self.ladders_below.as_bytes())
    }
}

fn list(out: &mut Vec<u8>, len: usize, bytes: &[u8]) -> Result<()> {
    let count = u32::try_from(len).map_err(|_| Error::invalid("area", "a list of more than 4294967295"))?;
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}

impl Source2Buf {
    /// Copies a mesh, in one walk.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on.
    pub fn read(nav: &Source2Nav<'_>) -> Result<Self> {
        let bytes = nav.bytes();
        let mut walk = nav.areas();
        let mut areas = Vec::new();
        for area in walk.by_ref() {
            areas.push(PolygonAreaBuf::read(&area?, bytes));
        }
        let after = walk.finish()?;
        let blocks: Vec<Kv3Block<'_>> = after.third_block().into_iter().chain(after.game_data()).collect();
        let padding = |block: &Kv3Block<'_>| block.offset().saturating_sub(block.padding().len() as u32);
        let end = blocks.first().map_or(after.trailing_offset(), padding);
        // The count stands before the first area.
        let start = nav.areas_offset().saturating_sub(4);
        let piece = |from: u32, to: u32| bytes.get(from as usize..to as usize).unwrap_or_default().to_vec();
        Ok(Self {
            ids: areas.iter().map(|area| area.id).collect(),
            areas,
            before: piece(0, start),
            after: piece(after.offset(), end),
            blocks: blocks.into_iter().map(Block::from).collect(),
            trailing: after.trailing().to_vec(),
        })
    }

    /// The file. If the bytes before a block of the game have grown, the block moves to the next multiple of 8.
    ///
    /// # Errors
    /// If areas were added, removed or reordered while the game keeps data about them in a block that cannot be
    /// rewritten, or if an area does not have one list for each of its edges.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let same =
            self.areas.len() == self.ids.len() && self.areas.iter().zip(&self.ids).all(|(a, id)| a.id == *id);
        if !same && !self.blocks.is_empty() {
            let why = "are not those that were read, and the game's own data about them cannot be rewritten";
            return Err(Error::invalid("areas", why));
        }
        let mut out = self.before.clone();
        list(&mut out, self.areas.len(), &[])?;
        for (index, area) in self.areas.iter().enumerate() {
            area.write(&mut out)
                .map_err(|error| error.in_record("area", index as u64).with_id(area.id.get()))?;
        }
        out.extend_from_slice(&self.after);
        for block in &self.blocks {
            let len = out.len().wrapping_neg() & 7;
            if block.padding.len() == len {
                out.extend_from_slice(&block.padding);
            } else {
                out.resize(out.len().saturating_add(len), 0);
            }
            out.extend_from_slice(&block.bytes);
        }
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }
}
