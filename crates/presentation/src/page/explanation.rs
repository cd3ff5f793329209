//! The problems of a run that the script lists beside its timeline.

use ats_documents::explanation::{Explanation, Intervals, NoteKind, Problem};
use ats_documents::page::{self as document, Group, WorstInterval};
use ats_model::clock_correction::ClockMethod;
use ats_model::locations::{Location, in_a_sentence};

use super::Program;
use crate::{machine, timeline::Timeline, words};

/// The data of the explanation of a program.
pub(super) fn data(explanation: &Explanation, of: &Program<'_>) -> document::Explanation {
    let omitted = words::omitted(explanation)
        .map(|omitted| format!("{omitted}; see --top and --above of `ats explain`."));
    let transfers = explanation.transfers.iter().map(words::transfers);
    let machine = machine::sentences(&explanation.machine);
    let is_first = |(kind, _): &(NoteKind, &String)| *kind == NoteKind::ReadInPart;
    let (first, notes): (Vec<_>, Vec<_>) = explanation.noted().partition(is_first);
    let [first, notes] = [first, notes].map(|notes| notes.into_iter().map(|(_, note)| note.clone()));
    document::Explanation {
        efficiency: words::efficiency(explanation),
        problems: explanation.problems.iter().map(|one| problem(one, of)).collect(),
        no_problem: words::no_problem(explanation),
        notes: first
            .chain(machine)
            .chain(transfers)
            .chain(words::lacking_processors(explanation))
            .chain(notes)
            .chain(omitted)
            .collect(),
    }
}

fn problem(problem: &Problem, of: &Program<'_>) -> document::Problem {
    let intervals = of.timeline.and_then(|timeline| {
        let intervals = problem.effects.iter().find_map(|effect| effect.intervals.as_ref())?;
        has_common_clock(timeline).then(|| (intervals, worst(intervals, timeline)))
    });
    let waiting = match intervals {
        Some((intervals, _)) => intervals.waiting.clone(),
        None => problem.effects.iter().flat_map(|effect| effect.waiting.iter().copied()).collect(),
    };
    document::Problem {
        cause: words::title(problem.cause().name()),
        text: problem.text.clone(),
        seconds: problem.seconds,
        share: problem.share,
        place: problem.source.as_ref().map(words::source_line),
        culprits: group(problem.culprits.iter().map(|culprit| culprit.location).collect(), of),
        waiting: group(waiting, of),
        worst: intervals.map(|(_, worst)| worst),
    }
}

/// Whether the times of an explanation are those of the timeline. Clocks that differ are aligned in the timeline alone.
fn has_common_clock(timeline: &Timeline) -> bool {
    timeline.detail.clocks != Some(ClockMethod::Derived)
}

fn worst(intervals: &Intervals, timeline: &Timeline) -> WorstInterval {
    let ticks = |seconds: f64| {
        let time = timeline.origin + (seconds * timeline.resolution as f64).round() as u64;
        time.saturating_sub(timeline.begin)
    };
    WorstInterval { begin: ticks(intervals.begin), end: ticks(intervals.end), number: intervals.number }
}

fn group(mut locations: Vec<Location>, of: &Program<'_>) -> Group {
    locations.sort_unstable();
    locations.dedup();
    Group {
        words: in_a_sentence(&locations, of.ranks > 1, of.threads > 1),
        locations: locations.iter().map(|location| (location.rank, location.thread)).collect(),
    }
}
