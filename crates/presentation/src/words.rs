//! The words that every format uses for the same thing.

use ats_documents::{
    Finding,
    explanation::{Effect, Explanation, Omitted, OmittedAt, SourceLine, Transfers, Waiting},
    finding::VISITS,
    score::{Expectation, Judgement, ProgramResult},
};
use ats_model::WaitState;

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
    let amount = |value| expectation.unit().of(value);
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
             have come, and waits for locations that leave a call late or are late in turn.",
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
    let mut lost = vec![
        (division.waiting.seconds(), "waiting"),
        (division.transfer, "moving data"),
        (division.other_mpi, "in other calls of MPI"),
        (division.idle, "of idle threads"),
        (division.runtime, "in the runtime of threads"),
        (division.not_running, "without a processor"),
        (division.recorder, "of the recorder"),
        (division.absent, absent),
    ];
    // Equal ones stay in this order.
    lost.sort_by(|a, b| b.0.total_cmp(&a.0));
    lost.extend([
        (division.not_analyzed, "not analyzed"),
        (division.polling, "between tests in vain"),
        (division.not_recorded, "not recorded"),
    ]);
    lost
}

/// The seconds of waits by their kind: `waiting: 2.000 s for messages, 1.000 s at barriers of OpenMP`; none if there are no waits.
pub(crate) fn waiting(waiting: &Waiting) -> Option<String> {
    let kinds = [
        (waiting.messages, "for messages"),
        (waiting.collectives, "in collective operations"),
        (waiting.omp_barriers, "at barriers of OpenMP"),
        (waiting.locks, "for locks"),
    ];
    let kinds =
        kinds.into_iter().filter(|of| of.0 > 0.0).map(|(seconds, kind)| format!("{seconds:.3} s {kind}"));
    let kinds: Vec<String> = kinds.collect();
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

/// The time of calls that move data, in a sentence: `MPI_Recv and MPI_Send in main take 4.8 % of the time besides waits.`
pub(crate) fn transfers(transfers: &Transfers) -> String {
    let calls: Vec<&str> =
        transfers.call_paths.iter().filter_map(|path| Some(path.last()?.as_str())).collect();
    let around = transfers.call_paths.first().and_then(|path| path.iter().rev().nth(1));
    let place = around.map_or_else(String::new, |around| format!(" in {around}"));
    let take = if calls.len() == 1 { "takes" } else { "take" };
    format!(
        "{}{place} {take} {:.1} % of the time besides waits.",
        calls.join(" and "),
        transfers.share * 100.0
    )
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
pub(crate) fn due(program: &ProgramResult, threshold: f64) -> impl Iterator<Item = &Expectation> {
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
