//! Entries of the truth, and how well a tool met them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Spread;
use crate::finding;
use ats_model::WaitState;
use ats_model::locations::Location;
use ats_model::quantity::{Unit, View};

/// An entry of the truth, and the tool's answers to it over all repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expectation {
    /// The `id` of the finding in the truth.
    pub id: String,
    /// The verdict; the most frequent one of the repeats, and the worst of equally frequent ones.
    pub outcome: Outcome,
    /// Its grade, which the score adds; null if nothing was reported for it or nothing could be judged.
    pub grade: Option<Grade>,
    /// The meaning of its amounts: visits, or the count that `metric` names, in the view `count`; a plain number in
    /// the view `ratio`; seconds in every other.
    pub view: View,
    /// The wait state expected; none in the views `count`, `delay` and `explanation`.
    pub wait_state: Option<WaitState>,
    /// The count in the view `count`, if it is not visits; in the view `ratio`, its name; in the view `delay`, the metric
    /// of a cost; in the view `explanation`, the causes that are right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Whether the program is made to show it; otherwise it is a side effect.
    #[serde(default = "crate::finding::yes")]
    pub planted: bool,
    /// Call path expected.
    pub call_path: Vec<String>,
    /// Locations expected to wait.
    pub waiting: Vec<Location>,
    /// Was the right wait state reported at all, or the call counted? As all judgements, of a repeat with this outcome.
    pub property: Judgement,
    /// At the right call path? Not asked of a count, which is one over the whole basis.
    pub place: Judgement,
    /// On the right locations? Not asked of a count.
    pub locations: Judgement,
    /// In the right amount? A count has to be exact.
    pub amount: Judgement,
    /// Seconds (or visits) that the parameters promise.
    pub nominal: f64,
    /// Seconds (or visits) that the run showed, and that the tool is held to: the median over the repeats; equal to
    /// `nominal` on the virtual engine.
    pub observed: f64,
    /// Seconds (or visits) that the tool reported: the median over the repeats.
    pub found: f64,
    /// The name that the tool reported those under, where it is a wrong one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_as: Option<String>,
    /// (Found − observed) / observed, which the score adds: the median over the repeats that reported something.
    pub error: Option<f64>,
    /// `nominal`, `observed` and `found` as severities; 0 for a count, which costs nothing by itself.
    pub severity: Severities,
    /// The spread of the repeats; absent if nothing was repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<ExpectationSpread>,
}

/// The spread of the repeats of an expectation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectationSpread {
    /// The number of repeats with each outcome.
    pub outcomes: BTreeMap<Outcome, u32>,
    /// Of the seconds (or visits) that the runs showed.
    pub observed: Spread,
    /// Over those that the tool reported.
    pub found: Spread,
}

impl Expectation {
    /// The unit of its amounts.
    pub fn unit(&self) -> Unit<'_> {
        self.view.unit(self.metric.as_deref())
    }

    /// The name of the expected wait state, count, cost or cause.
    pub fn name(&self) -> &str {
        let is_named = matches!(self.view, View::Delay | View::Explanation);
        let named = self.metric.as_deref().filter(|_| is_named);
        named.unwrap_or_else(|| finding::name(self.wait_state, self.unit()))
    }

    /// The same, as users of Score-P and Scalasca know it; `None` for time without a name.
    pub fn label(&self) -> Option<&str> {
        self.wait_state.map(WaitState::label).or(self.unit().metric())
    }

    /// The wrong name that a tool reported it under, and where and how much: `reported as late_receiver at MPI_Recv, 1.0000 s`.
    pub fn reported_otherwise(&self) -> Option<String> {
        let call = self.call_path.last().map_or_else(String::new, |call| format!(" at {call}"));
        let amount = self.unit().quantity(self.found);
        self.reported_as.as_ref().map(|name| format!("reported as {name}{call}, {amount}"))
    }

    /// Its outcome, in a word or two, with the wrong judgements if it is wrong.
    pub fn verdict(&self) -> String {
        match self.outcome {
            Outcome::Wrong => {
                let judgements = [
                    ("property", self.property),
                    ("place", self.place),
                    ("locations", self.locations),
                    ("amount", self.amount),
                ];
                let wrong = judgements.into_iter().filter(|(_, judgement)| *judgement == Judgement::No);
                format!("wrong {}", wrong.map(|(what, _)| what).collect::<Vec<_>>().join(", "))
            }
            outcome => outcome.label().to_owned(),
        }
    }

    /// Whether a tool has to report it: a count, or a wait whose nominal severity reaches `threshold`.
    pub fn is_due(&self, threshold: f64) -> bool {
        !self.unit().is_time() || self.severity.nominal >= threshold
    }

    /// Whether the tool was asked for it and answered, rightly or not.
    pub fn is_judged(&self) -> bool {
        use Outcome::{Consistent, Found, Inconsistent, Missed, Wrong};
        matches!(self.outcome, Found | Wrong | Missed | Consistent | Inconsistent)
    }

    /// Whether the tool reported it rightly, or, if it names no wait states, shows time that holds it.
    pub fn is_right(&self) -> bool {
        matches!(self.outcome, Outcome::Found | Outcome::Consistent)
    }

    /// Whether it does not matter that the run did not show it, or showed too little to be reported. What it did not
    /// show has to be a side effect, or planned to be too little.
    pub fn is_forgiven(&self, threshold: f64) -> bool {
        match self.outcome {
            Outcome::BelowThreshold => true,
            Outcome::NotManifested => !self.planted || !self.is_due(threshold),
            _ => false,
        }
    }

    /// Whether a library that makes progress by itself does not show it.
    pub fn may_stay_away(&self) -> bool {
        self.wait_state.is_some_and(WaitState::depends_on_progress)
    }

    /// The grade that its judgements reach; `None` if nothing was reported for it, or nothing could be judged.
    ///
    /// A judgement that does not apply does not lower it.
    pub fn reached_grade(&self) -> Option<Grade> {
        let judgements = [self.property, self.place, self.locations, self.amount];
        let met = judgements.iter().take_while(|&&judgement| judgement != Judgement::No).count();
        match self.outcome {
            Outcome::Found | Outcome::Wrong => Some(Grade::ALL[met]),
            Outcome::Missed => (self.place == Judgement::Yes).then_some(Grade::Reported),
            _ => None,
        }
    }
}

/// Severities of an [`Expectation`], each as a share of the location-seconds of its own basis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "as the fields of Expectation")]
pub struct Severities {
    pub nominal: f64,
    pub observed: f64,
    pub found: f64,
}

/// One of the four independent judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the words speak for themselves")]
pub enum Judgement {
    #[serde(rename = "yes")]
    Yes,
    #[serde(rename = "no")]
    No,
    #[serde(rename = "n/a")]
    NotApplicable,
}

impl Judgement {
    /// Yes or no.
    pub fn from_bool(holds: bool) -> Self {
        if holds { Judgement::Yes } else { Judgement::No }
    }
}

/// The result of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Right property, place, locations and amount.
    Found,
    /// Right property, but place, locations or amount are wrong.
    Wrong,
    /// Not reported.
    Missed,
    /// The run itself did not show it: observed under half the nominal truth; a count other than the nominal.
    NotManifested,
    /// The run showed it, but below the reporting threshold: no tool has to report it.
    BelowThreshold,
    /// The tool cannot know it.
    Unsupported,
    /// The tool names no wait states; the time that it shows is where the wait is, on its locations, and includes it.
    Consistent,
    /// The tool names no wait states, and the wait does not fit into the time that it shows.
    Inconsistent,
    /// The tool failed.
    ToolError,
    /// The tool's report could not be read.
    ParseError,
    /// The run did not end in time.
    Timeout,
    /// The program computed or communicated something else than by itself.
    SemanticsChanged,
    /// The user wanted no more.
    Cancelled,
}

impl Outcome {
    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Outcome::Found => "found",
            Outcome::Wrong => "wrong",
            Outcome::Missed => "missed",
            Outcome::NotManifested => "not manifested",
            Outcome::BelowThreshold => "below threshold",
            Outcome::Unsupported => "unsupported",
            Outcome::Consistent => "consistent",
            Outcome::Inconsistent => "inconsistent",
            Outcome::ToolError => "tool error",
            Outcome::ParseError => "unreadable",
            Outcome::Timeout => "timeout",
            Outcome::SemanticsChanged => "semantics changed",
            Outcome::Cancelled => "cancelled",
        }
    }
}

/// A grade of an expectation: every grade includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Something was reported for it, if under another name.
    Reported,
    /// The right wait state, or one that may stand for it.
    Property,
    /// At the right call path.
    Place,
    /// On the right locations.
    Locations,
    /// In the right amount: found.
    Amount,
}

impl Grade {
    /// Every grade, the lowest first.
    pub const ALL: [Grade; 5] =
        [Grade::Reported, Grade::Property, Grade::Place, Grade::Locations, Grade::Amount];

    /// As in every document.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Reported => "reported",
            Grade::Property => "property",
            Grade::Place => "place",
            Grade::Locations => "locations",
            Grade::Amount => "amount",
        }
    }
}
