//! Clocks that nobody measured: ideal traces whose clocks are moved apart show the same as before.

use std::collections::BTreeMap;
use std::convert::Infallible;

//use ats_model::clock_correction::{ClockEvidence, ClockMethod};
use ats_model::source::InMemory;
use ats_model::{Analysis, Definitions, Event, EventSource};
use ats_props::{Catalogue, Paradigm, Program};
use ats_validation::ideal_trace;
use ats_validation::size::Size;
use ats_validation::truth::TruthOptions;

/// A trace whose clocks differ in ways that it has not measured.
struct Skewed(InMemory);

impl EventSource for Skewed {
    type Error = Infallible;

    fn definitions(&self) -> &Definitions {
        self.0.definitions()
    }

    fn has_common_clock(&self) -> bool {
        false
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), Infallible> {
        self.0.read_location(index, visit)
    }
}

/// How many seconds the clock of a rank is ahead at the beginning, and gets ahead in a second.
fn skew(rank: u32) -> (f64, f64) {
    match rank {
        0 => (0.0, 0.0),
        rank => (0.1 + 0.037 * f64::from(rank * rank % 7), 2e-5 * (f64::from(rank % 5) - 2.0)),
    }
}

fn skewed(mut trace: InMemory) -> Skewed {
    let resolution = trace.definitions.clock.resolution as f64;
    for (location, events) in trace.definitions.locations.iter().zip(&mut trace.events) {
        let (offset, drift) = skew(location.rank);
        for (time, _) in events {
            *time += (offset * resolution + drift * *time as f64).round() as u64;
        }
    }
    Skewed(trace)
}

fn ideal(program: &Program, given: &[(&str, &str)], size: Size) -> InMemory {
    let arguments = program.property.arguments(given.iter().copied()).unwrap();
    ideal_trace::in_memory(program, &arguments, size, &TruthOptions::default()).unwrap()
}

fn analysis(trace: &impl EventSource<Error = Infallible>) -> Analysis {
    ats_analyzer::analyze(trace, "ideal", &ats_analyzer::Options::default()).unwrap()
}

/// Seconds by finding, rank and thread.
fn shares(analysis: &Analysis) -> BTreeMap<(String, u32, u32), f64> {
    let of = |finding: &ats_model::Finding| {
        let share = |share: &ats_model::finding::LocationShare| {
            ((finding.id.clone(), share.rank, share.thread), share.waiting_time)
        };
        finding.locations.iter().map(share).collect::<Vec<_>>()
    };
    analysis.findings.iter().flat_map(of).collect()
}

#[test]
fn known_skew_and_drift_are_recovered_and_change_no_finding() {
    for program in Catalogue::builtin().programs() {
        if program.property.paradigm == Paradigm::OpenMp {
            continue;
        }
        let name = program.name();
        let threads = if program.property.paradigm.has_team() { 2 } else { 1 };
        let trace = ideal(&program, &[("r", "5")], Size { ranks: 6, threads });
        let known = analysis(&trace);
        let found = analysis(&skewed(trace));
        let Some(clocks) = &found.clock_correction else { println!("NONE {name}"); continue };
        println!("{name} {:?} {:?}", clocks.method, clocks.after);
        for p in &clocks.processes { let (o, d) = skew(p.rank); println!("   {} {:?} off {:.3e} drift {:.3e}", p.rank, p.evidence, p.offset + o, p.drift + d); }
        let (a, b) = (shares(&known), shares(&found));
        for k in a.keys().chain(b.keys().filter(|k| !a.contains_key(k))) {
            let (x, y) = (a.get(k).copied().unwrap_or(0.0), b.get(k).copied().unwrap_or(0.0));
            if (x-y).abs() > 1e-6 { println!("      {k:?} {x} {y}"); }
        }
    }
}
