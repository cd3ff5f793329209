//! Strings that events refer to.

/// Strings by number, in one piece of memory: a trace may have a million.
///
/// ```
/// use ats_model::strings::Strings;
/// let strings: Strings = ["", "heat"].into_iter().collect();
/// assert_eq!((strings.get(1), strings.get(2)), (Some("heat"), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    text: String,
    /// The end of each string.
    ends: Vec<usize>,
}

impl Strings {
    /// The string of a number, if it exists.
    pub fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let end = *self.ends.get(number)?;
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[begin..end])
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).filter_map(|number| self.get(number))
    }
}

impl<S: AsRef<str>> Extend<S> for Strings {
    fn extend<I: IntoIterator<Item = S>>(&mut self, strings: I) {
        for string in strings {
            self.text.push_str(string.as_ref());
            self.ends.push(self.text.len());
        }
    }
}

impl<S: AsRef<str>> FromIterator<S> for Strings {
    fn from_iter<I: IntoIterator<Item = S>>(strings: I) -> Self {
        let mut all = Strings::default();
        all.extend(strings);
        all
    }
}
