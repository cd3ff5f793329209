//! Clocks that were not measured have no part in the causes of waits.

use std::collections::BTreeMap;

use ats_analyzer::notation::parse;
use ats_documents::Analysis;
use ats_model::{
    clock_correction::ClockMethod,
    definitions::{LocationDefinition, SystemNode, SystemTree},
    delay::{Delay, Extent},
    source::{InMemory, Unmeasured},
};
use proptest::prelude::*;

use super::{analysis, random::assert_same};
use crate::random;

/// A trace in which the clock of each rank is so many ticks ahead.
fn put_ahead(trace: &InMemory, ahead: &[u64]) -> InMemory {
    let mut trace = trace.clone();
    for (location, events) in trace.definitions.locations.iter().zip(&mut trace.events) {
        let ahead = ahead[location.rank as usize % ahead.len()];
        events.iter_mut().for_each(|(time, _)| *time += ahead);
    }
    trace
}

/// The causes in a trace with derived clocks, after the clock of each rank has been put ahead by so many ticks; none if the
/// clocks that are derived do not take exactly that back.
fn shifted(trace: &InMemory, ahead: &[u64], extent: Extent, records: usize) -> Option<Analysis> {
    let mut analysis = analysis(&Unmeasured(put_ahead(trace, ahead)), extent, records);
    analysis.warnings.clear();
    let clocks = analysis.clock_correction.take()?;
    if clocks.method != ClockMethod::Derived || clocks.processes.iter().any(|clock| clock.drift != 0.0) {
        return None;
    }
    let first = ahead[0] as f64;
    let back = |rank: u32| ahead[rank as usize % ahead.len()] as f64 - first;
    let own: BTreeMap<u32, f64> =
        clocks.processes.iter().map(|clock| (clock.rank, clock.offset + back(clock.rank))).collect();
    analysis.clock_correction = None;
    (own.values().all(|offset| *offset == 0.0)).then_some(analysis)
}

/// Rank 1 makes rank 0 wait, rank 2 both, and rank 0 rank 3: each for some time, with barriers in between.
const CHAIN: &str = "
    0: 0..1 MPI_Init; 1..3 a; 3..9 MPI_Recv recv 1; 9..12 b; 12..20 MPI_Barrier barrier; 20..26 c; 26..27 MPI_Send send 3
    0: 27..40 MPI_Barrier barrier; 40..41 MPI_Finalize
    1: 0..1 MPI_Init; 1..8 a; 8..9 MPI_Send send 0; 9..10 b; 10..20 MPI_Barrier barrier; 20..23 c; 23..40 MPI_Barrier barrier
    1: 40..41 MPI_Finalize
    2: 0..1 MPI_Init; 1..19 a; 19..20 MPI_Barrier barrier; 20..39 c; 39..40 MPI_Barrier barrier; 40..41 MPI_Finalize
    3: 0..1 MPI_Init; 1..5 a; 5..20 MPI_Barrier barrier; 20..21 c; 21..27 MPI_Recv recv 0; 27..40 MPI_Barrier barrier
    3: 40..41 MPI_Finalize";

#[test]
fn clocks_far_apart_lose_no_causes() {
    let trace = parse(CHAIN).unwrap();
    for extent in [Extent::Scalasca, Extent::All] {
        for records in [0, 4_000_000] {
            let right = shifted(&trace, &[0], extent, records).unwrap();
            let unattributed = right.causes.as_ref().unwrap().findings.iter().map(|of| of.unattributed);
            assert_eq!(unattributed.sum::<f64>(), 0.0);
            for ahead in [[0, 1350, 760, 520], [900, 0, 3, 40], [0, 1, 2, 3]] {
                let of_shifted = shifted(&trace, &ahead, extent, records).unwrap();
                assert_same(of_shifted, right.clone());
            }
        }
    }
}

/// A trace with times by the clocks that an analysis has derived; none if it has derived none, or their speeds.
fn by_derived(mut trace: InMemory, analysis: &Analysis) -> Option<InMemory> {
    let clocks = analysis.clock_correction.as_ref().filter(|clocks| clocks.method == ClockMethod::Derived)?;
    for clock in &clocks.processes {
        let is_its = |location: &LocationDefinition| location.rank == clock.rank;
        let own = trace
            .definitions
            .locations
            .iter()
            .zip(&mut trace.events)
            .filter(|(location, _)| is_its(location));
        for (time, _) in own.flat_map(|(_, events)| events) {
            // Far from 0, so that no time is before that.
            *time = time.checked_add_signed(1_000_000 + clock.offset.round() as i64)?;
        }
    }
    // Waits in `MPI_Init` are compared on one node alone, and not by derived clocks.
    let node = |parent| SystemNode { name: "node".to_owned(), class: "node".to_owned(), parent };
    let processes = clocks.processes.iter().map(|clock| (clock.rank, clock.rank.min(1))).collect();
    trace.definitions.system_tree = SystemTree { nodes: vec![node(None), node(None)], processes };
    clocks.processes.iter().all(|clock| clock.drift == 0.0).then_some(trace)
}

proptest! {
    #[test]
    fn derived_clocks_give_the_causes_of_the_times_that_they_show(
        steps in random::steps(),
        ahead in prop::collection::vec(0..2_000u64, 4),
        extent in prop_oneof![Just(Extent::Scalasca), Just(Extent::All)],
    ) {
        let trace = put_ahead(&random::trace(&steps), &ahead);
        let mut derived = analysis(&Unmeasured(trace.clone()), extent, 4_000_000);
        if let Some(trace) = by_derived(trace, &derived) {
            let mut shown = analysis(&trace, extent, 4_000_000);
            for analysis in [&mut derived, &mut shown] {
                (analysis.clock_correction, analysis.warnings) = (None, Vec::new());
                // Only waits that have causes are compared.
                analysis.findings.retain(|finding| finding.property.and_then(Delay::from_wait_state).is_some());
            }
            assert_same(derived, shown);
        }
    }
}
