//! What a command can use besides the mesh: the selected set, its operands, and its answers.

use super::items::Items;
use super::key::AnyKey;
use super::outcome::Request;
use super::refusal::Refusal;
use super::script::Word;
use super::selection::{Chosen, Selection};
use super::setting::Setting;
use super::work::CHOSEN;

/// The surroundings of a command.
#[derive(Debug)]
pub struct Scope<K> {
    /// The selected set. Undoing a command also undoes its changes to the set.
    pub selection: Selection<K>,
    setting: Setting,
}

impl<K: Copy + From<AnyKey> + Into<AnyKey>> Scope<K> {
    pub(super) fn new(chosen: Chosen, setting: Setting) -> Self {
        Self { selection: Selection::new(chosen), setting }
    }

    /// What is selected, and the setting, which has counted what the command had listed of it.
    pub(super) fn into_parts(mut self) -> (Chosen, Setting) {
        self.setting.work.owe(CHOSEN.saturating_mul(self.selection.listed()));
        (self.selection.into_chosen(), self.setting)
    }

    /// Whether to imitate the game exactly, bugs included.
    pub fn game_exact(&self) -> bool {
        self.setting.options.game_exact
    }

    /// Answers a line.
    pub fn say(&mut self, line: impl Into<String>) {
        self.setting.said.push(line.into());
    }

    /// Records an item that the command made. Call it in the order in which they are made.
    pub fn made(&mut self, key: K) {
        self.setting.made.push(key.into());
    }

    /// Requests something of the session's caller.
    pub fn request(&mut self, request: Request) {
        self.setting.request = Some(request);
    }

    /// Reads a file that an operand names, see [`Files::read`](super::Files::read).
    ///
    /// # Errors
    /// Those of [`Files::read`](super::Files::read), and if the session has no access to files.
    pub fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal> {
        let files = self.setting.files.as_ref();
        files.ok_or_else(|| Refusal::new("files cannot be read here"))?.read(name, ending)
    }

    /// Counts items that the command looks at besides those that its selectors name, for an editor that does not count by itself.
    ///
    /// # Errors
    /// If these are more than a script may look at.
    pub fn look(&mut self, items: u64, editor: &dyn Items) -> Result<(), Refusal> {
        self.setting.work.spend(items, editor)
    }

    /// The item of an operand that is a bare id.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&mut self, editor: &dyn Items, space: &str, id: &str) -> Result<K, Refusal> {
        self.setting.find(editor, space, id).map(K::from)
    }

    /// The items that a word selects, each once, in the order of the expression.
    ///
    /// # Errors
    /// If the word is not a selector, or names something that does not exist.
    pub fn select(&mut self, editor: &dyn Items, word: &Word<'_>) -> Result<Vec<K>, Refusal> {
        let items = self.setting.select(editor, self.selection.chosen(), word)?;
        Ok(items.into_iter().map(K::from).collect())
    }

    /// The one item that a word selects.
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and if the word selects no item or several.
    pub fn one(&mut self, editor: &dyn Items, word: &Word<'_>) -> Result<K, Refusal> {
        self.setting.one(editor, self.selection.chosen(), word).map(K::from)
    }
}
