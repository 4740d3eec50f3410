//! The route table of a `.nod` file, read as the game reads it.

use super::flags::Hull;
use super::lists::NodNodes;

/// For whom the route table is asked: for creatures that can open doors, or for those that cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Doors {
    /// Those who cannot open doors.
    Shut,
    /// Those who can.
    Open,
}

impl Doors {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Shut, Self::Open];
}

/// What the table says of the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Go to this node. The game does not ask whether it is linked.
    To(usize),
    /// There is no way.
    NoWay,
    /// The table does not hold an answer: its bytes end, or name a node that is not there.
    Broken,
}

/// The route table of a `.nod` file. It gives the next node on the way from any node to any other, for each hull, with doors and
/// without.
///
/// A row is a list of byte pairs. Each pair answers for a run of targets.
#[derive(Debug, Clone, Copy)]
pub struct Routes<'a> {
    pub(super) nodes: NodNodes<'a>,
    pub(super) bytes: &'a [u8],
}

impl<'a> Routes<'a> {
    /// The next node on the way. Takes a step for each run of targets before this one.
    pub fn next(&self, from: usize, to: usize, hull: Hull, doors: Doors) -> Step {
        self.next_counted(from, to, hull, doors).0
    }

    /// The same, and how many bytes were read.
    pub(super) fn next_counted(&self, from: usize, to: usize, hull: Hull, doors: Doors) -> (Step, usize) {
        let count = self.nodes.len();
        let row = || {
            let node = self.nodes.get(from).filter(|_| to < count)?;
            let start = *node.next_best().get(hull.index())?.get(doors as usize)?;
            self.bytes.get(usize::try_from(start).ok()?..)
        };
        let Some(row) = row() else { return (Step::Broken, 0) };
        let mut left = to.saturating_add(1);
        let (mut bytes, mut read) = (row.iter(), 0_usize);
        let next = loop {
            read = read.saturating_add(1);
            let Some(run) = bytes.next() else { break None };
            let run = run.cast_signed();
            let covers = usize::from(run.unsigned_abs());
            if run < 0 {
                // Each of this many targets is the next node itself.
                if left <= covers {
                    break Some(to);
                }
                left = left.saturating_sub(covers);
                continue;
            }
            let covers = covers.saturating_add(1);
            read = read.saturating_add(1);
            let Some(by) = bytes.next() else { break None };
            if left <= covers {
                break wrapped(from, by.cast_signed(), count);
            }
            left = left.saturating_sub(covers);
        };
        let step = match next {
            None => Step::Broken,
            Some(next) if next == from && from != to => Step::NoWay,
            Some(next) => Step::To(next),
        };
        (step, read)
    }

    /// The nodes that the game passes, in order, the start included. Ends at the target. Ends earlier if the table says that
    /// there is no way, if it is broken, or after as many steps as there are nodes.
    pub fn way(&self, from: usize, to: usize, hull: Hull, doors: Doors) -> Way<'a> {
        let next = (from < self.nodes.len()).then_some(from);
        Way { routes: *self, next, to, hull, doors, left: self.nodes.len() }
    }
}

/// The node so many places further on, from the last to the first again.
fn wrapped(from: usize, by: i8, count: usize) -> Option<usize> {
    let to = from.checked_add_signed(by.into());
    match to {
        Some(to) if to < count => Some(to),
        Some(to) => to.checked_sub(count).filter(|to| *to < count),
        None => from.checked_add(count)?.checked_add_signed(by.into()).filter(|to| *to < count),
    }
}

/// The nodes of a way as the game walks it.
#[derive(Debug, Clone)]
pub struct Way<'a> {
    routes: Routes<'a>,
    next: Option<usize>,
    to: usize,
    hull: Hull,
    doors: Doors,
    left: usize,
}

impl Iterator for Way<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let node = self.next?;
        self.left = self.left.saturating_sub(1);
        self.next = match self.routes.next(node, self.to, self.hull, self.doors) {
            Step::To(next) if node != self.to && self.left > 0 => Some(next),
            _ => None,
        };
        Some(node)
    }
}

impl std::iter::FusedIterator for Way<'_> {}
