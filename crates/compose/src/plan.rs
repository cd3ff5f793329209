//! A composition for a number of ranks and threads.

use std::collections::BTreeMap;

use ats_model::lines::Place;
use ats_props::Needs;

use crate::composition::{Group, Step};
use crate::{Composition, CompositionError, Ranks};

/// A composition that can be run: its groups are disjoint and large enough.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    pub(crate) composition: &'a Composition,
    /// For each division of the ranks, the group of every rank.
    pub(crate) partitions: Vec<Vec<Option<u32>>>,
    /// For each phase, how its ranks are divided; not at all where its only group is the world.
    pub(crate) divided: Vec<Option<usize>>,
    pub(crate) needs: Needs,
}

impl Composition {
    /// Checks it for a number of ranks, and of threads of each.
    ///
    /// # Errors
    /// There are too few of them, or groups have ranks in common.
    pub fn plan(&self, ranks: usize, threads: usize) -> Result<Plan<'_>, CompositionError> {
        let needs = self.needs();
        let unfit = |message: &str| CompositionError {
            file: self.file.clone(),
            place: None,
            message: format!("{} {message}", self.name()),
        };
        if ranks == 0 || threads == 0 {
            return Err(unfit("needs at least 1 rank and 1 thread"));
        }
        if ranks > 1 && !needs.ranks {
            return Err(unfit("runs as a single process; omit --np"));
        }
        if threads > 1 && !needs.team {
            return Err(unfit("has processes of one thread; omit --threads"));
        }
        let mut known: BTreeMap<Vec<&Ranks>, usize> = BTreeMap::new();
        let mut plan = Plan { composition: self, partitions: Vec::new(), divided: Vec::new(), needs };
        for phase in self.phases() {
            let named: Vec<&Ranks> = phase.groups.iter().filter_map(|group| group.ranks.as_ref()).collect();
            if named.is_empty() {
                self.check(&phase.groups[0], ranks, threads)?;
                plan.divided.push(None);
                continue;
            }
            let at = match known.get(&named) {
                Some(&at) => at,
                None => {
                    plan.partitions.push(self.divide(&phase.groups, ranks)?);
                    known.insert(named, plan.partitions.len() - 1);
                    plan.partitions.len() - 1
                }
            };
            plan.divided.push(Some(at));
            let mut sizes = vec![0; phase.groups.len()];
            plan.partitions[at].iter().flatten().for_each(|&group| sizes[group as usize] += 1);
            for (group, size) in phase.groups.iter().zip(sizes) {
                self.check(group, size, threads)?;
            }
        }
        Ok(plan)
    }

    fn error(&self, place: Place, message: String) -> CompositionError {
        CompositionError { file: self.file.clone(), place: Some(place), message }
    }

    /// The group of every rank.
    fn divide(&self, groups: &[Group], ranks: usize) -> Result<Vec<Option<u32>>, CompositionError> {
        let mut group_of: Vec<Option<u32>> = vec![None; ranks];
        for (number, group) in (0..).zip(groups) {
            let Some(named) = &group.ranks else { continue };
            if let Some(highest) = named.highest().filter(|&highest| highest >= ranks) {
                let needed = highest + 1;
                let message = format!(
                    "`{named}` names rank {highest}, and the highest is {}; use --np {needed} or more",
                    ranks - 1
                );
                return Err(self.error(group.place, message));
            }
            for rank in (0..ranks).filter(|&rank| named.contains(rank)) {
                if let Some(other) = group_of[rank].replace(number) {
                    let line = groups[other as usize].place.line;
                    let message = format!(
                        "rank {rank} is in this group and in that of line {line}; groups of a phase are disjoint"
                    );
                    return Err(self.error(group.place, message));
                }
            }
        }
        Ok(group_of)
    }

    /// Checks that a group of this many ranks is enough for its properties.
    fn check(&self, group: &Group, ranks: usize, threads: usize) -> Result<(), CompositionError> {
        let who =
            group.ranks.as_ref().map_or_else(|| "the program".to_owned(), |ranks| format!("group `{ranks}`"));
        if ranks == 0 {
            return Err(self.error(group.place, format!("{who} has no rank; use more with --np")));
        }
        let few = |step: &Step, needed: usize, what: &str, who: &str, given: usize| {
            let name = step.program.property.name;
            self.error(step.place, format!("{name} needs at least {needed} {what}, and {who} has {given}"))
        };
        for step in &group.steps {
            let property = step.program.property;
            if property.check_ranks(ranks).is_err() {
                return Err(few(step, property.min_ranks, "ranks", &who, ranks));
            }
            if property.check_threads(threads).is_err() {
                return Err(few(step, property.min_threads, "threads", "a process", threads));
            }
        }
        let mut together = 0;
        for team in &group.teams {
            together += team.threads;
            if together > threads {
                let message = format!(
                    "with this team, {together} threads run side by side, and a process has {threads}; use --threads {together} or more"
                );
                return Err(self.error(team.place, message));
            }
            for step in &team.steps {
                let property = step.program.property;
                if property.check_threads(team.threads).is_err() {
                    return Err(few(step, property.min_threads, "threads", "its team", team.threads));
                }
            }
        }
        Ok(())
    }
}
