//! The work of the machine in sentences.

use ats_documents::machine::{Counted, Machine, SharedProcessors};
use ats_model::locations::in_a_sentence;

use crate::printable::printable;

/// Seconds that a page fault takes, by estimate: the kernel finds a page and clears it. Virtual machines take longer.
const PAGE_FAULT: f64 = 0.5e-6;

/// The share of the seconds of a location, spent in page faults by estimate, that is worth a word.
const IN_PAGE_FAULTS: f64 = 0.01;

/// The least number of page faults that is: programs have some thousands as they start.
const PAGE_FAULTS: u64 = 10_000;

/// The share of the seconds of a location, spent by its recorder, that is worth a word.
const RECORDING: f64 = 0.1;

/// The number of locations that a sentence names.
const NAMED: usize = 3;

/// The facts without which the times of the run are misread, a sentence each.
pub fn sentences(machine: &Machine) -> Vec<String> {
    let shared = machine.shared.iter().map(shared);
    shared.chain(not_running(machine)).chain(faults(machine)).chain(recording(machine)).collect()
}

/// The lines that an answer begins with, and an empty one; nothing if nothing has to be said.
pub(crate) fn opening(machine: &Machine) -> String {
    let lines: String =
        sentences(machine).iter().map(|sentence| format!("{}\n", printable(sentence))).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}

/// The locations that `are_meant`, those with most seconds first; up to [`NAMED`], each by `words`, which also get whether it
/// is the first.
fn named(
    machine: &Machine,
    are_meant: impl Fn(&Counted) -> bool,
    seconds: impl Fn(&Counted) -> f64,
    words: impl Fn(&str, &Counted, bool) -> String,
) -> Option<String> {
    let mut all: Vec<&Counted> = machine.locations.iter().filter(|of| are_meant(of)).collect();
    all.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
    let has_threads = machine.locations.iter().any(|of| of.location.thread > 0);
    let named = all.iter().take(NAMED).enumerate();
    let named = named.map(|(at, of)| words(&in_a_sentence(&[of.location], true, has_threads), of, at == 0));
    let mut parts: Vec<String> = named.collect();
    match all.len().saturating_sub(NAMED) {
        0 => {}
        1 => parts.push("one more location as well".to_owned()),
        more => parts.push(format!("{more} more locations as well")),
    }
    let sentence = match parts.as_slice() {
        [] => return None,
        [one] => one.clone(),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    };
    Some(sentence[..1].to_uppercase() + &sentence[1..])
}

fn not_running(machine: &Machine) -> Option<String> {
    let words = |location: &str, of: &Counted, is_first: bool| {
        let wanted = of.computing + of.not_running;
        let had = if is_first { " had its processor" } else { "" };
        let of_computing = if is_first { " of its computing" } else { "" };
        let percent = 100.0 * of.computing / wanted;
        format!("{location}{had} for {percent:.0} %{of_computing} ({:.2} of {wanted:.2} s)", of.computing)
    };
    let told = named(machine, Counted::lost_processor, |of| of.not_running, words)?;
    Some(format!("{told}: others ran there, or a limit of its time held it back."))
}

fn faults(machine: &Machine) -> Option<String> {
    let are_many = |of: &Counted| {
        let faults = of.page_faults_computing;
        faults >= PAGE_FAULTS && faults as f64 * PAGE_FAULT >= IN_PAGE_FAULTS * of.seconds
    };
    let words = |location: &str, of: &Counted, _| {
        format!("{location} had {} page faults in its computing", of.page_faults_computing)
    };
    let told = named(machine, are_many, |of| of.page_faults_computing as f64, words)?;
    Some(format!("{told}: the first touch of each page of memory takes far longer than others."))
}

fn recording(machine: &Machine) -> Option<String> {
    let is_much = |of: &Counted| of.recording >= RECORDING * of.seconds && of.recording > 0.0;
    let words =
        |location: &str, of: &Counted, _| format!("{:.2} of {:.2} s of {location}", of.recording, of.seconds);
    Some(format!("The recorder took {}.", named(machine, is_much, |of| of.recording, words)?))
}

fn shared(SharedProcessors { host, locations, processors }: &SharedProcessors) -> String {
    let processors = match processors {
        1 => "one processor".to_owned(),
        more => format!("{more} processors"),
    };
    format!(
        "{locations} locations share {processors} of {host}: a wait, or a slow message, may be that of a location that did not \
         run. Measure again with a processor for each."
    )
}

#[cfg(test)]
mod tests {
    use ats_model::locations::Location;

    use super::*;

    #[test]
    fn shared_processors_come_first_and_the_worst_locations_are_named() {
        let of = |rank, not_running| Counted {
            location: Location { rank, thread: 0 },
            seconds: 20.0,
            processor: 20.0 - not_running,
            computing: 20.0 - not_running,
            not_running,
            involuntary_switches: 0,
            voluntary_switches: 0,
            page_faults: 0,
            page_faults_computing: 0,
            recording: 0.0,
        };
        let faulty = Counted { page_faults_computing: 500_000, recording: 2.0, ..of(4, 0.0) };
        let locations = vec![of(0, 6.0), of(1, 10.0), of(2, 2.0), of(3, 4.0), faulty];
        let shared = vec![SharedProcessors { host: "node".into(), locations: 2, processors: 1 }];
        assert_eq!(
            sentences(&Machine { shared, locations }),
            [
                "2 locations share one processor of node: a wait, or a slow message, may be that of a location that did not \
                 run. Measure again with a processor for each.",
                "Rank 1 had its processor for 50 % of its computing (10.00 of 20.00 s), rank 0 for 70 % (14.00 of 20.00 s), \
                 rank 3 for 80 % (16.00 of 20.00 s), and one more location as well: others ran there, or a limit of its time \
                 held it back.",
                "Rank 4 had 500000 page faults in its computing: the first touch of each page of memory takes far longer than \
                 others.",
                "The recorder took 2.00 of 20.00 s of rank 4.",
            ]
        );
        assert_eq!(opening(&Machine::default()), "");
    }
}
