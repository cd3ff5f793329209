//! Logs of constructs: their sequence on every thread, their nesting, and the choices.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use ats_model::openmp::Construct::{self, *};
use ats_omp::{LockKind, Reduction, Schedule, Team, Thread};
use ats_work::log::{self, Log};

/// A construct and how deep it is in others.
type Expected = Vec<(usize, Construct)>;

pub(crate) fn conforms(team: &impl Team, threads: usize) {
    let (simple, nested) = (team.new_lock(LockKind::Simple), team.new_lock(LockKind::Nested));
    let (counter, sum) = (AtomicU64::new(0), Reduction::default());
    for _ in 0..2 {
        log::start(64);
        team.parallel(threads, |t| {
            t.barrier();
            t.for_each(2 * threads, Schedule::Static, |_| ());
            t.for_each_nowait(50, Schedule::Dynamic(4), |_| ());
            t.for_ordered(2 * threads, Schedule::StaticChunk(1), |_| (), |_| ());
            t.sections(threads, |_| ());
            t.sections_nowait(2 * threads, |_| ());
            t.single(|| ());
            t.single_nowait(|| ());
            t.master(|| ());
            t.critical("logged", || ());
            t.with_lock(&simple, || ());
            t.with_lock(&nested, || t.with_lock(&nested, || ()));
            t.barrier();
            if t.number() == 0 {
                t.with_lock(&simple, || (t.barrier(), t.barrier()));
            } else {
                t.barrier();
                assert!(t.try_with_lock(&simple, || ()).is_none());
                t.barrier();
            }
            t.atomic(&counter, |value| value + 1);
            t.reduce(1.0, &sum);
            t.flush();
            t.taskwait();
        });
        check(&log::stop(), threads);
    }
    tasks(team, threads);
    team.parallel(threads, |t| t.critical("logged", || ()));
    assert_eq!(log::stop(), Log::default(), "nothing is logged while nobody wants a log");
}

fn check(log: &Log, threads: usize) {
    let paths: Vec<_> = log.threads.keys().cloned().collect();
    assert_eq!(paths, (1..threads as u32).map(|number| vec![number]).collect::<Vec<_>>());
    let mut logs = vec![log];
    logs.extend(log.threads.values());
    let mut choices: BTreeMap<(usize, Construct), Vec<u32>> = BTreeMap::new();
    for (number, log) in logs.iter().enumerate() {
        let mut expected = Vec::new();
        for (depth, construct) in of_member(number, threads, log) {
            expected.push((depth + usize::from(number == 0), construct));
        }
        if number == 0 {
            expected.insert(0, (0, Parallel));
        }
        assert_nested(log, &expected);
        for (instance, construct, chosen) in chosen(log) {
            choices.entry((instance, construct)).or_default().extend(chosen);
        }
    }
    let everyone: Vec<u32> = (0..threads as u32).collect();
    let mut sorted = |instance, construct| {
        let mut chosen = choices.remove(&(instance, construct)).unwrap_or_default();
        chosen.sort_unstable();
        chosen
    };
    let mut one = vec![0; threads];
    one[threads - 1] = 1;
    assert_eq!(sorted(0, Single), one);
    assert_eq!(sorted(1, Single), one);
    assert_eq!(sorted(0, Sections), everyone);
    assert_eq!(sorted(1, Sections), (0..2 * threads as u32).collect::<Vec<_>>());
    assert_eq!(sorted(0, Critical), everyone, "numbered in the measured part");
    assert_eq!(sorted(0, SetLock), everyone);
    assert_eq!(sorted(1, SetLock), [threads as u32]);
    assert_eq!(sorted(0, SetNestLock), everyone);
    assert_eq!(sorted(1, SetNestLock), everyone, "who takes it again has the same number");
    assert_eq!(sorted(0, TestLock), vec![0; threads - 1]);
    let bounds = sorted(1, For);
    assert_eq!((bounds[0], bounds[bounds.len() - 1]), (0, 50));
    assert!(bounds[1..bounds.len() - 1].chunks(2).all(|pair| pair[0] == pair[1]), "chunks join: {bounds:?}");
    assert_eq!(choices, BTreeMap::new(), "nothing else is chosen");
    assert_eq!(in_order(&logs, Critical), in_order(&logs, CriticalBlock), "numbers follow the acquisitions");
}

/// The threads in the order in which they had the critical: by its choice, or by the time of its block.
fn in_order(logs: &[&Log], construct: Construct) -> Vec<usize> {
    let mut threads: Vec<_> = logs.iter().enumerate().collect();
    threads.sort_by_key(|(_, log)| match construct {
        Critical => {
            chosen(log).find(|&(.., construct, _)| construct == Critical).map(|(.., chosen)| chosen[0].into())
        }
        block => {
            log.constructs.iter().find(|&&(name, ..)| name == block.region()).map(|&(_, enter, _)| enter)
        }
    });
    threads.into_iter().map(|(number, _)| number).collect()
}

/// The expected log of a member.
fn of_member(number: usize, threads: usize, log: &Log) -> Expected {
    let mut all = vec![(0, Barrier), (0, For), (1, ImplicitBarrier), (0, For), (0, For)];
    all.extend([(1, Ordered), (2, OrderedBlock), (1, Ordered), (2, OrderedBlock), (1, ImplicitBarrier)]);
    all.extend([
        (0, Sections),
        (1, Section),
        (1, ImplicitBarrier),
        (0, Sections),
        (1, Section),
        (1, Section),
    ]);
    let executes = |instance| chosen(log).any(|single| single == (instance, Single, vec![1]));
    all.push((0, Single));
    all.extend(executes(0).then_some((1, SingleBlock)));
    all.extend([(1, ImplicitBarrier), (0, Single)]);
    all.extend(executes(1).then_some((1, SingleBlock)));
    all.extend((number == 0).then_some((0, Master)));
    all.extend([(0, Critical), (1, CriticalBlock), (0, SetLock), (0, UnsetLock)]);
    all.extend([
        (0, SetNestLock),
        (0, SetNestLock),
        (0, UnsetNestLock),
        (0, UnsetNestLock),
        (0, Construct::Barrier),
    ]);
    if number == 0 {
        all.extend([(0, SetLock), (0, Barrier), (0, Barrier), (0, UnsetLock)]);
    } else {
        all.extend([(0, Barrier), (0, TestLock), (0, Barrier)]);
    }
    all.extend([(0, Atomic), (0, Reduction), (0, Flush), (0, TaskWait), (0, ImplicitBarrier)]);
    assert!(number < threads);
    all
}

/// The log has these constructs in this order, each within the one that it is in, and after the one before it.
fn assert_nested(log: &Log, expected: &Expected) {
    let names: Vec<_> = log.constructs.iter().map(|&(name, ..)| name).collect();
    assert_eq!(names, expected.iter().map(|(_, construct)| construct.region()).collect::<Vec<_>>());
    let mut around: Vec<(u64, u64)> = Vec::new();
    for (&(name, enter, leave), &(depth, _)) in log.constructs.iter().zip(expected) {
        assert!(enter <= leave, "{name}");
        if let Some(&(_, before)) = around.get(depth) {
            assert!(before <= enter, "{name} is after the construct before it");
        }
        around.truncate(depth);
        assert_eq!(around.len(), depth);
        if let Some(&(from, to)) = around.last() {
            assert!(from <= enter && leave <= to, "{name} is within the construct around it");
        }
        around.push((enter, leave));
    }
}

/// For every construct with choices: how many of its kind were before it, its kind, and its choices.
fn chosen(log: &Log) -> impl Iterator<Item = (usize, Construct, Vec<u32>)> + '_ {
    let mut instances: BTreeMap<Construct, usize> = BTreeMap::new();
    log.constructs.iter().enumerate().filter_map(move |(index, &(name, ..))| {
        let construct = Construct::of_region(name).expect("constructs of OpenMP only");
        let before = instances.entry(construct).or_default();
        *before += 1;
        let chosen: Vec<_> =
            log.choices.iter().filter(|&&(of, _)| of == index).map(|&(_, chosen)| chosen).collect();
        (!chosen.is_empty()).then_some((*before - 1, construct, chosen))
    })
}

fn tasks(team: &impl Team, threads: usize) {
    for _ in 0..2 {
        log::start(64);
        team.parallel_tasks(threads, |_, tasks| {
            for _ in 0..5 {
                tasks.spawn(|| ());
            }
        });
        let log = log::stop();
        let logs = || std::iter::once(&log).chain(log.threads.values());
        for construct in [CreateTask, Task] {
            let mut numbers: Vec<_> = logs()
                .flat_map(chosen)
                .filter(|&(_, kind, _)| kind == construct)
                .map(|(.., chosen)| chosen)
                .collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..5 * threads as u32).map(|number| vec![number]).collect::<Vec<_>>());
        }
        let executed: usize = logs().map(|log| count(log, Task)).sum();
        assert_eq!(executed, 5 * threads);
        assert!(logs().all(|log| count(log, CreateTask) == 5 && count(log, ImplicitBarrier) == 1));
    }
}

fn count(log: &Log, construct: Construct) -> usize {
    log.constructs.iter().filter(|&&(name, ..)| name == construct.region()).count()
}

pub(crate) fn nested_teams(team: &impl Team) {
    log::start(64);
    team.parallel(2, |t| {
        team.parallel(2, |t| t.barrier());
        t.barrier();
        team.parallel(2, |t| t.barrier());
    });
    let log = log::stop();
    let inner = [(0, Parallel), (1, Barrier), (1, ImplicitBarrier)];
    let mut outer = inner.to_vec();
    outer.push((0, Barrier));
    outer.extend(inner);
    outer.push((0, ImplicitBarrier));
    let twice = vec![(0, Barrier), (0, ImplicitBarrier), (0, Barrier), (0, ImplicitBarrier)];
    assert_nested(&log.threads[&vec![1]], &outer);
    assert_nested(&log.threads[&vec![0, 1]], &twice);
    assert_nested(&log.threads[&vec![1, 1]], &twice);
    let mut master: Expected = outer.iter().map(|&(depth, construct)| (depth + 1, construct)).collect();
    master.insert(0, (0, Parallel));
    assert_nested(&log, &master);
    assert_eq!(log.threads.len(), 3);
}
