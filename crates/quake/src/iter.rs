//! The two arrays whose records differ between versions, as slices of typed records.

use super::flags::{EntityId, Handle, ModelIndex};
use super::record::{
    BareEdict, Bounds, EntityEdict, HandleEdict, LadderTraversal, ModelEdict, Node, Traversal,
};
use navmap_core::in_order;

/// The traversals of a file, in place. Match on it for the bare slice.
#[derive(Debug, Clone, Copy)]
pub enum Traversals<'a> {
    /// 36 bytes each: NAV2, and NAV3 before version 4.
    Plain(&'a [Traversal]),
    /// 48 bytes each: NAV3 from version 4 on.
    Ladder(&'a [LadderTraversal]),
}

impl<'a> Traversals<'a> {
    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Plain(list) => list.len(),
            Self::Ladder(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The traversal of this index, without its plane.
    #[inline]
    pub fn get(self, index: usize) -> Option<&'a Traversal> {
        match self {
            Self::Plain(list) => list.get(index),
            Self::Ladder(list) => list.get(index).map(LadderTraversal::traversal),
        }
    }
    /// The ladder plane of this index. `None` in versions without planes, and if the link is not a ladder (all zero).
    pub fn plane(self, index: usize) -> Option<[f32; 3]> {
        match self {
            Self::Plain(_) => None,
            Self::Ladder(list) => list.get(index).map(LadderTraversal::plane).filter(|p| *p != [0.0; 3]),
        }
    }
    /// All traversals, without their planes.
    pub fn iter(self) -> impl Iterator<Item = &'a Traversal> + Clone {
        let (plain, ladder): (&[_], &[_]) = match self {
            Self::Plain(list) => (list, &[]),
            Self::Ladder(list) => (&[], list),
        };
        plain.iter().chain(ladder.iter().map(LadderTraversal::traversal))
    }
}

in_order!(impl<'a> Traversals<'a> => &'a Traversal);

/// The edicts of a file, in place. Match on it for the bare slice.
#[derive(Debug, Clone, Copy)]
pub enum Edicts<'a> {
    /// 26 bytes each: NAV2 12, NAV3 1.
    Bare(&'a [BareEdict]),
    /// 34 bytes each: NAV2 13 and 14.
    Handles(&'a [HandleEdict]),
    /// 30 bytes each: NAV2 15 to 18.
    Entity(&'a [EntityEdict]),
    /// 30 bytes each: NAV3 2 to 6.
    Model(&'a [ModelEdict]),
}

impl<'a> Edicts<'a> {
    /// How many.
    pub fn len(self) -> usize {
        match self {
            Self::Bare(list) => list.len(),
            Self::Handles(list) => list.len(),
            Self::Entity(list) => list.len(),
            Self::Model(list) => list.len(),
        }
    }
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The edict of this index.
    #[inline]
    pub fn get(self, index: usize) -> Option<Edict<'a>> {
        match self {
            Self::Bare(list) => list.get(index).map(Edict::Bare),
            Self::Handles(list) => list.get(index).map(Edict::Handles),
            Self::Entity(list) => list.get(index).map(Edict::Entity),
            Self::Model(list) => list.get(index).map(Edict::Model),
        }
    }
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Edict<'a>> + Clone {
        (0..self.len()).map_while(move |index| self.get(index))
    }
    /// The edict of this link. Edicts are in the order of their links, so this is a binary search. In a file that breaks that
    /// order (a warning of `check`) it may miss one.
    pub fn of_link(self, link: usize) -> Option<Edict<'a>> {
        let link = u16::try_from(link).ok()?;
        let index = match self {
            Self::Bare(list) => list.binary_search_by_key(&link, BareEdict::link),
            Self::Handles(list) => list.binary_search_by_key(&link, HandleEdict::link),
            Self::Entity(list) => list.binary_search_by_key(&link, EntityEdict::link),
            Self::Model(list) => list.binary_search_by_key(&link, ModelEdict::link),
        };
        self.get(index.ok()?)
    }
}

in_order!(impl<'a> Edicts<'a> => Edict<'a>);

/// An edict of any version: a link's dependence on an entity of the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Edict<'a> {
    /// NAV2 12, NAV3 1.
    Bare(&'a BareEdict),
    /// NAV2 13 and 14.
    Handles(&'a HandleEdict),
    /// NAV2 15 to 18.
    Entity(&'a EntityEdict),
    /// NAV3 2 to 6.
    Model(&'a ModelEdict),
}

/// The key by which an edict names its entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdictKey {
    /// No key: only the box identifies the entity.
    None,
    /// By two strings of the process that saved the file.
    Handles {
        /// Its targetname.
        targetname: Handle,
        /// Its classname.
        classname: Handle,
    },
    /// By its position in the map's entity list.
    Entity(EntityId),
    /// By its brush model.
    Model(ModelIndex),
}

impl<'a> Edict<'a> {
    /// Index of the bound link.
    pub fn link(self) -> u16 {
        match self {
            Self::Bare(edict) => edict.link(),
            Self::Handles(edict) => edict.link(),
            Self::Entity(edict) => edict.link(),
            Self::Model(edict) => edict.link(),
        }
    }
    /// The entity's box at the time the file was saved.
    pub fn bounds(self) -> &'a Bounds {
        match self {
            Self::Bare(edict) => edict.bounds(),
            Self::Handles(edict) => edict.bounds(),
            Self::Entity(edict) => edict.bounds(),
            Self::Model(edict) => edict.bounds(),
        }
    }
    /// The key that names the entity.
    pub fn key(self) -> EdictKey {
        match self {
            Self::Bare(_) => EdictKey::None,
            Self::Handles(edict) => {
                EdictKey::Handles { targetname: edict.targetname(), classname: edict.classname() }
            }
            Self::Entity(edict) => EdictKey::Entity(edict.entity()),
            Self::Model(edict) => EdictKey::Model(edict.model()),
        }
    }
}

/// Finds the source of each link, in linear time for any ranges.
pub(super) enum Sources<'a> {
    /// Ranges in the order of nodes: nodes are walked along with links.
    Walk(&'a [Node], usize),
    /// Any ranges: the node of each link, or [`NONE`].
    Owners(Vec<u32>),
}

/// The owner of a link of no node.
const NONE: u32 = u32::MAX;

impl<'a> Sources<'a> {
    pub(super) fn new(nodes: &'a [Node], links: usize) -> Self {
        if nodes.is_sorted_by_key(Node::first_link) {
            Self::Walk(nodes, 0)
        } else {
            Self::owners(nodes, links)
        }
    }

    fn owners(nodes: &[Node], links: usize) -> Self {
        // Ranges end before twice what 16 bits can say.
        let links = links.min(1 << 17);
        let mut owners = vec![NONE; links];
        // Where the next link without an owner may be, so that no range is walked twice.
        let mut free: Vec<u32> = (0..=links as u32).collect();
        for (node, number) in nodes.iter().zip(0_u32..) {
            let end = links.min(node.end_link() as usize);
            let mut at = next_free(&mut free, node.first_link().into());
            while at < end {
                owners.get_mut(at).into_iter().for_each(|owner| *owner = number);
                free.get_mut(at).into_iter().for_each(|free| *free = free.saturating_add(1));
                at = next_free(&mut free, at);
            }
        }
        Self::Owners(owners)
    }

    /// The source of a link. Links must come in ascending order.
    pub(super) fn of(&mut self, link: usize) -> Option<usize> {
        match self {
            Self::Owners(owners) => {
                owners.get(link).filter(|owner| **owner != NONE).map(|owner| *owner as usize)
            }
            Self::Walk(nodes, at) => {
                while let Some(node) = nodes.get(*at) {
                    if node.end_link() as usize > link {
                        return (usize::from(node.first_link()) <= link).then_some(*at);
                    }
                    *at = at.saturating_add(1);
                }
                None
            }
        }
    }
}

/// The first free place from `at` on. Those on the way are set to lead further.
fn next_free(free: &mut [u32], mut at: usize) -> usize {
    while let Some(to) = free.get(at).map(|to| *to as usize).filter(|to| *to != at) {
        let beyond = free.get(to).copied().unwrap_or(to as u32);
        free.get_mut(at).into_iter().for_each(|place| *place = beyond);
        at = to;
    }
    at
}
