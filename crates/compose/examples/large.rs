//! Time to simulate a random composition on many ranks: by default 100 phases on 16,384 ranks.
//!
//! `cargo run --release -p ats-compose --example large -- [RANKS [PHASES [SEED]]]`

use std::time::Instant;

use ats_compose::Composition;
use ats_props::{Catalogue, Context};
use ats_virtual::Simulation;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given = |at: usize, default: usize| {
        std::env::args().nth(at).map_or(Ok(default), |text| text.parse::<usize>())
    };
    let (ranks, phases, seed) = (given(1, 16_384)?, given(2, 100)?, given(3, 1)?);
    let composition = Composition::random(&Catalogue::builtin(), seed as u64, ranks, 1, phases)?;
    let begin = Instant::now();
    let plan = composition.plan(ranks, 1)?;
    let outcome =
        Simulation::new(ranks).run(|c| plan.set_up(&Context::new(Some(c), None)).run(ats_virtual::align))?;
    println!(
        "{phases} phases on {ranks} ranks: {} operations, {} waits, {:.1} s",
        outcome.operations,
        outcome.waits.len(),
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}
