//! What the name of an object says.

use crate::form::FormId;

/// What an object of a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Aim {
    /// Replaces this navmesh.
    Mesh(FormId),
    /// Becomes a navmesh of this cell.
    Cell(FormId),
}

impl Aim {
    /// Reads a name: the kind of the record, then its FormID, the first eight hex digits that stand alone. `None` if it is neither.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.trim_start_matches(['[', ' ']);
        let begins = |word: &str| name.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        let id = words.find(|word| word.len() == 8 && word.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let form = FormId::new(u32::from_str_radix(id, 16).ok()?);
        if begins("navm") { Some(Self::Mesh(form)) } else { begins("cell").then_some(Self::Cell(form)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_exports_and_of_people_are_read() {
        let mesh = Some(Aim::Mesh(FormId::new(0x0100_0902)));
        for name in [
            "navmesh 01000902",
            "navmesh_01000902_at_2,_-1",
            "navmesh 01000902 at 2, -1",
            "navmesh 01000902-navmesh",
            "NAVM 01000902",
            "[NAVM:01000902] in [CELL:00009BF1] (Tamriel -4,12)",
            "navmesh_01000902.001",
        ] {
            assert_eq!(Aim::of(name), mesh, "{name}");
        }
        assert_eq!(Aim::of("CELL 00009bf1"), Some(Aim::Cell(FormId::new(0x9BF1))));
        for name in
            ["", "Plane.001", "navmesh", "navmesh 0100090", "navmesh 010009021", "01000902", "ñavm 01000902"]
        {
            assert_eq!(Aim::of(name), None, "{name}");
        }
    }
}
