//! The encoder.

use super::buf::{Block, Outline, PolygonAreaBuf, PolygonBuf, Source2Buf};
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

/// Writes a count and as many records.
fn list(out: &mut Vec<u8>, what: &'static str, len: usize, bytes: &[u8]) -> Result<()> {
    let count = u32::try_from(len).map_err(|_| Error::invalid(what, "a list of more than 4294967295"))?;
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}

impl Source2Buf {
    /// The file. If the bytes before a block of the game have grown, the block moves to the next multiple of 8.
    ///
    /// # Errors
    /// If areas were added, removed or reordered while the game keeps data about them in a block that cannot be
    /// rewritten, or if an area does not have one list for each of its edges.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let same =
            self.areas.len() == self.ids.len() && self.areas.iter().zip(&self.ids).all(|(a, id)| a.id == *id);
        if !same && self.game_bytes() > 0 {
            let why = "are not those that were read, and the game's own data about them cannot be rewritten";
            return Err(Error::invalid("areas", why));
        }
        self.encode_all()
    }

    /// The file, also if the blocks of the game are about areas that are gone.
    pub(super) fn encode_all(&self) -> Result<Vec<u8>> {
        let mut out = self.head.clone();
        if self.version >= 31 {
            list(&mut out, "vertices", self.vertices.len(), self.vertices.as_bytes())?;
            list(&mut out, "polygons", self.polygons.len(), &[])?;
            for (index, polygon) in (0_u64..).zip(&self.polygons) {
                polygon.encode(self.version, &mut out).map_err(|error| error.in_record("polygon", index))?;
            }
        }
        out.extend_from_slice(&self.middle);
        self.second.iter().for_each(|block| block.encode(&mut out));
        list(&mut out, "areas", self.areas.len(), &[])?;
        for (index, area) in (0_u64..).zip(&self.areas) {
            self.area(area, &mut out)
                .map_err(|error| error.in_record("area", index).with_id(area.id.get()))?;
        }
        if self.version >= 35 {
            list(&mut out, "ladders", self.ladders.len(), self.ladders.as_bytes())?;
        } else {
            list(&mut out, "ladders", self.ladders.len(), &[])?;
            self.ladders.iter().for_each(|ladder| out.extend_from_slice(ladder.ladder().as_bytes()));
        }
        out.extend_from_slice(&self.after);
        self.blocks.iter().for_each(|block| block.encode(&mut out));
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }

    fn area(&self, area: &PolygonAreaBuf, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(area.id.as_bytes());
        out.extend_from_slice(&area.attributes.bits().to_le_bytes());
        out.push(area.hull);
        let corners = match (&area.outline, self.version) {
            (Outline::Own(corners), ..31) => {
                list(out, "area", corners.len(), corners.as_bytes())?;
                corners.len()
            }
            (Outline::Shared(number), 31..) => {
                let polygon = self.polygons.get(*number as usize).ok_or_else(|| {
                    let why = format!("names polygon {number} of {}", self.polygons.len());
                    Error::invalid("area", why)
                })?;
                out.extend_from_slice(&number.to_le_bytes());
                polygon.vertices.len()
            }
            (_, version) => {
                let why = format!("has an outline that version {version} does not store");
                return Err(Error::invalid("area", why));
            }
        };
        out.extend_from_slice(area.unknown.as_bytes());
        if area.edges.len() != corners {
            let why = format!("{} lists of connections for {corners} edges", area.edges.len());
            return Err(Error::invalid("area", why));
        }
        for edge in &area.edges {
            list(out, "area", edge.len(), edge.as_bytes())?;
        }
        // Counts of hiding spots and encounters, which Source 2 does not store here.
        out.extend_from_slice(&[0; 5]);
        list(out, "area", area.ladders_above.len(), area.ladders_above.as_bytes())?;
        list(out, "area", area.ladders_below.len(), area.ladders_below.as_bytes())
    }
}

impl PolygonBuf {
    fn encode(&self, version: u32, out: &mut Vec<u8>) -> Result<()> {
        let count = u8::try_from(self.vertices.len()).map_err(|_| {
            Error::invalid("polygon", format!("{} corners, the format counts to 255", self.vertices.len()))
        })?;
        out.push(count);
        out.extend_from_slice(self.vertices.as_bytes());
        if version >= 35 {
            out.extend_from_slice(&self.movable_mesh.to_le_bytes());
        }
        Ok(())
    }
}

impl Block {
    fn encode(&self, out: &mut Vec<u8>) {
        let len = out.len().wrapping_neg() & 7;
        if self.padding.len() == len {
            out.extend_from_slice(&self.padding);
        } else {
            out.resize(out.len().saturating_add(len), 0);
        }
        out.extend_from_slice(&self.bytes);
    }
}
