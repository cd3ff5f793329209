//! The English of the sources: doc comments and functions that name the thing, in plain words.

use std::ops::AddAssign;

use ats_testing::suite;

use crate::rules::{read, walk};

/// Words that doc comments do not begin with: a clause, instead of a noun or verb phrase.
const CLAUSES: [&str; 6] = ["What", "Who", "Which", "Whose", "Where", "How"];

/// The most doc comments that begin with one of them, in percent of all.
const CLAUSES_PERCENT: f64 = 5.0;

/// The most words such as `nobody`, and the most phrases such as `of which`, per 1,000 lines of doc comments.
const WORDS_PER_THOUSAND: f64 = 1.0;

/// Names that no function has: they lack the noun or the verb, and no search finds them.
const NO_NAMES: [&str; 12] =
    ["of", "at", "all", "said", "told", "says", "kept", "asked", "held", "spent", "due", "entered"];

/// The number of places that a failure lists.
const LISTED: usize = 20;

/// Doc comments, and the lines and places in them.
#[derive(Debug, Default)]
struct Docs {
    comments: usize,
    lines: usize,
    clauses: Vec<String>,
    single_words: Vec<String>,
    people: Vec<String>,
    relatives: Vec<String>,
}

impl AddAssign for Docs {
    fn add_assign(&mut self, other: Docs) {
        self.comments += other.comments;
        self.lines += other.lines;
        self.clauses.extend(other.clauses);
        self.single_words.extend(other.single_words);
        self.people.extend(other.people);
        self.relatives.extend(other.relatives);
    }
}

impl Docs {
    /// The doc comments of a source, which places call `file`.
    fn parse(source: &str, file: &str) -> Docs {
        let mut docs = Docs::default();
        let mut block: Option<(usize, &str, Vec<&str>)> = None;
        for (line, text) in source.lines().chain([""]).enumerate() {
            let doc = doc(text);
            match (&mut block, doc) {
                (Some((_, kind, lines)), Some((same, text))) if *kind == same => lines.push(text),
                _ => {
                    if let Some((first, _, lines)) = block.take() {
                        docs.add(file, first, &lines);
                    }
                    block = doc.map(|(kind, text)| (line + 1, kind, vec![text]));
                }
            }
        }
        docs
    }

    /// Adds a doc comment that begins in line `first`.
    fn add(&mut self, file: &str, first: usize, lines: &[&str]) {
        self.comments += 1;
        self.lines += lines.len();
        let place = |at: usize| format!("{file}:{}: {}", first + at, lines[at]);
        if CLAUSES.contains(&words(lines[0]).next().unwrap_or_default()) {
            self.clauses.push(place(0));
        }
        if lines.iter().flat_map(|line| line.split_whitespace()).count() == 1 {
            self.single_words.push(place(0));
        }
        for (at, line) in lines.iter().enumerate() {
            self.people.extend(words(line).filter(|word| is_anybody(word)).map(|_| place(at)));
            let pairs = words(line).zip(words(line).skip(1));
            self.relatives
                .extend(pairs.filter(|(first, second)| is_relative(first, second)).map(|_| place(at)));
        }
    }
}

/// The kind and the text of a line of a doc comment.
fn doc(line: &str) -> Option<(&str, &str)> {
    let (kind, text) = line.trim_start().split_at_checked(3)?;
    (matches!(kind, "///" | "//!") && !text.starts_with('/')).then(|| (kind, text.trim()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

fn is_anybody(word: &str) -> bool {
    ["nobody", "somebody", "everybody", "anybody"].iter().any(|body| body.eq_ignore_ascii_case(word))
}

/// Whether two words begin a clause such as `of which`; `in which` is plain enough.
fn is_relative(first: &str, second: &str) -> bool {
    let is_preposition = ["of", "by", "to", "from", "for", "with", "at", "on"]
        .iter()
        .any(|preposition| preposition.eq_ignore_ascii_case(first));
    is_preposition && ["which", "whom", "whose"].contains(&second)
}

/// The places of `leave it away` and the like, which is `omit it`.
fn left_away(text: &str, file: &str) -> Vec<String> {
    const LEAVE: [&str; 4] = ["leave", "leaves", "leaving", "left"];
    const BETWEEN: usize = 6;
    let mut places = Vec::new();
    for (line, text) in text.lines().enumerate() {
        for sentence in text.split(['.', ';', ':']) {
            let words: Vec<&str> = words(sentence).collect();
            let is_left = |at: usize| {
                let between = words[at + 1..].iter().take(BETWEEN + 1);
                LEAVE.iter().any(|leave| leave.eq_ignore_ascii_case(words[at]))
                    && between.into_iter().any(|word| *word == "away")
            };
            if (0..words.len()).any(is_left) {
                places.push(format!("{file}:{}: {}", line + 1, text.trim()));
            }
        }
    }
    places
}

/// The functions with one of [`NO_NAMES`], and the tests whose names begin with a clause or with `nobody`.
fn misnamed(source: &str, file: &str) -> Vec<String> {
    let mut places = Vec::new();
    let mut is_test = false;
    for (line, text) in source.lines().map(str::trim).enumerate() {
        is_test |= text == "#[test]";
        // `fn(` is a type.
        let after = text.strip_prefix("fn ").or_else(|| Some(text.split_once(" fn ")?.1));
        let Some(name) = after.and_then(|after| words(after).next()).filter(|_| !text.starts_with("//"))
        else {
            continue;
        };
        let first = name.split('_').next().unwrap_or_default();
        let is_clause = is_anybody(first) || CLAUSES.iter().any(|clause| clause.eq_ignore_ascii_case(first));
        if NO_NAMES.contains(&name) || (is_test && is_clause) {
            places.push(format!("{file}:{}: {name}", line + 1));
        }
        is_test = false;
    }
    places
}

/// The first places of a list, one per line.
fn listed(places: &[String]) -> String {
    places.iter().take(LISTED).map(|place| format!("\n  {place}")).collect()
}

/// Calls `found` with the name and the text of every file of this kind.
fn files(kind: &str, mut found: impl FnMut(&str, &str)) {
    walk(suite(), kind, &mut |file| {
        found(file.strip_prefix(suite()).unwrap().to_str().unwrap(), &read(file));
    });
}

#[test]
fn doc_comments_are_found_with_their_mistakes() {
    // Written so that this file has no such comments.
    let source = "\
%! What it is.
%! By whom, of which nobody knows.

%/ Which.
%/ ```
const A: &str = \"%/ Who\";
    %/ The place
    %/ at which Everybody is.
%// No doc.
%/ `MPI_Send`.
"
    .replace('%', "//");
    let docs = Docs::parse(&source, "a.rs");
    assert_eq!((docs.comments, docs.lines), (4, 7));
    assert_eq!(docs.clauses, ["a.rs:1: What it is.", "a.rs:4: Which."]);
    assert_eq!(docs.single_words, ["a.rs:10: `MPI_Send`."]);
    let people = ["a.rs:2: By whom, of which nobody knows.", "a.rs:8: at which Everybody is."];
    assert_eq!(docs.people, people);
    assert_eq!(docs.relatives, [people[0], people[0], people[1]]);
    let text = "Omit it.\nYou can leave\nit; go away. Leaving them all away, too.";
    assert_eq!(left_away(text, "a.md"), ["a.md:3: it; go away. Leaving them all away, too."]);
}

#[test]
fn doc_comments_name_things_in_plain_words() {
    let mut all = Docs::default();
    files("rs", |file, text| all += Docs::parse(text, file));
    assert!(all.comments > 1_000, "{}", all.comments);
    let percent = 100.0 * all.clauses.len() as f64 / all.comments as f64;
    assert!(percent < CLAUSES_PERCENT, "{percent:.1} % begin with a clause:{}", listed(&all.clauses));
    assert!(all.single_words.is_empty(), "single words say nothing:{}", listed(&all.single_words));
    for places in [&all.people, &all.relatives] {
        let per_thousand = 1e3 * places.len() as f64 / all.lines as f64;
        assert!(per_thousand < WORDS_PER_THOUSAND, "{per_thousand:.1} per 1,000 lines:{}", listed(places));
    }
}

#[test]
fn functions_without_a_noun_or_a_verb_are_found() {
    // Written so that this file has no such functions.
    let source = "\
pub % of(all: u32) {}
// % all()
% what(is: u32) {}
#[test]
#[ignore]
% what_is_wrong_is_told() {}
#[test]
% nobody_waits() {}
#[test]
% waits_are_told() {}
    pub(crate) unsafe % kept<T>() {}
"
    .replace('%', "fn");
    let expected = ["a.rs:1: of", "a.rs:6: what_is_wrong_is_told", "a.rs:8: nobody_waits", "a.rs:11: kept"];
    assert_eq!(misnamed(&source, "a.rs"), expected);
}

#[test]
fn functions_have_a_noun_or_a_verb() {
    let mut places = Vec::new();
    files("rs", |file, text| places.extend(misnamed(text, file)));
    assert!(places.is_empty(), "name what it returns or does:{}", listed(&places));
}

#[test]
fn nothing_is_left_away() {
    let mut places = Vec::new();
    for kind in ["rs", "md"] {
        files(kind, |file, text| {
            // The rule itself.
            if !file.ends_with("it/english.rs") {
                places.extend(left_away(text, file));
            }
        });
    }
    assert!(places.is_empty(), "it is omitted:{}", listed(&places));
}
