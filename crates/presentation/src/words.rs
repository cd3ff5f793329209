//! The words that every format uses for the same thing.

use std::borrow::Cow;

use ats_documents::{
    Finding,
    comparison::{Difference, Term},
    explanation::{
        Division, Effect, Explanation, Gain, JudgedCalls, JudgedProblem, KnownPlace, Omitted, OmittedAt,
        SourceLine, Transfers,
    },
    finding::VISITS,
    score::{Expectation, Judgement, ProgramResult},
};
use ats_model::WaitState;
use ats_model::locations::{Location, in_a_sentence};
use ats_model::signature::short;

use crate::timeline::{Kind, Row, Timeline};

/// A name for people, as pages and viewers show it: `Late sender`, `Wait at n-to-n`, `OpenMP lock contention`.
///
/// ```
/// assert_eq!(ats_presentation::title("late_sender"), "Late sender");
/// ```
pub fn title(name: &str) -> String {
    let words = name.split('_').map(|word| match word {
        "omp" => "OpenMP",
        "nxn" => "n-to-n",
        word => word,
    });
    let title = words.collect::<Vec<_>>().join(" ");
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The name of a location: `rank 3`, or `rank 3, thread 1` in a picture that has threads.
pub(crate) fn location(timeline: &Timeline, row: &Row) -> String {
    place(row.rank, row.thread, timeline.rows.iter().any(|row| row.thread > 0))
}

/// The name of a location: `rank 3`, or `rank 3, thread 1` among those with threads.
pub(crate) fn place(rank: u32, thread: u32, has_threads: bool) -> String {
    match has_threads {
        true => format!("rank {rank}, thread {thread}"),
        false => format!("rank {rank}"),
    }
}

/// The name of a kind of regions.
pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "Program",
        Kind::PointToPoint => "Point-to-point",
        Kind::Collective => "Collective",
        Kind::Mpi => "Other MPI",
        Kind::OpenMp => "OpenMP",
        Kind::OpenMpSynchronization => "OpenMP synchronization",
    }
}

/// The name of time that is of no wait state.
pub(crate) const BLOCKED: &str = "blocked";

/// The wait state of a finding's id.
pub(crate) fn state(id: &str) -> &str {
    id.split('@').next().unwrap_or(id)
}

/// The definition of a wait state, in a sentence, by its name in documents.
///
/// ```
/// assert!(ats_presentation::definition("late_sender").starts_with("A receive"));
/// ```
pub fn definition(property: &str) -> &'static str {
    match property {
        VISITS => "How often a call is made or a construct is entered.",
        BLOCKED => "Time of a blocked location that no metric counts.",
        _ => WaitState::from_name(property)
            .map_or("A number that is counted under this name.", WaitState::definition),
    }
}

/// The words for a judgement.
pub(crate) fn judgement(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Yes => "yes",
        Judgement::No => "no",
        Judgement::NotApplicable => "n/a",
    }
}

/// A share: `41.67 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// The gain of a run by changes, in a sentence, by a replay that ends so many seconds late without them.
pub(crate) fn gain(gain: &Gain, error: f64) -> String {
    let changes = gain.changes.join(" ");
    if !gain.is_certain {
        return format!("With `{changes}` the run gains nothing.");
    }
    let shorter = if gain.seconds > 0.0 { "shorter" } else { "longer" };
    let (seconds, share) = (gain.seconds.abs(), percent(gain.share.abs()));
    format!(
        "With `{changes}` the run is {seconds:.6} s ({share}) {shorter}; a replay without changes is {error:+.6} s off."
    )
}

/// A rate; nothing to divide by is `n/a`.
pub(crate) fn rate(rate: Option<f64>) -> String {
    rate.map_or_else(|| "n/a".to_owned(), |rate| format!("{rate:.3}"))
}

/// Ranks and threads: `4×1`.
pub(crate) fn size(ranks: u32, threads: u32) -> String {
    format!("{ranks}×{threads}")
}

/// Expected, observed and found in a sentence.
pub(crate) fn comparison(expectation: &Expectation) -> String {
    let amount = |value| expectation.unit().quantity(value);
    let otherwise =
        expectation.reported_otherwise().map_or_else(String::new, |otherwise| format!("{otherwise}; "));
    format!(
        "{otherwise}found {}, observed truth {}, nominal truth {}",
        amount(expectation.found),
        amount(expectation.observed),
        amount(expectation.nominal)
    )
}

/// The part of a finding that belongs to a problem: `5.000000 s of late_sender@main/MPI_Recv`.
pub(crate) fn effect(effect: &Effect) -> String {
    format!("{:.6} s of {}", effect.seconds, effect.finding)
}

/// A problem beside earlier runs: `late_arrival in MPI_Allreduce (heat.c:12) because of solve (heat.c:30): 24.4 % of the time, 0.0 %
/// before; ranks 0, before 1`.
pub(crate) fn judged(problem: &JudgedProblem) -> String {
    let place = |of: &KnownPlace| {
        let name = of.call_path.last().map_or(Cow::Borrowed("the program"), |name| short(name));
        let line = of.source.as_ref().map(|of| format!(" ({}:{})", base(&of.file), of.line));
        format!("{name}{}", line.unwrap_or_default())
    };
    let call = problem.call.as_ref().map_or_else(String::new, |of| format!(" in {}", place(of)));
    let code = problem.code.as_ref().map_or_else(String::new, |of| format!(" because of {}", place(of)));
    let cause =
        problem.cause_before.map_or_else(String::new, |cause| format!(", before {}", title(cause.name())));
    let (now, before) = (&problem.culprits, &problem.culprits_before);
    let culprits = |of: &[Location]| in_a_sentence(of, true, of.iter().any(|of| of.thread > 0));
    let whom = match (now.is_empty(), before.is_empty()) {
        (true, true) => String::new(),
        (false, false) if now != before => format!("; {}, before {}", culprits(now), culprits(before)),
        (true, false) => format!("; {}", culprits(before)),
        _ => format!("; {}", culprits(now)),
    };
    let Difference { a, b, .. } = problem.share;
    format!(
        "{}{cause}{call}{code}: {:.1} % of the time, {:.1} % before{whom}",
        title(problem.cause.name()),
        b * 100.0,
        a * 100.0
    )
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Calls beside earlier runs: `MPI_Barrier is called 8 times, 0 times before`.
pub(crate) fn calls(JudgedCalls { call, visits, bytes }: &JudgedCalls) -> String {
    let moved = if bytes[0] == bytes[1] {
        String::new()
    } else {
        format!("; {} bytes, {} before", bytes[1], bytes[0])
    };
    format!("{call}: {} calls, {} before{moved}", visits[1], visits[0])
}

/// A line of a source file: `src/heat.c:12`.
pub(crate) fn source_line(SourceLine { file, line }: &SourceLine) -> String {
    format!("{file}:{line}")
}

/// The seconds that are lost as locations without a processor lose them, if they take the share of a problem.
pub(crate) fn lacking_processors(document: &Explanation) -> Option<String> {
    let of = &document.lacking_processors;
    let share = document.basis.severity(of.seconds);
    (share >= Explanation::LEAST_SHARE).then(|| {
        format!(
            "Lost as without a processor, and in no problem below: {:.1} % ({}). These are calls that end late after all \
             have come, and waits for locations that leave a call late, or are late in turn or by little.",
            share * 100.0,
            at_calls(&of.by_call, |of| format!("{:.3} s", of.seconds))
        )
    })
}

/// The reason that no problems are listed.
pub(crate) fn no_problem(document: &Explanation) -> String {
    let least = Explanation::LEAST_SHARE;
    if document.omits_problems() {
        let of = &document.omitted;
        let plural = if of.problems == 1 { "" } else { "s" };
        format!("{} problem{plural} of {:.3} s not shown", of.problems, of.seconds)
    } else if document.may_hide_problems() {
        "No problem is known; what is not analyzed or not recorded may hide one.".to_owned()
    } else if omitted(document).is_some() {
        format!("No problem takes {:.0} % of the time by itself.", least * 100.0)
    } else if document.basis.severity(document.lost) >= least {
        let other = if lacking_processors(document).is_some() { "other " } else { "" };
        format!("No {other}cause of the lost time is known.")
    } else {
        "There is no problem worth a change.".to_owned()
    }
}

/// The efficiency of a run, and the use of its seconds: `48.0 to 100.0 %: 2.520 s of 5.300 s computing, 2.780 s not analyzed`.
pub(crate) fn efficiency(document: &Explanation) -> String {
    let [least, most] =
        [document.least_efficiency(), document.efficiency].map(|of| format!("{:.1}", of * 100.0));
    let percent = if least == most { most } else { format!("{least} to {most}") };
    let required = match document.required {
        None => String::new(),
        Some(required) if document.is_enough() => format!("; {:.1} % is enough", required * 100.0),
        Some(required) => format!("; {:.1} % is required", required * 100.0),
    };
    let (division, basis) = (&document.division, &document.basis);
    let all = basis.location_seconds;
    let said = |seconds: f64| basis.severity(seconds) >= LEAST_SAID;
    let others: String = terms(document)
        .into_iter()
        .filter(|&(seconds, _)| said(seconds))
        .map(|(seconds, use_of)| format!(", {seconds:.3} s {use_of}"))
        .collect();
    format!("{percent} %{required}: {:.3} s of {all:.3} s computing{others}", division.computing)
}

/// The least share of the location-seconds of a term that is said: a smaller one is 0.0 %.
const LEAST_SAID: f64 = 0.0005;

/// The seconds that are not computing and their use in words: those that are lost by falling seconds, then the unknown.
fn terms(Explanation { division, basis, .. }: &Explanation) -> Vec<(f64, &'static str)> {
    let absent = if basis.region.is_some() {
        "outside of the region"
    } else {
        "before their begin or after their end"
    };
    let mut lost = vec![(division.waiting.seconds(), "waiting")];
    let others =
        [Term::Transfer, Term::OtherMpi, Term::Idle, Term::Runtime, Term::NotRunning, Term::Recorder];
    lost.extend(others.map(|of| (division.seconds(of), term(of))));
    lost.push((division.absent, absent));
    // Equal ones stay in this order.
    lost.sort_by(|a, b| b.0.total_cmp(&a.0));
    let unknown = [Term::NotAnalyzed, Term::Polling, Term::NotRecorded];
    lost.extend(unknown.map(|of| (division.seconds(of), term(of))));
    lost
}

/// The use of seconds in a comparison.
pub(crate) fn term(term: Term) -> &'static str {
    match term {
        Term::Computing => "computing",
        Term::MoreWork => "more work",
        Term::SlowerWork => "slower work",
        Term::Messages => "waiting for messages",
        Term::Collectives => "waiting in collective operations",
        Term::OmpBarriers => "waiting at barriers of OpenMP",
        Term::Locks => "waiting for locks",
        Term::Transfer => "moving data",
        Term::OtherMpi => "in other calls of MPI",
        Term::Idle => "of idle threads",
        Term::Runtime => "in the runtime of threads",
        Term::NotRunning => "without a processor",
        Term::Recorder => "of the recorder",
        Term::Absent => "before the begin or after the end of locations, or outside of the region",
        Term::NotAnalyzed => "not analyzed",
        Term::Polling => "between tests in vain",
        Term::NotRecorded => "not recorded",
    }
}

/// The seconds of waits by their kind: `waiting: 2.000 s for messages, 1.000 s at barriers of OpenMP`; none if there are no waits.
pub(crate) fn waiting(division: &Division) -> Option<String> {
    let kinds = [Term::Messages, Term::Collectives, Term::OmpBarriers, Term::Locks];
    let kinds = kinds.map(|kind| (division.seconds(kind), term(kind).trim_start_matches("waiting ")));
    let kinds = kinds.into_iter().filter(|of| of.0 > 0.0);
    let kinds: Vec<String> = kinds.map(|(seconds, kind)| format!("{seconds:.3} s {kind}")).collect();
    (!kinds.is_empty()).then(|| format!("waiting: {}", kinds.join(", ")))
}

/// The lost seconds that the efficiency over time does not have, if they are worth a word.
pub(crate) fn untimed(document: &Explanation) -> Option<String> {
    let untimed = document.over_time.untimed;
    let is_said = document.basis.severity(untimed) >= Explanation::LEAST_SHARE;
    (is_said && !document.over_time.efficiency.is_empty()).then(|| {
        format!("bars: the share that does not wait; {untimed:.3} s that are lost otherwise are in none")
    })
}

/// The time of calls that move data, in a sentence: `MPI_Recv, MPI_Irecv and MPI_Send in main take 4.8 % of the time besides waits.`
pub(crate) fn transfers(transfers: &Transfers) -> String {
    let mut calls: Vec<&str> = Vec::new();
    for call in transfers.call_paths.iter().filter_map(|path| path.last()) {
        if !calls.contains(&call.as_str()) {
            calls.push(call);
        }
    }
    let around = transfers.call_paths.first().and_then(|path| path.iter().rev().nth(1));
    let place = around.map_or_else(String::new, |around| format!(" in {}", short(around)));
    let (calls, take) = match calls.split_last() {
        Some((last, others)) if !others.is_empty() => (format!("{} and {last}", others.join(", ")), "take"),
        _ => (calls.concat(), "takes"),
    };
    format!("{calls}{place} {take} {:.1} % of the time besides waits.", transfers.share * 100.0)
}

/// A line on rows that are too small for a table, and their seconds; nothing without any.
pub(crate) fn more(number: usize, seconds: f64) -> String {
    if number == 0 { String::new() } else { format!("and {number} more of {seconds:.6} s; see --above\n") }
}

/// The calls that are named at most of those whose problems an explanation does not list.
const MOST_CALLS: usize = 3;

/// The number of problems that an explanation does not list, if it lists larger ones, or if they matter together; and where
/// they are, if they are more than those listed.
pub(crate) fn omitted(document: &Explanation) -> Option<String> {
    let Omitted { problems, seconds, by_call, .. } = &document.omitted;
    let plural = if *problems == 1 { "" } else { "s" };
    let matter = document.basis.severity(*seconds) >= Explanation::LEAST_SHARE;
    let are_all = document.problems.is_empty();
    // A large one is said in place of problems.
    let is_said = *problems > 0 && (!are_all || matter && !document.omits_problems());
    let is_named = document.hides_most() && !by_call.is_empty();
    let places = if is_named {
        format!(": {}", at_calls(by_call, |of| format!("{} of {:.3} s", of.problems, of.seconds)))
    } else {
        String::new()
    };
    is_said.then(|| format!("{problems} smaller problem{plural} of {seconds:.3} s not shown{places}"))
}

/// The calls that have the most seconds, and what is there: `0.026 s at MPI_Barrier, 0.020 s at MPI_Waitall`.
fn at_calls(by_call: &[OmittedAt], there: impl Fn(&OmittedAt) -> String) -> String {
    let at = |of: &OmittedAt| {
        let place =
            if of.call.is_empty() { "outside all calls".to_owned() } else { format!("at {}", of.call) };
        format!("{} {place}", there(of))
    };
    by_call.iter().take(MOST_CALLS).map(at).collect::<Vec<_>>().join(", ")
}

/// A finding that should not be there, in a sentence.
pub(crate) fn false_alarm(finding: &Finding) -> String {
    format!("{} ({}): {}", percent(finding.severity), finding.quantity(), finding.title())
}

/// The expectations that a tool has to meet.
pub(crate) fn due_expectations(
    program: &ProgramResult,
    threshold: f64,
) -> impl Iterator<Item = &Expectation> {
    program.expectations.iter().filter(move |expectation| expectation.is_due(threshold))
}

#[cfg(test)]
mod tests {
    use ats_documents::Basis;
    use ats_documents::explanation::Problem;

    use super::*;

    #[test]
    fn problems_that_are_not_shown_are_placed_if_they_are_more_than_those_shown() {
        let at = |call: &str, problems, seconds| OmittedAt { call: call.to_owned(), problems, seconds };
        let by_call =
            vec![at("MPI_Recv", 3, 2.0), at("", 1, 1.0), at("MPI_Wait", 1, 0.5), at("MPI_Bcast", 1, 0.25)];
        let with = |shown: &[f64]| {
            let problem = |&seconds| Problem { seconds, ..Problem::default() };
            let omitted = Omitted { problems: 6, seconds: 3.75, by_call: by_call.clone(), largest: 0.05 };
            let basis = Basis { location_seconds: 10.0, ..Basis::default() };
            let problems = shown.iter().map(problem).collect();
            super::omitted(&Explanation { basis, problems, omitted, ..Explanation::default() })
        };
        let few = "6 smaller problems of 3.750 s not shown";
        assert_eq!(with(&[2.0, 2.0]).unwrap(), few);
        let most = format!(
            "{few}: 3 of 2.000 s at MPI_Recv, 1 of 1.000 s outside all calls, 1 of 0.500 s at MPI_Wait"
        );
        assert_eq!(with(&[2.0]).unwrap(), most);
        assert_eq!(with(&[]).unwrap(), most, "together they matter");
        assert_eq!(omitted(&Explanation::default()), None);
    }

    #[test]
    fn every_wait_state_has_a_title_and_a_definition() {
        assert_eq!(title("late_sender"), "Late sender");
        assert_eq!(title("wait_at_nxn"), "Wait at n-to-n");
        assert_eq!(title("omp_lock_contention"), "OpenMP lock contention");
        for state in WaitState::ALL {
            assert!(definition(state.name()).ends_with('.'), "{}", state.name());
        }
    }
}
