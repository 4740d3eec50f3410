//! What a family implements so that its meshes can be edited, and what a session needs.

use super::command::{Command, Verb};
use super::key::AnyKey;
use super::outcome::{Fix, Role};
use super::refusal::Refusal;
use super::report::Report;
use super::scope::Scope;
use super::select::Atom;
use crate::error::Result as MeshResult;
use std::fmt::Debug;

/// What applies a verb to an editor.
pub type Apply<E> =
    fn(&mut E, &mut Command<'_>, &mut Scope<<E as Editor>::Key>) -> std::result::Result<(), Refusal>;

/// What a family implements over its owned mesh, so that it can be edited.
///
/// The session parses scripts, resolves operands, keeps the selected set, groups and journals what was done, and undoes
/// it. The family lists its verbs, each with the function that applies it. It notes what it overwrites. After each command
/// the session takes that note, and gives it back to undo or redo the command.
pub trait Editor: Sized + 'static {
    /// Names one item for as long as it exists, even over undo and redo. So it is a slot, and not a position that
    /// shifts. A session knows it as an [`AnyKey`], of which it is made again.
    type Key: Copy + PartialEq + Debug + From<AnyKey> + Into<AnyKey>;
    /// The values that one command overwrote. Its size is proportional to the change, not to the mesh.
    type Change: Debug + Send + 'static;

    /// The verbs of the family, each with what applies it, without those that all families have (`undo`, `redo`, `begin`,
    /// `end`, `select`, `status`, `help`).
    const VERBS: &'static [(Verb, Apply<Self>)];

    /// Applies a command by the function of its row. A family that has something to do before or after every command does
    /// it here.
    ///
    /// # Errors
    /// If the command is refused. The session undoes what was changed before the refusal.
    fn apply(
        &mut self,
        apply: Apply<Self>,
        command: &mut Command<'_>,
        scope: &mut Scope<Self::Key>,
    ) -> Result<(), Refusal> {
        apply(self, command, scope)
    }

    /// Takes the values overwritten since the last call; `None` if there are none.
    fn take_change(&mut self) -> Option<Self::Change>;

    /// About how many values of sixteen bytes a change holds. A session limits the sum of what it [keeps](super::MOST_KEPT).
    fn weight(change: &Self::Change) -> u64 {
        let _ = change;
        1
    }

    /// Sets how many such values the next command may overwrite: as many as the session may still keep. Once it has overwritten more,
    /// what it would still do is done no more, or in vain, and [`is_full`](Self::is_full) tells. An editor that knows no such end may
    /// hold very much until its command is refused.
    fn allow(&mut self, values: u64) {
        let _ = values;
    }

    /// Whether the command has overwritten more than that. The session then undoes and refuses it.
    fn is_full(&self) -> bool {
        false
    }

    /// How many items the commands so far have looked at besides those that a selector named; `None` if the editor does not count,
    /// and a name or a point of a selector is compared with every item. A session limits what one script
    /// [looks at](super::MOST_LOOKED_AT).
    fn looked_at(&self) -> Option<u64> {
        None
    }

    /// How many items there are. A session asks for this before each command of an editor that counts what it looks at.
    fn count(&self) -> usize {
        self.all().len()
    }

    /// Sets how many the next command may look at: as many as the script may still. An editor that counts refuses it once it has
    /// looked at more, wherever it would else go on for long. The session says how many are allowed.
    fn bound(&mut self, items: u64) {
        let _ = items;
    }

    /// Swaps current and overwritten values. Two calls change nothing.
    fn swap(&mut self, change: &mut Self::Change);

    /// The names that its selectors know, besides the common ones: `box(x0,y0,z0,x1,y1,z1)`, each with what it selects.
    const SELECTORS: &'static [(&'static str, &'static str)] = &[];

    /// Every item that the selector `all` selects, in mesh order.
    fn all(&self) -> Vec<Self::Key>;

    /// The item with an id in a space of ids: `("", "12")` for `#12`, `("L", "3")` for `L#3`.
    fn find(&self, space: &str, id: &str) -> Option<Self::Key>;

    /// The spelling that [`find`](Self::find) understands: `#12`.
    fn name(&self, key: Self::Key) -> String;

    /// The shape of an item as text. A journal uses it to find the item on a mesh where the id is gone.
    fn footprint(&self, key: Self::Key) -> Option<String>;

    /// The item with exactly this footprint.
    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Self::Key>;

    /// The items that a name or a point of a selector selects.
    ///
    /// # Errors
    /// If there is no such name, its arguments are wrong, or there is nothing at the point.
    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Self::Key>, Refusal>;

    /// Possible words at a place of a command, for completion. May be empty.
    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let _ = (verb, place);
        Vec::new()
    }

    /// The findings of a check that a command mends, in the order in which the commands should run.
    fn fixes() -> &'static [Fix] {
        &[]
    }

    /// The file in its current state, as it would be written.
    ///
    /// # Errors
    /// If the mesh does not fit its format.
    fn encode(&self) -> MeshResult<Vec<u8>>;

    /// Further files of the mesh that have changed since they were opened: their positions among the files that the editor was
    /// given, and their current bytes. Most meshes are one file.
    ///
    /// # Errors
    /// If one of them does not fit its format.
    fn further(&self) -> MeshResult<Vec<(usize, Vec<u8>)>> {
        Ok(Vec::new())
    }

    /// The differences from the opened mesh.
    fn report(&self) -> Report;
}
