//! A changed program is the truth of a change.

use ats_model::source::InMemory;
use ats_props::{Catalogue, Program};
use ats_truth::{Network, Planned, Processors, TruthOptions};
use ats_whatif::{Changes, NetworkOfReplay, Selection, Speed};

use crate::{ideal, planned, program};

/// Programs whose calls last longer than they need: that is neither work nor network.
const DELAYED: [&str; 2] = ["barrier_completion", "nxn_completion"];

/// A program that tests for a message again and again: how often, the trace repeats.
const POLLING: &str = "late_sender_test_polling";

/// Parameters that are times, scaled.
fn scaled(program: Program, factor: f64) -> Vec<String> {
    let is_time = |kind: &str| matches!(kind, "seconds" | "distribution");
    let times = program.property.parameters.iter().filter(|parameter| is_time(parameter.kind.name));
    times.filter_map(|it| Some(format!("{}={}", it.name, (it.default)().scaled(factor).ok()?))).collect()
}

/// The end of each location, in picoseconds.
fn ends(trace: &InMemory) -> Vec<u64> {
    trace.events.iter().map(|events| events.last().map_or(0, |event| event.0)).collect()
}

/// How a changed replay of a program differs from the changed program: by more than 1e-9 of that.
fn differs(
    (before, options): (&Planned, &TruthOptions),
    changes: &Changes,
    (after, changed): (&Planned, &TruthOptions),
) -> Option<String> {
    let name = format!("{} on {}", before.subject.name(), before.size);
    let trace = ideal(before, options);
    let predicted = match program(&trace, before).run_in_memory(changes) {
        Ok((_, predicted)) => predicted,
        Err(error) => return Some(format!("{name}: {error}")),
    };
    let (is, should) = (ends(&predicted), ends(&ideal(after, changed)));
    let worst = is.iter().zip(&should).map(|(is, should)| is.abs_diff(*should)).max()?;
    let wall = should.iter().max().copied()?;
    // Every piece of work is rounded to a picosecond.
    let rounding = 100;
    (worst > wall / 1_000_000_000 + rounding)
        .then(|| format!("{name}: off by {} of {} s", worst as f64 / 1e12, wall as f64 / 1e12))
}

/// Checks all programs of the suite but those whose names begin with one of these.
fn check_all(undefined: &[&str], mut differs: impl FnMut(Program, &Planned) -> Option<String>) {
    let catalogue = Catalogue::builtin();
    let mut differences = Vec::new();
    for program in catalogue.programs() {
        let needs = program.property.needs;
        let (ranks, threads) = (if needs.ranks { 5 } else { 1 }, if needs.team { 3 } else { 1 });
        if !undefined.contains(&program.property.name) {
            differences.extend(differs(program, &planned(program.name(), &[], ranks, threads)));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn of_speed() {
    let options = TruthOptions::default();
    let speed = Speed { selection: Selection::default(), factor: 2.0 };
    let changes = Changes { speeds: vec![speed], ..Changes::default() };
    // Its pages are amounts beside its times.
    let undefined = [&DELAYED[..], &[POLLING, "concurrent_page_faults"]].concat();
    check_all(&undefined, |program, it| {
        let parameters = scaled(program, 0.5);
        let words: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let faster = planned(program.name(), &words, it.size.ranks, it.size.threads);
        if words.is_empty() { None } else { differs((it, &options), &changes, (&faster, &options)) }
    });
}

#[test]
fn of_network() {
    let on = |network| TruthOptions { network, ..TruthOptions::default() };
    let a = Network { latency: 1e-6, bandwidth: 1e10, overhead: 2e-7, ..Network::default() };
    let b = Network { latency: 1e-4, bandwidth: 1e8, overhead: 5e-6, eager_limit: 64, ..Network::default() };
    // The size of its messages depends on the eager limit, and no record has the bytes of an operation between neighbours.
    let undefined =
        [&DELAYED[..], &[POLLING, "near_eager_threshold_traffic", "imbalance_at_neighbor_alltoall"]];
    check_all(&undefined.concat(), |program, it| {
        let b = Network { progress: program.property.progress, ..b };
        let changes = Changes { network: NetworkOfReplay::Model(b), ..Changes::default() };
        differs((it, &on(a)), &changes, (it, &on(b)))
    });
}

#[test]
fn of_processors() {
    let processors = Processors::of_ranks(vec![0, 0, 1]);
    let on = TruthOptions { processors: processors.clone(), ..TruthOptions::default() };
    let changes = Changes { processors, ..Changes::default() };
    // Threads of one process share its processor: pieces of work that no event divides are one piece in a replay.
    let in_pieces =
        ["late_broadcast_hybrid_serial_root", "mpi_outside_parallel", "unparallelized_in_ordered_loop"];
    let undefined = [&DELAYED[..], &[POLLING], &in_pieces].concat();
    check_all(&undefined, |_, it| differs((it, &TruthOptions::default()), &changes, (it, &on)));
}

/// Properties whose balanced twin does the same work, evenly shared, in the regions that are named.
const EVEN: &[(&str, &str)] = &[("late_sender", "late_sender"), ("late_broadcast", "late_broadcast")];

#[test]
fn of_even_work() {
    let options = TruthOptions::default();
    for (name, region) in EVEN {
        let changes = Changes { balances: vec![region.parse().unwrap()], ..Changes::default() };
        let (it, twin) = (planned(name, &[], 5, 3), planned(&format!("{name}_balanced"), &[], 5, 3));
        assert_eq!(differs((&it, &options), &changes, (&twin, &options)), None, "{name}");
    }
}
