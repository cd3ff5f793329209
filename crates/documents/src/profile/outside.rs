//! The part of a profile's time that is outside of the run.

use std::collections::BTreeMap;

use ats_model::mpi::{Function, Kind};

use super::Profile;

/// The part of a profile's time that is outside of the run: before `MPI_Init` and after `MPI_Finalize`, and mostly in them.
#[derive(Clone, Debug)]
pub struct Outside(Part);

#[derive(Clone, Debug)]
enum Part {
    /// As the analysis of the trace has it.
    Known(BTreeMap<(u32, u32), f64>),
    /// In a report, by call path: all of the calls of `MPI_Init` and `MPI_Finalize`.
    Calls(Vec<bool>),
}

impl Profile {
    /// The part of its time that is outside of the run.
    pub fn outside(&self) -> Outside {
        if self.values.contains_key(Profile::OUTSIDE) {
            let values = self.values_of(Profile::OUTSIDE);
            return Outside(Part::Known(
                values.map(|(path, unit, seconds)| ((path, unit), seconds)).collect(),
            ));
        }
        let is_end = |name: &str| {
            let kind = Function::of_spelling(name).map(Function::kind);
            matches!(kind, Some(Kind::Initialize | Kind::Finalize))
        };
        let mut are_ends: Vec<bool> = Vec::new();
        for node in &self.call_tree {
            let is_inside = node.parent.is_some_and(|parent| are_ends[parent as usize]);
            are_ends.push(is_inside || is_end(&self.regions[node.region as usize].name));
        }
        Outside(Part::Calls(are_ends))
    }
}

impl Outside {
    /// The part of the seconds of a call path and unit.
    pub fn seconds(&self, path: u32, unit: u32, seconds: f64) -> f64 {
        match &self.0 {
            Part::Known(known) => known.get(&(path, unit)).copied().unwrap_or_default(),
            Part::Calls(are_ends) if are_ends[path as usize] => seconds,
            Part::Calls(_) => 0.0,
        }
    }
}
