//! Idle threads: those of the main thread's teams while it executes serial code, and those that one of its parallel
//! regions has no use for.
//!
//! A process may have threads that wait for no team of the main thread: those that the program starts itself, and those
//! of teams that these start. Their work meanwhile is not known, so they are not called idle.

use ats_model::{Definitions, WaitState, delay::Extent, groups::Interner};
use rustc_hash::FxHashMap;

use crate::{
    judge::{
        ledger::{Ledger, Sum},
        points::{At, Partners, Point, Points, Stage},
    },
    records::{
        teams::{Instance, Member, ThreadedProcess, elsewhere},
        threads::Serial,
    },
    words::{place::Place, sums::Sums},
};

/// The threads of a process, so far.
#[derive(Default)]
pub(super) struct Workers {
    main: usize,
    /// For each thread, whether it had a part in a team that started outside those of the main thread.
    are_of_others: Vec<bool>,
    /// For each membership of the master in an outermost team, the time of each thread in teams inside it, in ticks.
    busy: FxHashMap<Member, Vec<u64>>,
}

impl Workers {
    /// The threads of a process, `main` among them.
    pub(super) fn new(main: usize, threads: usize) -> Self {
        Workers { main, are_of_others: vec![false; threads], busy: FxHashMap::default() }
    }

    /// Gives memberships the numbers that are left of them.
    pub(super) fn renumber(&mut self, number: impl Fn(Member) -> Member) {
        self.busy = std::mem::take(&mut self.busy).into_iter().map(|(of, busy)| (number(of), busy)).collect();
    }

    /// Judges the teams that are over: a thread outside an outermost team of the main thread is idle except in teams
    /// inside that one. Threads that may turn out to be of others count, too.
    pub(super) fn limited_parallelism(
        &mut self,
        definitions: &Definitions,
        process: &mut ThreadedProcess<'_>,
        ledger: &mut Ledger,
    ) {
        let spans: Vec<Option<(u64, u64)>> =
            process.instances.iter().map(|instance| span(process, instance)).collect();
        self.add_busy(process, &outermost(&process.instances), &spans);
        let mut left_out: Vec<(u32, u64)> = Vec::new();
        for (index, &span) in spans.iter().enumerate() {
            let instance = process.instances[index];
            let Some(master) = instance.master.filter(|_| instance.is_over) else { continue };
            // Instances around each other, as only a damaged trace has them, have some, too.
            let busy = self.busy.remove(&master).unwrap_or_default();
            let is_outermost = instance.outer.is_none() && master.0 == self.main;
            let Some((from, to)) = span.filter(|_| is_outermost) else { continue };
            let membership = process.membership(master);
            let place = membership.parallel.map_or(membership.place, |parallel| parallel.place);
            left_out.clear();
            let members =
                definitions.teams.get(instance.team.0 as usize).map_or(&[][..], |team| &team.members);
            for thread in (0..process.threads.len()).filter(|&thread| thread != self.main) {
                let ticks = (to - from).saturating_sub(busy.get(thread).copied().unwrap_or(0));
                if ticks > 0 && !members.contains(&(process.locations[thread] as u32)) {
                    let place = process.elsewhere(thread, place);
                    ledger.add(WaitState::LimitedParallelism, place, ticks, None);
                    left_out.push((process.locations[thread] as u32, ticks));
                }
            }
            if ledger.points.extent() == Some(Extent::All) {
                meet(process, &instance, &left_out, &mut ledger.points);
            }
        }
    }

    /// Adds how long the threads were in teams that are over, to the outermost ones around these.
    fn add_busy(&mut self, process: &ThreadedProcess<'_>, outermost: &[u32], spans: &[Option<(u64, u64)>]) {
        let threads = process.threads.len();
        for (thread, (threads_of, instance_of)) in
            process.threads.iter().zip(&process.instance_of).enumerate()
        {
            // What is inside another membership of the thread is counted with that.
            let memberships = threads_of.memberships.iter().zip(instance_of);
            for (_, &instance) in memberships.filter(|(membership, _)| membership.outer.is_none()) {
                if !process.instances[instance as usize].is_over {
                    continue;
                }
                let around = outermost[instance as usize] as usize;
                let Some(master) = process.instances[around].master else { continue };
                self.are_of_others[thread] |= master.0 != self.main;
                // When those around it are over may not be known yet.
                let (Some((from, to)), Some((first, _))) = (spans[instance as usize], spans[around]) else {
                    continue;
                };
                let ticks = to.saturating_sub(from.max(first));
                let busy = &mut self.busy.entry(master).or_insert_with(|| vec![0; threads])[thread];
                *busy = busy.saturating_add(ticks);
            }
        }
    }

    /// The main thread's time outside parallel regions is that of every thread of its teams, at the end; returns these
    /// threads. Of the others, which `have_roots` or turned out to be of others, none is idle.
    pub(super) fn idle_threads(
        &self,
        locations: &[usize],
        bases: &mut [Interner<Place>],
        serial: &Sums<Serial>,
        have_roots: &[bool],
        ledger: &mut Ledger,
    ) -> Vec<bool> {
        let is_idle =
            |thread: usize| thread != self.main && !have_roots[thread] && !self.are_of_others[thread];
        let location = locations[self.main] as u32;
        for (base, path, Serial { ticks, stretches }) in serial.iter() {
            for thread in (0..locations.len()).filter(|&thread| is_idle(thread)) {
                let place = elsewhere(locations, bases, thread, Place { location, path, base });
                let sum = Sum { ticks, instances: stretches, of_empty: 0, communicator: None };
                ledger.add_sum(WaitState::IdleThreads, place, sum);
            }
        }
        ledger.retain(|state, place| {
            let thread = locations.binary_search(&(place.location as usize));
            state != WaitState::LimitedParallelism || thread.is_ok_and(is_idle)
        });
        (0..locations.len()).map(is_idle).collect()
    }
}

/// Adds the points of a main thread between which others are `left_out` of its team: for so many ticks each.
fn meet(process: &ThreadedProcess<'_>, instance: &Instance, left_out: &[(u32, u64)], points: &mut Points) {
    let Some(master) = instance.master.filter(|_| !left_out.is_empty()) else { return };
    let join = process.fork(instance).and_then(|fork| fork.stop);
    let (Some(parallel), Some(stop)) = (process.membership(master).parallel, join) else { return };
    let location = process.locations[master.0] as u32;
    let begin = At { location, stop: parallel.stop, stage: Stage::Start };
    let point = |at, ticks, thread| Point {
        at,
        state: WaitState::LimitedParallelism,
        wait: 0,
        begin: 0,
        completion: 0,
        since_fork: ticks,
        partners: Partners::One(thread),
        led_by: Some(begin),
    };
    points.add(point(At { stage: Stage::End, ..begin }, 0, location));
    let join = At { location, stop, stage: Stage::End };
    left_out.iter().for_each(|&(thread, ticks)| points.add(point(join, ticks, thread)));
}

/// The span from fork to join, as far as these are known; without an end if the join is still to come.
fn span(process: &ThreadedProcess<'_>, instance: &Instance) -> Option<(u64, u64)> {
    let membership = process.membership(instance.master?);
    let fork = process.fork(instance);
    let parallel = membership.parallel;
    let from =
        fork.map(|fork| fork.time).or(parallel.map(|parallel| parallel.enter)).unwrap_or(membership.begin);
    let join = fork.and_then(|fork| fork.join);
    let to = join.or(parallel.and_then(|parallel| parallel.leave)).or(membership.end);
    let to = if instance.is_over { to? } else { u64::MAX };
    Some((from, to.max(from)))
}

/// For each instance the outermost one around it.
fn outermost(instances: &[Instance]) -> Vec<u32> {
    let mut outermost: Vec<Option<u32>> = vec![None; instances.len()];
    for index in 0..instances.len() {
        let mut chain = vec![index];
        let root = loop {
            let innermost = chain[chain.len() - 1];
            match (outermost[innermost], instances[innermost].outer) {
                (Some(root), _) => break root,
                // Instances around each other, as only a damaged trace has them.
                (None, Some(_)) if chain.len() > instances.len() => break innermost as u32,
                (None, Some(outer)) => chain.push(outer as usize),
                (None, None) => break innermost as u32,
            }
        };
        for index in chain {
            outermost[index] = Some(root);
        }
    }
    outermost.into_iter().flatten().collect()
}
