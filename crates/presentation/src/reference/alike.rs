//! Properties that are like another: those with one of its wait states, and the rest of its family.

use serde::Serialize;

use super::{Described, Reference, address};

/// Properties that are like another one for the same reason.
#[derive(Debug, Serialize)]
pub(super) struct Alikes {
    title: &'static str,
    /// Whether they are seen at once.
    is_open: bool,
    members: Vec<Alike>,
}

/// A property beside another one.
#[derive(Debug, Serialize)]
struct Alike {
    address: String,
    name: &'static str,
    summary: String,
    /// The wait states, the calls, the causes and the resources, in this order.
    traits: Vec<Trait>,
}

/// A trait of a property, and whether the other one has another.
#[derive(Debug, Serialize)]
struct Trait {
    text: String,
    differs: bool,
}

/// The properties like this one: those that share a wait state, and the rest of its family.
pub(super) fn alike(one: &Described, reference: &Reference) -> Vec<Alikes> {
    let own = traits(one);
    let row = |other: &Described| Alike {
        address: address(other.name()),
        name: other.name(),
        summary: other.program.summary.clone(),
        traits: traits(other)
            .into_iter()
            .zip(&own)
            .map(|(text, own)| Trait { differs: text != *own, text })
            .collect(),
    };
    let shares = |other: &Described| one.shown().any(|state| other.shown().any(|of| of == state));
    let others = reference.properties.iter().filter(|other| other.name() != one.name());
    let (near, rest): (Vec<_>, Vec<_>) = others.partition(|other| shares(other));
    let family = rest.into_iter().filter(|other| other.family() == one.family());
    let groups = [
        ("With one of its wait states", near.into_iter().map(row).collect::<Vec<_>>()),
        ("Others of its family", family.map(row).collect()),
    ];
    let mut groups: Vec<Alikes> = groups
        .into_iter()
        .filter(|(_, members)| !members.is_empty())
        .map(|(title, members)| Alikes { title, is_open: false, members })
        .collect();
    groups.iter_mut().take(1).for_each(|group| group.is_open = true);
    groups
}

/// The traits that tell properties apart: quantities, calls that show them, causes, paradigm and sends.
pub(super) fn traits(of: &Described) -> [String; 4] {
    let shows = &of.facts.shows;
    let mut quantities: Vec<&str> =
        shows.iter().map(|shown| shown.property.map_or(shown.metric, |state| state.name())).collect();
    quantities.dedup();
    let last = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut calls: Vec<String> = shows.iter().flat_map(|shown| &shown.call_paths).map(last).collect();
    calls.extend(shows.iter().filter_map(|shown| shown.call).map(str::to_owned));
    calls.sort();
    calls.dedup();
    let causes: Vec<&str> = of.causes().into_iter().map(|cause| cause.name()).collect();
    let sends = of.facts.send_mode.as_ref().map(|mode| format!(", {mode} sends")).unwrap_or_default();
    let runs_on = format!("{}{sends}", of.program.paradigm);
    [quantities.join(", "), calls.join(", "), causes.join(", "), runs_on]
}
