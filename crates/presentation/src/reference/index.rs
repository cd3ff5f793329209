//! The indexes: properties by family, wait state, cause and metric, and the rows of the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::catalogue::Term;
use ats_model::wait_state::Class;
use ats_model::{CauseKind, WaitState};
use serde::Serialize;

use super::{Described, Reference, address};
use crate::words::title;

/// The files of wait states, causes and metrics: each has its name as its place there.
pub(super) const WAIT_STATES: &str = "wait-states.html";
pub(super) const CAUSES: &str = "causes.html";
pub(super) const METRICS: &str = "metrics.html";

/// The files of the indexes, and their names in the head of each page.
pub(super) const TITLES: [(&str, &str); 5] = [
    ("index.html", "Properties"),
    (WAIT_STATES, "Wait states"),
    (CAUSES, "Causes"),
    (METRICS, "Metrics"),
    ("rows.html", "Rows"),
];

/// A page of groups.
#[derive(Debug, Serialize)]
pub(super) struct Index {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    text: &'static str,
    groups: Vec<Group>,
}

/// A group of properties, or of rows.
#[derive(Debug, Default, Serialize)]
struct Group {
    id: String,
    title: String,
    /// Its name in documents, if it has one.
    name: Option<&'static str>,
    text: String,
    facts: Vec<(&'static str, String)>,
    members: Vec<Member>,
}

#[derive(Debug, Serialize)]
struct Member {
    name: String,
    /// The page of the property, if there is one.
    address: Option<String>,
    text: String,
    note: String,
}

/// The indexes, in the order of [`TITLES`].
pub(super) fn pages(reference: &Reference) -> impl Iterator<Item = Index> {
    let pages = [
        (
            "Programs with known performance problems, by paradigm and family. Each has a page with what it shows, how \
             long each location waits, and its source.",
            by_family(reference),
        ),
        (
            "What each wait state is, what tools call it, and which properties show it.",
            by_wait_state(reference),
        ),
        (
            "Reasons of waits, and the properties in which an explanation has to name them. Some depend on the \
             parameters and the size of the run.",
            by_cause(reference),
        ),
        (
            "The metrics of tools, by their unique names in Score-P and Scalasca, and the properties that are \
             reported under them.",
            by_metric(reference),
        ),
        ("The catalogue, table by table: what there is of each row.", by_table(reference)),
    ];
    TITLES.into_iter().zip(pages).map(|((file, title), (text, groups))| Index { file, title, text, groups })
}

fn member(of: &Described, note: impl Into<String>) -> Member {
    Member {
        name: of.name().to_owned(),
        address: Some(address(of.name())),
        text: of.program.summary.clone(),
        note: note.into(),
    }
}

/// Groups of properties in the order of their paradigms and families.
fn by_family(reference: &Reference) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for of in &reference.properties {
        let id = of.family();
        let group = match groups.iter().position(|group| group.id == id) {
            Some(at) => &mut groups[at],
            None => {
                groups.push(Group { title: family_title(of), id, ..Group::default() });
                groups.last_mut().expect("one was added")
            }
        };
        group.members.push(member(of, ""));
    }
    groups
}

/// Paradigm and family of a property.
pub(super) fn family_title(of: &Described) -> String {
    let paradigm = match of.program.paradigm {
        "mpi" => "MPI",
        "openmp" => "OpenMP",
        "hybrid" => "MPI and OpenMP",
        _ => "Sequential",
    };
    format!("{paradigm}: {}", title(of.program.class.map_or("nothing to find", Class::name)))
}

fn by_wait_state(reference: &Reference) -> Vec<Group> {
    let group = |term: &Term| Group {
        id: term.name.name().to_owned(),
        title: term.title.clone(),
        name: Some(term.name.name()),
        text: term.definition.to_owned(),
        facts: names(term),
        members: reference.properties.iter().filter_map(|of| showing(of, term.name)).collect(),
    };
    reference.wait_states.iter().map(group).collect()
}

/// The property, if it shows a wait state or tempts to report it.
fn showing(of: &Described, state: WaitState) -> Option<Member> {
    let note = match of.facts.shows.iter().position(|shown| shown.property == Some(state)) {
        Some(0) => "",
        Some(_) => "shows it besides",
        None if of.facts.tempts.contains(&state) => "tempts to report it: it is not there",
        None => return None,
    };
    Some(member(of, note))
}

/// The family of a wait state, its awaited partner, and its names in tools.
pub(super) fn names(term: &Term) -> Vec<(&'static str, String)> {
    let mut names = vec![("Family", title(term.class.name()))];
    names.extend(term.awaited.map(|whom| ("Waits for", whom.to_owned())));
    names.push(("Score-P, Scalasca", term.metric.unwrap_or("no name").to_owned()));
    names.extend(term.metric_title.map(|title| ("Title in Cube", title.to_owned())));
    if !term.accept.is_empty() {
        names.push(("Accepted as", term.accept.join(", ")));
    }
    names
}

fn by_cause(reference: &Reference) -> Vec<Group> {
    let group = |cause: CauseKind| {
        let of_it = reference.properties.iter().filter(|of| of.causes().contains(&cause));
        let members = of_it.map(|of| {
            let depends =
                of.causes().len() > 1 || of.facts.shows.iter().any(|shown| shown.explained_by.contains(' '));
            member(of, if depends { "depends on parameters and size" } else { "" })
        });
        Group {
            id: cause.name().to_owned(),
            title: title(cause.name()),
            name: Some(cause.name()),
            text: cause.definition().to_owned(),
            members: members.collect(),
            ..Group::default()
        }
    };
    CauseKind::ALL.into_iter().map(group).collect()
}

fn by_metric(reference: &Reference) -> Vec<Group> {
    let titles: BTreeMap<&str, &str> =
        reference.wait_states.iter().filter_map(|term| Some((term.metric?, term.metric_title?))).collect();
    let metrics: BTreeSet<&str> =
        reference.properties.iter().flat_map(|of| own_metrics(of).chain(accepted(of))).collect();
    let group = |metric: &'static str| {
        let is_own = |of: &&Described| own_metrics(of).any(|own| own == metric);
        let own = reference.properties.iter().filter(is_own).map(|of| member(of, ""));
        let others =
            reference.properties.iter().filter(|of| !is_own(of) && accepted(of).any(|one| one == metric));
        Group {
            id: metric.to_owned(),
            title: metric.to_owned(),
            text: titles.get(metric).map_or_else(String::new, |title| format!("{title} in Cube.")),
            members: own.chain(others.map(|of| member(of, "accepted"))).collect(),
            ..Group::default()
        }
    };
    metrics.into_iter().map(group).collect()
}

/// The metrics of the quantities that a property shows.
fn own_metrics(of: &Described) -> impl Iterator<Item = &'static str> {
    of.facts.shows.iter().map(|shown| shown.metric)
}

/// Other metrics under which a tool may rightly report its wait states.
fn accepted(of: &Described) -> impl Iterator<Item = &'static str> {
    of.shown().flat_map(|state| state.accept().iter().copied())
}

/// The names of the catalogue's tables, from 1 on.
const TABLES: [&str; 8] = [
    "Messages",
    "Collective operations",
    "The rest of MPI",
    "OpenMP",
    "MPI and OpenMP",
    "Sequential programs",
    "Programs and experiments",
    "Nothing to find",
];

fn by_table(reference: &Reference) -> Vec<Group> {
    let tables: BTreeSet<u8> = reference.rows.iter().map(|row| row.table).collect();
    let group = |table: u8| {
        let rows = reference.rows.iter().filter(|row| row.table == table);
        let members = rows.map(|row| {
            let property = row.property.as_deref().and_then(|name| reference.property(name));
            Member {
                name: row.row.clone(),
                address: property.map(|of| address(of.name())),
                text: property.map_or_else(String::new, |of| of.program.summary.clone()),
                note: if property.is_some_and(|of| of.name() == row.status) {
                    String::new()
                } else {
                    row.status.clone()
                },
            }
        });
        let name = TABLES.get(usize::from(table).wrapping_sub(1)).copied().unwrap_or("Others");
        Group {
            id: format!("table-{table}"),
            title: format!("{table}. {name}"),
            members: members.collect(),
            ..Group::default()
        }
    };
    tables.into_iter().map(group).collect()
}
