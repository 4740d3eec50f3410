//! Very many names.

/// Names in one text: those of all areas of a mesh take a third of what as many strings do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Names {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// They, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        let mut start = 0;
        self.ends
            .iter()
            .map(move |end| self.text.get(std::mem::replace(&mut start, *end)..*end).unwrap_or_default())
    }
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut all = Self::default();
        for name in names {
            all.text.push_str(name.as_ref());
            all.ends.push(all.text.len());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_those_that_were_given() {
        let given = ["#1", "", "L#2", "#4.17"];
        let names: Names = given.iter().collect();
        assert_eq!((names.len(), names.is_empty()), (4, false));
        assert_eq!(names.iter().collect::<Vec<_>>(), given);
        assert!(Names::default().is_empty() && Names::default().iter().next().is_none());
    }
}
