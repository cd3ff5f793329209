//! Another tool's report of a run, in our words: the document `ats-report/1`.

use serde::{Deserialize, Serialize};

pub use crate::call::{Call, CallShare};
use crate::{Analysis, Basis, Causes, Finding};
use ats_model::mistakes::Mistakes;
use ats_model::place::ANYWHERE;
use ats_model::quantity::VISITS;
use ats_model::traffic::CallCounter;
use ats_model::{ClockCorrection, WaitState};

/// The document `ats-report/1`.
///
/// One written by hand has `findings`; `docs/scoring.md` has an example, and `ats template report` writes one. A
/// profile, which names no wait states, has `calls`, and `"names": []`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The schema's name, `ats-report/1`.
    pub schema: String,
    /// The tool, as its description file names it (`scalasca`, `scorep`, `cube`, `mpip`, `tau`, `caliper`, `ats`).
    #[serde(default = "unnamed")]
    pub tool: String,
    /// Its version, where the report says it.
    pub version: Option<String>,
    /// The file or folder that was read.
    #[serde(default)]
    pub source: String,
    /// The number of processes of the run, if the report has it.
    pub ranks: Option<u32>,
    /// The most threads that a process had, where the report says it.
    pub threads: Option<u32>,
    /// The time that severities are relative to; omitted if the report does not have it.
    #[serde(default, skip_serializing_if = "Basis::is_unknown")]
    pub basis: Basis,
    /// The wait states that a report of this kind can name, by name or metric; none in a profile, all where it is left out.
    /// One that it could name and does not is missed, one that it cannot is none of its business.
    #[serde(default = "every_wait_state")]
    pub names: Vec<WaitState>,
    /// The wait states that it reports. One whose metric stands for several of our wait states, and for none alone, has
    /// that metric and no property; where a tool does not count them, `instances` is 0.
    pub findings: Vec<Finding>,
    /// The time by call, for reports that have call paths or call sites.
    #[serde(default)]
    pub calls: Vec<Call>,
    /// The root causes of the waits, if the tool looks for them: costs by call path and location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causes: Option<Causes>,
    /// Reports of the tool that our words do not cover.
    #[serde(default)]
    pub unmapped: Vec<Unmapped>,
    /// Agreement of the clocks of the processes in the trace that it was made from; absent if that is unknown, or
    /// nothing shows that they disagree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_correction: Option<ClockCorrection>,
    /// Remarks for readers.
    #[serde(default)]
    pub warnings: Vec<String>,
}

impl Report {
    /// The value of [`Report::tool`] where this suite analyzed a trace.
    pub const ATS: &str = "ats";

    /// The value of [`Report::schema`].
    pub const SCHEMA: &str = "ats-report/1";

    /// The name of a tool that does not say it.
    pub const UNNAMED: &str = "unnamed";

    /// Completes omitted fields.
    ///
    /// # Errors
    /// Findings that say nothing, or something impossible; which, and the fields that they lack.
    pub fn complete(&mut self) -> Result<(), Mistakes> {
        let mut mistakes = Mistakes::default();
        for (at, finding) in self.findings.iter_mut().enumerate() {
            finding.check(&format!("findings[{at}]"), self.ranks, &self.basis, &mut mistakes);
            finding.complete(&self.basis);
        }
        mistakes.none_in(())
    }

    /// Whether it says only which calls wait, and not where they are.
    pub fn shows_calls_alone(&self) -> bool {
        self.findings.iter().any(|finding| finding.call_path.first().is_some_and(|frame| frame == ANYWHERE))
    }

    /// Whether it names wait states, or could: a profile does not, and its silence means nothing.
    pub fn diagnoses(&self) -> bool {
        let is_named = |finding: &Finding| {
            finding.unit().is_time() && (finding.property.is_some() || finding.metric.is_some())
        };
        !self.names.is_empty() || self.findings.iter().any(is_named)
    }
}

fn unnamed() -> String {
    Report::UNNAMED.to_owned()
}

fn every_wait_state() -> Vec<WaitState> {
    WaitState::ALL.to_vec()
}

/// Our own analyzer is a tool like any: it names every wait state, and counts calls and their traffic by their names.
impl From<Analysis> for Report {
    fn from(analysis: Analysis) -> Self {
        let counts =
            analysis.counts.into_iter().map(|(region, visits)| Finding::count(vec![region], VISITS, visits));
        let moved = analysis.traffic.into_iter().flat_map(|(call, traffic)| {
            let counted = move |counter: CallCounter| {
                (counter.metric(&call), counter.of_traffic(&traffic), call.clone())
            };
            CallCounter::OF_TRAFFIC.map(counted)
        });
        let moved = moved.filter(|(_, number, _)| *number > 0);
        let moved = moved.map(|(metric, number, call)| Finding::count(vec![call], metric, number));
        Report {
            schema: Report::SCHEMA.to_owned(),
            tool: Report::ATS.to_owned(),
            version: None,
            source: analysis.trace,
            ranks: None,
            threads: None,
            basis: analysis.basis,
            names: WaitState::ALL.to_vec(),
            findings: analysis.findings.into_iter().chain(counts).chain(moved).collect(),
            calls: analysis.calls,
            causes: analysis.causes,
            unmapped: Vec::new(),
            clock_correction: analysis.clock_correction,
            warnings: analysis.warnings,
        }
    }
}

/// A metric that no wait state of ours stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unmapped {
    /// The tool's own name.
    pub metric: String,
    /// Its seconds over all locations.
    pub seconds: f64,
}
