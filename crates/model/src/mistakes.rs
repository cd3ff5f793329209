//! All mistakes in a document written by hand, and hints at the likely intention.

use std::fmt;

/// The mistakes in a document: each with its place, and what to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    said: Vec<String>,
    more: usize,
}

/// The number of mistakes that are listed; further ones are counted.
const SAID: usize = 20;

impl Mistakes {
    /// Adds a mistake at a place, which may be empty.
    pub fn add(&mut self, place: &str, what: impl fmt::Display) {
        if self.said.len() == SAID {
            self.more += 1;
        } else if place.is_empty() {
            self.said.push(what.to_string());
        } else {
            self.said.push(format!("{place}: {what}"));
        }
    }

    /// A single one.
    pub fn one(what: impl fmt::Display) -> Self {
        let mut mistakes = Mistakes::default();
        mistakes.add("", what);
        mistakes
    }

    /// The document, if there are no mistakes.
    ///
    /// # Errors
    /// There are some.
    pub fn none_in<D>(self, document: D) -> Result<D, Mistakes> {
        if self.said.is_empty() { Ok(document) } else { Err(self) }
    }
}

/// The only one; or how many, and each in a line.
impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ([only], 0) = (&self.said[..], self.more) {
            return f.write_str(only);
        }
        write!(f, "{} mistakes:", self.said.len() + self.more)?;
        self.said.iter().try_for_each(|mistake| write!(f, "\n  {mistake}"))?;
        if self.more > 0 { write!(f, "\n  and {} more", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for Mistakes {}

/// The reason why a text is not valid JSON: one that was written in part ends in the middle.
pub fn not_json(error: &serde_json::Error) -> String {
    if error.is_eof() {
        let (line, column) = (error.line(), error.column());
        return format!(
            "it ends in the middle, at line {line} column {column}, before it was completely written"
        );
    }
    format!("it is not valid JSON: {error}")
}

/// The word of these that is most like one that is none of them; none if none is like it.
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(word, words).first().copied()
}

/// Up to three of these words that are like one that is none of them, the most alike first. Two words are alike if few letters
/// tell them apart: one third at most. Case, and how the parts of a word are joined, make no difference.
pub fn near<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const ENOUGH: usize = 3;
    let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "").to_ascii_lowercase();
    let word = plain(word);
    let distance = |name: &str| strsim::damerau_levenshtein(&plain(name), &word);
    let most = (word.len() / 3).max(1);
    let words = words.into_iter().map(|name| (distance(name), name));
    let mut near: Vec<(usize, &str)> = words.filter(|(distance, _)| *distance <= most).collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(ENOUGH).map(|(_, name)| name).collect()
}
