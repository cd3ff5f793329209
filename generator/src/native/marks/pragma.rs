//! Pragmas of OpenMP.

use super::reader::is_word;

/// A pragma of OpenMP.
pub(super) struct Pragma<'a> {
    /// Its lines, without the last line feed.
    pub(super) text: &'a str,
    /// The blanks before it.
    pub(super) indent: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Pragma<'a> {
    /// The pragma at the beginning of a line, if there is one.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let trimmed = text.trim_start_matches([' ', '\t']);
        let pragma = trimmed.strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
        pragma.trim_start().strip_prefix("omp").filter(|rest| !rest.starts_with(is_word))?;
        let is_continued = |line: &&str| line.trim_end().ends_with('\\');
        let lines = text.split_inclusive('\n');
        let continued: usize = lines.clone().take_while(is_continued).map(str::len).sum();
        let last = text[continued..].split_inclusive('\n').next().map_or(0, str::len);
        let text_of_it = text[..continued + last].trim_end_matches('\n');
        let words = text_of_it.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        Some(Pragma {
            text: text_of_it,
            indent: &text[..text.len() - trimmed.len()],
            words: words.skip(2).collect(),
        })
    }

    /// Its word of this number, counted behind `omp`.
    pub(super) fn word(&self, at: usize) -> Option<&'a str> {
        self.words.get(at).copied()
    }

    /// Whether it has a word.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}
