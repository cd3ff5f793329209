//! Subject of a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use ats_model::machine_counter::MachineCounter;
use ats_mpi::{Progress, SendMode};
use ats_props::{Arguments, Counter, Entry, Needs, Program, Property, TASK_CLOCK, What};

use crate::{Composition, Step};

/// The subject of a program, one property or several, with all its arguments except its size.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A property or its twin.
    Property {
        /// The property or its twin.
        program: Program,
        /// Its parameters.
        arguments: Arguments,
    },
    /// Several properties.
    Composition(Arc<Composition>),
}

/// With the defaults of its parameters.
impl From<Program> for Subject {
    fn from(program: Program) -> Self {
        Subject::Property { program, arguments: program.property.defaults() }
    }
}

/// With the defaults of its parameters.
impl From<&'static Property> for Subject {
    fn from(property: &'static Property) -> Self {
        Program { property, balanced: false }.into()
    }
}

impl From<&Composition> for Subject {
    fn from(composition: &Composition) -> Self {
        Subject::Composition(Arc::new(composition.clone()))
    }
}

impl From<&Subject> for Subject {
    fn from(subject: &Subject) -> Self {
        subject.clone()
    }
}

impl Subject {
    /// The program's name.
    pub fn name(&self) -> &str {
        match self {
            Subject::Property { program, .. } => program.name(),
            Subject::Composition(composition) => composition.name(),
        }
    }

    /// The same with `change` made to each of its programs and their arguments. A composition's document stays what it was.
    #[must_use]
    pub fn changed(&self, change: &dyn Fn(&mut Program, &mut Arguments)) -> Self {
        let mut changed = self.clone();
        match &mut changed {
            Subject::Property { program, arguments } => change(program, arguments),
            Subject::Composition(composition) => *composition = Arc::new(composition.changed(change)),
        }
        changed
    }

    /// The name of its executable; a property and its twin share one.
    pub fn executable(&self) -> &str {
        match self {
            Subject::Property { program, .. } => program.property.name,
            Subject::Composition(composition) => composition.name(),
        }
    }

    /// Its purpose, in words.
    pub fn summary(&self) -> &str {
        match self {
            Subject::Property { program, .. } => program.property.summary(),
            Subject::Composition(composition) => composition.description(),
        }
    }

    /// Its arguments, as text; a composition has them all in its file.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        match self {
            Subject::Property { arguments, .. } => arguments.to_map(),
            Subject::Composition(_) => BTreeMap::new(),
        }
    }

    /// The resources that it runs on.
    pub fn needs(&self) -> Needs {
        match self {
            Subject::Property { program, .. } => program.property.needs,
            Subject::Composition(composition) => composition.needs(),
        }
    }

    /// Whether no program can show it, and only an ideal trace does.
    pub fn is_trace_only(&self) -> bool {
        self.properties().into_iter().any(|property| !property.entry.has_program())
    }

    /// Whether it initialises and finalizes MPI itself.
    pub fn owns_mpi(&self) -> bool {
        self.properties().into_iter().any(|property| property.entry == Entry::Program)
    }

    /// Whether it is to be run several times, with a truth over the runs.
    pub fn is_experiment(&self) -> bool {
        matches!(self, Subject::Property { program, .. } if matches!(program.property.entry, Entry::Experiment(_)))
    }

    /// Whether it is a property's twin.
    pub fn is_twin(&self) -> bool {
        matches!(self, Subject::Property { program: Program { balanced: true, .. }, .. })
    }

    /// The programs that it consists of, each once, by name: that of the region that they run in.
    pub fn programs(&self) -> BTreeMap<&'static str, Program> {
        let named = |program: Program| (program.name(), program);
        match self {
            Subject::Property { program, .. } => [named(*program)].into(),
            Subject::Composition(composition) => {
                composition.steps().map(|step| named(step.program)).collect()
            }
        }
    }

    /// Its properties, each once, by name.
    pub fn properties(&self) -> Vec<&'static Property> {
        let mut properties: Vec<_> = self.programs().into_values().map(|program| program.property).collect();
        properties.sort_by_key(|property| property.name);
        properties.dedup_by_key(|property| property.name);
        properties
    }

    /// The regions whose time, or whose counters, have to be measured.
    pub fn measured(&self) -> Vec<&'static str> {
        self.properties().into_iter().flat_map(|property| property.finds.measured()).collect()
    }

    /// The counters of the machine that show what it is named for, as far as recorders know them.
    pub fn machine_counters(&self) -> Vec<MachineCounter> {
        let shown = self.properties().into_iter().flat_map(|property| property.finds.shown);
        let named = shown.filter_map(|shown| match shown.what {
            What::Count(Counter::Hardware { name, .. }, _) => MachineCounter::named(name).ok(),
            What::Ratio { over: TASK_CLOCK, .. } => Some(MachineCounter::TaskClock),
            _ => None,
        });
        named.collect()
    }

    /// Whether it needs standard sends that do not wait for their receives.
    pub fn sends_eagerly(&self) -> bool {
        self.properties().into_iter().any(|property| property.send_mode == Some(SendMode::Standard))
    }

    /// The progress of transfers on the ideal machine that its truth is of, if a property depends on it.
    pub fn progress(&self) -> Option<Progress> {
        self.properties().into_iter().find_map(|property| property.progress)
    }

    /// The bytes per second of the ideal machine's network that its truth is of, if a property depends on that.
    pub fn bandwidth(&self) -> Option<f64> {
        self.properties().into_iter().find_map(|property| property.bandwidth)
    }

    /// Whether it depends on a property of the MPI library that the ranks probe before they are measured: by a
    /// parameter, or by its defaults, since a twin then does, too.
    pub fn is_probed(&self) -> bool {
        if self.properties().into_iter().any(|property| property.defaults().are_probed()) {
            return true;
        }
        match self {
            Subject::Property { arguments, .. } => arguments.are_probed(),
            Subject::Composition(composition) => composition.steps().any(Step::is_probed),
        }
    }
}
