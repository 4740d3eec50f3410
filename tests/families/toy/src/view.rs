//! The file, borrowed.

use super::record::Knot;
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use navmap_core::format::not_mesh;

/// A string of points, in place.
#[derive(Debug, Clone, Copy)]
pub struct ToyNav<'a> {
    knots: &'a [Knot],
    end: u64,
    trailing: &'a [u8],
}

impl<'a> ToyNav<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// Bytes that are no toy, or fewer points than claimed.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        if !bytes.starts_with(b"TOY1") {
            return Err(not_mesh(bytes));
        }
        cursor.skip(4, "magic")?;
        let knots = cursor.list32("knots")?;
        Ok(Self { knots, end: cursor.offset(), trailing: cursor.rest() })
    }

    /// The points.
    pub fn knots(&self) -> &'a [Knot] {
        self.knots
    }

    pub(super) fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    pub(super) fn left_over(&self) -> (u64, u64) {
        (self.trailing.len() as u64, self.end)
    }
}
