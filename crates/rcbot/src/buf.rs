//! A file, owned and free to change.

use super::flags::{FileFlags, NodeFlags};
use super::iter::Waypoint;
use super::record::Header;
use super::view::RcbotNav;
use navmap_core::error::{Error, Result};

/// The waypoints of a file. Encoding an unchanged one gives the file it was read from, to the byte.
#[derive(Debug, Clone, PartialEq)]
pub struct RcbotBuf {
    /// The magic and what follows its zero.
    pub magic: [u8; 16],
    /// The map's name and what follows its zero.
    pub map: [u8; 64],
    /// 3 or 4.
    pub version: i32,
    /// What lies beside the file.
    pub flags: FileFlags,
    /// The names of the author and of the last editor, and what follows their zeros: written from version 4 on.
    pub authors: [[u8; 32]; 2],
    /// The waypoints. Links go by their places in this list.
    pub waypoints: Vec<WaypointBuf>,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
}

/// A waypoint, owned.
#[derive(Debug, Clone, PartialEq)]
pub struct WaypointBuf {
    /// Where it is: 32 units above the floor.
    pub origin: [f32; 3],
    /// Which way the bot aims here, degrees.
    pub yaw: i32,
    /// What it is for.
    pub flags: NodeFlags,
    /// 0 if it was deleted.
    pub used: u8,
    /// The waypoints that its links lead to.
    pub targets: Vec<i32>,
    /// The number of a capture point: written from version 2 on.
    pub area: i32,
    /// Its radius: written from version 3 on.
    pub radius: f32,
}

impl WaypointBuf {
    /// A waypoint without links.
    pub fn new(origin: [f32; 3], flags: NodeFlags) -> Self {
        Self { origin, yaw: 0, flags, used: 1, targets: Vec::new(), area: 0, radius: 0.0 }
    }
}

impl From<Waypoint<'_>> for WaypointBuf {
    fn from(point: Waypoint<'_>) -> Self {
        Self {
            origin: point.origin(),
            yaw: point.yaw(),
            flags: point.flags(),
            used: point.front().used(),
            targets: point.targets().iter().map(|target| target.get()).collect(),
            area: point.area().unwrap_or_default(),
            radius: point.stored_radius().unwrap_or_default(),
        }
    }
}

impl From<&RcbotNav<'_>> for RcbotBuf {
    /// Copies everything.
    fn from(nav: &RcbotNav<'_>) -> Self {
        let header = nav.header();
        Self {
            magic: *header.magic(),
            map: *header.map(),
            version: header.version(),
            flags: header.flags(),
            authors: nav.authors().map_or([[0; 32]; 2], |authors| [*authors.author(), *authors.editor()]),
            waypoints: nav.waypoints().map(WaypointBuf::from).collect(),
            trailing: nav.trailing().to_vec(),
        }
    }
}

impl RcbotBuf {
    /// A file of version 4 without waypoints. A name of more than 63 bytes is cut.
    pub fn new(map: &[u8]) -> Self {
        Self {
            magic: field(&Header::MAGIC),
            map: field(map),
            version: 4,
            flags: FileFlags::default(),
            authors: [[0; 32]; 2],
            waypoints: Vec::new(),
            trailing: Vec::new(),
        }
    }

    /// Names the author and whoever edited the file last. Of a name, 31 bytes fit.
    pub fn set_authors(&mut self, names: [&[u8]; 2]) {
        self.authors = names.map(field);
    }

    /// Deletes a waypoint as the bot does: its slot stays, so that the numbers of the others do; its links and those to it go.
    ///
    /// # Errors
    /// If there is no such waypoint, or it was deleted before.
    pub fn delete(&mut self, number: usize) -> Result<()> {
        let count = self.waypoints.len();
        match self.waypoints.get_mut(number) {
            Some(waypoint) if waypoint.used != 0 => {
                waypoint.used = 0;
                waypoint.targets.clear();
            }
            Some(_) => return Err(Error::invalid("waypoint", format!("{number} was deleted before"))),
            None => return Err(Error::invalid("waypoint", format!("{number} of {count}"))),
        }
        for waypoint in &mut self.waypoints {
            waypoint.targets.retain(|target| usize::try_from(*target) != Ok(number));
        }
        Ok(())
    }
}

/// A name that ends in a zero. A longer one is cut.
fn field<const LEN: usize>(name: &[u8]) -> [u8; LEN] {
    let mut field = [0; LEN];
    field.iter_mut().zip(name.iter().take(LEN.saturating_sub(1))).for_each(|(to, from)| *to = *from);
    field
}
