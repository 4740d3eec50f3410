//! Whose record a FormID names: the one rule for the file indices of a plugin.

use super::form::FormId;
use navmap_core::graph::Ids;

/// The owner of a FormID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The master of this index; of a master that is named twice, the first.
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
    /// For each index the first one of the same file, if a file has several.
    firsts: Option<[u8; 256]>,
}

impl Owners {
    /// Those of a field that stands alone, of which no FormID is known to be its own.
    pub(crate) const UNKNOWN: Self = Self { masters: usize::MAX, scaled: false, firsts: None };

    /// Those of a plugin with these masters, of which each has an index; what is the `same` is one file. `scaled`: light and medium ones
    /// are numbered apart. Compares each of the 256 that can be named with those before it, and allocates nothing.
    pub(crate) fn new<M>(
        masters: impl Iterator<Item = M> + Clone,
        scaled: bool,
        same: impl Fn(&M, &M) -> bool,
    ) -> Self {
        let mut firsts = None;
        for (index, master) in (0..=u8::MAX).zip(masters.clone()) {
            let mut earlier = (0..index).zip(masters.clone());
            let Some((first, _)) = earlier.find(|(_, other)| same(other, &master)) else { continue };
            let firsts: &mut [u8; 256] =
                firsts.get_or_insert_with(|| std::array::from_fn(|index| index as u8));
            firsts.get_mut(usize::from(index)).into_iter().for_each(|to| *to = first);
        }
        Self { masters: masters.count(), scaled, firsts }
    }

    /// How many masters have an index.
    pub(crate) fn masters(&self) -> usize {
        self.masters
    }

    /// The same, where light and medium masters are numbered apart or not.
    pub(crate) fn scaled(self, scaled: bool) -> Self {
        Self { scaled, ..self }
    }

    /// The owner of a FormID: see [`Plugin::origin`](super::Plugin::origin).
    pub(crate) fn origin(&self, form: FormId) -> Origin {
        let index = form.file_index();
        match index {
            _ if usize::from(index) < self.masters => Origin::Master(self.first(index)),
            LIGHT_INDEX | MEDIUM_INDEX if self.scaled => Origin::Scaled,
            _ => Origin::Own,
        }
    }

    /// The first index of a master's file.
    fn first(&self, index: u8) -> u8 {
        self.firsts.as_ref().and_then(|firsts| firsts.get(usize::from(index)).copied()).unwrap_or(index)
    }

    /// The one FormID for all that name a record: see [`Plugin::canonical`](super::Plugin::canonical).
    pub(crate) fn canonical(&self, form: FormId) -> FormId {
        let of = |index: u8| FormId::new(u32::from(index) << 24 | form.object_id());
        match self.origin(form) {
            Origin::Master(first) => of(first),
            Origin::Scaled => form,
            // In Starfield, 253 masters leave no index that would be its own.
            Origin::Own => u8::try_from(self.masters)
                .map(of)
                .ok()
                .filter(|one| self.origin(*one) == Origin::Own)
                .unwrap_or(form),
        }
    }

    /// How ids of triangles are read: all file indices that mean the plugin itself for one.
    pub(crate) fn ids(&self) -> Ids {
        Ids::InForms { own: self.canonical(FormId::new(u32::MAX)).file_index(), apart: self.scaled }
    }

    /// Whether two FormIDs name one record.
    pub(crate) fn same(&self, one: FormId, other: FormId) -> bool {
        self.canonical(one) == self.canonical(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_form_of_a_record_has_its_owner_however_many_masters_there_are() {
        for owners in (0..=256)
            .flat_map(|masters| [false, true].map(|scaled| Owners::new(0..masters, scaled, PartialEq::eq)))
        {
            for form in (0..=u32::from(u8::MAX)).map(|index| FormId::new(index << 24 | 7)) {
                let one = owners.canonical(form);
                assert_eq!(owners.origin(one), owners.origin(form), "{owners:?} {form}");
                assert_eq!(owners.canonical(one), one, "{owners:?} {form}");
            }
        }
    }

    #[test]
    fn a_master_that_is_named_twice_is_one_file() {
        let owners = Owners::new(["A", "B", "A", "C", "B", "A"].iter(), false, PartialEq::eq);
        let one = |index: u32| owners.canonical(FormId::new(index << 24 | 7)).file_index();
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 9].map(one), [0, 1, 0, 3, 1, 0, 6, 6]);
        assert_eq!(owners.origin(FormId::new(0x0400_0007)), Origin::Master(1));
    }
}
