//! All properties, and the programs that show them.

use ats_model::mistakes::near;
use thiserror::Error;

use crate::{Arguments, Context, Entry, Property};

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// The properties that a command knows.
#[derive(Clone, Debug)]
pub struct Catalogue {
    properties: Vec<&'static Property>,
}

impl Catalogue {
    /// The suite's own properties, by name.
    pub fn builtin() -> Self {
        Catalogue { properties: BUILTIN.to_vec() }
    }

    /// Whether a property is one of the suite's own.
    pub fn is_builtin(property: &Property) -> bool {
        BUILTIN.iter().any(|builtin| std::ptr::eq(*builtin, property))
    }

    /// With a property of your own; it replaces one of the same name.
    pub fn with(mut self, property: &'static Property) -> Self {
        self.properties.retain(|known| known.name != property.name);
        self.properties.push(property);
        self.properties.sort_by_key(|property| property.name);
        self
    }

    /// With the kinds of entries that are wanted alone.
    pub fn filter(mut self, is_wanted: impl Fn(Entry) -> bool) -> Self {
        self.properties.retain(|property| is_wanted(property.entry));
        self
    }

    /// The properties, by name.
    pub fn properties(&self) -> impl Iterator<Item = &'static Property> {
        self.properties.iter().copied()
    }

    /// The regions whose time, or whose counters, have to be measured for one of the properties.
    pub fn measured(&self) -> Vec<&'static str> {
        self.properties().flat_map(|property| property.finds.measured()).collect()
    }

    /// Every property followed by its balanced twin, if it has one.
    pub fn programs(&self) -> impl Iterator<Item = Program> {
        self.properties().flat_map(|property| {
            let program = Program { property, balanced: false };
            [program].into_iter().chain(program.twin())
        })
    }

    /// The program of a name.
    ///
    /// # Errors
    /// There is none; the nearest names are listed.
    pub fn program(&self, name: &str) -> Result<Program, UnknownProgram> {
        self.programs().find(|program| program.name() == name).ok_or_else(|| UnknownProgram {
            name: name.to_owned(),
            nearest: near(name, self.programs().map(|program| program.name())),
        })
    }
}

/// No property or twin has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no property `{name}`; {}`ats list` shows all", question(.nearest))]
pub struct UnknownProgram {
    /// The name requested.
    pub name: String,
    /// Names that are spelled like it.
    pub nearest: Vec<&'static str>,
}

fn question(nearest: &[&str]) -> String {
    if nearest.is_empty() { String::new() } else { format!("did you mean {}? ", nearest.join(" or ")) }
}

/// A program that shows one property, or that shows nothing: its balanced twin.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The property.
    pub property: &'static Property,
    /// Whether this is the twin.
    pub balanced: bool,
}

impl Program {
    /// The property's name, or its twin's.
    pub fn name(&self) -> &'static str {
        if self.balanced { self.property.twin } else { self.property.name }
    }

    /// The balanced twin; `None` for a twin, and for a property that shows nothing.
    pub fn twin(self) -> Option<Program> {
        let has_one = !self.balanced && !self.property.finds.is_silent();
        has_one.then_some(Program { balanced: true, ..self })
    }

    /// Runs it on this member of the communicator.
    pub fn run(&self, context: &Context<'_>, arguments: &Arguments) {
        if self.balanced {
            (self.property.run_balanced)(context, arguments);
        } else {
            (self.property.run)(context, arguments);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::simulate;
    use crate::{CauseKind, Counter, MpiFunction, Shown, What};
    use ats_model::mpi::Form;
    use ats_virtual::MeasuredRegion;

    /// In Fortran they would be one name.
    #[test]
    fn no_parameter_is_called_like_its_property() {
        for property in Catalogue::builtin().properties() {
            let is_other = |parameter: &crate::Parameter| parameter.name != property.name;
            assert!(property.parameters.iter().all(is_other), "{}", property.name);
        }
    }

    #[test]
    fn functions_of_mpi_4_are_marked() {
        for property in Catalogue::builtin().properties() {
            let least = (property.min_ranks, property.min_threads);
            let outcome = simulate(property, least, property.repeated("1").as_slice(), false);
            let is_new =
                |call: &str| MpiFunction::of_name(call).is_some_and(|it| it.form() == Form::Partitioned);
            let calls = outcome.counts.iter().any(|(call, _)| is_new(call));
            assert_eq!(property.mpi_version, calls.then_some(4), "{}", property.name);
        }
    }

    #[test]
    fn every_wait_has_a_cause_and_every_cause_a_property() {
        let catalogue = Catalogue::builtin();
        let shown = || catalogue.properties().flat_map(|property| property.finds.shown);
        for shown in shown() {
            assert_eq!(shown.causes.is_empty(), shown.what.wait_state().is_none(), "{shown:?}");
        }
        // Those are of shared processors, of sizes beside each other, and of the price of messages, parallel regions and tasks
        // on a real machine.
        let elsewhere = [
            CauseKind::Mapping,
            CauseKind::EagerLimit,
            CauseKind::SmallMessages,
            CauseKind::LargeTask,
            CauseKind::SmallTasks,
            CauseKind::TaskCreation,
            CauseKind::ThreadManagement,
            CauseKind::Unknown,
        ];
        for cause in CauseKind::ALL {
            let has_property = shown().any(|shown| shown.cause.contains(cause.name()));
            assert!(has_property != elsewhere.contains(&cause), "{cause:?}");
        }
    }

    #[test]
    fn every_property_shows_what_it_is_named_for() {
        for property in Catalogue::builtin().properties() {
            let least = (property.min_ranks, property.min_threads);
            let usual = [property.needs.ranks, property.needs.team].map(|has| if has { 4 } else { 1 });
            let sizes = match property.entry {
                // It shows what it is named for as the runs grow; the first may show nothing.
                Entry::Experiment(_) => vec![usual.into()],
                _ => vec![least, usual.into()],
            };
            for size in sizes {
                let outcome = simulate(property, size, property.repeated("2").as_slice(), false);
                let existed: f64 = outcome.locations.iter().map(|location| outcome.ends[location.rank]).sum();
                // Calls take no time on an ideal machine.
                let is_of_call = |shown: &&Shown| matches!(shown.what, What::Time(call) if MpiFunction::of_name(call).is_some());
                for shown in property.finds.shown.iter().filter(|shown| !is_of_call(shown)) {
                    let share = match shown.what {
                        What::Wait(state) => outcome.waiting_time(state) / existed,
                        // What the twin does instead is a question of the property: fewer, more, or the same elsewhere.
                        What::Count(Counter::Engine(counter), region) => {
                            counter.value(&outcome.counts[region]) as f64
                        }
                        other => {
                            let is_it = |sum: &&MeasuredRegion| Some(sum.region) == other.region();
                            let seconds = outcome.regions.iter().filter(is_it).map(|sum| sum.seconds);
                            seconds.sum::<f64>() / existed
                        }
                    };
                    assert!(share > 0.05, "{} at {size:?}: {share}", property.name);
                }
            }
        }
    }
}
