//! The part of a run that a timeline shows.

use std::collections::BTreeSet;

use ats_compose::Ranks;
use ats_model::Definitions;
use ats_model::locations::numbers_in_words;
use ats_presentation::{Timeline, Window};
use ats_props::{ParameterType, Seconds};
use clap::Args;

use crate::failure::Failure;

/// The part of a run that a timeline shows.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PartArgs {
    /// Begin the timeline at this time of the run, as 250ms or 1.5 for seconds.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<f64>,
    /// End the timeline at this time of the run.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<f64>,
    /// Show these ranks alone in the timeline, as 0-3,8.
    #[arg(long, value_name = "RANKS")]
    rank: Option<Ranks>,
}

/// Seconds from the begin of a run.
fn time(text: &str) -> Result<f64, String> {
    match Seconds::parse(text) {
        Ok(Seconds(seconds)) if seconds >= 0.0 => Ok(seconds),
        _ => Err("give a time of the run, such as 250ms or 1.5 for seconds".to_owned()),
    }
}

/// The wanted ranks of a trace that has the `known` ones. A typing error may name billions of others.
fn selected(wanted: &Ranks, known: &BTreeSet<u32>) -> Result<BTreeSet<u32>, Failure> {
    let selected: BTreeSet<u32> =
        known.iter().copied().filter(|&rank| wanted.contains(rank as usize)).collect();
    let missing = wanted.named().find(|&rank| !selected.contains(&(rank as u32)));
    let missing = missing.map(|rank| rank.to_string());
    match missing.or_else(|| selected.is_empty().then(|| wanted.to_string())) {
        Some(missing) => {
            let known = numbers_in_words(&known.iter().copied().collect::<Vec<_>>());
            Err(Failure::Input(format!("--rank {missing}: the trace has ranks {known}")))
        }
        None => Ok(selected),
    }
}

impl PartArgs {
    /// Whether it is all of the run.
    pub(crate) fn is_whole(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.rank.is_none()
    }

    /// The part of a trace.
    ///
    /// # Errors
    /// The window ends before it begins, or the trace does not have a rank.
    pub(crate) fn window(&self, definitions: &Definitions) -> Result<Window, Failure> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from >= to
        {
            return Err(Failure::Input(format!("--from {from} s is not before --to {to} s")));
        }
        let known: BTreeSet<u32> = definitions.locations.iter().map(|location| location.rank).collect();
        let ranks = self.rank.as_ref().map(|wanted| selected(wanted, &known)).transpose()?;
        Ok(Window { from: self.from, to: self.to, ranks })
    }

    /// Checks that the window lies in the run.
    ///
    /// # Errors
    /// It lies outside.
    pub(crate) fn check(&self, timeline: &Timeline) -> Result<(), Failure> {
        let length = timeline.since_begin(timeline.end);
        match self.from.filter(|from| *from >= length) {
            Some(from) => {
                Err(Failure::Input(format!("--from {from} s is outside of the run of {length:.6} s")))
            }
            None => Ok(()),
        }
    }
}
