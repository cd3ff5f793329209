//! Comparisons in lines: what text and pages show of them.

use ats_documents::comparison::{Compared, Difference, MatchedPlace, Measure, PlaceDifference, Side};
use ats_documents::{Comparison, WhatIf};
use ats_model::CallSite;
use ats_model::signature::short;

use crate::{gains, words};

/// A difference that is worth a line: of a use, of a place in it, or of a root cause of its waits.
pub(crate) struct Line<'a> {
    /// The number of lines that it is a part of.
    pub(crate) depth: usize,
    pub(crate) difference: Difference,
    place: Option<&'a MatchedPlace>,
    /// Words before and behind the place.
    around: [String; 2],
}

impl Line<'_> {
    /// Its name, with signatures cut.
    pub(crate) fn text(&self) -> String {
        self.named(&|name| short(name).into_owned())
    }

    /// Its name with all of the signatures.
    pub(crate) fn whole(&self) -> String {
        self.named(&str::to_owned)
    }

    fn named(&self, shown: &dyn Fn(&str) -> String) -> String {
        let [before, behind] = &self.around;
        format!("{before}{}{behind}", self.place.map_or_else(String::new, |of| place(of, shown)))
    }

    /// The call paths of its place in A and in B, with the call site of the side that it is known of; empty where it is not.
    pub(crate) fn paths(&self) -> [Vec<String>; 2] {
        let Some(place) = self.place else { return Default::default() };
        let mut own = place.call_path.clone();
        if let Some(call) = own.last_mut() {
            *call = CallSite::label(call, place.call_site.as_ref());
        }
        match place.only_in {
            Some(Side::A) => [own, Vec::new()],
            Some(Side::B) => [Vec::new(), own],
            None => [own, place.call_path_in_b.as_ref().unwrap_or(&place.call_path).clone()],
        }
    }
}

/// The differences of at least the share `above` of A, each before its parts, and at the end the sum of all other uses.
pub(crate) fn lines(document: &Comparison, above: f64) -> Vec<Line<'_>> {
    let is_shown = |of: &Difference| document.is_above(above, of);
    let use_of_time = |difference, name: &str| Line {
        depth: 0,
        difference,
        place: None,
        around: [name.to_owned(), String::new()],
    };
    let (mut lines, mut others) = (Vec::new(), Difference::default());
    for term in &document.terms {
        if !is_shown(&term.difference) && !term.places.iter().any(|of| is_shown(&of.difference)) {
            others.a += term.difference.a;
            others.b += term.difference.b;
            continue;
        }
        lines.push(use_of_time(term.difference, words::term(term.term)));
        let has_place = |of: &&PlaceDifference| of.wait_state.is_some() || !of.place.call_path.is_empty();
        for of in term.places.iter().filter(has_place).filter(|of| is_shown(&of.difference)) {
            let state = of.wait_state.map_or_else(String::new, |state| format!("{} at ", state.name()));
            let (difference, place) = (of.difference, Some(&of.place));
            lines.push(Line { depth: 1, difference, place, around: [state, passed(of)] });
            for cause in of.causes.iter().filter(|cause| is_shown(&cause.difference)) {
                let (difference, place) = (cause.difference, Some(&cause.place));
                let around = ["delayed by ".to_owned(), String::new()];
                lines.push(Line { depth: 2, difference, place, around });
            }
        }
    }
    lines.push(use_of_time(others, "in all that is not shown; see --above"));
    lines
}

/// The sides, the whole difference, and the knowledge of the spread, in sentences.
pub(crate) fn sentences(document: &Comparison) -> Vec<String> {
    vec![side("A", &document.a), side("B", &document.b), whole(document), spread(document)]
}

/// The same if B is A with changes: there is no spread, but an error.
pub(crate) fn of_replay(document: &Comparison, what_if: &WhatIf) -> Vec<String> {
    let sides = [side("A", &document.a), side("B", &document.b), whole(document)];
    gains::head(what_if).into_iter().chain(sides).chain(gains::limit(what_if)).collect()
}

/// The runs of a side.
fn side(name: &str, of: &Compared) -> String {
    let more = match of.runs.len() {
        0 | 1 => String::new(),
        runs => format!(" and {} more", runs - 1),
    };
    let first = of.runs.first().map_or("", String::as_str);
    let (ranks, locations, wall) = (of.ranks, of.locations, of.basis.wall_time);
    let of_locations = if ranks == locations { String::new() } else { format!(", {locations} locations") };
    format!("{name}: {wall:.6} s on {ranks} ranks{of_locations}: {first}{more}")
}

/// The whole difference in a sentence.
fn whole(document: &Comparison) -> String {
    let of = &document.whole;
    if document.measure == Measure::Shares {
        return "Shares of the location-seconds of each are compared.".to_owned();
    }
    let (change, share) = (of.change(), document.share(of) * 100.0);
    let than = if change < 0.0 { "less" } else { "more" };
    let noise = if of.is_noise() { ", which is within the noise" } else { "" };
    format!(
        "B takes {:.6} s {than} than A over all locations: {:.6} s and not {:.6} s, {share:+.1} %{noise}.",
        change.abs(),
        of.b,
        of.a
    )
}

/// The knowledge of the spread in a sentence.
fn spread(document: &Comparison) -> String {
    match document.knows_spread() {
        true => format!(
            "The spread of {} and {} runs says what is noise; differences within it are not shown.",
            document.a.runs.len(),
            document.b.runs.len()
        ),
        false => "There is one run a side: how far runs of the same program differ is not known.".to_owned(),
    }
}

/// A place, and where it is in the other program.
fn place(of: &MatchedPlace, shown: &dyn Fn(&str) -> String) -> String {
    if of.call_path.is_empty() {
        return "the program outside all regions".to_owned();
    }
    let path = |names: &[String]| names.iter().map(|name| shown(name)).collect::<Vec<_>>().join("/");
    let label = CallSite::label(&path(&of.call_path), of.call_site.as_ref());
    let in_b = of.call_path_in_b.as_ref();
    let moved = in_b.map_or_else(String::new, |names| format!(", in B {}", path(names)));
    let only = match of.only_in {
        Some(Side::A) => ", only in A",
        Some(Side::B) => ", only in B",
        None => "",
    };
    format!("{label}{moved}{only}")
}

/// Visits and bytes of a place on both sides, where they differ.
fn passed(of: &PlaceDifference) -> String {
    if of.place.only_in.is_some() {
        return String::new();
    }
    let differ = |[a, b]: [f64; 2], what: &str| {
        if a == b { String::new() } else { format!(", {b} {what} and not {a}") }
    };
    differ(of.visits, "visits") + &differ(of.bytes, "bytes")
}
