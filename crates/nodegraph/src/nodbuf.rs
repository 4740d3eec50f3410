//! A `.nod` file, owned, whose hints can be changed.

use super::flags::Hint;
use super::nod::NodNav;
use super::record::NodHint;
use navmap_core::error::{Error, Result};
use zerocopy::FromBytes;

/// An owned `.nod` file whose hints can be changed. Positions and links cannot, because the game computes tables from them.
/// Every other byte stays as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodBuf {
    bytes: Vec<u8>,
    /// The offset of the first node's hint, and the distance to the next one.
    first: usize,
    step: usize,
    nodes: usize,
}

/// The hint of a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HintBuf {
    /// What is worth doing here.
    pub hint: Hint,
    /// The animation that goes with it.
    pub activity: i16,
    /// Which way it looks, degrees.
    pub yaw: f32,
}

impl From<&NodNav<'_>> for NodBuf {
    /// Copies the file.
    fn from(nav: &NodNav<'_>) -> Self {
        let at = |node: usize| usize::try_from(nav.node_offset(node)).unwrap_or(usize::MAX);
        let step = at(1).saturating_sub(at(0));
        // The hint is the end of a node.
        let first = at(0).saturating_add(step).saturating_sub(size_of::<NodHint>());
        Self { bytes: nav.bytes().to_vec(), first, step, nodes: nav.nodes().len() }
    }
}

impl NodBuf {
    fn at(&self, node: usize) -> Option<usize> {
        self.first.checked_add(node.checked_mul(self.step)?).filter(|_| node < self.nodes)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// The hint of a node.
    pub fn hint(&self, node: usize) -> Option<HintBuf> {
        let stored = NodHint::ref_from_prefix(self.bytes.get(self.at(node)?..)?).ok()?.0;
        Some(HintBuf {
            hint: Hint(stored.hint.get()),
            activity: stored.activity.get(),
            yaw: stored.yaw.get(),
        })
    }

    /// Changes the hint of a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn set_hint(&mut self, node: usize, hint: HintBuf) -> Result<()> {
        let count = self.nodes;
        let at = self.at(node);
        let place = at.and_then(|at| NodHint::mut_from_prefix(self.bytes.get_mut(at..)?).ok());
        let (place, _) = place.ok_or_else(|| Error::invalid("node", format!("{node} of {count}")))?;
        *place = NodHint { hint: hint.hint.0.into(), activity: hint.activity.into(), yaw: hint.yaw.into() };
        Ok(())
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}
