//! Processors that ranks share, and the stretches in which several of their ranks are ready, or none.

use std::collections::{BTreeMap, HashMap};

use ats_model::Definitions;
use ats_model::definitions::SystemNode;
use ats_model::locations::Location;

use super::SingleWaits;

/// Stretches of time in ticks, in order and apart from each other.
pub(super) type Stretches = Vec<(u64, u64)>;

/// The processors of a trace that names them, if ranks share some.
#[derive(Debug)]
pub(super) struct Processors {
    /// By rank.
    of_ranks: BTreeMap<u32, u32>,
    processors: BTreeMap<u32, Processor>,
}

/// A processor.
#[derive(Debug, Default)]
pub(super) struct Processor {
    pub(super) name: String,
    /// The masters of its processes, in their order.
    pub(super) units: Vec<u32>,
    /// Stretches in which more than one of its ranks is ready, so that some wait for it.
    pub(super) queued: Stretches,
    /// Stretches in which none is.
    pub(super) idle: Stretches,
}

impl Processors {
    /// The processors of the masters in `units`.
    pub(super) fn new(
        definitions: &Definitions,
        units: &HashMap<Location, u32>,
        waits: &SingleWaits,
    ) -> Option<Self> {
        let tree = &definitions.system_tree;
        let is_core = |id: u32| tree.nodes.get(id as usize).filter(|node| CLASSES.contains(&&*node.class));
        let cores = tree.processes.iter().filter_map(|(&rank, &id)| Some((rank, id, is_core(id)?)));
        let mut processors: BTreeMap<u32, Processor> = BTreeMap::new();
        let mut of_units = HashMap::new();
        let mut of_ranks = BTreeMap::new();
        for (rank, id, SystemNode { name, .. }) in cores {
            let Some(&unit) = units.get(&Location { rank, thread: 0 }) else { continue };
            let processor = processors.entry(id).or_default();
            processor.name.clone_from(name);
            processor.units.push(unit);
            of_units.insert(unit, id);
            of_ranks.insert(rank, id);
        }
        if processors.values().all(|processor| processor.units.len() < 2) {
            return None;
        }
        let mut changes: BTreeMap<u32, Vec<(u64, bool)>> = BTreeMap::new();
        for wait in waits.by_finding().map(|(_, wait)| wait) {
            if let Some(processor) = of_units.get(&wait.location) {
                changes.entry(*processor).or_default().extend([(wait.begin, true), (wait.end, false)]);
            }
        }
        for (id, processor) in &mut processors {
            processor.sweep(definitions.clock.offset, changes.remove(id).unwrap_or_default());
        }
        Some(Processors { of_ranks, processors })
    }

    /// The processor of a rank.
    pub(super) fn of_rank(&self, rank: u32) -> Option<&Processor> {
        self.processors.get(self.of_ranks.get(&rank)?)
    }
}

/// The classes of nodes that are processors.
const CLASSES: [&str; 2] = ["core", "PU"];

impl Processor {
    /// Goes through the begins and ends of its ranks' waits.
    fn sweep(&mut self, first: u64, mut changes: Vec<(u64, bool)>) {
        changes.sort_unstable();
        let (mut since, mut waiting) = (first, 0);
        for (time, begins) in changes {
            let ready = self.units.len().saturating_sub(waiting);
            let stretches = match ready {
                0 => Some(&mut self.idle),
                1 => None,
                _ => Some(&mut self.queued),
            };
            if let Some(stretches) = stretches.filter(|_| time > since) {
                match stretches.last_mut() {
                    Some((_, end)) if *end == since => *end = time,
                    _ => stretches.push((since, time)),
                }
            }
            since = time;
            waiting = if begins { waiting + 1 } else { waiting - 1 };
        }
    }
}

/// The ticks of `begin..end` that lie in some stretches.
pub(super) fn overlap(stretches: &Stretches, begin: u64, end: u64) -> u64 {
    let first = stretches.partition_point(|&(_, until)| until <= begin);
    let those = stretches[first..].iter().take_while(|&&(from, _)| from < end);
    those.map(|&(from, until)| until.min(end) - from.max(begin)).sum()
}
