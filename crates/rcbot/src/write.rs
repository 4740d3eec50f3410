//! The encoder.

use super::buf::RcbotBuf;
use super::layout::Layout;
use super::record::{Authors, Front, Header};
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

fn count(what: &'static str, len: usize) -> Result<i32> {
    i32::try_from(len).map_err(|_| Error::invalid(what, format!("{len} of them do not fit")))
}

impl RcbotBuf {
    /// The file.
    ///
    /// # Errors
    /// If there are more waypoints or links than their counts can say.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let layout = Layout::for_version(self.version);
        let mut out = Vec::new();
        let numbers = [self.version, count("waypoints", self.waypoints.len())?];
        out.extend_from_slice(Header::new(self.magic, self.map, numbers, self.flags).as_bytes());
        if layout.authors {
            out.extend_from_slice(Authors::new(self.authors).as_bytes());
        }
        for point in &self.waypoints {
            let links = count("links", point.targets.len())?;
            let front = Front::new(point.origin, point.yaw, point.flags, point.used, links);
            out.extend_from_slice(front.as_bytes());
            point.targets.iter().for_each(|target| out.extend_from_slice(&target.to_le_bytes()));
            if layout.area {
                out.extend_from_slice(&point.area.to_le_bytes());
            }
            if layout.radius {
                out.extend_from_slice(&point.radius.to_le_bytes());
            }
        }
        out.extend_from_slice(&self.trailing);
        Ok(out)
    }
}
