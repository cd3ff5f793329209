//! What holds for all replays, on random compositions.

use ats_truth::TruthOptions;
use ats_whatif::{Changes, Network, NetworkOfReplay, Selection, Speed};

use crate::{composed, ideal, program};

/// Calls `check` with the ideal traces of compositions of many kinds, and their seeds.
fn on_compositions(mut check: impl FnMut(u64, &ats_model::source::InMemory)) {
    for seed in ats_testing::seeds(60) {
        let it = composed(seed, (2 + seed as usize % 7, 1 + seed as usize % 4), 3);
        check(seed, &ideal(&it, &TruthOptions::default()));
    }
}

fn faster(ranks: Option<u32>, factor: f64) -> Changes {
    let selection = Selection { ranks: ranks.map(|rank| rank..=rank), ..Selection::default() };
    Changes { speeds: vec![Speed { selection, factor }], ..Changes::default() }
}

#[test]
fn no_run_is_longer_with_faster_work_and_no_network() {
    on_compositions(|seed, trace| {
        let program = program(trace);
        let network = NetworkOfReplay::Model(Network::default());
        for changes in [faster(None, 2.0), faster(Some(0), 1.5), faster(Some(1), 1000.0)] {
            let (replayed, _) = program.run_in_memory(&Changes { network, ..changes.clone() }).unwrap();
            assert!(replayed.wall <= program.unchanged().wall, "random_{seed} with {changes:?}");
        }
    });
}

#[test]
fn a_replay_of_a_replay_is_the_replay() {
    on_compositions(|seed, trace| {
        let (replayed, once) = program(trace).run_in_memory(&faster(Some(0), 0.75)).unwrap();
        let (again, twice) = program(&once).run_in_memory(&Changes::default()).unwrap();
        assert_eq!(again.wall, replayed.wall, "random_{seed}");
        assert!(twice.events == once.events, "random_{seed}");
    });
}
