//! Whose record a FormID names: the one rule for the file indices of a plugin.

use super::form::FormId;
use navmap_core::graph::Ids;

/// The owner of a FormID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The master of this index.
    Master(u8),
    /// The plugin itself.
    Own,
    /// A light or medium master, which only Starfield numbers separately from the full ones. Resolving it requires the scale of
    /// every master from its own file: see [`LoadOrder`](super::LoadOrder).
    Scaled,
}

/// The file index of records of light masters (`FExxxyyy`) in Starfield.
pub(super) const LIGHT_INDEX: u8 = 0xFE;
/// The file index of records of medium masters (`FDxxyyyy`) in Starfield.
pub(super) const MEDIUM_INDEX: u8 = 0xFD;

/// How a plugin numbers files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owners {
    masters: usize,
    scaled: bool,
}

impl Owners {
    /// Those of a field that stands alone, of which no FormID is known to be its own.
    pub(crate) const UNKNOWN: Self = Self { masters: usize::MAX, scaled: false };

    /// Those of a plugin with so many masters that have an index each. `scaled`: light and medium ones are numbered apart.
    pub(crate) fn new(masters: usize, scaled: bool) -> Self {
        Self { masters, scaled }
    }

    /// The owner of a FormID: see [`Plugin::origin`](super::Plugin::origin).
    pub(crate) fn origin(self, form: FormId) -> Origin {
        let index = form.file_index();
        match index {
            _ if usize::from(index) < self.masters => Origin::Master(index),
            LIGHT_INDEX | MEDIUM_INDEX if self.scaled => Origin::Scaled,
            _ => Origin::Own,
        }
    }

    /// The one FormID for all that name a record: see [`Plugin::canonical`](super::Plugin::canonical).
    pub(crate) fn canonical(self, form: FormId) -> FormId {
        let own = u8::try_from(self.masters).ok().filter(|_| self.origin(form) == Origin::Own);
        let one = own.map(|own| FormId::new(u32::from(own) << 24 | form.object_id()));
        // In Starfield, 253 masters leave no index that would be its own.
        one.filter(|one| self.origin(*one) == Origin::Own).unwrap_or(form)
    }

    /// How ids of triangles are read: all file indices that mean the plugin itself for one.
    pub(crate) fn ids(self) -> Ids {
        Ids::InForms { own: self.canonical(FormId::new(u32::MAX)).file_index(), apart: self.scaled }
    }

    /// Whether two FormIDs name one record.
    pub(crate) fn same(self, one: FormId, other: FormId) -> bool {
        self.canonical(one) == self.canonical(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_form_of_a_record_has_its_owner_however_many_masters_there_are() {
        for owners in (0..=256).flat_map(|masters| [false, true].map(|scaled| Owners::new(masters, scaled))) {
            for form in (0..=u32::from(u8::MAX)).map(|index| FormId::new(index << 24 | 7)) {
                let one = owners.canonical(form);
                assert_eq!(owners.origin(one), owners.origin(form), "{owners:?} {form}");
                assert_eq!(owners.canonical(one), one, "{owners:?} {form}");
            }
        }
    }
}
