//! Reasons why there is no prediction.

use ats_model::mistakes::Mistakes;
use thiserror::Error;

use crate::fit::FitError;

/// A prediction that cannot be made.
#[derive(Debug, Error)]
pub enum PredictionError {
    /// A parameter that models do not have.
    #[error("there is no parameter `{name}`{}", fix(.known, .nearest.as_deref()))]
    Unknown {
        /// The parameter.
        name: String,
        /// Those that there are.
        known: Vec<String>,
        /// One with a similar name.
        nearest: Option<String>,
    },
    /// A parameter without a value.
    #[error("`{name}` has no value; give it, as {name}={example}")]
    Valueless {
        /// The parameter.
        name: String,
        /// A value that it had.
        example: f64,
    },
    /// A parameter that all runs had alike.
    #[error(
        "all runs had {name}={value}, so no model knows what {name}={asked} costs; add runs with other values, or omit it"
    )]
    Fixed {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// The value that was asked for.
        asked: f64,
    },
    /// A region that the prediction is not about.
    #[error("there is no model of the region `{region}`{}", meant(.nearest.as_deref()))]
    Region {
        /// The region.
        region: String,
        /// One with a similar name.
        nearest: Option<String>,
    },
    /// An experiment with other parameters than were asked for.
    #[error(
        "{id} was run with {name}={found}, and the prediction is for {name}={asked}; name one of that size"
    )]
    OtherSize {
        /// The experiment.
        id: String,
        /// The parameter.
        name: String,
        /// Its value there.
        found: f64,
        /// The value that was asked for.
        asked: f64,
    },
    /// A network for fitted models.
    #[error(
        "--network gives the time of messages in given costs, and fitted models have a time of their own; scale it, as --scale \
         communication=0.5, or add --engine virtual to run the program on that network"
    )]
    FittedNetwork,
    /// A network for costs without messages.
    #[error(
        "no region has messages or bytes without communication, which --network would give the time of; write them, as bytes = \
         \"8 * n\", in the place of communication"
    )]
    NoMessages,
    /// No efficiency is known.
    #[error(
        "the efficiency is not known, as no model has the parameter `ranks`; fit runs with several numbers of ranks"
    )]
    NoEfficiency,
    /// A model without an answer.
    #[error("{of}: {error}")]
    Fit {
        /// The region and its amount.
        of: String,
        /// The reason.
        error: FitError,
    },
    /// Given costs without a value.
    #[error("{0}")]
    Costs(#[from] Mistakes),
}

fn fix(known: &[String], nearest: Option<&str>) -> String {
    match nearest {
        Some(near) => format!("; did you mean {near}?"),
        None => format!("; there are {}", known.join(", ")),
    }
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(|| "; `ats predict` lists them".to_owned(), |near| format!("; did you mean {near}?"))
}
