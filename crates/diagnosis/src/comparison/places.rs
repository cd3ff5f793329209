//! Places that are the same in two programs, or in two versions of one.
//!
//! Lines change with every version, so places are matched by their names, and those of one name by the order of their lines.
//! Names change, too: a call path that fits none of the other side was moved if the same regions are at its end, and renamed
//! if it is the only one without a partner in its region. What fits nothing is only on one side.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::comparison::{MatchedPlace, Side};
use ats_documents::explanation::KnownPlace;
use ats_model::CallSite;

use crate::explanation::facts::Place;

/// A call path and the call site of its innermost call.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OwnPlace {
    names: Vec<String>,
    site: Option<CallSite>,
}

impl From<&KnownPlace> for OwnPlace {
    fn from(place: &KnownPlace) -> Self {
        OwnPlace { names: place.call_path.clone(), site: place.call_site.clone() }
    }
}

impl From<Place<'_>> for OwnPlace {
    fn from(place: Place<'_>) -> Self {
        OwnPlace { names: place.names.to_vec(), site: place.site.cloned() }
    }
}

impl OwnPlace {
    /// The place of these names and this call.
    pub(crate) fn new(names: Vec<String>, site: Option<CallSite>) -> Self {
        OwnPlace { names, site }
    }

    /// The names without lines and addresses, the outermost first.
    fn code(&self) -> Vec<String> {
        self.names.iter().map(|name| without_lines(name)).collect()
    }

    /// The names without lines and their files, as those of code between two calls have them.
    fn code_without_files(&self) -> Vec<String> {
        let has_line = |word: &str| without_lines(word) != word && word.contains(':');
        let code =
            |name: &String| name.split(' ').filter(|word| !has_line(word)).collect::<Vec<_>>().join(" ");
        self.names.iter().map(code).collect()
    }

    /// The numbers in its names and the line of its call: the order of places of one name.
    fn lines(&self) -> (Vec<u64>, u32) {
        let digits = self.names.iter().flat_map(|name| name.split(|letter: char| !letter.is_ascii_digit()));
        (
            digits.filter_map(|digits| digits.parse().ok()).collect(),
            self.site.as_ref().map_or(0, |site| site.line),
        )
    }
}

/// A name with other lines, by file and line; none if one of them has none.
pub(crate) fn lines_in(name: &str, other: impl Fn(&str, u32) -> Option<u32>) -> Option<String> {
    let mut words = Vec::new();
    for word in name.split_inclusive([' ', '(', ')', '@', ',']) {
        let end = word.trim_end_matches([' ', '(', ')', '@', ',']);
        let line = end.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        match line.filter(|(file, _)| !file.is_empty()) {
            Some((file, line)) => words.push(format!("{file}:{}{}", other(file, line)?, &word[end.len()..])),
            None => words.push(word.to_owned()),
        }
    }
    Some(words.concat())
}

/// A name without lines, `a.c:12`, and without distances, `main+0x1c`.
pub(crate) fn without_lines(name: &str) -> String {
    let mut text = String::new();
    let mut rest = name;
    while let Some(at) = rest.find([':', '+']) {
        let (before, after) = rest.split_at(at);
        let number = match after.strip_prefix("+0x") {
            Some(digits) => {
                3 + digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len())
            }
            None => 1 + after[1..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len() - 1),
        };
        text += before;
        if number == 1 {
            text += &after[..1];
        }
        rest = &after[number..];
    }
    text + rest
}

/// The places of one key that are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// One of each side.
    Single,
    /// As many of both sides, by the order of their lines.
    AsMany,
    /// The same, and else all of them as one.
    Joined,
}

/// The places of both sides, each with a number that matched ones share.
#[derive(Debug, Default)]
pub(crate) struct Places {
    numbers: [BTreeMap<OwnPlace, usize>; 2],
    matched: Vec<MatchedPlace>,
}

impl Places {
    /// Matches the places of two sides.
    pub(crate) fn matched(mut left: [BTreeSet<&OwnPlace>; 2]) -> Self {
        let mut places = Places::default();
        let function = |place: &OwnPlace| place.site.as_ref().map(|site| without_lines(&site.function));
        let of_function = |place: &OwnPlace| Some((place.code(), function(place)));
        places.take(&mut left, of_function, Rule::AsMany);
        places.take(&mut left, |place| Some(place.clone()), Rule::Single);
        places.take(&mut left, of_function, Rule::Joined);
        places.take(&mut left, |place| Some(place.code()), Rule::Joined);
        let without_files = |place: &OwnPlace| Some(place.code_without_files());
        places.take(&mut left, without_files, Rule::AsMany);
        let deepest = left.iter().flatten().map(|place| place.names.len()).max().unwrap_or(0);
        for length in (1..deepest).rev() {
            let end = |place: &OwnPlace| {
                let code = place.code();
                code.len().checked_sub(length).map(|from| code[from..].to_vec())
            };
            places.take(&mut left, end, Rule::AsMany);
        }
        let around = |place: &OwnPlace| place.code().split_last().map(|(_, around)| around.to_vec());
        places.take(&mut left, around, Rule::Single);
        for (side, left) in left.into_iter().enumerate() {
            left.into_iter().for_each(|place| places.add([&[place][..], &[]], side));
        }
        places
    }

    /// Matches those of one key by a rule.
    fn take<K: Ord>(
        &mut self,
        left: &mut [BTreeSet<&OwnPlace>; 2],
        key: impl Fn(&OwnPlace) -> Option<K>,
        rule: Rule,
    ) {
        let mut groups: BTreeMap<K, [Vec<&OwnPlace>; 2]> = BTreeMap::new();
        for (side, left) in left.iter().enumerate() {
            for &place in left {
                if let Some(key) = key(place) {
                    groups.entry(key).or_default()[side].push(place);
                }
            }
        }
        for [mut a, mut b] in groups.into_values() {
            let fits = match rule {
                Rule::Single => a.len() == 1 && b.len() == 1,
                Rule::AsMany => a.len() == b.len(),
                Rule::Joined => !a.is_empty() && !b.is_empty(),
            };
            if !fits {
                continue;
            }
            for (left, matched) in left.iter_mut().zip([&a, &b]) {
                matched.iter().for_each(|place| {
                    left.remove(place);
                });
            }
            if a.len() != b.len() {
                self.add([&a, &b], 0);
                continue;
            }
            a.sort_by_key(|place| (place.lines(), *place));
            b.sort_by_key(|place| (place.lines(), *place));
            a.iter().zip(&b).for_each(|(a, b)| self.add([&[*a], &[*b]], 0));
        }
    }

    /// Adds places of both sides that are one, or of one side alone, which then are the first; `side` is that of the first.
    fn add(&mut self, [first, second]: [&[&OwnPlace]; 2], side: usize) {
        let number = self.matched.len();
        for (side, places) in [(side, first), (1 - side, second)] {
            self.numbers[side].extend(places.iter().map(|&place| (place.clone(), number)));
        }
        let Some(&of) = first.first() else { return };
        let in_b = second.first().filter(|in_b| in_b.code() != of.code()).map(|in_b| in_b.names.clone());
        let only_in = second.is_empty().then_some([Side::A, Side::B][side]);
        let is_one = first.len() == 1;
        self.matched.push(MatchedPlace {
            call_path: of.names.clone(),
            call_site: of.site.clone().filter(|_| is_one),
            call_path_in_b: in_b,
            only_in,
        });
    }

    /// The number of a place of a side.
    pub(crate) fn number(&self, side: usize, place: &OwnPlace) -> usize {
        self.numbers[side][place]
    }

    /// The number of all of them, matched or not.
    pub(crate) fn len(&self) -> usize {
        self.matched.len()
    }

    /// The place of a number.
    pub(super) fn matched_place(&self, number: usize) -> &MatchedPlace {
        &self.matched[number]
    }
}
