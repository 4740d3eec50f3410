//! What turns one version of a mesh into another, as commands that a family spells.

use std::collections::BTreeMap;
use std::fmt;

/// An item as a script names it: `#12`, `L#3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The space of ids: letters before the `#`.
    pub space: &'static str,
    /// The id.
    pub id: u32,
}

impl Name {
    /// An item of the first space: `#12`.
    pub const fn new(id: u32) -> Self {
        Self { space: "", id }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.space, self.id)
    }
}

/// A value of an item or of a link, as a script spells it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Numbers and words.
    Text(String),
    /// Other items, in an order that means something.
    Items(Vec<Name>),
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

/// Writes values as words of a command: ` key=value`, in quotes where a blank would end the word.
///
/// # Errors
/// Those of the formatter.
pub fn spell_values(values: &Values, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    values.iter().try_for_each(|(key, value)| {
        let value = value.to_string();
        match value.is_empty() || value.contains([' ', ';', '(', ')']) || value.contains("//") {
            true => write!(f, " \"{key}={value}\""),
            false => write!(f, " {key}={value}"),
        }
    })
}

/// Which link from one item to another: the side that it passes, or its number among links to the same item.
pub type Way = u8;

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The item that it is about.
    pub item: Name,
    /// What it does to the item.
    pub deed: Deed,
}

/// What a command does to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Removes it, and the links that lead to it.
    Delete,
    /// Makes it, with these values.
    Add(Values),
    /// Sets these values.
    Set(Values),
    /// Removes a link to another item.
    Unlink(Way, Name),
    /// Adds a link to another item, with these values.
    Link(Way, Name, Values),
    /// Sets these values of a link.
    Relink(Way, Name, Values),
    /// A command of the family that does more than one of these, as text.
    Command(String),
}

/// How a family spells a command.
pub type Spelling = fn(&Step, &mut fmt::Formatter<'_>) -> fmt::Result;

/// What turns one version of a mesh into another. Its [`Display`](fmt::Display) is a script for
/// [`Session::script`](super::Session::script), a line for each step.
#[derive(Debug, Clone)]
pub struct Changes {
    /// The commands, in the order in which they are run. Items have the ids of the mesh before.
    pub steps: Vec<Step>,
    /// What no command can reach, in words: `visibility of 12 areas`.
    pub unreached: Vec<String>,
    spelling: Spelling,
}

impl Changes {
    /// These commands, spelled in this way.
    pub fn new(steps: Vec<Step>, unreached: Vec<String>, spelling: Spelling) -> Self {
        Self { steps, unreached, spelling }
    }

    /// Other commands, spelled in the same way.
    #[must_use]
    pub(super) fn with_steps(&self, steps: Vec<Step>) -> Self {
        Self { steps, unreached: self.unreached.clone(), spelling: self.spelling }
    }

    /// Whether there is nothing to do, and nothing that could not be done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.unreached.is_empty()
    }

    /// The commands with items called as `rename` says, which gives the id of another version for that of the mesh
    /// before. Text inside of values is not looked at.
    #[must_use]
    pub fn renamed(&self, rename: impl Fn(Name) -> Name) -> Self {
        let values = |values: &Values| -> Values {
            let value = |value: &Value| match value {
                Value::Text(text) => Value::Text(text.clone()),
                Value::Items(items) => Value::Items(items.iter().map(|item| rename(*item)).collect()),
            };
            values.iter().map(|(key, old)| (*key, value(old))).collect()
        };
        let step = |step: &Step| Step {
            item: rename(step.item),
            deed: match &step.deed {
                Deed::Delete => Deed::Delete,
                Deed::Add(all) => Deed::Add(values(all)),
                Deed::Set(some) => Deed::Set(values(some)),
                Deed::Unlink(way, to) => Deed::Unlink(*way, rename(*to)),
                Deed::Link(way, to, all) => Deed::Link(*way, rename(*to), values(all)),
                Deed::Relink(way, to, some) => Deed::Relink(*way, rename(*to), values(some)),
                Deed::Command(text) => Deed::Command(text.clone()),
            },
        };
        self.with_steps(self.steps.iter().map(step).collect())
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

/// Counts what no command reaches, by kind.
#[derive(Debug, Default)]
pub struct Unreached(BTreeMap<&'static str, u64>);

impl Unreached {
    /// Notes one more of a kind, if it differs.
    pub fn note(&mut self, what: &'static str, differs: bool) {
        if differs {
            let count = self.0.entry(what).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Each kind in words. Kinds that `whole` names concern the mesh as a whole and are not counted.
    pub fn words(&self, [one, many]: [&str; 2], whole: &[&str]) -> Vec<String> {
        let words = |(what, count): (&&str, &u64)| match whole.contains(what) {
            true => (*what).to_owned(),
            false => format!("{what} of {}", crate::text::counted(*count, one, many)),
        };
        self.0.iter().map(words).collect()
    }
}

/// What the commands call the items of the mesh after: as `kept` says where both have one, else by their own id if it is
/// free and `allowed`, else by a new one. `known` are the ids of the mesh before, `after` those of the mesh after.
pub fn names(
    kept: impl IntoIterator<Item = (u32, u32)>,
    known: impl IntoIterator<Item = u32>,
    after: impl IntoIterator<Item = u32> + Clone,
    allowed: impl Fn(u32) -> bool,
) -> BTreeMap<u32, u32> {
    let mut names: BTreeMap<u32, u32> = kept.into_iter().map(|(before, after)| (after, before)).collect();
    let mut taken: std::collections::BTreeSet<u32> = names.values().copied().collect();
    let highest = known.into_iter().chain(after.clone()).filter(|id| *id != u32::MAX).max();
    let mut next = highest.unwrap_or(0);
    for id in after {
        if names.contains_key(&id) {
            continue;
        }
        let name = match allowed(id) && !taken.contains(&id) {
            true => id,
            false => {
                next = next.saturating_add(1);
                next
            }
        };
        taken.insert(name);
        names.insert(id, name);
    }
    names
}
