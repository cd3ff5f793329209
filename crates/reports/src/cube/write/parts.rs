//! The parts of the times and waits of a report, and the tree that they form.

use std::collections::HashMap;

use ats_documents::Profile;
use ats_model::{View, WaitState};

use crate::cube::classes::class;
use crate::cube::vocabulary::WAITS_OF_SEVERAL;

/// A part of the sum that a metric is.
pub(super) struct Part {
    /// A metric of the profile.
    pub(super) source: String,
    /// Whether it is taken away.
    pub(super) is_less: bool,
    /// Whether each region is in it, by the region's number; `None` if all are.
    pub(super) regions: Option<Vec<bool>>,
}

impl Part {
    pub(super) fn all_of(source: &str) -> Self {
        Part { source: source.to_owned(), is_less: false, regions: None }
    }

    /// Everything, taken away.
    pub(super) fn less(source: &str) -> Self {
        Part { is_less: true, ..Part::all_of(source) }
    }

    /// The parts of the time of a class, if the regions are of these `classes`: that in its regions, and the management of teams if its class is not that of
    /// the region it is booked on.
    pub(super) fn of_class(name: &str, classes: &[&'static str]) -> Vec<Self> {
        let is_of_class = is_in(MANAGEMENT, name);
        // There are many regions, and few classes.
        let mut known: HashMap<&str, bool> = HashMap::new();
        let is_meant: Vec<bool> =
            classes.iter().map(|class| *known.entry(class).or_insert_with(|| is_in(class, name))).collect();
        let differs = is_meant.iter().map(|is_meant| *is_meant != is_of_class).collect();
        let part = |source: &str, is_less, regions| Part {
            source: source.to_owned(),
            is_less,
            regions: Some(regions),
        };
        vec![part(Profile::TIME, false, is_meant), part(MANAGEMENT, !is_of_class, differs)]
    }
}

/// The name of the metric of team management, which is ours, too.
const MANAGEMENT: &str = "omp_management";

/// The wait states of threads that are in no region meanwhile.
pub(super) fn idle() -> impl Iterator<Item = WaitState> {
    WaitState::ALL.into_iter().filter(|state| state.view() == View::Idle)
}

/// The metrics of waiting: those of single wait states, and those that stand for several.
pub(super) fn waits() -> impl Iterator<Item = &'static str> {
    WaitState::ALL.into_iter().map(WaitState::label).chain(WAITS_OF_SEVERAL)
}

/// The metric that another is a part of; `None` for the outermost.
pub(super) fn above(metric: &str) -> Option<&'static str> {
    if let Some(&(_, above, ..)) = class(metric) {
        return Some(above);
    }
    if metric == Profile::FORK {
        return Some(MANAGEMENT);
    }
    // What a wait state may be reported under has the nearest first.
    let wider = WaitState::ALL.into_iter().find_map(|state| match state.label() == metric {
        true => Some(state.accept()),
        false => state.accept().split(|wider| *wider == metric).nth(1),
    });
    let is_written = |wider: &&str| class(wider).is_some() || waits().any(|wait| wait == *wider);
    wider?.iter().copied().find(is_written).or_else(|| {
        // What no call takes is a part of the whole.
        idle().any(|state| state.label() == metric).then_some(Profile::TIME)
    })
}

/// Whether a metric is another, or a part of it.
pub(super) fn is_in(metric: &'static str, outer: &str) -> bool {
    std::iter::successors(Some(metric), |metric| above(metric)).any(|metric| metric == outer)
}
