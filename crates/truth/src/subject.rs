#![allow(unsafe_code, reason = "stacks of our own properties need no guards")]
//! The programs of a subject, on the virtual engine.

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_documents::finding::MEASURED_REGION;
use ats_model::WaitState;
use ats_props::{Catalogue, Context, Program, SendMode, Shown, region};
use ats_virtual::{Outcome, Simulation, SimulationError, unreplayed};

use crate::Size;

/// Runs it on the virtual engine, its measured part in a region of its own. Its size is checked.
///
/// # Errors
/// It does not come to its end, or is not what the simulation replays.
pub(crate) fn simulate(
    subject: &Subject,
    simulation: Simulation<'_>,
    size: Size,
) -> Result<Outcome, SimulationError> {
    match subject {
        Subject::Property { program, arguments } => on_all(subject, simulation, &|context| {
            let _region = region(MEASURED_REGION);
            program.run(context, arguments);
        }),
        Subject::Composition(composition) => {
            let plan = composition.plan(size.ranks, size.threads).expect("its size is checked");
            on_all(subject, simulation, &|context| {
                let stage = unreplayed(|| {
                    let _region = region("ats_setup");
                    plan.set_up(context)
                });
                {
                    let _region = region(MEASURED_REGION);
                    stage.run(ats_virtual::align);
                }
                unreplayed(|| drop(stage));
            })
        }
    }
}

fn on_all(
    subject: &Subject,
    mut simulation: Simulation<'_>,
    run: &dyn Fn(&Context<'_>),
) -> Result<Outcome, SimulationError> {
    simulation = simulation.measure(subject.measured());
    if subject.properties().into_iter().all(Catalogue::is_builtin) {
        // SAFETY: our own properties do not recurse, and what they need of their stacks does not depend on how many
        // there are: the tests run every one of them on few, which are guarded. Regions around them are limited.
        simulation = unsafe { simulation.unguarded() };
    }
    if subject.owns_mpi() {
        simulation.run_processes(|process| run(&Context::before_mpi(process)))
    } else if subject.needs().team {
        simulation.run_with_team(|c, team| run(&Context::new(Some(c), Some(team))))
    } else {
        simulation.run(|c| run(&Context::new(Some(c), None)))
    }
}

/// Programs by name, which is that of the region that they run in.
pub(crate) struct Programs(pub(crate) BTreeMap<&'static str, Program>);

impl Programs {
    /// The outermost one within which a call path lies.
    fn outermost(&self, call_path: &[&str]) -> Option<Program> {
        call_path.iter().find_map(|&region| self.0.get(region).copied())
    }

    /// The entry of the catalogue for a wait state at a call path, if its property is there to show it.
    pub(crate) fn shown(&self, state: WaitState, call_path: &[&str]) -> Option<&'static Shown> {
        let Program { property, .. } = self.outermost(call_path).filter(|program| !program.balanced)?;
        property.finds.find(state)
    }

    /// The send mode of the messages of a call path, if its property depends on it.
    pub(crate) fn send_mode(&self, call_path: &[&str]) -> Option<SendMode> {
        self.outermost(call_path)?.property.send_mode
    }
}
