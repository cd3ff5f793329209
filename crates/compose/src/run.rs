//! Running a composition on one rank.

use ats_model::regions::ALIGN_REGION;
use ats_mpi::Communicator;
use ats_omp::{AnyTeam, PartOfTeam, Team as _};
use ats_props::Context;
use ats_work::region;

use crate::composition::{Phase, Step};
use crate::plan::Plan;

/// A composition on one rank, with the communicators of its groups.
pub struct Stage<'a> {
    plan: &'a Plan<'a>,
    world: Option<&'a dyn Communicator>,
    team: Option<AnyTeam<'a>>,
    /// For each division of the ranks, this rank's group and its communicator.
    groups: Vec<Option<(usize, Box<dyn Communicator>)>>,
}

impl Plan<'_> {
    /// Makes the communicators, on every rank at once: an `MPI_Comm_split` for each division of the ranks. They are
    /// freed when the stage is dropped. Every rank waits for all others in a split; so this belongs before the part
    /// that is measured.
    ///
    /// # Panics
    /// The context lacks what [`crate::Composition::needs`] says, or has another number of ranks than the plan is for.
    pub fn set_up<'a>(&'a self, context: &Context<'a>) -> Stage<'a> {
        let world = self.needs.ranks.then(|| context.communicator());
        let groups = self.partitions.iter().map(|group_of| {
            let world = world.expect("groups are of ranks");
            assert_eq!(world.size(), group_of.len(), "the plan is for another number of ranks");
            let group = group_of[world.rank()];
            let communicator = world.split(group, world.rank() as i32);
            group.map(|group| group as usize).zip(communicator)
        });
        let team = self.needs.team.then(|| context.team());
        Stage { plan: self, world, groups: groups.collect(), team }
    }
}

impl Stage<'_> {
    /// Runs the balanced twins of all steps, each `times` times, so that costs of the first time are over.
    pub fn warm_up(&self, times: usize) {
        for (phase, number) in self.plan.composition.phases().iter().zip(0..) {
            self.phase(phase, number, &|step, context| {
                step.program.property.repeat_balanced(context, step.arguments(0), times);
            });
        }
    }

    /// Runs it; `align` is the engine's way of letting all ranks wait for each other, unseen by tools. It is called in
    /// the region [`ALIGN_REGION`](ats_model::regions::ALIGN_REGION).
    pub fn run(&self, align: impl Fn()) {
        for (phase, number) in self.plan.composition.phases().iter().zip(0..) {
            for iteration in 0..phase.repeat {
                if phase.align {
                    let _region = region(ALIGN_REGION);
                    align();
                }
                self.phase(phase, number, &|step, context| step.run(context, iteration));
            }
        }
    }

    /// Walks through this rank's steps of a phase.
    fn phase(&self, phase: &Phase, number: usize, run: &(dyn Fn(&Step, &Context<'_>) + Sync)) {
        let (group, communicator) = match self.plan.divided[number] {
            None => (0, self.world),
            Some(partition) => match &self.groups[partition] {
                Some((group, communicator)) => (*group, Some(&**communicator)),
                None => return,
            },
        };
        let group = &phase.groups[group];
        let context = Context::new(communicator, self.team.map(|AnyTeam(team)| team));
        group.steps.iter().for_each(|step| run(step, &context));
        if let (false, Some(team)) = (group.teams.is_empty(), self.team) {
            team.parallel(group.teams.len(), |thread| {
                let nested = &group.teams[thread.number()];
                let team = PartOfTeam { team: team.0, threads: nested.threads };
                nested.steps.iter().for_each(|step| run(step, &Context::new(None, Some(&team))));
            });
        }
    }
}

impl Step {
    fn run(&self, context: &Context<'_>, iteration: usize) {
        in_regions(&self.regions, &|| {
            for run in 0..self.repeat {
                self.program.run(context, self.arguments(iteration * self.repeat + run));
            }
        });
    }
}

fn in_regions(names: &[&'static str], body: &dyn Fn()) {
    match names {
        [] => body(),
        [outermost, inner @ ..] => {
            let _region = region(outermost);
            in_regions(inner, body);
        }
    }
}
