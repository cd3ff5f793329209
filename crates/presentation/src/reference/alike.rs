//! Properties that are like another: those with one of its wait states, and the rest of its family.

use serde::Serialize;

use super::{Described, Reference, address};
use crate::traits::{share_a_wait, traits};

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
    let own = traits(&one.facts);
    let row = |other: &Described| Alike {
        address: address(other.name()),
        name: other.name(),
        summary: other.program.summary.clone(),
        traits: traits(&other.facts)
            .into_iter()
            .zip(&own)
            .map(|(text, own)| Trait { differs: text != *own, text })
            .collect(),
    };
    let others = reference.properties.iter().filter(|other| other.name() != one.name());
    let (near, rest): (Vec<_>, Vec<_>) = others.partition(|other| share_a_wait(&one.facts, &other.facts));
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
