//! Idle threads: those of a process while its main thread executes serial code, and those that a parallel region has
//! no use for.

use ats_model::{CallPathId, Definitions, WaitState};
use rustc_hash::FxHashMap;

use crate::{
    ledger::Ledger,
    process::Place,
    teams::{Instance, ThreadedProcess},
};

pub(super) fn judge(definitions: &Definitions, process: &mut ThreadedProcess, ledger: &mut Ledger) {
    idle_threads(process, ledger);
    limited_parallelism(definitions, process, ledger);
}

/// The main thread's time outside parallel regions is every other thread's.
fn idle_threads(process: &mut ThreadedProcess, ledger: &mut Ledger) {
    let Some(main) = process.threads.iter().position(|threads| !threads.serial.is_empty()) else { return };
    let location = process.locations[main] as u32;
    let serial = std::mem::take(&mut process.threads[main].serial);
    for (path, ticks) in serial.into_iter().enumerate().filter(|&(_, ticks)| ticks > 0) {
        let place = Place { location, path: CallPathId(path as u32), base: 0 };
        for thread in (0..process.threads.len()).filter(|&thread| thread != main) {
            let place = process.elsewhere(thread, place);
            ledger.add(WaitState::IdleThreads, place, ticks, None);
        }
    }
}

/// Whoever is not in a team that nobody else is around, has nothing to do but what teams inside that one give it.
fn limited_parallelism(definitions: &Definitions, process: &mut ThreadedProcess, ledger: &mut Ledger) {
    let outermost = outermost(&process.instances);
    let spans: Vec<Option<(u64, u64)>> =
        process.instances.iter().map(|instance| span(process, instance)).collect();
    let busy: Vec<FxHashMap<u32, u64>> =
        (0..process.threads.len()).map(|thread| busy(process, thread, &outermost, &spans)).collect();
    for (index, &span) in spans.iter().enumerate() {
        let instance = process.instances[index];
        let (Some((from, to)), Some(master), None) = (span, instance.master, instance.outer) else {
            continue;
        };
        let membership = process.membership(master);
        let place = membership.parallel.map_or(membership.place, |parallel| parallel.place);
        let members = definitions.teams.get(instance.team.0 as usize).map_or(&[][..], |team| &team.members);
        for (thread, busy) in busy.iter().enumerate() {
            let is_member = members.contains(&(process.locations[thread] as u32));
            if thread == master.0 || is_member {
                continue;
            }
            let busy = busy.get(&(index as u32)).copied().unwrap_or(0);
            let ticks = (to - from).saturating_sub(busy);
            if ticks > 0 {
                let place = process.elsewhere(thread, place);
                ledger.add(WaitState::LimitedParallelism, place, ticks, None);
            }
        }
    }
}

/// From fork to join, or as much of that as is known.
fn span(process: &ThreadedProcess, instance: &Instance) -> Option<(u64, u64)> {
    let membership = process.membership(instance.master?);
    let fork = process.fork(instance);
    let parallel = membership.parallel;
    let from =
        fork.map(|fork| fork.time).or(parallel.map(|parallel| parallel.enter)).unwrap_or(membership.begin);
    let join = fork.and_then(|fork| fork.join);
    let to = join.or(parallel.and_then(|parallel| parallel.leave)).or(membership.end)?;
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

/// How long a thread is in teams inside an outermost one, by that one.
fn busy(
    process: &ThreadedProcess,
    thread: usize,
    outermost: &[u32],
    spans: &[Option<(u64, u64)>],
) -> FxHashMap<u32, u64> {
    let mut busy = FxHashMap::default();
    let memberships = process.threads[thread].memberships.iter().zip(&process.instance_of[thread]);
    // What is inside another membership of the thread is counted with that.
    for (_, &instance) in memberships.filter(|(membership, _)| membership.outer.is_none()) {
        let around = outermost[instance as usize];
        let (Some((from, to)), Some((first, last))) = (spans[instance as usize], spans[around as usize])
        else {
            continue;
        };
        let ticks = to.min(last).saturating_sub(from.max(first));
        let busy: &mut u64 = busy.entry(around).or_default();
        *busy = busy.saturating_add(ticks);
    }
    busy
}
