//! Compares two files: graph by graph, then what their heads and counts say, then what is wrong with them.

use super::forms::{self, Forms};
use crate::open::{Item, Mesh, OpenOptions, choose};
use navmap_core::bytes::Scratch;
use navmap_core::edit::ListChange;
use navmap_core::error::{Error, Result};
use navmap_core::format::NavFile;
use navmap_core::graph::FlatGraph;
use navmap_core::{Counts, Severity, Space};
use navmap_diff::{Diff, Places};
use std::collections::BTreeMap;
use std::path::Path;

/// How two files are compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompareOptions<'o> {
    /// Whether files of two families are compared by what they have in common.
    pub neutral: bool,
    /// The one space of plugins that is compared.
    pub space: Option<&'o str>,
    /// Whether lists that no graph has are compared too: encounter paths and visibility of Source.
    pub lists: bool,
    /// Whether nodes, links and marks that moved by no more than noise have moved.
    pub exact: bool,
}

/// What two files have in common, and what not.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::diff::{CompareOptions, Compared};
/// use navmap::open::OpenOptions;
///
/// let [v5, v6] = ["corpus/quake/nav3-v5.nav", "corpus/quake/nav3-v6.nav"].map(std::path::Path::new);
/// let compared = Compared::open(v5, v6, &CompareOptions::default(), &OpenOptions::new())?;
/// assert!(compared.facts.iter().any(|fact| fact.name == "version"));
/// assert!(!compared.same_bytes && compared.damage.is_empty());
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Compared {
    /// Each space of a plugin that both have, or the one mesh of other files.
    pub parts: Vec<Part>,
    /// Spaces that only one plugin has, and whether it is the one after.
    pub alone: Vec<(String, bool)>,
    /// What the heads say and how much of everything there is, where both differ.
    pub facts: Vec<Fact>,
    /// Findings by severity and code, before and after, where the numbers differ.
    pub findings: Vec<(Severity, &'static str, [u64; 2])>,
    /// How many nodes, links and marks moved by no more than noise, which is left out.
    pub noise: usize,
    /// Whether both files are the same, byte for byte.
    pub same_bytes: bool,
    /// Where a file could not be read on. It was compared up to there.
    pub damage: Vec<Error>,
}

/// One mesh of a pair of files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Part {
    /// The space of a plugin.
    pub space: Option<Space>,
    /// What the mesh is called after.
    pub title: String,
    /// Its graph before.
    pub before: FlatGraph,
    /// Its graph after.
    pub after: FlatGraph,
    /// What changed between them.
    pub diff: Diff,
    /// Ways between places that changed.
    pub places: Places,
    /// Encounter paths and visibility that changed, if every change is asked for.
    pub lists: Vec<ListChange>,
}

/// Something that a file says once, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it says: `version`.
    pub name: String,
    /// What the file before says.
    pub before: String,
    /// What the file after says.
    pub after: String,
}

impl Compared {
    /// Compares two files.
    ///
    /// # Errors
    /// If a file cannot be opened, or both are of different families and nobody asked for what they have in common.
    pub fn open(
        before: &Path,
        after: &Path,
        asked: &CompareOptions<'_>,
        options: &OpenOptions,
    ) -> Result<Self> {
        let meshes = both(before, after, options)?;
        let families = [0, 1].map(|side| meshes[side].family());
        if families[0] != families[1] && !asked.neutral {
            let why = format!(
                "is of the family {}, the other one of {}; --neutral compares what they have in common",
                families[1].name(),
                families[0].name()
            );
            return Err(Error::invalid("mesh", why).in_file(after));
        }
        let mut compared = Self {
            parts: Vec::new(),
            alone: Vec::new(),
            facts: Vec::new(),
            findings: Vec::new(),
            noise: 0,
            same_bytes: meshes[0].bytes()[..] == meshes[1].bytes()[..],
            damage: Vec::new(),
        };
        compared.graphs(&meshes, asked.space)?;
        if !asked.exact {
            for part in &mut compared.parts {
                compared.noise += part.diff.ignore_noise(&part.before, &part.after);
            }
        }
        if asked.lists && meshes[0].kind() == meshes[1].kind() && compared.damage.is_empty() {
            for part in &mut compared.parts {
                part.lists = meshes[0].nav().changed_lists(meshes[1].bytes(), &part.diff.pairs)?;
            }
        }
        if families[0] == families[1] && asked.space.is_none() {
            let mut scratch = Scratch::new();
            let told = [0, 1].map(|side| Told::read(&meshes[side], &mut scratch));
            compared.facts = facts(&told);
            compared.findings = findings(&told);
        }
        meshes.iter().try_for_each(Mesh::intact)?;
        Ok(compared)
    }

    fn graphs(&mut self, meshes: &[Mesh; 2], space: Option<&str>) -> Result<()> {
        let [mut left, mut right] = [0, 1].map(|side| meshes[side].items());
        if let Some(space) = space {
            choose(&mut left, space)?;
            choose(&mut right, space)?;
        }
        let forms = forms::forms(meshes[0].nav(), meshes[1].nav());
        if let Some(forms) = &forms {
            let spaces = right.iter_mut().filter_map(|item| item.space.as_mut());
            spaces.for_each(|space| forms::of_space(space, forms));
        }
        // One file each: the one mesh of each, whatever it is called.
        let single = left.len() == 1 && right.len() == 1;
        for item in left {
            let there = right.iter().position(|other| single || other.space == item.space);
            match there.map(|at| right.remove(at)) {
                Some(other) => self.part(item, other, forms.as_ref()),
                None => self.alone.push((name(&item), false)),
            }
        }
        self.alone.extend(right.iter().map(|item| (name(item), true)));
        Ok(())
    }

    fn part(&mut self, mut before: Item<'_>, mut after: Item<'_>, forms: Option<&Forms>) {
        let (was, is) = (before.flat_graph(), after.flat_graph());
        let (Some(was), Some(is)) = (was, is) else {
            return self.damage.extend([before.error, after.error].into_iter().flatten());
        };
        // Of a plugin it is known before its meshes are walked, and each of its spaces has it.
        for error in
            [was.error.or(before.error.take()), is.error.or(after.error.take())].into_iter().flatten()
        {
            let told = |known: &Error| known.to_string() == error.to_string();
            if !self.damage.iter().rev().take(2).any(told) {
                self.damage.push(error);
            }
        }
        // What they hold of the files is in the graphs now.
        (before.view, after.view) = (None, None);
        let (was, mut is) = (was.value, is.value);
        if let Some(forms) = forms {
            forms::of_graph(&mut is, forms);
        }
        let diff = Diff::between(&was, &is);
        let places = Places::measure(&diff, &was, &is);
        let lists = Vec::new();
        self.parts.push(Part {
            space: after.space,
            title: after.title,
            before: was,
            after: is,
            diff,
            places,
            lists,
        });
    }

    /// Whether both are one mesh. Other ids and another order of nodes do not count.
    pub fn is_same(&self) -> bool {
        self.same_bytes
            || (self.facts.is_empty()
                && self.findings.is_empty()
                && self.alone.is_empty()
                && self.damage.is_empty()
                && self.parts.iter().all(|part| part.diff.is_same())
                && !self.differs_elsewhere())
    }

    /// Whether the files differ in something that is neither node nor link, nor counted: where nodes have the same ids and
    /// nothing else is told, but the bytes differ.
    pub fn differs_elsewhere(&self) -> bool {
        !self.same_bytes
            && self.noise == 0
            // Packed nodes take more or fewer bytes when nothing is counted otherwise.
            && self.facts.iter().all(|fact| fact.name == "bytes")
            && self.alone.is_empty()
            && self.parts.iter().all(|part| part.diff.is_identical())
    }
}

/// Opens two meshes. Members of archives may take as much memory together as a member of the larger archive alone.
fn both(before: &Path, after: &Path, options: &OpenOptions) -> Result<[Mesh; 2]> {
    let first = Mesh::open_with(before, options)?;
    #[cfg(feature = "archive")]
    if first.bytes().inflated() > 0 {
        let len = |path: &Path| crate::open::on_disk(path).metadata().map_or(0, |data| data.len());
        let most = options.limits.held_of(len(before).max(len(after)));
        let left = most.saturating_sub(first.bytes().inflated()).min(options.limits.inflated_bytes);
        let limits = options.limits.with_inflated_bytes(left);
        let bytes = crate::open::Bytes::open(after, &OpenOptions { limits, ..*options })?;
        return Ok([first, Mesh::parse(bytes, options)?]);
    }
    Ok([first, Mesh::open_with(after, options)?])
}

fn name(item: &Item<'_>) -> String {
    item.space.as_ref().map_or_else(|| item.title.clone(), Space::to_string)
}

/// What is known of a file as a whole.
struct Told {
    head: Vec<(&'static str, String)>,
    counts: Counts,
    findings: BTreeMap<(Severity, &'static str), u64>,
}

impl Told {
    fn read(mesh: &Mesh, scratch: &mut Scratch) -> Self {
        let summary = mesh.summary();
        let number = |n: Option<u32>| n.map_or_else(|| "none".to_owned(), |n| n.to_string());
        let head = [
            ("game", summary.game.unwrap_or("unknown").to_owned()),
            ("version", number(summary.version)),
            ("sub-version", number(summary.subversion)),
            ("bytes", mesh.bytes().len().to_string()),
        ];
        let head = head.into_iter().chain(mesh.nav().credits()).collect();
        let mut told = Self { head, counts: Counts::default(), findings: BTreeMap::new() };
        // Where a file breaks off is said where its graph is read.
        let _ = mesh.nav().survey(scratch, &mut told.counts, &mut |_| {});
        let _ = mesh.nav().check(scratch, &mut |finding| {
            *told.findings.entry((finding.severity, finding.code)).or_default() += 1;
        });
        told
    }
}

fn facts(told: &[Told; 2]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (name, before) in &told[0].head {
        // A file of another form may not say it, or say it elsewhere.
        let after = told[1].head.iter().find(|(other, _)| other == name);
        if let Some((_, after)) = after.filter(|(_, after)| after != before) {
            facts.push(Fact { name: (*name).to_owned(), before: before.clone(), after: after.clone() });
        }
    }
    for (name, after) in told[1].counts.iter() {
        let before = told[0].counts.get(name).unwrap_or(0);
        if before != after {
            let name = name.replace('_', " ");
            facts.push(Fact { name, before: before.to_string(), after: after.to_string() });
        }
    }
    facts
}

fn findings(told: &[Told; 2]) -> Vec<(Severity, &'static str, [u64; 2])> {
    let mut both: BTreeMap<(std::cmp::Reverse<Severity>, &'static str), [u64; 2]> = BTreeMap::new();
    for (side, told) in told.iter().enumerate() {
        for ((severity, code), count) in &told.findings {
            both.entry((std::cmp::Reverse(*severity), code)).or_default()[side] = *count;
        }
    }
    both.into_iter()
        .filter(|(_, [before, after])| before != after)
        .map(|((severity, code), counts)| (severity.0, code, counts))
        .collect()
}
