//! What targets of the door of C ask with, and where they take answers.

use navmap_c::*;
use std::ptr::null;

/// Numbers that follow from the input.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Self(bytes.iter().fold(start, mix) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, most: u32) -> u32 {
        (self.next() >> 32) as u32 % most.max(1)
    }

    /// Mostly a number of an area, sometimes another.
    pub(crate) fn area(&mut self, count: u32) -> u32 {
        match self.below(8) {
            0 => NAVMAP_NONE,
            1 => count,
            _ => self.below(count),
        }
    }

    pub(crate) fn float(&mut self, least: f32, most: f32) -> f32 {
        match self.below(16) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::from_bits(self.next() as u32),
            _ => least + (most - least) * (self.below(1 << 20) as f32 / (1 << 20) as f32),
        }
    }

    pub(crate) fn point(&mut self, info: &Info) -> Point {
        Point::new(
            self.float(info.min.x, info.max.x),
            self.float(info.min.y, info.max.y),
            self.float(info.min.z, info.max.z),
        )
    }

    /// The pointer, or now and then NULL.
    pub(crate) fn or_null<T>(&mut self, pointer: *const T) -> *const T {
        if self.below(8) == 0 { null() } else { pointer }
    }
}

/// A buffer whose end is watched.
pub(crate) struct Watched<T>(pub(crate) Vec<T>, u32, T);

impl<T: Copy + PartialEq> Watched<T> {
    pub(crate) fn new(value: T, room: u32) -> Self {
        Self(vec![value; room as usize + 1], room, value)
    }

    pub(crate) fn held(&self, status: Status, count: u32) {
        assert!(self.0.last() == Some(&self.2), "written behind the end");
        match status {
            Status::Ok => assert!(count <= self.1),
            Status::Truncated => assert!(count > self.1),
            _ => assert_eq!(count, 0),
        }
    }
}
