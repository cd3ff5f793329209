//! Idle threads: those of a process while its main thread executes serial code, and those that a parallel region has
//! no use for.

use ats_model::{CallPathId, Definitions, WaitState, groups::Interner};
use rustc_hash::FxHashMap;

use crate::{
    ledger::{Ledger, Sum},
    place::{Base, Place},
    teams::{Instance, Member, ThreadedProcess, elsewhere},
    threads::Serial,
};

/// By the master's membership in an outermost team, how long each thread has been in teams inside it.
pub(super) type Busy = FxHashMap<Member, Vec<u64>>;

/// The main thread's time outside parallel regions is every other thread's.
pub(super) fn idle_threads(
    locations: &[usize],
    bases: &mut [Interner<Place>],
    (main, serial): (usize, Vec<Serial>),
    ledger: &mut Ledger,
) {
    let location = locations[main] as u32;
    for (path, Serial { ticks, stretches }) in serial.into_iter().enumerate().filter(|(_, of)| of.ticks > 0) {
        let place = Place { location, path: CallPathId(path as u32), base: Base::NOTHING };
        for thread in (0..locations.len()).filter(|&thread| thread != main) {
            let place = elsewhere(locations, bases, thread, place);
            let sum = Sum { ticks, instances: stretches, communicator: None };
            ledger.add_sum(WaitState::IdleThreads, place, sum);
        }
    }
}

/// Whoever is not in a team that nobody else is around, has nothing to do but what teams inside that one give it. Judges
/// the teams that are over; `busy` has what is known of those that are not, before and after.
pub(super) fn limited_parallelism(
    definitions: &Definitions,
    process: &mut ThreadedProcess<'_>,
    busy: &mut Busy,
    ledger: &mut Ledger,
) {
    let spans: Vec<Option<(u64, u64)>> =
        process.instances.iter().map(|instance| span(process, instance)).collect();
    add_busy(process, &outermost(&process.instances), &spans, busy);
    for (index, &span) in spans.iter().enumerate() {
        let instance = process.instances[index];
        let (Some(master), None, true) = (instance.master, instance.outer, instance.is_over) else {
            continue;
        };
        let busy = busy.remove(&master).unwrap_or_default();
        let Some((from, to)) = span else { continue };
        let membership = process.membership(master);
        let place = membership.parallel.map_or(membership.place, |parallel| parallel.place);
        let members = definitions.teams.get(instance.team.0 as usize).map_or(&[][..], |team| &team.members);
        for thread in 0..process.threads.len() {
            let is_member = members.contains(&(process.locations[thread] as u32));
            if thread == master.0 || is_member {
                continue;
            }
            let ticks = (to - from).saturating_sub(busy.get(thread).copied().unwrap_or(0));
            if ticks > 0 {
                let place = process.elsewhere(thread, place);
                ledger.add(WaitState::LimitedParallelism, place, ticks, None);
            }
        }
    }
}

/// From fork to join, or as much of that as is known; without end where that is to come.
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

/// By each instance the one around it that has none around itself.
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

/// Adds how long the threads were in teams that are over, to the outermost ones around these.
fn add_busy(process: &ThreadedProcess<'_>, outermost: &[u32], spans: &[Option<(u64, u64)>], busy: &mut Busy) {
    let threads = process.threads.len();
    for (thread, (threads_of, instance_of)) in process.threads.iter().zip(&process.instance_of).enumerate() {
        // What is inside another membership of the thread is counted with that.
        let memberships = threads_of.memberships.iter().zip(instance_of);
        for (_, &instance) in memberships.filter(|(membership, _)| membership.outer.is_none()) {
            if !process.instances[instance as usize].is_over {
                continue;
            }
            let around = outermost[instance as usize] as usize;
            // When those around it are over may not be known yet.
            let (Some((from, to)), Some((first, _)), Some(master)) =
                (spans[instance as usize], spans[around], process.instances[around].master)
            else {
                continue;
            };
            let ticks = to.saturating_sub(from.max(first));
            let busy = &mut busy.entry(master).or_insert_with(|| vec![0; threads])[thread];
            *busy = busy.saturating_add(ticks);
        }
    }
}
