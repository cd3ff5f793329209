//! From the definitions of each process to the definitions of the trace.

use std::collections::{BTreeMap, BTreeSet};

use ats_model::definitions::{
    CallingContext, Clock, Communicator, InterruptGenerator, InterruptMode, LocationDefinition, Members,
    Paradigm, Region, RegionRole, Team,
};
use ats_model::event::{CommunicatorRef, RegionRef};
use ats_model::metric::{Base, MetricDefinition};
use ats_model::own_attribute::Own;
use ats_model::own_metric::OwnMetric;
use ats_model::{Definitions, locations, regions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::local::{Identity, Local, LocalCall, LocalContext, LocalRegion, Owner, PREDEFINED};
use crate::maps::Maps;

/// No calling context.
const NONE: u32 = u32::MAX;

/// Merges the definitions of the ranks, in the order of ranks: into the definitions of the trace, without the length
/// of its clock, and the maps of each rank.
pub fn merge(ranks: &[Local]) -> (Definitions, Vec<Maps>) {
    let mut maps = vec![Maps::default(); ranks.len()];
    let mut definitions = Definitions {
        clock: Clock {
            offset: ranks.iter().map(|local| local.begin_ns.max(0) as u64).min().unwrap_or_default(),
            ..Clock::default()
        },
        attributes: Own::ALL.map(Own::definition).to_vec(),
        metrics: OwnMetric::ALL.map(OwnMetric::definition).to_vec(),
        ..Definitions::default()
    };
    merge_programs(ranks, &mut definitions, &mut maps);
    merge_regions(ranks, &mut definitions, &mut maps);
    let contexts = merge_contexts(ranks, &mut definitions, &maps);
    add_programs(&mut definitions);
    merge_calls(ranks, &contexts, &mut definitions, &mut maps);
    merge_communicators(ranks, &mut definitions, &mut maps);
    merge_metrics(ranks, &mut definitions, &mut maps);
    definitions.locations = all_locations(ranks);
    let affinities = (0..).zip(ranks).filter_map(|(rank, local)| Some((rank, local.affinity.clone()?)));
    definitions.affinities = affinities.collect();
    let ended = (0..).zip(ranks).filter_map(|(rank, local)| Some((rank, local.openmp_ended_ns?)));
    definitions.openmp_ended = ended.map(|(rank, ended)| (rank, ended.max(0) as u64)).collect();
    // All ranks are sampled alike.
    let period = ranks.iter().find_map(|local| local.sample_period_ns);
    definitions.interrupt_generators = period.map(interrupts).into_iter().collect();
    let lost = (0..).zip(ranks).map(|(rank, local)| (rank, local.lost_samples));
    definitions.lost_samples = lost.filter(|&(_, lost)| lost > 0).collect();
    let counted = (0..).zip(ranks).filter_map(|(rank, local)| Some((rank, local.counted_permille?)));
    definitions.counted_permille = counted.collect();
    for ((rank, local), map) in (0..).zip(ranks).zip(&maps) {
        let of_region = |(&region, &calls): (&u32, &u64)| {
            Some(((rank, RegionRef(*map.regions.get(region as usize)?)), calls))
        };
        definitions.left_out.extend(local.left_out.iter().filter_map(of_region));
    }
    merge_teams(ranks, &mut definitions, &mut maps);
    (definitions, maps)
}

/// The source of the interrupts of a thread after so much of its processor time each.
fn interrupts(period_ns: u64) -> InterruptGenerator {
    InterruptGenerator {
        name: "processor time of the thread".into(),
        mode: InterruptMode::Time,
        base: Base::Decimal,
        exponent: -9,
        period: period_ns,
    }
}

fn merge_programs(ranks: &[Local], definitions: &mut Definitions, maps: &mut [Maps]) {
    let mut ids: FxHashMap<&str, u32> = FxHashMap::default();
    for (local, map) in ranks.iter().zip(maps) {
        let next = ids.len() as u32;
        map.programs.push(*ids.entry(&local.program).or_insert_with(|| {
            definitions.strings.extend([&local.program]);
            next
        }));
    }
}

/// Regions that stand for calls of a function are one region of the trace.
fn merge_regions(ranks: &[Local], definitions: &mut Definitions, maps: &mut [Maps]) {
    let mut ids: FxHashMap<LocalRegion, u32> = FxHashMap::default();
    for (local, map) in ranks.iter().zip(maps) {
        map.regions.extend(local.regions.iter().map(|region| {
            let region = region.function().unwrap_or_else(|| region.clone());
            *ids.entry(region).or_insert_with_key(|region| {
                definitions.regions.push(region.definition());
                definitions.regions.len() as u32 - 1
            })
        }));
    }
}

/// Functions of one name and file are one region, and equal calls are one context. Returns the contexts of each rank's.
fn merge_contexts<'a>(ranks: &'a [Local], definitions: &mut Definitions, maps: &[Maps]) -> Vec<Vec<u32>> {
    let mut functions: FxHashMap<(&str, &str), RegionRef> = FxHashMap::default();
    for (local, map) in ranks.iter().zip(maps) {
        // Those that are recorded as regions are these.
        let recorded = local.regions.iter().zip(&map.regions).filter(|(of, _)| of.owner == Owner::Function);
        recorded.for_each(|(of, &id)| _ = functions.entry((&of.name, &of.file)).or_insert(RegionRef(id)));
    }
    let mut ids: FxHashMap<CallingContext, u32> = FxHashMap::default();
    let of_rank = |local: &'a Local| {
        let mut own: Vec<u32> = Vec::with_capacity(local.contexts.len());
        for LocalContext { function, file, line, parent } in &local.contexts {
            let function = *functions.entry((function, file)).or_insert_with(|| {
                let region = regions::definition(function, Owner::Function.paradigm());
                definitions.regions.push(Region { file: file.clone(), ..region });
                RegionRef(definitions.regions.len() as u32 - 1)
            });
            let parent = parent.and_then(|parent| own.get(parent as usize).copied());
            let context = CallingContext { function, file: file.clone(), line: *line, parent };
            own.push(number(&mut ids, &mut definitions.calling_contexts, context));
        }
        own
    };
    ranks.iter().map(of_rank).collect()
}

/// The number of a context, which is added to those of the trace if it is new.
fn number(
    ids: &mut FxHashMap<CallingContext, u32>,
    contexts: &mut Vec<CallingContext>,
    context: CallingContext,
) -> u32 {
    *ids.entry(context).or_insert_with_key(|context| {
        contexts.push(context.clone());
        contexts.len() as u32 - 1
    })
}

/// Gives the calls of functions that are kept apart regions and calling contexts of their own, behind all others.
fn merge_calls(ranks: &[Local], contexts: &[Vec<u32>], definitions: &mut Definitions, maps: &mut [Maps]) {
    let mut calls: FxHashMap<LocalRegion, RegionRef> = FxHashMap::default();
    let mut ids: FxHashMap<CallingContext, u32> = FxHashMap::default();
    for ((local, own), map) in ranks.iter().zip(contexts).zip(maps) {
        let mut of_call = |region: u32, context: Option<u32>| {
            let context = context.map(|context| context as usize);
            let (region, &function) =
                local.regions.get(region as usize).zip(map.regions.get(region as usize))?;
            // What calls MPI for a program, as a module of Python does, is not the place of the call in the program.
            let place = context.and_then(|context| local.contexts.get(context)?.call_site());
            let is_call = region.function().is_some() || region.is_anywhere() && place.is_some();
            is_call.then_some(())?;
            let region = LocalRegion { call_site: place.or(region.call_site.clone()), ..region.clone() };
            let (file, line) =
                region.call_site.as_ref().map(|site| (site.file.clone(), site.line)).unwrap_or_default();
            let call = *calls.entry(region).or_insert_with_key(|region| {
                let call = RegionRef(definitions.regions.len() as u32);
                definitions.regions.push(region.definition());
                definitions.calls.insert(call, RegionRef(function));
                call
            });
            let parent = context.and_then(|context| own.get(context).copied());
            let context = CallingContext { function: call, file, line, parent };
            Some(number(&mut ids, &mut definitions.calling_contexts, context))
        };
        // A region is entered either with the calls that lead to it, always, or without.
        let with_context: FxHashSet<u32> = local.calls.iter().flatten().map(|call| call.region).collect();
        let numbers = local.calls.len().max(local.regions.len()) as u32;
        for number in 0..numbers {
            let call = local.calls.get(number as usize).copied().flatten();
            let call = call.and_then(|LocalCall { region, context }| {
                // A construct with a place in the source is no call.
                let around = context.and_then(|context| own.get(context as usize).copied());
                of_call(region, context).or(around)
            });
            let sample = local.samples.get(&number).and_then(|&place| own.get(place as usize).copied());
            let region = if with_context.contains(&number) { None } else { of_call(number, None) };
            map.contexts.extend([call.or(sample), region].map(|context| context.unwrap_or(NONE)));
        }
        let last = map.contexts.iter().rposition(|&context| context != NONE);
        map.contexts.truncate(last.map_or(0, |last| last + 1));
    }
}

/// Defines a region for each program as a whole, as Score-P does: Scalasca does not read a trace without. All strings so
/// far are programs.
fn add_programs(definitions: &mut Definitions) {
    let programs = definitions.strings.iter().filter(|program| !program.is_empty());
    let region = |program: &str| {
        let region = regions::definition(program, Paradigm::Other);
        Region { role: RegionRole::Artificial, ..region }
    };
    definitions.regions.extend(programs.map(region));
}

fn merge_communicators(ranks: &[Local], definitions: &mut Definitions, maps: &mut [Maps]) {
    definitions.communicators = vec![
        Communicator {
            name: "MPI_COMM_WORLD".into(),
            members: Members::Ranks((0..ranks.len() as u32).collect()),
        },
        Communicator { name: "MPI_COMM_SELF".into(), members: Members::SelfOnly },
    ];
    // In the order of their identities, so that the trace of a program does not depend on who was first.
    let mut made: BTreeMap<Identity, (String, Vec<u32>)> = BTreeMap::new();
    for defined in ranks.iter().flat_map(|local| &local.communicators) {
        let (name, members) = made.entry(defined.identity.clone()).or_default();
        if !defined.name.is_empty() {
            name.clone_from(&defined.name);
        }
        members.extend(&defined.members);
    }
    let predefined = PREDEFINED as u32;
    let ids: FxHashMap<Identity, u32> = made.keys().cloned().zip(predefined..).collect();
    definitions.communicators.extend(
        made.into_values().map(|(name, members)| Communicator { name, members: Members::Ranks(members) }),
    );
    for ((rank, local), map) in (0..).zip(ranks).zip(maps) {
        map.communicators = (0..predefined).collect();
        map.communicators.extend(local.communicators.iter().map(|defined| ids[&defined.identity]));
        let with_topology = local.communicators.iter().filter_map(|defined| {
            let reference = CommunicatorRef(ids[&defined.identity]);
            Some(((rank, reference), defined.neighbors.clone()?))
        });
        definitions.neighbors.extend(with_topology);
    }
}

/// Metrics of one definition are one, behind those of the suite.
fn merge_metrics(ranks: &[Local], definitions: &mut Definitions, maps: &mut [Maps]) {
    let own = definitions.metrics.len() as u32;
    let mut ids: FxHashMap<&MetricDefinition, u32> = FxHashMap::default();
    for (local, map) in ranks.iter().zip(maps).filter(|(local, _)| !local.metrics.is_empty()) {
        map.metrics = (0..own).collect();
        map.metrics.extend(local.metrics.iter().map(|metric| {
            *ids.entry(metric).or_insert_with(|| {
                definitions.metrics.push(metric.clone());
                definitions.metrics.len() as u32 - 1
            })
        }));
    }
}

/// All locations: the ranks' first threads, then their further ones.
fn all_locations(ranks: &[Local]) -> Vec<LocationDefinition> {
    let in_teams: Vec<BTreeSet<u32>> =
        ranks.iter().map(|local| local.teams.iter().flatten().copied().collect()).collect();
    let threads: BTreeSet<(u32, u32)> = (0..)
        .zip(ranks)
        .flat_map(|(rank, local)| local.events.keys().map(move |&thread| (thread, rank)))
        .collect();
    let definition = |(thread, rank)| {
        let name = locations::name(thread, in_teams[rank as usize].contains(&thread));
        let events = ranks[rank as usize].events[&thread];
        LocationDefinition { id: locations::id(rank, thread), name, rank, thread, events }
    };
    threads.into_iter().map(definition).collect()
}

fn merge_teams(ranks: &[Local], definitions: &mut Definitions, maps: &mut [Maps]) {
    let locations: FxHashMap<(u32, u32), u32> = (0..)
        .zip(&definitions.locations)
        .map(|(index, location)| ((location.rank, location.thread), index))
        .collect();
    for (rank, (local, map)) in (0..).zip(ranks.iter().zip(maps)) {
        map.all_communicators = definitions.communicators.len();
        for team in &local.teams {
            map.teams.push(definitions.teams.len() as u32);
            let members = team.iter().filter_map(|&thread| locations.get(&(rank, thread)).copied()).collect();
            definitions.teams.push(Team { name: String::new(), members });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::local::{LocalCommunicator, Owner, calling_context};
    use super::*;
    use ats_model::affinity::Affinity;
    use ats_model::neighbors::Neighbors;

    fn region(name: &str, mpi: bool) -> LocalRegion {
        let owner = if mpi { Owner::Mpi } else { Owner::Program };
        LocalRegion { name: name.into(), owner, role: None, file: String::new(), line: 0, call_site: None }
    }

    fn communicator(identity: [u32; 2], members: &[u32]) -> LocalCommunicator {
        LocalCommunicator {
            identity: identity.into(),
            name: String::new(),
            members: members.into(),
            neighbors: None,
        }
    }

    fn metric(name: &str) -> MetricDefinition {
        MetricDefinition { name: name.into(), ..MetricDefinition::default() }
    }

    #[test]
    fn ranks_that_defined_in_different_orders_share_definitions() {
        let ranks = [
            Local {
                program: "/bin/heat".into(),
                regions: vec![region("MPI_Init", true), region("work", false)],
                communicators: vec![communicator([0, 1], &[0, 1]), communicator([0, 0], &[0])],
                teams: Vec::new(),
                contexts: Vec::new(),
                calls: Vec::new(),
                metrics: vec![metric("faces")],
                events: [(0, 10)].into(),
                unleft: 0,
                openmp_ended_ns: None,
                sample_period_ns: None,
                samples: BTreeMap::new(),
                lost_samples: 0,
                counted_permille: Some(430),
                left_out: [(1, 5)].into(),
                affinity: None,
                begin_ns: 500,
            },
            Local {
                program: "/bin/ocean".into(),
                regions: vec![region("work", false), region("MPI_Send", true), region("MPI_Init", true)],
                communicators: vec![communicator([1, 0], &[1]), communicator([0, 1], &[])],
                teams: vec![vec![0, 2], vec![0, 1]],
                contexts: Vec::new(),
                calls: Vec::new(),
                metrics: vec![metric("cells"), metric("faces")],
                events: [(0, 20), (1, 3), (2, 4), (3, 1)].into(),
                unleft: 1,
                openmp_ended_ns: Some(450),
                sample_period_ns: Some(5_000_000),
                samples: BTreeMap::new(),
                lost_samples: 7,
                counted_permille: None,
                left_out: [(0, 9)].into(),
                affinity: Some(Affinity { host: "vm".into(), processors: [3].into() }),
                begin_ns: 400,
            },
        ];
        let (definitions, maps) = merge(&ranks);
        let names: Vec<&str> = definitions.regions.iter().map(|region| region.name.as_str()).collect();
        assert_eq!(names, ["MPI_Init", "work", "MPI_Send", "/bin/heat", "/bin/ocean"]);
        let programs = definitions.regions[3..].iter().map(|region| (region.role, region.paradigm));
        assert!(programs.eq([(RegionRole::Artificial, Paradigm::Other); 2]));
        let expected = [
            ([0, 1].to_vec(), [0, 1, 3, 2], vec![0, 1, 2, 3, 4, 5], [].to_vec()),
            ([1, 2, 0].to_vec(), [0, 1, 4, 3], vec![0, 1, 2, 3, 4, 6, 5], [0, 1].to_vec()),
        ];
        for (rank, (map, (regions, communicators, metrics, teams))) in
            (0..).zip(maps.into_iter().zip(expected))
        {
            let (communicators, programs) = (communicators.to_vec(), vec![rank]);
            let of_lists = Maps { regions, communicators, metrics, teams, programs, ..Maps::default() };
            assert_eq!(map, Maps { all_communicators: 5, ..of_lists });
        }
        let metrics: Vec<&str> = definitions.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(metrics[OwnMetric::ALL.len()..], ["faces", "cells"]);
        assert!(definitions.strings.iter().eq(["/bin/heat", "/bin/ocean"]));
        assert_eq!(definitions.openmp_ended, [(1, 450)].into());
        let periods: Vec<u64> = definitions.interrupt_generators.iter().map(|of| of.period).collect();
        assert_eq!((periods, definitions.lost_samples), (vec![5_000_000], [(1, 7)].into()));
        assert_eq!(definitions.counted_permille, [(0, 430)].into());
        assert_eq!(definitions.left_out, [((0, RegionRef(1)), 5), ((1, RegionRef(1)), 9)].into());
        assert_eq!(definitions.affinities[&1].to_string(), "vm:3");
        let members: Vec<&Members> =
            definitions.communicators.iter().map(|communicator| &communicator.members).collect();
        let ranks = |ranks: &[u32]| Members::Ranks(ranks.into());
        assert_eq!(
            members,
            [&ranks(&[0, 1]), &Members::SelfOnly, &ranks(&[0]), &ranks(&[0, 1]), &ranks(&[1])]
        );
        let locations: Vec<_> =
            definitions.locations.iter().map(|l| (l.id, l.rank, l.thread, l.events)).collect();
        let of_rank_1 = |thread: u32| locations::id(1, thread);
        assert_eq!(
            locations,
            [
                (0, 0, 0, 10),
                (1, 1, 0, 20),
                (of_rank_1(1), 1, 1, 3),
                (of_rank_1(2), 1, 2, 4),
                (of_rank_1(3), 1, 3, 1)
            ]
        );
        let names: Vec<_> = definitions.locations.iter().map(|location| location.name.as_str()).collect();
        assert_eq!(names, ["Master thread", "Master thread", "OMP thread 1", "OMP thread 2", "Thread 3"]);
        let teams: Vec<_> = definitions.teams.iter().map(|team| team.members.as_slice()).collect();
        assert_eq!(teams, [[1, 3], [1, 2]]);
        assert_eq!(definitions.clock.offset, 400);
    }

    #[test]
    fn ranks_of_one_program_share_its_name() {
        let rank = Local { program: "/bin/heat".into(), ..Local::default() };
        let (definitions, maps) = merge(&[rank.clone(), rank]);
        assert!(definitions.strings.iter().eq(["/bin/heat"]));
        assert!(maps.iter().all(|map| map.programs == [0]));
    }

    #[test]
    fn each_process_has_neighbors_of_its_own() {
        let with = |source| {
            let neighbors = Some(Neighbors { sources: vec![source], destinations: vec![1] });
            LocalCommunicator { neighbors, ..communicator([0, 3], &[]) }
        };
        let other = communicator([0, 2], &[0]);
        let ranks = [vec![other, with(7)], vec![with(5)]]
            .map(|communicators| Local { communicators, ..Local::default() });
        let (definitions, _) = merge(&ranks);
        let sources: Vec<_> =
            definitions.neighbors.iter().map(|(place, neighbors)| (*place, neighbors.sources[0])).collect();
        assert_eq!(sources, [((0, CommunicatorRef(3)), 7), ((1, CommunicatorRef(3)), 5)]);
    }

    #[test]
    fn a_communicators_name_may_come_from_any_member() {
        let mut named = communicator([0, 0], &[]);
        named.name = "halves".into();
        let ranks = [
            Local { communicators: vec![communicator([0, 0], &[0, 1])], ..Local::default() },
            Local { communicators: vec![named], ..Local::default() },
        ];
        let (definitions, _) = merge(&ranks);
        let expected = Communicator { name: "halves".into(), members: Members::Ranks(vec![0, 1]) };
        assert_eq!(definitions.communicators[2], expected);
    }

    fn context(function: &str, parent: Option<u32>) -> LocalContext {
        LocalContext { function: function.into(), file: "a.c".into(), line: 3, parent }
    }

    #[test]
    fn a_lock_is_called_at_a_place_and_a_construct_stands_in_a_function() {
        let of_openmp = |name: &str| LocalRegion { owner: Owner::OpenMp, ..region(name, false) };
        let call = |region| Some(LocalCall { region, context: Some(1) });
        let rank = Local {
            regions: vec![of_openmp("omp_set_lock"), of_openmp("!$omp critical @a.c:3")],
            contexts: vec![context("main", None), context("relax", Some(0))],
            calls: vec![call(0), call(1)],
            ..Local::default()
        };
        let (definitions, maps) = merge(&[rank]);
        let [lock, critical] = [0, 1].map(|call| maps[0].contexts[calling_context::of_call(call) as usize]);
        let CallingContext { function: lock, parent, .. } = definitions.calling_contexts[lock as usize];
        assert_eq!((definitions.calls.get(&lock), parent), (Some(&RegionRef(0)), Some(1)));
        let place = definitions.regions[lock.0 as usize].call_site.as_ref().unwrap();
        assert_eq!((place.function.as_str(), place.line), ("relax", 3));
        assert_eq!(critical, 1);
    }

    #[test]
    fn a_sample_has_the_context_of_its_place() {
        let rank = Local {
            contexts: vec![context("main", None), context("relax", Some(0))],
            calls: vec![None; 3],
            samples: [(1, 0), (2, 1)].into(),
            ..Local::default()
        };
        let (definitions, maps) = merge(&[rank]);
        let of = |call| maps[0].contexts[calling_context::of_call(call) as usize];
        assert_eq!([0, 1, 2].map(of), [NONE, 0, 1]);
        assert_eq!(definitions.calling_contexts[1].parent, Some(0));
    }
}
