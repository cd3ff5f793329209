#![allow(unsafe_code, reason = "stacks of our own properties need no guards")]
//! What a program is about: one property, or several of them in a composition.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ats_compose::Composition;
use ats_generator::Subject as Source;
use ats_model::WaitState;
use ats_model::finding::MEASURED_REGION;
use ats_props::{Arguments, Catalogue, Context, Paradigm, Program, SendMode, region};
use ats_virtual::{Outcome, Simulation, SimulationError, unreplayed};

use crate::size::{Size, SizeError};

/// What a program is about, with all that it is called with but its size.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A property or its twin.
    Property {
        /// Which.
        program: Program,
        /// Its parameters.
        arguments: Arguments,
    },
    /// Several properties.
    Composition(Arc<Composition>),
}

impl Subject {
    /// The program's name.
    pub fn name(&self) -> &str {
        match self {
            Subject::Property { program, .. } => program.name(),
            Subject::Composition(composition) => composition.name(),
        }
    }

    /// What its program is generated from; a property and its twin share one.
    pub fn source(&self) -> Source<'_> {
        match self {
            Subject::Property { program, .. } => Source::from(program.property),
            Subject::Composition(composition) => Source::from(&**composition),
        }
    }

    /// What it is called with; a composition has it all in its file.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        match self {
            Subject::Property { arguments, .. } => arguments.to_map(),
            Subject::Composition(_) => BTreeMap::new(),
        }
    }

    /// What it needs: MPI, a team of threads, or both.
    pub fn paradigm(&self) -> Paradigm {
        match self {
            Subject::Property { program, .. } => program.property.paradigm,
            Subject::Composition(composition) => composition.paradigm(),
        }
    }

    /// Whether it is a property's twin.
    pub fn is_twin(&self) -> bool {
        matches!(self, Subject::Property { program: Program { balanced: true, .. }, .. })
    }

    /// Whether it shows what it is meant to at this size.
    ///
    /// # Errors
    /// It needs more ranks or threads, or has no use for so many.
    pub fn check(&self, size: Size) -> Result<(), SizeError> {
        match self {
            Subject::Property { program, .. } => size.check(program.property),
            Subject::Composition(composition) => Ok(composition.plan(size.ranks, size.threads).map(drop)?),
        }
    }

    /// Runs it on the virtual engine, its measured part in a region of its own. Its size is checked.
    ///
    /// # Errors
    /// It does not come to its end, or is not what the simulation replays.
    pub(crate) fn simulate(
        &self,
        simulation: Simulation<'_>,
        size: Size,
    ) -> Result<Outcome, SimulationError> {
        match self {
            Subject::Property { program, arguments } => self.on_all(simulation, &|context| {
                let _region = region(MEASURED_REGION);
                program.run(context, arguments);
            }),
            Subject::Composition(composition) => {
                let plan = composition.plan(size.ranks, size.threads).expect("its size is checked");
                self.on_all(simulation, &|context| {
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
        &self,
        mut simulation: Simulation<'_>,
        run: &dyn Fn(&Context<'_>),
    ) -> Result<Outcome, SimulationError> {
        if self.programs().0.values().all(|program| Catalogue::is_builtin(program.property)) {
            // SAFETY: our own properties do not recurse, and what they need of their stacks does not depend on how many
            // there are: the tests run every one of them on few, which are guarded. Regions around them are limited.
            simulation = unsafe { simulation.unguarded() };
        }
        if self.paradigm().has_team() {
            simulation.run_with_team(|c, team| run(&Context::hybrid(c, team)))
        } else {
            simulation.run(|c| run(&Context::new(c)))
        }
    }

    /// The programs that it consists of, each once.
    pub(crate) fn programs(&self) -> Programs {
        let named = |program: Program| (program.name(), program);
        match self {
            Subject::Property { program, .. } => Programs([named(*program)].into()),
            Subject::Composition(composition) => {
                Programs(composition.steps().map(|step| named(step.program)).collect())
            }
        }
    }

    /// The calls whose number is what a property of it shows, with the call path to report them at, and the closed form
    /// where it is of one property alone.
    pub(crate) fn counted(&self) -> Vec<(Vec<&str>, Option<&'static str>)> {
        let counts = |program: &Program| program.property.finds.counted().filter(|_| !program.balanced);
        match self {
            Subject::Property { program, .. } => counts(program)
                .map(|region| (vec![program.property.name, region], Some(program.property.formula)))
                .into_iter()
                .collect(),
            Subject::Composition(_) => {
                let regions: BTreeSet<_> = self.programs().0.values().filter_map(counts).collect();
                regions.into_iter().map(|region| (vec![region], None)).collect()
            }
        }
    }
}

/// Programs by name, which is that of the region that they run in.
pub(crate) struct Programs(BTreeMap<&'static str, Program>);

impl Programs {
    /// The outermost one within which a call path lies.
    fn at(&self, call_path: &[&str]) -> Option<Program> {
        call_path.iter().find_map(|&region| self.0.get(region).copied())
    }

    /// The closed form of a wait state's seconds at a call path, where its property is there to show it.
    pub(crate) fn formula(&self, state: WaitState, call_path: &[&str]) -> Option<&'static str> {
        let Program { property, .. } = self.at(call_path).filter(|program| !program.balanced)?;
        (property.finds.wait_state() == Some(state)).then_some(property.formula)
    }

    /// How the messages of a call path are sent, where its property depends on it.
    pub(crate) fn send_mode(&self, call_path: &[&str]) -> Option<SendMode> {
        self.at(call_path)?.property.send_mode
    }
}
