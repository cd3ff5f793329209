//! Replays of traces, held against what the virtual engine makes of the changed programs.

mod unchanged;

use ats_compose::{Composition, Subject};
use ats_model::source::InMemory;
use ats_props::Catalogue;
use ats_truth::{GivenSize, Planned, Size, TruthOptions, ideal_trace};
use ats_whatif::Program;

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

/// The eager limit of ideal traces.
const EAGER_LIMIT: usize = 4096;

/// An ideal trace as a program.
fn program<'s>(trace: &'s InMemory) -> Program<'s, InMemory> {
    Program::new(trace, &[], EAGER_LIMIT).unwrap()
}

/// A random composition.
fn composed(seed: u64, (ranks, threads): (usize, usize), properties: usize) -> Planned {
    let composition = Composition::random(&Catalogue::builtin(), seed, ranks, threads, properties).unwrap();
    let size = Size { ranks: composition.ranks(), threads: composition.threads() };
    Planned { subject: Subject::Composition(composition.into()), size }
}
