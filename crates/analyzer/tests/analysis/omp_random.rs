//! Random programs with nested teams, barriers and criticals, played by a little clockwork that adds up all waits; the
//! same traces damaged.

use std::collections::BTreeMap;

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Finding;
use ats_model::{View, WaitState, source::InMemory};
use proptest::prelude::*;

use crate::{
    in_parts::{InParts, with_waits},
    random::cut,
};

pub(crate) const THREADS: usize = 5;

/// A step of a team.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Ticks of each thread.
    Work(Vec<u64>),
    Barrier,
    Critical(Vec<u64>),
    /// A team that this member starts with this many of the free threads, and its steps.
    Team(usize, usize, Vec<Step>),
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let ticks = || prop::collection::vec(0..9u64, THREADS);
    let leaf =
        prop_oneof![ticks().prop_map(Step::Work), Just(Step::Barrier), ticks().prop_map(Step::Critical)];
    let step = leaf.prop_recursive(3, 40, 8, |inner| {
        (0..THREADS, 0..THREADS, prop::collection::vec(inner, 0..6))
            .prop_map(|(master, workers, steps)| Step::Team(master, workers, steps))
    });
    prop::collection::vec(step, 0..8)
}

#[derive(Default)]
pub(crate) struct Clockwork {
    teams: BTreeMap<Vec<usize>, String>,
    lines: [String; THREADS],
    clocks: [u64; THREADS],
    acquisitions: u64,
    last_release: u64,
    /// A number that is never the same twice running.
    jitter: u64,
    /// The time when each thread is out of its last team.
    joined: [u64; THREADS],
    expected: BTreeMap<&'static str, i64>,
}

impl Clockwork {
    fn put(&mut self, thread: usize, what: &str) {
        self.lines[thread] += &format!(" {} {what};", self.clocks[thread]);
    }

    fn expect(&mut self, state: WaitState, ticks: u64) {
        *self.expected.entry(state.name()).or_default() += ticks as i64;
    }

    fn advance(&mut self, thread: usize) {
        self.jitter = (self.jitter * 5 + 3) % 7;
        self.clocks[thread] += self.jitter;
    }

    fn steps(&mut self, team: &[usize], free: &[usize], steps: &[Step]) {
        for step in steps {
            match step {
                Step::Work(ticks) => team.iter().for_each(|&thread| self.clocks[thread] += ticks[thread]),
                Step::Barrier => self.barrier(team, "$barrier", WaitState::WaitAtExplicitOmpBarrier),
                Step::Critical(ticks) => team.iter().for_each(|&thread| self.critical(thread, ticks[thread])),
                Step::Team(master, workers, steps) => {
                    let (workers, free) = free.split_at(*workers.min(&free.len()));
                    let team = [&[team[master % team.len()]], workers].concat();
                    let (fork, join) = self.team(&team, free, steps);
                    // They are not in the outermost team, but busy inside it.
                    let busy = (join - fork) * workers.len() as u64;
                    *self.expected.entry(WaitState::LimitedParallelism.name()).or_default() -= busy as i64;
                }
            }
        }
    }

    fn barrier(&mut self, team: &[usize], region: &str, state: WaitState) {
        let latest = team.iter().map(|&thread| self.clocks[thread]).max().unwrap();
        for &thread in team {
            self.put(thread, &format!("enter {region}"));
            self.expect(state, latest - self.clocks[thread]);
            self.clocks[thread] = latest;
            self.advance(thread);
            self.put(thread, "leave");
        }
    }

    fn critical(&mut self, thread: usize, ticks: u64) {
        self.put(thread, "enter $critical");
        self.expect(WaitState::OmpCriticalContention, self.last_release.saturating_sub(self.clocks[thread]));
        self.acquisitions += 1;
        self.clocks[thread] = self.clocks[thread].max(self.last_release);
        self.put(thread, &format!("lock 3 order {}", self.acquisitions));
        self.clocks[thread] += ticks;
        self.last_release = self.clocks[thread];
        self.put(thread, &format!("unlock 3 order {}", self.acquisitions));
        self.put(thread, "leave");
    }

    /// Returns when it was forked and joined.
    fn team(&mut self, team: &[usize], free: &[usize], steps: &[Step]) -> (u64, u64) {
        let name = format!("t{}", self.teams.len());
        let name = self.teams.entry(team.to_vec()).or_insert(name).clone();
        let fork = team.iter().map(|&thread| self.joined[thread]).fold(self.clocks[team[0]], u64::max);
        self.clocks[team[0]] = fork;
        self.put(team[0], "fork");
        for &thread in team {
            self.clocks[thread] = self.clocks[thread].max(fork);
            self.advance(thread);
            self.put(thread, &format!("begin {name}"));
            self.put(thread, "enter $parallel");
            self.expect(WaitState::OmpManagement, self.clocks[thread] - fork);
        }
        self.steps(team, free, steps);
        self.barrier(team, "$implicit-barrier", WaitState::WaitAtImplicitOmpBarrier);
        for &thread in team {
            self.put(thread, "leave");
            self.put(thread, &format!("end {name}"));
        }
        let join = team.iter().map(|&thread| self.clocks[thread]).max().unwrap() + 1;
        for &thread in team {
            self.expect(WaitState::OmpManagement, join - self.clocks[thread]);
        }
        self.clocks[team[0]] = join;
        team[1..].iter().for_each(|&worker| self.joined[worker] = join);
        self.put(team[0], "join");
        (fork, join)
    }

    /// The main thread is in a call of MPI for `ticks`, while its others are idle.
    fn call(&mut self, call: &str, ticks: u64) {
        self.put(0, &format!("enter {call}"));
        self.clocks[0] += ticks;
        self.put(0, "leave");
    }

    /// The main thread alone.
    fn program(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Work(ticks) => {
                    self.put(0, "enter serial");
                    self.clocks[0] += ticks[0];
                    self.put(0, "leave");
                    self.expect(WaitState::IdleThreads, ticks[0] * (THREADS as u64 - 1));
                }
                Step::Barrier => {}
                Step::Critical(ticks) => {
                    self.critical(0, ticks[0]);
                    self.expect(WaitState::IdleThreads, ticks[0] * (THREADS as u64 - 1));
                }
                Step::Team(_, workers, steps) => {
                    let free: Vec<usize> = (1..THREADS).collect();
                    let (workers, free) = free.split_at(*workers);
                    let (fork, join) = self.team(&[&[0], workers].concat(), free, steps);
                    self.expect(WaitState::LimitedParallelism, (join - fork) * free.len() as u64);
                }
            }
        }
    }

    /// The part of `expected` that an analysis finds.
    fn known(&self, mut expected: BTreeMap<&'static str, i64>) -> BTreeMap<&'static str, i64> {
        if self.teams.is_empty() {
            // Then its threads are not OpenMP's.
            expected.remove(WaitState::IdleThreads.name());
        }
        expected.retain(|_, ticks| *ticks > 0);
        expected
    }

    pub(crate) fn trace(&self) -> InMemory {
        let place = |thread: &usize| if *thread == 0 { "0".to_owned() } else { format!("0.{thread}") };
        let mut text: String = (0..THREADS).map(|thread| format!("{}: 0 other\n", place(&thread))).collect();
        for (members, name) in &self.teams {
            text += &format!("team {name} {}\n", members.iter().map(place).collect::<Vec<_>>().join(" "));
        }
        for (thread, line) in self.lines.iter().enumerate() {
            text += &format!("{}:{line}\n", place(&thread));
        }
        parse(&text).unwrap()
    }
}

pub(crate) fn play(steps: &[Step]) -> Clockwork {
    let mut clockwork = Clockwork::default();
    clockwork.program(steps);
    clockwork
}

/// Ticks by wait state.
fn sums<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> BTreeMap<&'static str, i64> {
    let mut sums = BTreeMap::new();
    for finding in findings {
        *sums.entry(finding.property.unwrap().name()).or_default() += finding.waiting_time as i64;
    }
    sums
}

proptest! {
    #[test]
    fn threads_wait_as_the_clockwork_says(steps in steps()) {
        let clockwork = play(&steps);
        let analysis = analyze(&clockwork.trace(), "random", &Options::default()).unwrap();
        prop_assert_eq!(&analysis.warnings, &Vec::<String>::new());
        prop_assert_eq!(sums(&analysis.findings), clockwork.known(clockwork.expected.clone()));
    }

    #[test]
    fn waits_are_within_the_basis(
        [before, measured, after] in [steps(), steps(), steps()],
        [init, finalize] in [0..9u64, 0..9u64],
        records in 0..30usize,
    ) {
        let mut clockwork = Clockwork::default();
        clockwork.program(&before);
        clockwork.call("MPI_Init", init);
        let (from, expected_before) = (clockwork.clocks[0], clockwork.expected.clone());
        clockwork.program(&measured);
        let (until, mut expected) = (clockwork.clocks[0], clockwork.expected.clone());
        clockwork.call("MPI_Finalize", finalize);
        clockwork.program(&after);
        let trace = InParts { trace: clockwork.trace(), part: 20, has_common_clock: true };
        let options = Options { records_in_memory: records, ..Options::default() };
        let analysis = analyze(&trace, "random", &options).unwrap();
        prop_assert_eq!(analysis.basis.wall_time, (until - from) as f64);
        let mut waits: BTreeMap<_, f64> = BTreeMap::new();
        for finding in &analysis.findings {
            prop_assert!(finding.severity <= 1.0, "{finding:?}");
            prop_assert!(finding.in_basis || finding.severity == 0.0, "{finding:?}");
            for share in finding.locations.iter().filter(|_| finding.in_basis) {
                *waits.entry((share.thread, finding.view == View::Idle)).or_default() += share.waiting_time;
            }
        }
        for (of, seconds) in waits {
            prop_assert!(seconds <= analysis.basis.wall_time, "{of:?}: {seconds} s of {:?}", analysis.basis);
        }
        expected_before.into_iter().for_each(|(state, ticks)| *expected.entry(state).or_default() -= ticks);
        let found = sums(analysis.findings.iter().filter(|finding| finding.in_basis));
        prop_assert_eq!(found, clockwork.known(expected));
    }

    #[test]
    fn early_settling_keeps_the_judgement(
        steps in steps(),
        cuts in prop::collection::vec((0..THREADS, any::<prop::sample::Index>()), 0..3),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        let mut trace = play(&steps).trace();
        cut(&mut trace, cuts);
        let mut trace = InParts { trace, part: usize::MAX, has_common_clock: true };
        let at_once = with_waits(&trace, &Options::default());
        trace.part = part;
        let options = Options { records_in_memory: records, ..Options::default() };
        prop_assert_eq!(with_waits(&trace, &options), at_once);
    }

    #[test]
    fn damage_never_panics_and_never_gives_nonsense(
        steps in steps(),
        cuts in prop::collection::vec((0..THREADS, any::<prop::sample::Index>(), 0..4), 1..12),
        part in 1..100usize,
    ) {
        let mut trace = play(&steps).trace();
        for (thread, index, how) in cuts {
            let events = &mut trace.events[thread];
            if events.is_empty() {
                continue;
            }
            let at = index.index(events.len());
            match how {
                0 => _ = events.remove(at),
                1 => events.truncate(at),
                2 => events.insert(at, events[at]),
                _ => {
                    let moved = trace.events[(thread + 1) % THREADS].get(at).copied();
                    trace.events[thread].extend(moved);
                }
            }
        }
        let length = trace.definitions.clock.length as f64;
        let trace = InParts { trace, part, has_common_clock: true };
        let analysis = analyze(&trace, "random", &Options { records_in_memory: 10, ..Options::default() }).unwrap();
        for finding in &analysis.findings {
            let most = length * finding.instances as f64;
            prop_assert!(finding.waiting_time > 0.0 && finding.waiting_time <= most, "{finding:?}");
        }
    }

    #[test]
    fn the_order_of_threads_does_not_matter(steps in steps()) {
        let trace = play(&steps).trace();
        let mut reversed = trace.clone();
        reversed.definitions.locations.reverse();
        reversed.events.reverse();
        for team in &mut reversed.definitions.teams {
            team.members.iter_mut().for_each(|member| *member = THREADS as u32 - 1 - *member);
        }
        let analyze = |trace| analyze(trace, "random", &Options::default()).unwrap();
        prop_assert_eq!(analyze(&trace), analyze(&reversed));
    }
}
