//! The order in which the meshes of a grouped table are joined, where it is not that of their numbers.

/// Meshes in the order in which they come, each where it comes first.
#[derive(Debug, Default)]
pub(super) struct Course {
    files: Vec<u32>,
    /// For each mesh its place among `files`, or [`NOWHERE`].
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Course {
    /// Of the numbers of meshes, as they come. Takes memory for the largest of them.
    pub(super) fn new(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut course = Self::default();
        for file in numbers {
            let at = file as usize;
            if course.places.len() <= at {
                course.places.resize(at + 1, NOWHERE);
            }
            if let Some(place) = course.places.get_mut(at).filter(|place| **place == NOWHERE) {
                *place = course.files.len() as u32;
                course.files.push(file);
            }
        }
        course
    }

    /// Where a mesh comes.
    pub(super) fn place(&self, file: u32) -> Option<u32> {
        self.places.get(file as usize).copied().filter(|place| *place != NOWHERE)
    }

    /// The meshes from this place on.
    pub(super) fn from(&self, place: u32) -> &[u32] {
        self.files.get(place as usize..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_that_comes_twice_is_where_it_comes_first() {
        let course = Course::new([7, 2, 7, 9, 2, 0]);
        assert_eq!(course.from(0), [7, 2, 9, 0]);
        assert_eq!(course.from(2), [9, 0]);
        assert!(course.from(5).is_empty());
        assert_eq!([7, 2, 9, 0].map(|file| course.place(file)), [0, 1, 2, 3].map(Some));
        assert_eq!([1, 8, 10].map(|file| course.place(file)), [None; 3]);
    }
}
