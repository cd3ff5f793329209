//! Comparisons in sentences.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::comparison::{
    CauseDifference, Comparison, Difference, MatchedPlace, Measure, PlaceDifference, Side, Term,
};
use ats_documents::explanation::{Explanation, KnownPlace, KnownProblem};
use ats_documents::finding::MEASURED_REGION;
use ats_model::locations::{Location, in_a_sentence};
use ats_model::signature::short;

use crate::words;

/// The time that run B takes beyond run A, in sentences: what was not looked at, the whole, and the differences of at least the
/// share `above` of A by place, the largest first. Who is late is taken from the explanation of B.
pub fn sentences(document: &Comparison, of_b: &Explanation, above: f64) -> Vec<String> {
    let mut sentences: Vec<String> =
        document.notes.iter().map(|note| format!("Not compared: {note}.")).collect();
    if !document.knows_spread() {
        sentences
            .push("How far runs of one program differ is not known: there is one run a side.".to_owned());
    }
    sentences.push(whole(document));
    // Wait states of a place are one there: its waits.
    let mut places: BTreeMap<(Term, &MatchedPlace), (f64, &PlaceDifference)> = BTreeMap::new();
    for term in &document.terms {
        for of in term.places.iter().filter(|of| document.is_above(above, &of.difference)) {
            places.entry((term.term, &of.place)).or_insert((0.0, of)).0 += of.difference.change();
        }
    }
    let all: f64 = document.terms.iter().map(|of| of.difference.change()).sum();
    let left = all - places.values().map(|(change, _)| change).sum::<f64>();
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by(|(_, (a, _)), (_, (b, _))| b.abs().total_cmp(&a.abs()));
    for ((term, _), (change, of)) in places {
        sentences.push(format!(
            "{}: {}.",
            amount(document, change),
            at_place(document, term, change, of, of_b)
        ));
    }
    sentences.push(format!("{} in all that is not said here.", amount(document, left)));
    sentences
}

fn whole(document: &Comparison) -> String {
    let of = &document.whole;
    if document.measure == Measure::Shares {
        return "Shares of the location-seconds of each run are compared: the runs differ in size."
            .to_owned();
    }
    let noise = if of.is_noise() { ", which is within the noise" } else { "" };
    let share = document.share(of) * 100.0;
    format!("B takes {} than A over all locations, {share:+.1} %{noise}.", amount(document, of.change()))
}

/// An amount that is more or less.
fn amount(document: &Comparison, change: f64) -> String {
    let than = if change < 0.0 { "less" } else { "more" };
    match document.measure {
        Measure::Seconds => format!("{:.3} s {than}", change.abs()),
        Measure::Shares => format!("{:.1} % {than}", change.abs() * 100.0),
    }
}

fn at_place(
    document: &Comparison,
    term: Term,
    change: f64,
    of: &PlaceDifference,
    of_b: &Explanation,
) -> String {
    let mut text = match term {
        Term::MoreWork if change < 0.0 => "less work",
        Term::SlowerWork if change < 0.0 => "faster work",
        term => words::term(term),
    }
    .to_owned();
    if !of.place.call_path.is_empty() {
        text += &format!(" in {}", place(&of.place));
    }
    let has_sign = |cause: &&CauseDifference| cause.difference.change() * change > 0.0;
    let cause = of.causes.iter().find(has_sign);
    text + &cause.map_or_else(String::new, |cause| {
        // B's explanation knows who is late there, and not who has been in A.
        let late = if change > 0.0 { culprits(of_b, of, cause) } else { Vec::new() };
        because(document, &late, &cause.place)
    })
}

/// The code that a wait is for, who is late there, and how much more work it is.
fn because(document: &Comparison, late: &[Location], code: &MatchedPlace) -> String {
    let has_threads = late.iter().any(|of| of.thread > 0);
    let whom = match late {
        [] => String::new(),
        late => format!("{} in ", in_a_sentence(late, true, has_threads)),
    };
    let is_work = |term: Term| matches!(term, Term::Computing | Term::MoreWork | Term::SlowerWork);
    let places = document.terms.iter().filter(|of| is_work(of.term)).flat_map(|of| &of.places);
    let work: f64 = places.filter(|of| of.place == *code).map(|of| of.difference.change()).sum();
    let share = document.share(&Difference { b: work, ..Difference::default() }).abs();
    let works = if share < Comparison::LEAST_SHARE / 10.0 {
        String::new()
    } else {
        format!(", where all work {}", amount(document, work))
    };
    format!(", for {whom}{}{works}", place(code))
}

/// The locations that are late in B in the code of a cause.
fn culprits(of_b: &Explanation, of: &PlaceDifference, cause: &CauseDifference) -> Vec<Location> {
    let is = |known: &Option<KnownPlace>, place: &MatchedPlace| {
        let in_b = place.call_path_in_b.as_ref().unwrap_or(&place.call_path);
        known.as_ref().is_some_and(|known| known.call_path == *in_b)
    };
    let has = |problem: &&KnownProblem| {
        problem.waits.iter().any(|wait| is(&wait.code, &cause.place) && is(&wait.call, &of.place))
    };
    let known = of_b.known.iter().find(has);
    let culprits = known.map_or_else(BTreeSet::new, KnownProblem::main_culprits);
    culprits.into_iter().collect()
}

/// A place in words: `` `MPI_Recv` (heat.c:12) in halo``.
fn place(of: &MatchedPlace) -> String {
    let Some((last, callers)) = of.call_path.split_last() else {
        return "the program outside all regions".to_owned();
    };
    let is_said = |caller: &&String| *caller != MEASURED_REGION && !last.starts_with(*caller);
    let caller =
        callers.last().filter(is_said).map_or_else(String::new, |caller| format!(" in {}", short(caller)));
    let line = of.call_site.as_ref().filter(|site| site.line > 0);
    let line = line.map_or_else(String::new, |site| {
        format!(" ({}:{})", site.file.rsplit('/').next().unwrap_or(&site.file), site.line)
    });
    let only = match of.only_in {
        Some(Side::A) => ", which only A has",
        Some(Side::B) => ", which only B has",
        None => "",
    };
    format!("`{}`{line}{caller}{only}", short(last))
}
