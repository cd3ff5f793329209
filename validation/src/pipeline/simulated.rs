//! Our analyzer, on runs of the virtual engine.

use std::collections::BTreeMap;
use std::path::Path;

use ats_documents::score::RunStatus;
use ats_documents::{Report, Truth};
use ats_launch::tool::CallPaths;
use ats_launch::{Failure, analyzed};
use ats_truth::{Planned, TruthOptions, costs_in_words, ideal_trace, network_in_words, processors_in_words};
use serde_json::{Value, json};

use super::{Request, explained};
use crate::session::{Ran, Runner};

/// The virtual engine, and the analyzer of its traces.
pub(super) struct Simulated {
    options: TruthOptions,
    explains: bool,
}

impl Simulated {
    pub(super) fn new(request: &Request, options: &TruthOptions) -> Self {
        let options = TruthOptions { causes: request.causes, ..options.clone() };
        Simulated { options, explains: request.explanations }
    }
}

impl Runner for Simulated {
    fn run(&mut self, planned: &Planned, nominal: &Truth, _: &str) -> Result<Ran, Failure> {
        let Planned { subject, size } = planned;
        let crashed = |message: String| Failure { status: RunStatus::Crashed, message };
        let name = format!("{} on the virtual engine", subject.name());
        let trace = ideal_trace::in_memory(subject, *size, &self.options)
            .map_err(|error| crashed(error.to_string()))?;
        let analysis = analyzed(&trace, &name, nominal).map_err(|error| crashed(error.to_string()))?;
        let explanation = self.explains.then(|| explained(&trace, &name)).transpose().map_err(crashed)?;
        Ok(Ran {
            report: Report::from(analysis),
            explanation,
            call_paths: CallPaths::UserRegions,
            promised: None,
            observed: nominal.clone(),
            bare: None,
            apart: 0.0,
            environment: BTreeMap::new(),
        })
    }

    fn truth_options(&self) -> TruthOptions {
        self.options.clone()
    }

    fn dir(&self) -> Option<&Path> {
        None
    }

    fn environment(&mut self) -> BTreeMap<String, Value> {
        let network = network_in_words(&self.options.network);
        let processors = self.options.processors.as_ref().map(processors_in_words);
        let costs = costs_in_words(&self.options.costs);
        let machine = [("network", network), ("costs", costs), ("processors", processors)];
        machine.into_iter().filter_map(|(name, words)| Some((name.to_owned(), json!(words?)))).collect()
    }
}
