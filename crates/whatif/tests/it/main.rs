//! Replays of traces, held against what the virtual engine makes of the changed programs.

mod eager;
mod laws;
mod locks;
mod networks;
mod orders;
mod overlaps;
mod refused;
mod removed;
mod segments;
mod simulators;
mod tasks;
mod unchanged;

use ats_compose::{Composition, Subject};
use ats_model::source::InMemory;
use ats_props::Catalogue;
use ats_truth::{GivenSize, Planned, Size, TruthOptions, ideal_trace};
use ats_whatif::{Changes, Network, Program, TICKS_PER_SECOND};

/// A program of the suite with these parameters, on so many ranks and threads.
fn planned(name: &str, parameters: &[&str], ranks: usize, threads: usize) -> Planned {
    let parameters: Vec<String> = parameters.iter().map(|&parameter| parameter.to_owned()).collect();
    let size = GivenSize { ranks: Some(ranks), threads: Some(threads) };
    Planned::named(name, &parameters, size, &Catalogue::builtin()).unwrap()
}

/// Its ideal trace.
fn ideal(planned: &Planned, options: &TruthOptions) -> InMemory {
    ideal_trace::in_memory(&planned.subject, planned.size, options).unwrap()
}

/// A trace as a program.
fn program(trace: &InMemory) -> Program<'_, InMemory> {
    Program::new(trace, &[], Network::default()).unwrap()
}

/// The ideal trace of a program of the suite as a program itself, on a network with the progress that its truth is of.
fn program_again<'s>(trace: &'s InMemory, planned: &Planned) -> Program<'s, InMemory> {
    let progress = match &planned.subject {
        Subject::Property { program, .. } => program.property.progress,
        Subject::Composition(_) => None,
    };
    Program::new(trace, &[], Network { progress, ..Network::default() }).unwrap()
}

/// A random composition.
fn composed(seed: u64, (ranks, threads): (usize, usize), properties: usize) -> Planned {
    let composition = Composition::random(&Catalogue::builtin(), seed, ranks, threads, properties).unwrap();
    let size = Size { ranks: composition.ranks(), threads: composition.threads() };
    Planned { subject: Subject::Composition(composition.into()), size }
}

/// A tick of traces in words, in those of a replay.
const TICK: u64 = TICKS_PER_SECOND;

/// The time that a trace in words takes with changes.
#[track_caller]
fn wall(trace: &str, changes: &Changes) -> u64 {
    let trace = ats_analyzer::notation::parse(trace).unwrap();
    program(&trace).run_in_memory(changes).unwrap().0.wall
}
