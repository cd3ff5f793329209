use std::collections::BTreeMap;

use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::event::{Event, RegionRef, TaskId, TeamRef};
use ats_model::openmp::Construct;
use ats_model::source::InMemory;
use ats_mpi::Communicator;
use ats_omp::{LockKind, Schedule, Team, Thread};
use ats_virtual::{Simulation, VirtualTeam};
use ats_work::do_work;

use super::UNIT;

fn record(ranks: usize, threads: usize, program: impl Fn(&dyn Communicator, &VirtualTeam)) -> InMemory {
    let mut trace = InMemory::default();
    let simulation = Simulation::new(ranks).threads(threads).whole_program().record(&mut trace);
    simulation.run_with_team(program).unwrap();
    trace
}

/// A location's events, with names, teams by their members, locks by order alone.
pub(crate) fn lines(trace: &InMemory, location: usize) -> Vec<String> {
    let name = |region: RegionRef| trace.definitions.regions[region.0 as usize].name.clone();
    let members = |team: TeamRef| &trace.definitions.teams[team.0 as usize].members;
    let tell = |&(_, event): &(u64, Event)| match event {
        Event::Enter { region } => format!("> {}", name(region)),
        Event::Leave { region } => format!("< {}", name(region)),
        Event::MpiCollectiveBegin => "collective".to_owned(),
        Event::MpiCollectiveEnd { operation, .. } => format!("{operation:?}"),
        Event::ThreadFork { requested } => format!("fork {requested}"),
        Event::ThreadJoin => "join".to_owned(),
        Event::ThreadTeamBegin { team } => format!("begin team {:?}", members(team)),
        Event::ThreadTeamEnd { team } => format!("end team {:?}", members(team)),
        Event::ThreadAcquireLock { order, .. } => format!("acquire {order}"),
        Event::ThreadReleaseLock { order, .. } => format!("release {order}"),
        Event::ThreadTaskCreate { task: TaskId { creator, generation }, .. } => {
            format!("create {creator}.{generation}")
        }
        Event::ThreadTaskSwitch { task: TaskId { creator, generation }, .. } => {
            format!("switch {creator}.{generation}")
        }
        Event::ThreadTaskComplete { task: TaskId { creator, generation }, .. } => {
            format!("complete {creator}.{generation}")
        }
        other => format!("{other:?}"),
    };
    trace.events[location].iter().map(tell).collect()
}

#[test]
fn a_team_is_told_as_a_recorder_tells_it() {
    let trace = record(1, 2, |_, team| {
        team.parallel_tasks(2, |t, tasks| {
            t.single_nowait(|| tasks.spawn(|| do_work(UNIT)));
            t.critical("lock", || do_work(UNIT));
        });
    });
    let master = lines(&trace, 0);
    let begin = [
        "> MPI_Init",
        "collective",
        "CreateHandle",
        "< MPI_Init",
        "fork 2",
        "begin team [0, 1]",
        "> !$omp parallel",
        "> !$omp single",
        "> !$omp single sblock",
        "> !$omp create task",
        "create 0.1",
        "< !$omp create task",
        "< !$omp single sblock",
        "< !$omp single",
        "> !$omp critical",
        "acquire 1",
        "> !$omp critical sblock",
        "< !$omp critical sblock",
        "release 1",
        "< !$omp critical",
        "> !$omp implicit barrier",
        "switch 0.1",
        "> !$omp task",
        "< !$omp task",
        "complete 0.1",
        "switch 0.0",
        "< !$omp implicit barrier",
        "< !$omp parallel",
        "end team [0, 1]",
        "join",
        "> MPI_Finalize",
    ];
    assert_eq!(master[..begin.len()], begin);
    let worker = [
        "begin team [0, 1]",
        "> !$omp parallel",
        "> !$omp single",
        "< !$omp single",
        "> !$omp critical",
        "acquire 2",
        "> !$omp critical sblock",
        "< !$omp critical sblock",
        "release 2",
        "< !$omp critical",
        "> !$omp implicit barrier",
        "< !$omp implicit barrier",
        "< !$omp parallel",
        "end team [0, 1]",
    ];
    assert_eq!(lines(&trace, 1), worker);
}

#[test]
fn regions_locations_and_teams_are_defined() {
    let trace = record(2, 3, |_, team| {
        (0..2).for_each(|_| team.parallel(3, |t| t.barrier()));
        team.parallel(2, |t| {
            if t.number() == 1 {
                team.parallel(2, |_| ());
            }
        });
    });
    let definitions = &trace.definitions;
    let locations: Vec<_> = definitions
        .locations
        .iter()
        .map(|location| (location.id, &*location.name, location.rank, location.thread))
        .collect();
    assert_eq!(
        locations,
        [
            (0, "Master thread", 0, 0),
            (1, "Master thread", 1, 0),
            (1 << 32, "OMP thread 1", 0, 1),
            (2 << 32, "OMP thread 2", 0, 2),
            (1 << 32 | 1, "OMP thread 1", 1, 1),
            (2 << 32 | 1, "OMP thread 2", 1, 2),
            (3 << 32, "OMP thread 3", 0, 3),
            (3 << 32 | 1, "OMP thread 3", 1, 3),
        ]
    );
    let teams: Vec<&[u32]> = definitions.teams.iter().map(|team| &team.members[..]).collect();
    assert_eq!(teams, [&[0, 2, 3][..], &[0, 2], &[2, 6], &[1, 4, 5], &[1, 4], &[4, 7]]);
    let barrier = definitions.regions.iter().find(|region| region.name == "!$omp barrier").unwrap();
    assert_eq!((barrier.role, barrier.paradigm), (RegionRole::Barrier, Paradigm::OpenMp));
}

/// Every construct on many threads.
fn everything(c: &dyn Communicator, team: &VirtualTeam) {
    let lock = team.new_lock(LockKind::Nested);
    let inner = *team;
    team.parallel_tasks(team.max_threads(), |t, tasks| {
        let work = |units: usize| do_work(UNIT * ((units * 7 + t.number() * 3 + c.rank()) % 5) as f64);
        for schedule in [Schedule::Static, Schedule::Dynamic(2), Schedule::Guided(1)] {
            t.for_each(11, schedule, work);
            t.for_each_nowait(5, schedule, work);
            t.for_ordered(7, schedule, work, work);
        }
        t.sections(3, work);
        t.single(|| (0..9).for_each(|units| tasks.spawn(move || do_work(UNIT * units as f64))));
        t.critical("one", || work(1));
        t.with_lock(&lock, || t.with_lock(&lock, || work(2)));
        let _ = t.try_with_lock(&lock, || work(3));
        t.taskwait();
        t.barrier();
        inner.parallel(t.number() % 3 + 1, |t| t.single(|| do_work(UNIT)));
        t.master(|| c.barrier());
    });
}

#[test]
fn events_are_nested_and_in_order_on_every_location() {
    let trace = record(3, 5, everything);
    assert_eq!(trace.events.len(), trace.definitions.locations.len());
    let mut counts = BTreeMap::new();
    for events in &trace.events {
        let (mut regions, mut teams, mut locks, mut forks) = (Vec::new(), Vec::new(), 0, 0);
        let mut last = 0;
        for &(time, event) in events {
            assert!(time >= last);
            last = time;
            match event {
                Event::Enter { region } => {
                    regions.push(region);
                    let name = &trace.definitions.regions[region.0 as usize].name;
                    *counts.entry(name.clone()).or_insert(0) += 1;
                }
                Event::Leave { region } => assert_eq!(regions.pop(), Some(region)),
                Event::ThreadTeamBegin { team } => teams.push(team),
                Event::ThreadTeamEnd { team } => assert_eq!(teams.pop(), Some(team)),
                Event::ThreadAcquireLock { .. } => locks += 1,
                Event::ThreadReleaseLock { .. } => locks -= 1,
                Event::ThreadFork { .. } => forks += 1,
                Event::ThreadJoin => forks -= 1,
                _ => {}
            }
        }
        assert_eq!((regions.len(), teams.len(), locks, forks), (0, 0, 0, 0));
    }
    let constructs = Construct::ALL.map(Construct::region);
    for construct in constructs.iter().filter(|name| counts.contains_key(**name)) {
        assert!(counts[*construct] > 0);
    }
    assert_eq!(counts["!$omp task"], 3 * 9);
    assert_eq!(counts["!$omp single sblock"], 3 * (1 + 5));
}

#[test]
fn runs_are_the_same_every_time() {
    assert_eq!(record(3, 5, everything), record(3, 5, everything));
}
