//! Editors without their family, so that what knows no family is compiled once and not for each of them.

use super::command::{Command, Verb};
use super::editor::Editor;
use super::items::Items;
use super::key::AnyKey;
use super::outcome::Role;
use super::refusal::Refusal;
use super::report::Report;
use super::scope::Scope;
use super::select::Atom;
use super::selection::Chosen;
use super::setting::Setting;
use crate::error::Result as MeshResult;
use std::any::Any;
use std::fmt::Debug;
use std::mem::take;

/// The values that one command overwrote, of any editor.
pub(super) trait AnyChange: Any + Debug + Send {}

impl<C: Any + Debug + Send> AnyChange for C {}

/// What a session asks of an editor: as [`Editor`], with every verb by its row.
pub(super) trait AnyEditor: Items {
    fn verb(&self, row: usize) -> Option<&'static Verb>;
    fn selectors(&self) -> &'static [(&'static str, &'static str)];
    fn apply(
        &mut self,
        row: usize,
        command: &mut Command<'_>,
        chosen: &mut Chosen,
        setting: &mut Setting,
    ) -> Result<(), Refusal>;
    fn allow(&mut self, values: u64);
    fn bound(&mut self, items: u64);
    fn is_full(&self) -> bool;
    fn take_change(&mut self) -> Option<Box<dyn AnyChange>>;
    fn weight(&self, change: &dyn AnyChange) -> u64;
    fn swap(&mut self, change: &mut dyn AnyChange);
    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String>;
    fn encode(&self) -> MeshResult<Vec<u8>>;
    fn report(&self) -> Report;
}

impl<E: Editor> AnyEditor for E {
    fn verb(&self, row: usize) -> Option<&'static Verb> {
        E::VERBS.get(row).map(|(verb, _)| verb)
    }

    fn selectors(&self) -> &'static [(&'static str, &'static str)] {
        E::SELECTORS
    }

    fn apply(
        &mut self,
        row: usize,
        command: &mut Command<'_>,
        chosen: &mut Chosen,
        setting: &mut Setting,
    ) -> Result<(), Refusal> {
        let Some((_, apply)) = E::VERBS.get(row) else { return Ok(()) };
        // The family sees its own keys: the same scope under another type.
        let mut scope = Scope::new(take(chosen), take(setting));
        let fared = Editor::apply(self, *apply, command, &mut scope);
        (*chosen, *setting) = scope.into_parts();
        fared
    }

    fn allow(&mut self, values: u64) {
        Editor::allow(self, values);
    }

    fn bound(&mut self, items: u64) {
        Editor::bound(self, items);
    }

    fn is_full(&self) -> bool {
        Editor::is_full(self)
    }

    fn take_change(&mut self) -> Option<Box<dyn AnyChange>> {
        Editor::take_change(self).map(|change| Box::new(change) as Box<dyn AnyChange>)
    }

    fn weight(&self, change: &dyn AnyChange) -> u64 {
        (change as &dyn Any).downcast_ref().map_or(0, E::weight)
    }

    fn swap(&mut self, change: &mut dyn AnyChange) {
        if let Some(change) = (change as &mut dyn Any).downcast_mut() {
            Editor::swap(self, change);
        }
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        Editor::suggest(self, verb, place)
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        Editor::encode(self)
    }

    fn report(&self) -> Report {
        Editor::report(self)
    }
}

impl<E: Editor> Items for E {
    fn looked_at(&self) -> Option<u64> {
        Editor::looked_at(self)
    }

    fn all(&self) -> Vec<AnyKey> {
        Editor::all(self).into_iter().map(Into::into).collect()
    }

    fn count(&self) -> u64 {
        Editor::count(self) as u64
    }

    fn find(&self, space: &str, id: &str) -> Option<AnyKey> {
        Editor::find(self, space, id).map(Into::into)
    }

    fn name(&self, key: AnyKey) -> String {
        Editor::name(self, key.into())
    }

    fn footprint(&self, key: AnyKey) -> Option<String> {
        Editor::footprint(self, key.into())
    }

    fn find_footprint(&self, space: &str, footprint: &str) -> Option<AnyKey> {
        Editor::find_footprint(self, space, footprint).map(Into::into)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<AnyKey>, Refusal> {
        Ok(Editor::select(self, atom)?.into_iter().map(Into::into).collect())
    }
}
