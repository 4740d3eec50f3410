//! The difference of two versions of a mesh, as commands in a family's spelling.

use std::collections::BTreeMap;
use std::fmt;

/// An item as a script names it: `#12`, `L#3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The space of ids: the letters before the `#`.
    pub space: &'static str,
    /// The id.
    pub id: u64,
}

impl Name {
    /// An item of the first space: `#12`.
    pub const fn new(id: u32) -> Self {
        Self::wide(id as u64)
    }

    /// An item of the first space, in a family whose ids have more than 32 bits.
    pub const fn wide(id: u64) -> Self {
        Self { space: "", id }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.space, self.id)
    }
}

/// A value of an item or of a link, in a script's spelling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Numbers and words.
    Text(String),
    /// Other items, in a significant order.
    Items(Vec<Name>),
}

impl Value {
    /// The items that it names.
    pub(super) fn items(&self) -> &[Name] {
        match self {
            Self::Text(_) => &[],
            Self::Items(items) => items,
        }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Items(items) if items.is_empty() => f.write_str("none"),
            Self::Items(items) => items.iter().enumerate().try_for_each(|(at, item)| {
                let comma = if at == 0 { "" } else { "," };
                write!(f, "{comma}{item}")
            }),
        }
    }
}

/// Values by their keys.
pub type Values = BTreeMap<&'static str, Value>;

/// Writes values as words of a command: ` key=value`, quoted if something in them would end the word.
///
/// # Errors
/// Those of the formatter.
pub fn spell_values(values: &Values, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    values.iter().try_for_each(|(key, value)| {
        let value = value.to_string();
        let ends = |letter: char| letter.is_whitespace() || [';', '(', ')'].contains(&letter);
        match value.is_empty() || value.contains(ends) || value.contains("//") {
            true => write!(f, " \"{key}={value}\""),
            false => write!(f, " {key}={value}"),
        }
    })
}

/// Distinguishes links between two items: the side crossed, or the number among links to the same item.
pub type Way = u8;

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The item that the step changes.
    pub item: Name,
    /// The change to the item.
    pub deed: Deed,
}

/// The commands of a difference by what they do.
#[derive(Debug, Default)]
pub struct Steps {
    /// Items that go.
    pub gone: Vec<Step>,
    /// Items that come.
    pub made: Vec<Step>,
    /// Values of items that stay.
    pub sets: Vec<Step>,
    /// Links that have other values, named by numbers that those lose which come after one that goes.
    pub relinks: Vec<Step>,
    /// Links that go.
    pub unlinks: Vec<Step>,
    /// Links that come, or have other values.
    pub links: Vec<Step>,
}

impl Steps {
    /// All of them, in an order in which each finds the items that it names.
    pub fn in_order(self) -> Vec<Step> {
        in_order([self.gone, self.made, self.sets, self.relinks, self.unlinks, self.links])
    }
}

/// One list of all, without copies of them.
#[doc(hidden)]
pub fn in_order<const N: usize>(lists: [Vec<Step>; N]) -> Vec<Step> {
    let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    lists.into_iter().for_each(|mut list| all.append(&mut list));
    all
}

impl Step {
    /// The step with items called as `rename` says.
    pub(super) fn renamed(&self, rename: &impl Fn(Name) -> Name) -> Self {
        let values = |values: &Values| -> Values {
            let value = |value: &Value| match value {
                Value::Text(text) => Value::Text(text.clone()),
                Value::Items(items) => Value::Items(items.iter().map(|item| rename(*item)).collect()),
            };
            values.iter().map(|(key, old)| (*key, value(old))).collect()
        };
        let deed = match &self.deed {
            Deed::Delete => Deed::Delete,
            Deed::Add(all) => Deed::Add(values(all)),
            Deed::Set(some) => Deed::Set(values(some)),
            Deed::Unlink(way, to) => Deed::Unlink(*way, rename(*to)),
            Deed::Link(way, to, all) => Deed::Link(*way, rename(*to), values(all)),
            Deed::Relink(way, to, some) => Deed::Relink(*way, rename(*to), values(some)),
            Deed::Command(text) => Deed::Command(text.clone()),
        };
        Self { item: rename(self.item), deed }
    }
}

/// What a command does to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Removes the item, and the links that lead to it.
    Delete,
    /// Makes the item, with these values.
    Add(Values),
    /// Sets these values.
    Set(Values),
    /// Removes a link to another item.
    Unlink(Way, Name),
    /// Adds a link to another item, with these values.
    Link(Way, Name, Values),
    /// Sets these values of a link.
    Relink(Way, Name, Values),
    /// A command of the family that combines several of these, as text.
    Command(String),
}

/// How many names one command has that a person may read.
#[doc(hidden)]
pub const MOST_NAMES: usize = 24;

/// The spelling of a family whose steps are all commands as text.
///
/// # Errors
/// Those of the formatter.
#[doc(hidden)]
pub fn spell_commands(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &step.deed {
        Deed::Command(text) => f.write_str(text),
        _ => Ok(()),
    }
}

/// How a family spells a command.
pub type Spelling = fn(&Step, &mut fmt::Formatter<'_>) -> fmt::Result;

/// The difference of two versions of a mesh. Its [`Display`](fmt::Display) is a script for
/// [`Session::script`](super::Session::script), one line per step.
#[derive(Debug, Clone)]
pub struct Changes {
    /// The commands, in execution order. Items have the ids of the old mesh.
    pub steps: Vec<Step>,
    /// Differences that no command can make, in words: `visibility of 12 areas`.
    pub unreached: Vec<String>,
    spelling: Spelling,
}

impl Changes {
    /// Changes with these commands in this spelling.
    pub fn new(steps: Vec<Step>, unreached: Vec<String>, spelling: Spelling) -> Self {
        Self { steps, unreached, spelling }
    }

    /// Changes with other commands in the same spelling.
    #[must_use]
    pub(super) fn with_steps(&self, steps: Vec<Step>) -> Self {
        Self { steps, unreached: self.unreached.clone(), spelling: self.spelling }
    }

    /// Whether the meshes are equal: nothing to do, and nothing unreachable.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.unreached.is_empty()
    }

    /// The commands with items renamed by `rename`, which maps ids of the old mesh to those of another version. Text inside
    /// values is not changed.
    #[must_use]
    pub fn renamed(&self, rename: impl Fn(Name) -> Name) -> Self {
        self.with_steps(self.steps.iter().map(|step| step.renamed(&rename)).collect())
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| {
            (self.spelling)(step, f)?;
            writeln!(f)
        })
    }
}

/// Counts the differences that no command can make, by kind.
#[derive(Debug, Default)]
pub struct Unreached(BTreeMap<&'static str, u64>);

impl Unreached {
    /// Counts one more of a kind, if it differs.
    pub fn note(&mut self, what: &'static str, differs: bool) {
        if differs {
            let count = self.0.entry(what).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Each kind in words. Kinds in `whole` concern the mesh as a whole and get no count.
    pub fn words(&self, [one, many]: [&str; 2], whole: &[&str]) -> Vec<String> {
        let words = |(what, count): (&&str, &u64)| match whole.contains(what) {
            true => (*what).to_owned(),
            false => format!("{what} of {}", crate::text::counted(*count, one, many)),
        };
        self.0.iter().map(words).collect()
    }
}

/// Names for the items of the new mesh: that of `kept` if both meshes have the item, else its own id if it is free and `allowed`,
/// else a new one: the next above all ids, or the lowest free one if those are used up. `known` are the ids of the old mesh, `after` those of the new.
pub fn names(
    kept: impl IntoIterator<Item = (u32, u32)>,
    known: impl IntoIterator<Item = u32>,
    after: impl IntoIterator<Item = u32> + Clone,
    allowed: impl Fn(u32) -> bool,
) -> BTreeMap<u32, u32> {
    let known: Vec<u32> = known.into_iter().collect();
    let mut names: BTreeMap<u32, u32> = kept.into_iter().map(|(before, after)| (after, before)).collect();
    let mut taken: std::collections::BTreeSet<u32> = names.values().copied().collect();
    let highest = known.iter().copied().chain(after.clone()).filter(|id| *id != u32::MAX).max();
    let mut next = highest.unwrap_or(0);
    // The ids of both meshes, and the first number that may be none of them, once no number is left above.
    let (mut used, mut low) = (None, 0);
    for id in after.clone() {
        if names.contains_key(&id) {
            continue;
        }
        let name = if allowed(id) && !taken.contains(&id) {
            id
        } else if next < u32::MAX.saturating_sub(1) {
            next = next.saturating_add(1);
            next
        } else {
            let all = || known.iter().copied().chain(after.clone()).collect();
            let used: &std::collections::BTreeSet<u32> = used.get_or_insert_with(all);
            let is_free = |id: &u32| allowed(*id) && !used.contains(id) && !taken.contains(id);
            low = (low..u32::MAX).find(is_free).unwrap_or(u32::MAX);
            low
        };
        taken.insert(name);
        names.insert(id, name);
    }
    names
}
