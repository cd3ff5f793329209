//! Findings that a property shows.

use ats_model::traffic::Counter;
use ats_model::{WaitState, wait_state::Class};

/// Findings that a property shows: one or several quantities, or nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finds {
    /// The quantities to be found; the first gives the property its name. Empty if it has nothing to find.
    pub shown: &'static [Shown],
    /// Wait states that a careless rule would report, and that do not occur.
    pub tempts: &'static [WaitState],
}

/// Something that is to be found, and how much of it there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The quantity.
    pub what: What,
    /// Its amount, as a closed form.
    pub formula: &'static str,
}

/// The kind of truth about a program, by the quantity that it is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Seconds of a wait state.
    Wait,
    /// A whole number.
    Count,
    /// That there is nothing to find.
    Silent,
}

impl Truth {
    /// The word for it, in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Truth::Wait => "wait",
            Truth::Count => "count",
            Truth::Silent => "silent",
        }
    }
}

/// A quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Seconds of a wait state.
    Wait(WaitState),
    /// A number that belongs to a call or construct, which is given by the name of its region.
    Count(Counter, &'static str),
}

impl What {
    /// The wait state; none for a number.
    pub fn wait_state(self) -> Option<WaitState> {
        match self {
            What::Wait(state) => Some(state),
            What::Count(..) => None,
        }
    }

    /// The call or construct that a number belongs to; none for a wait state.
    pub fn counted(self) -> Option<&'static str> {
        match self {
            What::Wait(_) => None,
            What::Count(_, region) => Some(region),
        }
    }

    /// The name of the wait state, or that of the call or construct.
    pub fn name(self) -> &'static str {
        match self {
            What::Wait(state) => state.name(),
            What::Count(_, region) => region,
        }
    }

    /// The unique name that Score-P and Scalasca 2.6 use.
    pub fn metric(self) -> &'static str {
        match self {
            What::Wait(state) => state.label(),
            What::Count(counter, region) => counter.metric(region),
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
        match self.first() {
            Some(What::Wait(_)) => Truth::Wait,
            Some(What::Count(..)) => Truth::Count,
            None => Truth::Silent,
        }
    }

    /// The wait state that it is named for; `None` if that is a number, or nothing.
    pub fn wait_state(&self) -> Option<WaitState> {
        self.first().and_then(What::wait_state)
    }

    /// All numbers that are to be found, with the name of the call or construct and the closed form.
    pub fn counted(&self) -> impl Iterator<Item = (Counter, &'static str, &'static str)> + use<> {
        self.shown.iter().filter_map(|shown| match shown.what {
            What::Wait(_) => None,
            What::Count(counter, region) => Some((counter, region, shown.formula)),
        })
    }

    /// The closed form of a wait state that is to be found.
    pub fn formula_of(&self, state: WaitState) -> Option<&'static str> {
        self.shown.iter().find(|shown| shown.what == What::Wait(state)).map(|shown| shown.formula)
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
            What::Count(counter, region) => {
                format!("{} of {region}: {}", counter.metric(region), shown.formula)
            }
        };
        match self.shown {
            [] => vec!["There is nothing to find.".to_owned()],
            shown => shown.iter().map(sentence).collect(),
        }
    }
}
