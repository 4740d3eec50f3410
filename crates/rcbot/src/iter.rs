//! The waypoints of a file, walked.

use super::flags::NodeFlags;
use super::layout::Layout;
use super::record::{Area, Front, Radius, Target};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;

/// A waypoint. Borrowed from the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waypoint<'a> {
    number: u32,
    front: &'a Front,
    targets: &'a [Target],
    area: Option<&'a Area>,
    radius: Option<&'a Radius>,
    offset: u64,
}

impl<'a> Waypoint<'a> {
    /// Its place in the list, by which links name it.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number
    }
    /// Its first 25 bytes.
    #[inline]
    pub fn front(&self) -> &'a Front {
        self.front
    }
    /// Where it is: 32 units above the floor.
    #[inline]
    pub fn origin(&self) -> [f32; 3] {
        self.front.origin()
    }
    /// Which way the bot aims here, degrees.
    #[inline]
    pub fn yaw(&self) -> i32 {
        self.front.yaw()
    }
    /// What it is for.
    #[inline]
    pub fn flags(&self) -> NodeFlags {
        self.front.flags()
    }
    /// Whether it was not deleted.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.front.used() != 0
    }
    /// The waypoints that its links lead to.
    #[inline]
    pub fn targets(&self) -> &'a [Target] {
        self.targets
    }
    /// The number of a capture point, 0 for none; from version 2.
    pub fn area(&self) -> Option<i32> {
        self.area.map(|area| area.get())
    }
    /// The radius as stored, 0 for none; from version 3.
    pub fn stored_radius(&self) -> Option<f32> {
        self.radius.map(|radius| radius.get())
    }
    /// The radius where it is one.
    pub fn radius(&self) -> Option<f32> {
        self.stored_radius().filter(|radius| *radius > 0.0 && radius.is_finite())
    }
    /// The byte at which it begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }
    /// The byte of the target of one of its links.
    pub(super) fn target_offset(&self, link: usize) -> u64 {
        let before = (link as u64).saturating_mul(size_of::<Target>() as u64);
        self.offset.saturating_add(size_of::<Front>() as u64).saturating_add(before)
    }

    fn take(cursor: &mut Cursor<'a>, layout: Layout, number: u32) -> Result<Self> {
        let offset = cursor.offset();
        let front: &Front = cursor.record("waypoint")?;
        let links = usize::try_from(front.links()).map_err(|_| {
            let at = cursor.offset().saturating_sub(4);
            Error::invalid("links", format!("{} of them claimed", front.links())).at(at)
        })?;
        let targets = cursor.slice(links, "links")?;
        let area = if layout.area { Some(cursor.record("area")?) } else { None };
        let radius = if layout.radius { Some(cursor.record("radius")?) } else { None };
        Ok(Self { number, front, targets, area, radius, offset })
    }
}

/// The waypoints of a file, in order. Every one was looked at when the file was opened. Allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct Waypoints<'a> {
    cursor: Cursor<'a>,
    layout: Layout,
    count: usize,
    next: usize,
}

impl<'a> Waypoints<'a> {
    /// Passes over so many waypoints, and gives what follows them.
    pub(super) fn take(cursor: Cursor<'a>, layout: Layout, count: usize) -> Result<(Self, Cursor<'a>)> {
        let mut rest = cursor;
        for number in 0..count {
            let taken = Waypoint::take(&mut rest, layout, number as u32);
            taken.map_err(|error| error.in_record("waypoint", number as u64))?;
        }
        Ok((Self { cursor, layout, count, next: 0 }, rest))
    }
    /// How many are to come.
    pub(super) fn left(&self) -> usize {
        self.count.saturating_sub(self.next)
    }
}

impl<'a> Iterator for Waypoints<'a> {
    type Item = Waypoint<'a>;

    fn next(&mut self) -> Option<Waypoint<'a>> {
        if self.next >= self.count {
            return None;
        }
        match Waypoint::take(&mut self.cursor, self.layout, self.next as u32) {
            Ok(waypoint) => {
                self.next = self.next.saturating_add(1);
                Some(waypoint)
            }
            // What a mapped file may become while it is read.
            Err(_) => {
                self.next = self.count;
                None
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left()))
    }
}

impl FusedIterator for Waypoints<'_> {}
