//! Basis of severities: the time that they are relative to.

use serde::{Deserialize, Serialize};

use ats_model::WaitState;

/// The ends of a basis that is not a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Bounds {
    /// From the first leave of `MPI_Init` to the last enter of `MPI_Finalize`.
    #[default]
    InitToFinalize,
    /// From the first leave of `MPI_Init` to the end of the run: nothing enters `MPI_Finalize`.
    InitToEnd,
    /// From the begin of the run to the last enter of `MPI_Finalize`: nothing leaves `MPI_Init`.
    BeginToFinalize,
    /// The whole run.
    WholeRun,
}

impl Bounds {
    /// The bounds of a trace, from whether it has an `MPI_Init` and an `MPI_Finalize`.
    pub fn new(has_init: bool, has_finalize: bool) -> Self {
        match (has_init, has_finalize) {
            (true, true) => Bounds::InitToFinalize,
            (true, false) => Bounds::InitToEnd,
            (false, true) => Bounds::BeginToFinalize,
            (false, false) => Bounds::WholeRun,
        }
    }

    /// The title of a basis with these bounds.
    pub fn title(self) -> &'static str {
        match self {
            Bounds::InitToFinalize => "MPI_Init to MPI_Finalize",
            Bounds::InitToEnd => "MPI_Init to the end of the run",
            Bounds::BeginToFinalize => "begin of the run to MPI_Finalize",
            Bounds::WholeRun => "whole run",
        }
    }

    fn are_usual(&self) -> bool {
        *self == Bounds::default()
    }
}

/// The time that severities are relative to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Basis {
    /// The region; none if the basis is the time between `bounds`.
    pub region: Option<String>,
    /// The ends of the basis if it is not a region.
    #[serde(default, skip_serializing_if = "Bounds::are_usual")]
    pub bounds: Bounds,
    /// Seconds from the first entry into the region to the last exit, or between the bounds.
    pub wall_time: f64,
    /// Seconds that the locations have in it, together: locations × wall time, but for threads that the program starts itself
    /// from their first to their last event. Where a truth leaves it out, ranks × threads × wall time.
    #[serde(default)]
    pub location_seconds: f64,
}

impl Basis {
    /// A basis over `locations` locations.
    pub fn new(region: Option<String>, wall_time: f64, locations: usize) -> Self {
        let location_seconds = wall_time * locations as f64;
        Basis { region, bounds: Bounds::default(), wall_time, location_seconds }
    }

    /// Whether it is that of a report that has none.
    pub fn is_unknown(&self) -> bool {
        *self == Basis::default()
    }

    /// The region of the basis, or the title of its bounds.
    pub fn title(&self) -> &str {
        self.region.as_deref().unwrap_or(self.bounds.title())
    }

    /// Whether a wait of this kind at this call path lies in it.
    pub fn includes(&self, property: Option<WaitState>, call_path: &[String]) -> bool {
        match &self.region {
            Some(region) => call_path.contains(region),
            None => !property.is_some_and(WaitState::is_outside_program),
        }
    }

    /// `waiting_time` as a share of the location-seconds; 0 if there are none.
    pub fn severity(&self, waiting_time: f64) -> f64 {
        if self.location_seconds > 0.0 { waiting_time / self.location_seconds } else { 0.0 }
    }
}
