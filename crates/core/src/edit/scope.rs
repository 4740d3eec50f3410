//! What a command can use besides the mesh: the selected set, its operands, and its answers.

use super::editor::{Editor, Request, SessionOptions};
use super::files::Files;
use super::journal::Remarks;
use super::refusal::Refusal;
use super::script::Word;
use super::select::{Atom, Selector};
use super::selection::Selection;
use super::work::{CHOSEN, Work};
use std::collections::HashSet;
use std::hash::Hash;

/// The selector of what a check finds, which a session does not run.
const FINDING: &str = "finding";

/// The surroundings of a command.
#[derive(Debug)]
pub struct Scope<K> {
    /// The selected set. Undoing a command also undoes its changes to the set.
    pub selection: Selection<K>,
    options: SessionOptions,
    said: Vec<String>,
    made: Vec<K>,
    given: Vec<(String, String)>,
    request: Option<Request>,
    remarks: Remarks,
    files: Option<Box<dyn Files>>,
    pub(super) work: Work,
}

impl<K: Copy + Eq + Hash> Scope<K> {
    pub(super) fn new(options: SessionOptions) -> Self {
        Self {
            selection: Selection::default(),
            options,
            said: Vec::new(),
            made: Vec::new(),
            given: Vec::new(),
            request: None,
            remarks: Remarks::default(),
            files: None,
            work: Work::default(),
        }
    }

    /// Whether to imitate the game exactly, bugs included.
    pub fn game_exact(&self) -> bool {
        self.options.game_exact
    }

    /// Answers a line.
    pub fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    /// Records an item that the command made. Call it in the order in which they are made.
    pub fn made(&mut self, key: K) {
        self.made.push(key);
    }

    /// Requests something of the session's caller.
    pub fn request(&mut self, request: Request) {
        self.request = Some(request);
    }

    /// Reads a file that an operand names, see [`Files::read`].
    ///
    /// # Errors
    /// Those of [`Files::read`], and if the session has no access to files.
    pub fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal> {
        let files = self.files.as_ref();
        files.ok_or_else(|| Refusal::new("files cannot be read here"))?.read(name, ending)
    }

    pub(super) fn read_through(&mut self, files: Box<dyn Files>) {
        self.files = Some(files);
    }

    /// The item of an operand that is a bare id.
    ///
    /// # Errors
    /// If there is none.
    pub fn find<E>(&mut self, editor: &E, space: &str, id: &str) -> Result<K, Refusal>
    where
        E: Editor<Key = K>,
    {
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
    pub fn select<E>(&mut self, editor: &E, word: &Word<'_>) -> Result<Vec<K>, Refusal>
    where
        E: Editor<Key = K>,
    {
        let selector = Selector::parse(word)?;
        self.evaluate(editor, &selector).map_err(|refusal| refusal.at(word.at))
    }

    /// The one item that a word selects.
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and if the word selects no item or several.
    pub fn one<E>(&mut self, editor: &E, word: &Word<'_>) -> Result<K, Refusal>
    where
        E: Editor<Key = K>,
    {
        match self.select(editor, word)?.as_slice() {
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
    pub fn evaluate<E>(&mut self, editor: &E, selector: &Selector<'_>) -> Result<Vec<K>, Refusal>
    where
        E: Editor<Key = K>,
    {
        let mut items = match selector {
            Selector::Atom(atom @ Atom::Id { space, id }) => match self.find(editor, space, id) {
                Ok(key) => vec![key],
                // An id may be that of several items: the triangles of a navmesh.
                Err(refusal) => editor.select(atom, self).map_err(|_| refusal)?,
            },
            Selector::Atom(Atom::Name { name, arguments }) if name.eq_ignore_ascii_case("ids") => {
                self.ids(editor, arguments)?
            }
            Selector::Atom(Atom::Name { name: "sel", arguments }) if arguments.is_empty() => {
                self.selection.items().to_vec()
            }
            Selector::Atom(Atom::Name { name: "all", arguments }) if arguments.is_empty() => editor.all(),
            Selector::Atom(Atom::Name { name, .. }) if name.eq_ignore_ascii_case(FINDING) => {
                let why = "is for `navmap show` and `navmap draw --around`, which check the mesh; here ids(1,2,5-9) takes their ids";
                return Err(Refusal::new(format!("{FINDING}(code) {why}")));
            }
            Selector::Atom(atom) => {
                // An editor that does not count has compared the atom with every item.
                if editor.looked_at().is_none() {
                    let all = self.work.items(editor);
                    self.work.spend(all, editor)?;
                }
                editor.select(atom, self)?
            }
            Selector::Union(left, right) => {
                let mut items = self.evaluate(editor, left)?;
                items.extend(self.evaluate(editor, right)?);
                items
            }
            Selector::Without(left, right) => {
                if let Some([first, last]) = as_range(left, right) {
                    self.say(format!(
                        "#{first}-#{last} is #{first} without #{last}; the range is ids({first}-{last})"
                    ));
                }
                let out: HashSet<K> = self.evaluate(editor, right)?.into_iter().collect();
                let mut items = self.evaluate(editor, left)?;
                items.retain(|item| !out.contains(item));
                items
            }
            Selector::Both(left, right) => {
                let both: HashSet<K> = self.evaluate(editor, right)?.into_iter().collect();
                let mut items = self.evaluate(editor, left)?;
                items.retain(|item| both.contains(item));
                items
            }
            Selector::Not(inner) => {
                let out: HashSet<K> = self.evaluate(editor, inner)?.into_iter().collect();
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
    fn ids<E>(&mut self, editor: &E, arguments: &[&str]) -> Result<Vec<K>, Refusal>
    where
        E: Editor<Key = K>,
    {
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
                    let mut within: Vec<(usize, K)> =
                        within.iter().map(|&(_, at, item)| (at, item)).collect();
                    within.sort_unstable_by_key(|item| item.0);
                    items.extend(within.into_iter().map(|(_, item)| item).filter(|item| seen.insert(*item)));
                }
            }
        }
        Ok(items)
    }

    /// All items whose names are bare ids, each with its id and its place in the mesh, in the order of the ids.
    fn by_id<E>(&mut self, editor: &E) -> Result<Vec<(u32, usize, K)>, Refusal>
    where
        E: Editor<Key = K>,
    {
        let all = self.work.items(editor);
        self.work.spend(all, editor)?;
        let id = |(at, item)| {
            let id = editor.name(item).strip_prefix('#')?.parse().ok()?;
            Some((id, at, item))
        };
        let mut items: Vec<(u32, usize, K)> = editor.all().into_iter().enumerate().filter_map(id).collect();
        items.sort_unstable_by_key(|item| (item.0, item.1));
        Ok(items)
    }

    /// Begins a new statement, with a journal's remarks about it.
    pub(super) fn begin(&mut self, remarks: &[&str]) {
        self.said.clear();
        self.made.clear();
        self.given.clear();
        self.request = None;
        self.remarks.next(remarks);
    }

    pub(super) fn remember(&mut self, remarks: Remarks) {
        self.remarks = remarks;
    }

    pub(super) fn renamed(&mut self, made: &[String]) {
        self.remarks.made(made);
    }

    pub(super) fn take_given(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.given)
    }

    pub(super) fn take_made(&mut self) -> Vec<K> {
        std::mem::take(&mut self.made)
    }

    pub(super) fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    pub(super) fn take_request(&mut self) -> Option<Request> {
        self.request.take()
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
