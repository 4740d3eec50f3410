//! Leaves out of a mesh what its game does not use.

use super::buf::{AreaBuf, HeadBuf, SourceBuf};
use super::encounters::EncounterList;
use super::flags::Extension;
use super::record::AreaId;
use std::fmt;

/// What can be left out of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ballast {
    /// Ways through areas, and the hiding spots along them.
    Encounters,
    /// Approach areas.
    Approaches,
    /// What can be seen from where.
    Visibility,
    /// What GoldSrc left behind the end of the file.
    Tail,
}

impl Ballast {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Encounters, Self::Approaches, Self::Visibility, Self::Tail];

    /// `encounters`, `approaches`, `visibility`, `tail`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encounters => "encounters",
            Self::Approaches => "approaches",
            Self::Visibility => "visibility",
            Self::Tail => "tail",
        }
    }

    /// What the game of a mesh does not use: the tail in every game, and encounter paths in Team Fortress 2.
    pub fn unused(head: &HeadBuf) -> Vec<Self> {
        match head.extension() {
            Extension::TeamFortress => vec![Self::Encounters, Self::Tail],
            _ => vec![Self::Tail],
        }
    }
}

impl fmt::Display for Ballast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How much of one kind there is, and how many bytes it takes in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// What.
    pub of: Ballast,
    /// How many records.
    pub records: usize,
    /// How many bytes they take, without their counts, which stay.
    pub bytes: usize,
}

impl SourceBuf {
    /// How much there is of each kind.
    pub fn weigh(&self) -> [Weight; 4] {
        let sum = |of: fn(&AreaBuf) -> usize| self.areas.iter().map(of).fold(0, usize::saturating_add);
        Ballast::ALL.map(|of| {
            let (records, bytes) = match of {
                Ballast::Encounters => {
                    (sum(|area| area.encounters.len()), sum(|area| area.encounters.bytes().len()))
                }
                Ballast::Approaches => {
                    (sum(|area| area.approaches.len()), sum(|area| size_of_val(area.approaches.as_slice())))
                }
                Ballast::Visibility => (
                    sum(|area| area.visible_areas.len()),
                    sum(|area| size_of_val(area.visible_areas.as_slice())),
                ),
                Ballast::Tail => (self.tail.len(), self.tail.len()),
            };
            Weight { of, records, bytes }
        })
    }

    /// Leaves these out and returns what was removed. If the game uses any of it, the mesh no longer counts as
    /// analysed.
    pub fn slim(&mut self, drop: &[Ballast]) -> Vec<Weight> {
        let mut gone: Vec<Weight> = self.weigh().into();
        gone.retain(|weight| drop.contains(&weight.of) && weight.records > 0);
        let unused = Ballast::unused(&self.head);
        if gone.iter().any(|weight| !unused.contains(&weight.of)) {
            self.head.analyzed = 0;
        }
        for of in drop {
            match of {
                Ballast::Encounters => {
                    self.areas.iter_mut().for_each(|area| area.encounters = EncounterList::default())
                }
                Ballast::Approaches => self.areas.iter_mut().for_each(|area| area.approaches = Vec::new()),
                Ballast::Visibility => self.areas.iter_mut().for_each(|area| {
                    area.visible_areas = Vec::new();
                    area.inherits = AreaId::default();
                }),
                Ballast::Tail => self.tail = Vec::new(),
            }
        }
        gone
    }
}
