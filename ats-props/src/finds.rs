//! Findings that a property shows.

use std::collections::BTreeMap;

use ats_model::machine_counter::MachineCounter;
use ats_model::quantity::{TIME, TIME_RATIO};
use ats_model::{CauseKind, Counter, WaitState, wait_state::Class};

use crate::formula::{Formula, Location};
use crate::{Arguments, Property};

/// Findings that a property shows: one or several quantities, or nothing at all.
#[derive(Clone, Copy, Debug)]
pub struct Finds {
    /// The quantities to be found; the first gives the property its name. Empty if it has nothing to find.
    pub shown: &'static [Shown],
    /// Waits that it shows besides, and is not named for.
    pub also: &'static [Also],
    /// Wait states that a careless rule would report, and that do not occur.
    pub tempts: &'static [WaitState],
}

/// Something that is to be found, and how much of it there is.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The quantity.
    pub what: What,
    /// Its amount in total and at each location, as mathematics.
    pub formula: &'static str,
    /// Its amount over all locations; `None` if it is the sum over the places.
    pub total: Option<Formula>,
    /// The amount that the twin has of it, if that is another number.
    pub of_twin: Option<Formula>,
    /// The places of a wait.
    pub places: &'static [Place],
    /// The cause of a wait as mathematics, as it depends on the parameters; empty if nothing waits.
    pub cause: &'static str,
    /// The causes of a wait: one, or several parts that have one each. Empty if nothing waits.
    pub causes: &'static [Cause],
}

/// The cause of a wait, or of a part of it.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    /// The cause, given the arguments of the property and the size of the run.
    pub kind: fn(&Arguments, &Location) -> CauseKind,
    /// The seconds of it over all locations; `None` for all that others leave.
    pub part: Option<Formula>,
}

impl Shown {
    /// Returns the seconds of each cause in a wait of so many, in a run of this size.
    pub fn explained_by(
        &self,
        arguments: &Arguments,
        run: &Location,
        waited: f64,
    ) -> BTreeMap<CauseKind, f64> {
        let (mut left, mut seconds) = (waited, BTreeMap::new());
        for Cause { kind, part } in self.causes {
            let part = part.map_or(left, |part| part(arguments, run).min(left));
            left -= part;
            *seconds.entry(kind(arguments, run)).or_default() += part;
        }
        seconds.retain(|_, part| *part > 0.0);
        seconds
    }
}

/// A wait that is not to be found: it comes with what the property is named for.
#[derive(Clone, Copy, Debug)]
pub struct Also {
    /// The wait state; `None` if no metric counts it.
    pub state: Option<WaitState>,
    /// Its amount in total and at each location, as mathematics.
    pub formula: &'static str,
    /// Its places.
    pub places: &'static [Place],
}

/// A place of a wait.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The regions behind that of the property, with `/` between them; empty for that region itself.
    pub call_path: &'static str,
    /// The seconds that a location waits there; `None` if only their sum is known.
    pub each: Option<Formula>,
}

impl Place {
    /// The regions of its call path, from that of the property on.
    pub fn path(&self, property: &Property) -> Vec<&'static str> {
        let inner = self.call_path.split('/').filter(|region| !region.is_empty());
        [property.name].into_iter().chain(inner).collect()
    }
}

/// The kind of truth about a program, by the quantity that it is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Seconds of a wait state.
    Wait,
    /// A whole number.
    Count,
    /// Seconds of a region.
    Time,
    /// A quotient of the times of two regions.
    Ratio,
    /// That there is nothing to find.
    Silent,
}

impl Truth {
    /// The word for it, in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Truth::Wait => "wait",
            Truth::Count => "count",
            Truth::Time => "time",
            Truth::Ratio => "ratio",
            Truth::Silent => "silent",
        }
    }
}

/// The counter of the processor's time, for ratios.
pub const TASK_CLOCK: &str = MachineCounter::TaskClock.name();

/// A quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// Seconds of a wait state.
    Wait(WaitState),
    /// A number that belongs to a call, a construct or a region of the program, which is given by its name.
    Count(Counter, &'static str),
    /// Seconds that locations spend in a region of the program, including all that it calls, or in a call of MPI.
    Time(&'static str),
    /// The time of a region of the program, over that of another one, or over the processor's time in it.
    Ratio {
        /// The region that takes longer.
        of: &'static str,
        /// The region that it is compared with, or [`TASK_CLOCK`].
        over: &'static str,
        /// The least ratio that a run has to show.
        at_least: f64,
    },
}

impl What {
    /// The wait state; none for a number.
    pub fn wait_state(self) -> Option<WaitState> {
        match self {
            What::Wait(state) => Some(state),
            What::Count(..) | What::Time(_) | What::Ratio { .. } => None,
        }
    }

    /// The call, construct or region that a number or a time belongs to; none for a wait state.
    pub fn region(self) -> Option<&'static str> {
        match self {
            What::Wait(_) => None,
            What::Count(_, region) | What::Time(region) | What::Ratio { of: region, .. } => Some(region),
        }
    }

    /// The regions of the program whose time, or whose counters, have to be measured for it.
    pub fn measured(self) -> impl Iterator<Item = &'static str> {
        let regions = match self {
            What::Wait(_) | What::Count(Counter::Engine(_), _) => [None, None],
            What::Count(Counter::Witness(_) | Counter::Hardware { .. }, region) | What::Time(region) => {
                [Some(region), None]
            }
            What::Ratio { of, over, .. } => [Some(of), Some(over)],
        };
        regions.into_iter().flatten()
    }

    /// The name of the wait state, or that of the call, construct or region.
    pub fn name(self) -> &'static str {
        self.wait_state().map_or_else(|| self.region().unwrap_or_default(), WaitState::name)
    }

    /// The unique name that Score-P and Scalasca 2.6 use, or our own if they have none.
    pub fn metric(self) -> &'static str {
        match self {
            What::Wait(state) => state.label(),
            What::Count(counter, region) => counter.metric(region),
            What::Time(_) => TIME,
            What::Ratio { .. } => TIME_RATIO,
        }
    }

    /// The kind of truth about it.
    fn truth(self) -> Truth {
        match self {
            What::Wait(_) => Truth::Wait,
            What::Count(..) => Truth::Count,
            What::Time(_) => Truth::Time,
            What::Ratio { .. } => Truth::Ratio,
        }
    }

    fn class(self) -> Class {
        self.wait_state().map_or(Class::Count, WaitState::class)
    }
}

impl Finds {
    /// Whether there is nothing to find.
    pub fn is_silent(&self) -> bool {
        self.shown.is_empty()
    }

    /// The quantity that the property is named for; `None` if it has nothing to find.
    pub fn first(&self) -> Option<What> {
        self.shown.first().map(|shown| shown.what)
    }

    /// The kind of truth about it.
    pub fn truth(&self) -> Truth {
        self.first().map_or(Truth::Silent, What::truth)
    }

    /// The wait state that it is named for; `None` if that is a number, or nothing.
    pub fn wait_state(&self) -> Option<WaitState> {
        self.first().and_then(What::wait_state)
    }

    /// The regions of the program whose time, or whose counters, have to be measured.
    pub fn measured(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.shown.iter().flat_map(|shown| shown.what.measured())
    }

    /// Whether one of the quantities is a matter of the machine: a number that its kernel or hardware counts, a ratio of
    /// what operations cost there, or a time that no formula gives.
    pub fn are_of_the_machine(&self) -> bool {
        self.shown.iter().any(|shown| match shown.what {
            What::Count(Counter::Hardware { .. }, _) => true,
            What::Ratio { at_least, .. } => at_least > 0.0,
            What::Time(_) => shown.total.is_none(),
            _ => false,
        })
    }

    /// Everything that is to be found but wait states.
    pub fn numbers(&self) -> impl Iterator<Item = &'static Shown> + use<> {
        self.shown.iter().filter(|shown| shown.what.wait_state().is_none())
    }

    /// A wait state that is to be found.
    pub fn find(&self, state: WaitState) -> Option<&'static Shown> {
        self.shown.iter().find(|shown| shown.what == What::Wait(state))
    }

    /// All closed forms.
    pub fn formula(&self) -> String {
        self.shown.iter().map(|shown| shown.formula).collect::<Vec<_>>().join("; ")
    }

    /// The class of the quantity that it is named for, or of the one that tempts.
    pub fn class(&self) -> Option<Class> {
        let tempts = self.tempts.first().copied().map(WaitState::class);
        self.first().map(What::class).or(tempts)
    }

    /// The amounts to be found, in a sentence for each quantity.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |shown: &Shown| match shown.what {
            What::Wait(_) => format!("Waiting time: {}", shown.formula),
            what => format!("{} of {}: {}", what.metric(), what.name(), shown.formula),
        };
        match self.shown {
            [] => vec!["There is nothing to find.".to_owned()],
            shown => shown.iter().map(sentence).collect(),
        }
    }
}
