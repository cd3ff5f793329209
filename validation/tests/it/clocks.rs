//! Clocks without measured offsets: ideal traces whose clocks are moved apart show the same as before.

use std::collections::BTreeMap;
use std::convert::Infallible;

use ats_compose::Subject;
use ats_documents::Analysis;
use ats_model::clock_correction::{ClockEvidence, ClockMethod};
use ats_model::source::{InMemory, Unmeasured};
use ats_model::{EventSource, WaitState};
use ats_props::{Catalogue, Entry, Needs, Program, Property};
use ats_trace::{Archive, ArchiveProperties, ArchiveWriter};
use ats_truth::{Size, TruthOptions, ideal_trace};

/// The position of the others' clocks, seen from rank 0.
#[derive(Clone, Copy, Debug)]
enum Others {
    Around,
    Ahead,
    Behind,
}

const ALL: [Others; 3] = [Others::Around, Others::Ahead, Others::Behind];

impl Others {
    /// The seconds that the clock of a rank is ahead of rank 0's at the beginning, and those that it gains in a second.
    fn skew(self, rank: u32) -> (f64, f64) {
        let (spread, drift) = (f64::from(rank * rank % 7), 2e-5 * (f64::from(rank % 5) - 2.0));
        match (rank, self) {
            (0, _) => (0.0, 0.0),
            (_, Others::Around) => (0.037 * (spread - 3.1), drift),
            (_, Others::Ahead) => (0.037 * (spread + 0.3), drift),
            (_, Others::Behind) => (-0.037 * (spread + 0.3), drift),
        }
    }
}

fn skewed(mut trace: InMemory, others: Others) -> Unmeasured<InMemory> {
    let resolution = trace.definitions.clock.resolution as f64;
    for (location, events) in trace.definitions.locations.iter().zip(&mut trace.events) {
        let (offset, drift) = others.skew(location.rank);
        for (time, _) in events {
            *time += ((1.0 + offset) * resolution + drift * *time as f64).round() as u64;
        }
    }
    Unmeasured(trace)
}

fn ideal(program: &Program, given: &[(&str, &str)], size: Size) -> InMemory {
    let arguments = program.property.arguments(given.iter().copied()).unwrap();
    let subject = Subject::Property { program: *program, arguments };
    ideal_trace::in_memory(&subject, size, &TruthOptions::default()).unwrap()
}

fn analysis(trace: &impl EventSource<Error = Infallible>) -> Analysis {
    ats_analyzer::analyze(trace, "ideal", &ats_analyzer::Options::default()).unwrap()
}

/// Seconds by finding, rank and thread.
fn shares(analysis: &Analysis) -> BTreeMap<(String, u32, u32), f64> {
    let of = |finding: &ats_documents::Finding| {
        let share = |share: &ats_documents::finding::LocationShare| {
            ((finding.id.clone(), share.rank, share.thread), share.waiting_time)
        };
        finding.locations.iter().map(share).collect::<Vec<_>>()
    };
    analysis.findings.iter().flat_map(of).collect()
}

/// Programs whose processes interact, and whose records show it: records of irregular operations omit the partners,
/// and senders' records omit whether they waited, in a gather or for messages that may be eager.
fn programs() -> Vec<(Program, Size)> {
    let irregular = |property: &Property| {
        matches!(property.finds.wait_state(), Some(WaitState::WaitAtIrregularNxN | WaitState::WaitForRoot))
            || property.defaults().are_probed()
    };
    // Members leave when the engine lets them. Nobody waits for messages, or only some who get them around a ring one way;
    // or each for the first one: that does not say how clocks differ.
    let says_little = |Program { property, balanced }: Program| {
        property.finds.is_silent()
            || property.entry == Entry::Trace
            || !property.repeats()
            || matches!(property.name, "imbalance_at_shift" | "blocked_sender") && !balanced
            // A trace does not say that a persistent send is synchronous.
            || property.name == "late_receiver_persistent"
            // Messages go from even to odd ranks alone, and a trace does not say that a sender waited for its receive.
            || property.name == "partitioned_late_ready"
            // Clocks are not compared where communicators are made, nor between neighbours, nor by tests in vain.
            || matches!(
                property.finds.wait_state(),
                Some(
                    WaitState::WaitAtCommunicatorManagement
                        | WaitState::WaitAtNeighbors
                        | WaitState::LateSenderInTest
                )
            )
            // Members that overlap an operation with work do not leave it together.
            || property.finds.wait_state().is_some_and(WaitState::depends_on_progress)
    };
    let size = |program: Program| match program.property.needs {
        _ if irregular(program.property) || says_little(program) => None,
        Needs::RANKS => Some((program, Size::ranks(6))),
        Needs::RANKS_AND_TEAM => Some((program, Size { ranks: 6, threads: 2 })),
        Needs::TEAM | Needs::NOTHING => None,
    };
    Catalogue::builtin().programs().filter_map(size).collect()
}

#[test]
fn skew_and_drift_change_no_finding() {
    for (program, size) in programs() {
        let trace = ideal(&program, program.property.repeated("20").as_slice(), size);
        let known = shares(&analysis(&trace));
        for others in ALL {
            let analysis = analysis(&skewed(trace.clone(), others));
            let (name, clocks) = (program.name(), analysis.clock_correction.as_ref().unwrap());
            assert_eq!(clocks.method, ClockMethod::Derived, "{name}, {others:?}");
            assert!(clocks.after.worst < 1e-4, "{name}, {others:?}: {clocks:?}");
            let found = shares(&analysis);
            for key in known.keys().chain(found.keys()) {
                let [known, found] = [&known, &found].map(|shares| shares.get(key).copied().unwrap_or(0.0));
                // OpenMP's seconds are those of their own process's clock, which runs wrong by 40 millionths.
                let is_right = (found - known).abs() < 1e-5 + 5e-5 * known;
                assert!(is_right, "{name}, {others:?}: {key:?}: {found} {known}");
            }
        }
    }
}

#[test]
fn known_skew_and_drift_are_recovered() {
    let mut recovered = 0;
    for (program, size) in programs() {
        for others in ALL {
            let trace = skewed(ideal(&program, program.property.repeated("20").as_slice(), size), others);
            let clocks = analysis(&trace).clock_correction.unwrap().processes;
            assert_eq!(clocks.len(), 6);
            let references = clocks.iter().filter(|clock| clock.evidence == ClockEvidence::Reference).count();
            for clock in
                clocks.iter().filter(|clock| references == 1 && clock.evidence == ClockEvidence::BothSides)
            {
                let ((offset, drift), name) = (others.skew(clock.rank), program.name());
                // The clock of rank 0 shows 1 s when all begin.
                assert!((clock.offset + offset).abs() < 1e-6, "{name}: {clock:?}, skewed by {offset} s");
                assert!((clock.drift + drift).abs() < 1e-8, "{name}: {clock:?}, drifts by {drift}");
                recovered += 1;
            }
        }
    }
    assert!(recovered > 90, "{recovered}");
}

#[test]
fn an_ideal_archive_has_one_clock() {
    let (program, size) =
        programs().into_iter().find(|(program, _)| program.name() == "late_broadcast").unwrap();
    let subject = Subject::Property { program, arguments: program.property.arguments([]).unwrap() };
    let dir = tempfile::tempdir().unwrap();
    let anchor = ideal_trace::write(&subject, size, dir.path(), &TruthOptions::default()).unwrap();
    let archive = Archive::open(&anchor).unwrap();
    assert!(archive.has_common_clock());
    let found = ats_analyzer::analyze(&archive, "ideal", &ats_analyzer::Options::default()).unwrap();
    assert_eq!(found, analysis(&ideal(&program, &[], size)));
    assert_eq!(found.clock_correction, None);
}

#[test]
fn an_archive_without_measured_clocks_is_corrected_too() {
    let (program, size) =
        programs().into_iter().find(|(program, _)| program.name() == "imbalance_at_mpi_barrier").unwrap();
    let trace = skewed(ideal(&program, &[], size), Others::Around);
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    for (definition, events) in trace.definitions().locations.iter().zip(&trace.0.events) {
        let location = writer.add_location(definition.id);
        events.iter().for_each(|(time, event)| writer.event(location, *time, event).unwrap());
    }
    writer.finish(trace.definitions(), &ArchiveProperties::default()).unwrap();
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    let found = ats_analyzer::analyze(&archive, "ideal", &ats_analyzer::Options::default()).unwrap();
    assert_eq!(found, analysis(&trace));
}
