//! The potentially visible set that the map's compiler computed.

use super::lumps::{Engine, Lumps};
use navmap_core::Limits;
use navmap_core::error::{Error, Result};

/// Visibility between clusters of a map. In GoldSrc a cluster is a leaf.
#[derive(Clone, Debug, Default)]
pub struct Pvs {
    lump: Box<[u8]>,
    /// The offset of each cluster's row; `None` if it sees everything.
    rows: Vec<Option<u32>>,
}

impl Pvs {
    pub(super) fn read(lumps: &Lumps<'_>, gold: Option<&[Option<u32>]>, limits: &Limits) -> Result<Self> {
        let lump = lumps.lump(4, limits)?;
        let rows = match (lumps.engine(), gold) {
            (Engine::GoldSrc, Some(rows)) => rows.to_vec(),
            _ if lump.is_empty() => Vec::new(),
            _ => {
                let word = |at: usize| {
                    let four = lump.get(at..)?.first_chunk::<4>()?;
                    Some(u32::from_le_bytes(*four))
                };
                let short = || Error::invalid("visibility", "shorter than its own head").in_record("lump", 4);
                let count = word(0).ok_or_else(short)? as usize;
                if count > lump.len() / 8 {
                    let why = format!("{count} clusters claimed, {} bytes", lump.len());
                    return Err(Error::invalid("visibility", why).in_record("lump", 4));
                }
                let row = |cluster: usize| word(cluster.saturating_mul(8).saturating_add(4));
                (0..count).map(|cluster| row(cluster).map(Some).ok_or_else(short)).collect::<Result<_>>()?
            }
        };
        Ok(Self { lump: lump.into(), rows })
    }

    /// The number of clusters. 0 if the map was compiled without visibility.
    pub fn clusters(&self) -> usize {
        self.rows.len()
    }

    /// Whether one cluster may be seen from another. True if the map has no visibility.
    pub fn sees(&self, from: u32, to: u32) -> bool {
        self.sees_any(from, &[to], &mut 0)
    }

    /// Whether any of these clusters, which ascend, may be seen from another. Adds the bytes of its row that were looked at.
    pub(super) fn sees_any(&self, from: u32, mut goals: &[u32], passed: &mut u64) -> bool {
        let Some(Some(start)) = self.rows.get(from as usize) else { return !goals.is_empty() };
        let most = self.rows.len().div_ceil(8);
        let mut row = self.lump.get(*start as usize..).unwrap_or_default().iter();
        let mut at = 0_usize;
        while let Some((goal, rest)) = goals.split_first() {
            let wanted = *goal as usize / 8;
            if wanted >= most {
                return false;
            }
            if wanted < at {
                goals = rest;
                continue;
            }
            *passed = passed.wrapping_add(1);
            let Some(byte) = row.next() else { return false };
            if *byte == 0 {
                // A zero byte is followed by the number of zero bytes. A run of none would never lead on: there the row ends.
                let Some(run) = row.next().copied().filter(|run| *run > 0) else { return false };
                at = at.saturating_add(run.into());
                continue;
            }
            while let Some((goal, rest)) = goals.split_first().filter(|(goal, _)| **goal as usize / 8 == at) {
                if u32::from(*byte) >> (goal % 8) & 1 != 0 {
                    return true;
                }
                goals = rest;
            }
            at = at.saturating_add(1);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_ends_where_no_cluster_is_left_and_at_a_run_of_none() {
        let pvs = |lump: &[u8]| Pvs { lump: lump.into(), rows: vec![Some(0); 32] };
        let ends = pvs(&[0, 1, 2, 0, 0, 0xFF]);
        assert!(ends.sees(0, 9) && [0, 8, 16, 24, 4_000].iter().all(|to| !ends.sees(0, *to)));
        assert!(ends.sees_any(0, &[0, 4, 9, 30], &mut 0) && !ends.sees_any(0, &[0, 8, 10, 24, 99], &mut 0));
        assert!(!ends.sees_any(0, &[], &mut 0) && !ends.sees_any(77, &[], &mut 0));
        let never = pvs(&[0; 100]);
        assert!((0..32).all(|to| !never.sees(0, to)));
        assert!(never.sees(32, 0), "a cluster without a row");
    }
}
