//! What a command can use besides the mesh and the selected set, of an editor of any family: operands, answers, files, limits.

use super::files::Files;
use super::items::Items;
use super::key::AnyKey;
use super::outcome::{Request, SessionOptions};
use super::refusal::{Cause, Refusal};
use super::remarks::Remarks;
use super::script::Word;
use super::select::{Atom, Selector};
use super::selection::Chosen;
use super::work::{ATOM, CHOSEN, Work};
use std::collections::HashSet;

/// The selector of what a check finds, which a session does not run.
const FINDING: &str = "finding";

/// The surroundings of a command.
#[derive(Debug, Default)]
pub(super) struct Setting {
    pub(super) options: SessionOptions,
    pub(super) said: Vec<String>,
    pub(super) made: Vec<AnyKey>,
    pub(super) given: Vec<(String, String)>,
    pub(super) request: Option<Request>,
    pub(super) remarks: Remarks,
    pub(super) files: Option<Box<dyn Files>>,
    pub(super) work: Work,
}

impl Setting {
    /// The item of an operand that is a bare id.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn find(&mut self, editor: &dyn Items, space: &str, id: &str) -> Result<AnyKey, Refusal> {
        let name = format!("{space}#{id}");
        let found = match self.remarks.now(&name) {
            // An item made by a replayed journal has the id that it got this time.
            Some((space, id)) => editor.find(space, id),
            None => editor.find(space, id),
        };
        let found = found.or_else(|| editor.find_footprint(space, self.remarks.footprint(&name)?));
        let key = found.ok_or_else(|| Refusal::new(format!("there is no {name}")))?;
        if self.options.journal
            && let Some(footprint) = editor.footprint(key)
        {
            self.given.push((editor.name(key), footprint));
        }
        Ok(key)
    }

    /// The items that a word selects, each once, in the order of the expression.
    ///
    /// # Errors
    /// If the word is not a selector, or names something that does not exist.
    pub(super) fn select(
        &mut self,
        editor: &dyn Items,
        chosen: &Chosen,
        word: &Word<'_>,
    ) -> Result<Vec<AnyKey>, Refusal> {
        let selector = Selector::parse(word)?;
        self.evaluate(editor, chosen, &selector).map_err(|refusal| refusal.at(word.at))
    }

    /// The one item that a word selects.
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and if the word selects no item or several.
    pub(super) fn one(
        &mut self,
        editor: &dyn Items,
        chosen: &Chosen,
        word: &Word<'_>,
    ) -> Result<AnyKey, Refusal> {
        match self.select(editor, chosen, word)?.as_slice() {
            [one] => Ok(*one),
            items => {
                let why = format!("{} names {} where one was expected", word.text, items.len());
                Err(Refusal::new(why).at(word.at))
            }
        }
    }

    /// The items that a parsed selector selects.
    ///
    /// # Errors
    /// If it names something that does not exist.
    fn evaluate(
        &mut self,
        editor: &dyn Items,
        chosen: &Chosen,
        selector: &Selector<'_>,
    ) -> Result<Vec<AnyKey>, Refusal> {
        let mut items = match selector {
            Selector::Atom(atom @ Atom::Id { space, id }) => match self.find(editor, space, id) {
                Ok(key) => vec![key],
                // An id may be that of several items: the triangles of a navmesh. An editor may also know whose id it is.
                Err(refusal) => editor.select(atom).map_err(|own| {
                    if own.why().starts_with(&format!("{space}#{id} ")) { own } else { refusal }
                })?,
            },
            Selector::Atom(Atom::Name { name, arguments }) if name.eq_ignore_ascii_case("ids") => {
                self.ids(editor, arguments)?
            }
            Selector::Atom(Atom::Name { name, arguments })
                if arguments.is_empty() && name.eq_ignore_ascii_case("sel") =>
            {
                chosen.order.clone()
            }
            Selector::Atom(Atom::Name { name, arguments })
                if arguments.is_empty() && name.eq_ignore_ascii_case("all") =>
            {
                editor.all()
            }
            Selector::Atom(Atom::Name { name, .. }) if name.eq_ignore_ascii_case(FINDING) => {
                let why = "is for `navmap show` and `navmap draw --around`, which check the mesh; here ids(1,2,5-9) takes their ids";
                return Err(Refusal::new(format!("{FINDING}(code) {why}")).because(Cause::NeedsCheck));
            }
            Selector::Atom(atom) => {
                // An editor that does not count has compared the atom with every item.
                if editor.looked_at().is_none() {
                    let all = self.work.items(editor);
                    self.work.spend(ATOM.saturating_mul(all), editor)?;
                }
                editor.select(atom)?
            }
            Selector::Union(left, right) => {
                let mut items = self.evaluate(editor, chosen, left)?;
                items.extend(self.evaluate(editor, chosen, right)?);
                items
            }
            Selector::Without(left, right) => {
                if let Some([first, last]) = as_range(left, right) {
                    self.said.push(format!(
                        "#{first}-#{last} is #{first} without #{last}; the range is ids({first}-{last})"
                    ));
                }
                let out: HashSet<AnyKey> = self.evaluate(editor, chosen, right)?.into_iter().collect();
                let mut items = self.evaluate(editor, chosen, left)?;
                items.retain(|item| !out.contains(item));
                items
            }
            Selector::Both(left, right) => {
                let both: HashSet<AnyKey> = self.evaluate(editor, chosen, right)?.into_iter().collect();
                let mut items = self.evaluate(editor, chosen, left)?;
                items.retain(|item| both.contains(item));
                items
            }
            Selector::Not(inner) => {
                let out: HashSet<AnyKey> = self.evaluate(editor, chosen, inner)?.into_iter().collect();
                let mut items = editor.all();
                items.retain(|item| !out.contains(item));
                items
            }
        };
        if items.len() > 1 {
            self.work.spend(CHOSEN.saturating_mul(items.len() as u64), editor)?;
            let mut seen = HashSet::with_capacity(items.len());
            items.retain(|item| seen.insert(*item));
        }
        Ok(items)
    }

    /// The items of `ids(1,2,5-9)`. Of a range, only those that exist.
    fn ids(&mut self, editor: &dyn Items, arguments: &[&str]) -> Result<Vec<AnyKey>, Refusal> {
        let (mut items, mut seen) = (Vec::new(), HashSet::new());
        let mut sorted = None;
        for argument in arguments {
            let range = argument.split_once('-');
            let range = range
                .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse::<u32>().ok()?)));
            match range {
                None => {
                    let item = self.find(editor, "", argument)?;
                    items.extend(seen.insert(item).then_some(item));
                }
                Some((low, high)) if low > high => {
                    return Err(Refusal::new(format!("{argument} is a range that ends before it begins")));
                }
                Some((low, high)) => {
                    // Searches the existing items instead of every number in between, since a range may be wide.
                    let sorted = match &mut sorted {
                        Some(sorted) => sorted,
                        none => none.insert(self.by_id(editor)?),
                    };
                    let from = sorted.partition_point(|item| item.0 < low);
                    let to = sorted.partition_point(|item| item.0 <= high);
                    let within = sorted.get(from..to).unwrap_or_default();
                    self.work.spend(CHOSEN.saturating_mul(within.len() as u64), editor)?;
                    let mut within: Vec<(usize, AnyKey)> =
                        within.iter().map(|&(_, at, item)| (at, item)).collect();
                    within.sort_unstable_by_key(|item| item.0);
                    items.extend(within.into_iter().map(|(_, item)| item).filter(|item| seen.insert(*item)));
                }
            }
        }
        Ok(items)
    }

    /// All items whose names are bare ids, each with its id and its place in the mesh, in the order of the ids.
    fn by_id(&mut self, editor: &dyn Items) -> Result<Vec<(u32, usize, AnyKey)>, Refusal> {
        let all = self.work.items(editor);
        self.work.spend(CHOSEN.saturating_mul(all), editor)?;
        let id = |(at, item)| {
            let id = editor.name(item).strip_prefix('#')?.parse().ok()?;
            Some((id, at, item))
        };
        let mut items: Vec<(u32, usize, AnyKey)> =
            editor.all().into_iter().enumerate().filter_map(id).collect();
        items.sort_unstable_by_key(|item| (item.0, item.1));
        Ok(items)
    }

    /// Begins a new statement, with a journal's remarks about it.
    pub(super) fn begin(&mut self, remarks: &[&str]) {
        self.clear();
        self.remarks.next(remarks);
    }

    /// Takes back what a command has said.
    pub(super) fn clear(&mut self) {
        self.said.clear();
        self.made.clear();
        self.given.clear();
        self.request = None;
    }
}

/// The ids of `#1-#20`, by which people mean a range.
fn as_range<'s>(left: &Selector<'s>, right: &Selector<'s>) -> Option<[&'s str; 2]> {
    let number = |selector: &Selector<'s>| match *selector {
        Selector::Atom(Atom::Id { space: "", id }) => Some((id.parse::<u64>().ok()?, id)),
        _ => None,
    };
    let ((low, first), (high, last)) = number(left).zip(number(right))?;
    (low < high).then_some([first, last])
}
