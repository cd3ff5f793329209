//! What tells properties apart.

use ats_documents::catalogue::PropertyFacts;
use ats_model::{CauseKind, WaitState};

/// The names of the traits.
pub(crate) const TRAITS: [&str; 4] = ["wait states or metrics", "calls", "causes", "runs on"];

/// The traits that tell properties apart, in the order of [`TRAITS`].
pub(crate) fn traits(of: &PropertyFacts) -> [String; 4] {
    let shows = &of.shows;
    let mut quantities: Vec<&str> =
        shows.iter().map(|shown| shown.property.map_or(shown.metric, |state| state.name())).collect();
    quantities.dedup();
    let last = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut calls: Vec<String> = shows.iter().flat_map(|shown| &shown.call_paths).map(last).collect();
    calls.extend(shows.iter().filter_map(|shown| shown.call).map(str::to_owned));
    calls.sort();
    calls.dedup();
    let causes: Vec<&str> = causes(of).into_iter().map(CauseKind::name).collect();
    let sends = of.send_mode.as_ref().map(|mode| format!(", {mode} sends")).unwrap_or_default();
    let runs_on = format!("{}{sends}", of.paradigm);
    [quantities.join(", "), calls.join(", "), causes.join(", "), runs_on]
}

/// The wait states that a property is to be found by.
pub(crate) fn wait_states(of: &PropertyFacts) -> impl Iterator<Item = WaitState> {
    of.shows.iter().filter_map(|shown| shown.property)
}

/// Whether two properties are to be found by a wait state that they share.
pub(crate) fn share_a_wait(one: &PropertyFacts, other: &PropertyFacts) -> bool {
    wait_states(one).any(|state| wait_states(other).any(|of| of == state))
}

/// The causes that an explanation has to name, as they depend on the parameters.
pub(crate) fn causes(of: &PropertyFacts) -> Vec<CauseKind> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = |text: &'static str| text.split(move |letter| !is_letter(letter));
    let named = |kind: &CauseKind| {
        of.shows.iter().any(|shown| words(shown.explained_by).any(|word| word == kind.name()))
    };
    CauseKind::ALL.into_iter().filter(named).collect()
}
