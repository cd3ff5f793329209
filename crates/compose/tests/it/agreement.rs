//! Two independent witnesses: on random compositions, the waits that the virtual engine knows of and those
//! that the analyzer finds in its ideal trace are the same, by wait state, call path and rank.

use std::collections::BTreeMap;
use std::ops::Range;

use ats_compose::{Composition, Subject};
use ats_documents::Finding;
use ats_model::WaitState;
use ats_model::source::InMemory;
use ats_props::{Catalogue, Context, Entry, Team};
use ats_virtual::{Network, Simulation};
use rayon::prelude::*;

/// Seconds by wait state, call path, rank and thread.
type Seconds = BTreeMap<(WaitState, Vec<String>, u32, u32), f64>;

/// The number of waits by wait state and call path.
type Instances = BTreeMap<(WaitState, Vec<String>), u64>;

#[derive(Default)]
struct Waits {
    seconds: Seconds,
    instances: Instances,
}

/// The waits that the engine knows of, and the ideal trace.
fn simulated(composition: &Composition) -> (Waits, InMemory) {
    let (ranks, threads) = (composition.ranks(), composition.threads());
    let plan = composition.plan(ranks, threads).unwrap();
    let mut trace = InMemory::default();
    let subject = Subject::from(composition);
    let bandwidth = subject.bandwidth().unwrap_or(f64::INFINITY);
    let network = Network { progress: subject.progress(), bandwidth, ..Network::default() };
    let simulation = Simulation::new(ranks).threads(threads).network(network);
    let simulation = simulation.whole_program().record(&mut trace);
    let outcome = simulation
        .run_with_team(|c, team| {
            if threads > 1 {
                // As a program's set-up does: a process whose threads never start has none in a trace.
                team.parallel(threads, |_| ());
            }
            plan.set_up(&Context::new(Some(c), Some(team))).run(ats_virtual::align);
        })
        .unwrap();
    let mut known = Waits::default();
    for wait in outcome.waits.iter().filter(|wait| wait.waiting_time > 0.0) {
        let Some(state) = wait.state else { continue };
        let path: Vec<String> = wait.call_path.iter().map(|&region| region.to_owned()).collect();
        *known.instances.entry((state, path.clone())).or_default() += wait.instances;
        let place = (state, path, wait.rank as u32, wait.thread as u32);
        *known.seconds.entry(place).or_default() += wait.waiting_time;
    }
    (known, trace)
}

/// The waits that the engine knows of, and those that the analyzer finds.
fn both(composition: &Composition) -> (Waits, Waits) {
    let (known, trace) = simulated(composition);
    let analysis = ats_analyzer::analyze(&trace, "ideal", &ats_analyzer::Options::default()).unwrap();
    let options = ats_analyzer::Options { records_in_memory: 100, ..ats_analyzer::Options::default() };
    let in_parts = ats_analyzer::analyze(&trace, "ideal", &options).unwrap();
    assert_eq!(in_parts.findings, analysis.findings, "{}", composition.to_toml());
    assert_eq!(analysis.warnings, Vec::<String>::new());
    let is_part = |finding: &Finding| finding.severity <= 1.0;
    assert!(analysis.findings.iter().all(is_part), "{:?} of {:?}", analysis.findings, analysis.basis);

    let mut found = Waits::default();
    for finding in &analysis.findings {
        let state = finding.property.expect("an analyzer names what it finds");
        found.instances.insert((state, finding.call_path.clone()), finding.instances);
        for share in &finding.locations {
            let key = (state, finding.call_path.clone(), share.rank, share.thread);
            found.seconds.insert(key, share.waiting_time);
        }
    }
    (known, found)
}

/// The difference of the two on a composition, if there is one.
fn disagreement(composition: &Composition) -> Option<String> {
    let (Waits { seconds: known, instances }, Waits { seconds: found, instances: counted }) =
        both(composition);
    let one_sided = known.keys().filter(|key| !found.contains_key(key));
    let one_sided = one_sided.chain(found.keys().filter(|key| !known.contains_key(key)));
    let unequal = known.iter().filter(|(key, known)| {
        found.get(key).is_some_and(|found| (found - **known).abs() > 1e-6 * known.abs())
    });
    if let Some(apart) = one_sided.chain(unequal.map(|(key, _)| key)).next() {
        let (known, found) = (known.get(apart), found.get(apart));
        return Some(format!("{apart:?}: {known:?} is known, {found:?} is found\n{}", composition.to_toml()));
    }
    let (apart, known) = instances.iter().find(|&(key, known)| counted.get(key) != Some(known))?;
    let found = counted.get(apart);
    Some(format!("{apart:?}: {known} waits are known, {found:?} are found\n{}", composition.to_toml()))
}

fn assert_agreement(seeds: Range<u64>, random: impl Fn(u64) -> Composition + Sync) {
    let apart = seeds.into_par_iter().find_map_first(|seed| disagreement(&random(seed)));
    assert!(apart.is_none(), "{}", apart.unwrap_or_default());
}

#[test]
fn analyzer_and_engine_agree_on_random_compositions() {
    let catalogue = Catalogue::builtin();
    assert_agreement(ats_testing::seeds(128), |seed| {
        Composition::random(&catalogue, seed, 2 + seed as usize % 32, 1, 1 + seed as usize % 5).unwrap()
    });
}

#[test]
fn analyzer_and_engine_agree_on_random_compositions_with_threads() {
    let catalogue = Catalogue::builtin();
    assert_agreement(ats_testing::seeds(64), |seed| {
        let (ranks, threads) = (1 + seed as usize % 7, 2 + seed as usize % 5);
        Composition::random(&catalogue, seed, ranks, threads, 1 + seed as usize % 4).unwrap()
    });
}

#[test]
fn random_compositions_show_much_and_round_trip() {
    let catalogue = Catalogue::builtin().filter(Entry::is_function);
    let mut states: BTreeMap<WaitState, usize> = BTreeMap::new();
    for seed in ats_testing::seeds(200) {
        let composition = Composition::random(&catalogue, seed, 2 + seed as usize % 8, 4, 4).unwrap();
        let text = composition.to_toml();
        let again = Composition::parse(&text, "again.toml", &catalogue).unwrap();
        assert_eq!(again.to_toml(), text);
        let (known, _) = simulated(&composition);
        assert_eq!(simulated(&again).0.seconds, known.seconds, "seed {seed}");
        known.seconds.keys().for_each(|key| *states.entry(key.0).or_default() += 1);
    }
    for property in catalogue.properties() {
        let shown = property
            .finds
            .shown
            .iter()
            .all(|shown| shown.what.wait_state().is_none_or(|state| states.contains_key(&state)));
        assert!(shown, "{} never shows", property.name);
    }
}
