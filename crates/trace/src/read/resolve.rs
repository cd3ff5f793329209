//! From the definitions of the file to the words of the model.

use std::collections::BTreeMap;

use ats_model::attribute::{AttributeDefinition, AttributeType};
use ats_model::definitions::{
    Communicator, InterruptGenerator, InterruptMode, LocationDefinition, Members, Paradigm, Region,
    RegionRole, SystemNode, SystemTree, Team,
};
use ats_model::metric::{Base, MetricDefinition, ValueProperty, ValueType};
use ats_model::strings::Strings;
use ats_model::{CallSite, Definitions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::Budget;
use super::contexts::{calling_contexts, calls};
use super::cursor::Fault;
use super::definitions::{GlobalDefinitions, Group, MetricClass, MetricMember, Node};
use super::properties::Properties;
use super::references::IdTable;
use crate::format::{PARADIGM_MPI, PARADIGM_OPENMP, group};

/// `OTF2_LocationType`: only processors are locations of the model, not accelerator streams or metric plugins.
const LOCATION_UNKNOWN: u8 = 0;
const LOCATION_CPU_THREAD: u8 = 1;
const LOCATION_ACCELERATOR_STREAM: u8 = 2;
const LOCATION_METRIC: u8 = 3;

/// The definitions, and the references of the archive's ids into them.
pub(super) struct Resolved {
    pub(super) definitions: Definitions,
    pub(super) regions: IdTable<'static>,
    pub(super) communicators: IdTable<'static>,
    pub(super) teams: IdTable<'static>,
    pub(super) strings: IdTable<'static>,
    /// From an id to an index into `metrics_of`.
    pub(super) metrics: IdTable<'static>,
    /// As in [`super::events::Metrics`].
    pub(super) metrics_of: Vec<(u32, u32)>,
    pub(super) attributes: IdTable<'static>,
    pub(super) calling_contexts: IdTable<'static>,
    pub(super) interrupt_generators: IdTable<'static>,
    /// The events of locations that are none of the model, in words.
    pub(super) passed_over: Vec<String>,
}

/// Resolves ids. Definitions may come late; of two with the same id the later counts, except that groups of
/// different kinds may share one (EZTrace numbers them so).
pub(super) fn resolve(raw: &GlobalDefinitions<'_>, file_bytes: usize) -> Result<Resolved, Fault> {
    let mut budget = Budget::of_file(file_bytes);
    let (region_ids, mut regions) = regions(raw, &mut budget)?;
    let (communicator_ids, communicators) = communicators(raw, &mut budget)?;
    let locations = locations(raw, &mut budget)?;
    let Properties { neighbors, openmp_ended, lost_samples, counted_permille, left_out, affinities } =
        Properties::new(raw, &locations, &communicator_ids, &region_ids, &mut budget)?;
    let (team_ids, teams) = teams(raw, &locations, &mut budget)?;
    let (string_ids, strings) = strings(raw);
    let metrics = Metrics::new(raw, &mut budget)?;
    let (attribute_ids, attributes) = attributes(raw, &mut budget)?;
    let system_tree = system_tree(raw, &locations, &mut budget)?;
    let regions_by_id = IdTable::new(&region_ids, &[]);
    let (context_ids, mut calling_contexts) = calling_contexts(raw, &regions_by_id, &mut budget)?;
    let calls = calls(raw, &context_ids, &mut calling_contexts, &mut regions, &mut budget)?;
    let (generator_ids, interrupt_generators) = interrupt_generators(raw, &mut budget)?;
    // The communicators of MPI and the teams of OpenMP are of one record. An id may stand for one of each.
    let comms = raw.communicators.iter().map(|comm| comm.id);
    let all_comms: Vec<u32> = comms.chain(raw.inter_communicators.iter().copied()).collect();
    Ok(Resolved {
        regions: regions_by_id,
        communicators: IdTable::new(&communicator_ids, &all_comms),
        teams: IdTable::new(&team_ids, &all_comms),
        strings: IdTable::new(&string_ids, &[]),
        metrics: IdTable::new(&metrics.ids, &[]),
        metrics_of: metrics.of,
        attributes: IdTable::new(&attribute_ids, &[]),
        calling_contexts: IdTable::new(&context_ids, &[]),
        interrupt_generators: IdTable::new(&generator_ids, &[]),
        passed_over: passed_over(raw),
        definitions: Definitions {
            clock: raw.clock.unwrap_or_default(),
            regions,
            calls,
            communicators,
            neighbors,
            openmp_ended,
            lost_samples,
            counted_permille,
            left_out,
            affinities,
            teams,
            locations: locations.into_iter().map(|(location, _)| location).collect(),
            system_tree,
            metrics: metrics.definitions,
            attributes,
            calling_contexts,
            interrupt_generators,
            strings,
        },
    })
}

/// Replaces definitions that have the same id by the first of them.
fn unique<K: Copy + Eq + std::hash::Hash, T>(all: impl IntoIterator<Item = (K, T)>) -> (Vec<K>, Vec<T>) {
    let (mut ids, mut items) = (Vec::new(), Vec::new());
    let mut places = FxHashMap::default();
    for (id, item) in all {
        let place = *places.entry(id).or_insert(items.len());
        if place == items.len() {
            ids.push(id);
            items.push(item);
        } else {
            items[place] = item;
        }
    }
    (ids, items)
}

fn regions(raw: &GlobalDefinitions<'_>, budget: &mut Budget) -> Result<(Vec<u32>, Vec<Region>), Fault> {
    let (ids, regions) = unique(raw.regions.iter().map(|region| (region.id, region)));
    let regions = regions.into_iter().map(|region| {
        Ok(Region {
            name: budget.text(raw, region.name)?,
            file: budget.text(raw, region.file)?,
            line: if region.line == u32::MAX { 0 } else { region.line },
            last_line: if region.last_line == u32::MAX { 0 } else { region.last_line },
            role: RegionRole::from_otf2(region.role),
            paradigm: Paradigm::from_otf2(region.paradigm),
            call_site: CallSite::of_description(&budget.text(raw, region.description)?),
        })
    });
    Ok((ids, regions.collect::<Result<_, _>>()?))
}

/// The groups that communicators of a paradigm may have, by their ids.
fn groups<'a>(raw: &'a GlobalDefinitions<'_>, paradigm: u8) -> FxHashMap<u32, &'a Group> {
    let of_paradigm = raw.groups.iter().filter(|group| group.paradigm == paradigm);
    let of_kind = of_paradigm.filter(|group| matches!(group.kind, group::COMM_GROUP | group::COMM_SELF));
    of_kind.map(|group| (group.id, group)).collect()
}

/// The locations that the groups of a paradigm's communicators count; `None` if they are not defined.
fn comm_locations<'a>(raw: &'a GlobalDefinitions<'_>, paradigm: u8) -> &'a [u64] {
    let is_it = |group: &&Group| group.kind == group::COMM_LOCATIONS && group.paradigm == paradigm;
    raw.groups.iter().find(is_it).map_or(&[], |group| &group.members)
}

fn communicators(
    raw: &GlobalDefinitions<'_>,
    budget: &mut Budget,
) -> Result<(Vec<u32>, Vec<Communicator>), Fault> {
    let groups = groups(raw, PARADIGM_MPI);
    let mut found = Vec::new();
    for comm in &raw.communicators {
        let Some(group) = groups.get(&comm.group) else { continue };
        let members = if group.kind == group::COMM_SELF {
            Members::SelfOnly
        } else {
            budget.spend(4 * group.members.len())?;
            let ranks = group.members.iter().map(|&rank| u32::try_from(rank));
            let Ok(ranks) = ranks.collect() else { continue };
            Members::Ranks(ranks)
        };
        found.push((comm.id, Communicator { name: budget.text(raw, comm.name)?, members }));
    }
    Ok(unique(found))
}

/// OpenMP's communicators. A team whose members the archive does not place has none.
fn teams(
    raw: &GlobalDefinitions<'_>,
    locations: &[(LocationDefinition, u32)],
    budget: &mut Budget,
) -> Result<(Vec<u32>, Vec<Team>), Fault> {
    let groups = groups(raw, PARADIGM_OPENMP);
    let numbered = locations.iter().zip(0..);
    let indices: FxHashMap<u64, u32> = numbered.map(|((location, _), index)| (location.id, index)).collect();
    let counted = comm_locations(raw, PARADIGM_OPENMP);
    let index = |&member: &u64| indices.get(counted.get(usize::try_from(member).ok()?)?).copied();
    let mut found = Vec::new();
    for comm in &raw.communicators {
        let Some(group) = groups.get(&comm.group) else { continue };
        budget.spend(4 * group.members.len())?;
        let members = group.members.iter().map(index).collect::<Option<_>>().unwrap_or_default();
        found.push((comm.id, Team { name: budget.text(raw, comm.name)?, members }));
    }
    Ok(unique(found))
}

/// The strings, in the order of their ids.
fn strings(raw: &GlobalDefinitions<'_>) -> (Vec<u32>, Strings) {
    let mut ids: Vec<u32> = raw.strings.keys().copied().collect();
    ids.sort_unstable();
    let strings = ids.iter().map(|id| String::from_utf8_lossy(raw.strings[id])).collect();
    (ids, strings)
}

/// Metrics by the ids of their classes and of the instances of these.
#[derive(Default)]
struct Metrics {
    ids: Vec<u32>,
    /// By id, the first and how many.
    of: Vec<(u32, u32)>,
    definitions: Vec<MetricDefinition>,
}

impl Metrics {
    /// Values of two instances of a class have nothing to do with each other: each has metrics of its own.
    fn new(raw: &GlobalDefinitions<'_>, budget: &mut Budget) -> Result<Self, Fault> {
        let members: FxHashMap<u32, &MetricMember> =
            raw.metric_members.iter().map(|member| (member.id, member)).collect();
        let classes: FxHashMap<u32, &MetricClass> =
            raw.metric_classes.iter().map(|class| (class.id, class)).collect();
        let instances = raw.metric_instances.iter().map(|instance| (instance.id, instance.class));
        let mut metrics = Metrics::default();
        for (id, class) in raw.metric_classes.iter().map(|class| (class.id, class.id)).chain(instances) {
            let Some(members) = classes.get(&class).and_then(|class| {
                class.members.iter().map(|id| members.get(id).copied()).collect::<Option<Vec<_>>>()
            }) else {
                continue;
            };
            metrics.ids.push(id);
            metrics.of.push((metrics.definitions.len() as u32, members.len() as u32));
            for member in members {
                metrics.definitions.push(metric(raw, member, budget)?);
            }
        }
        Ok(metrics)
    }
}

fn metric(
    raw: &GlobalDefinitions<'_>,
    member: &MetricMember,
    budget: &mut Budget,
) -> Result<MetricDefinition, Fault> {
    budget.spend(size_of::<MetricDefinition>())?;
    Ok(MetricDefinition {
        name: budget.text(raw, member.name)?,
        unit: budget.text(raw, member.unit)?,
        property: ValueProperty::from_otf2_mode(member.mode).unwrap_or_default(),
        value_type: ValueType::from_otf2(member.value_type).unwrap_or_default(),
        base: Base::ALL.get(usize::from(member.base)).copied().unwrap_or_default(),
        exponent: member.exponent,
    })
}

fn attributes(
    raw: &GlobalDefinitions<'_>,
    budget: &mut Budget,
) -> Result<(Vec<u32>, Vec<AttributeDefinition>), Fault> {
    let (ids, attributes) = unique(raw.attributes.iter().map(|attribute| (attribute.id, attribute)));
    let attributes = attributes.into_iter().map(|attribute| {
        budget.spend(size_of::<AttributeDefinition>())?;
        Ok(AttributeDefinition {
            name: budget.text(raw, attribute.name)?,
            description: budget.text(raw, attribute.description)?,
            value_type: AttributeType::from_otf2(attribute.value_type),
        })
    });
    Ok((ids, attributes.collect::<Result<_, _>>()?))
}

fn interrupt_generators(
    raw: &GlobalDefinitions<'_>,
    budget: &mut Budget,
) -> Result<(Vec<u32>, Vec<InterruptGenerator>), Fault> {
    let (ids, generators) = unique(raw.interrupt_generators.iter().map(|of| (of.id, of)));
    let generators = generators.into_iter().map(|of| {
        budget.spend(size_of::<InterruptGenerator>())?;
        Ok(InterruptGenerator {
            name: budget.text(raw, of.name)?,
            mode: InterruptMode::ALL.get(usize::from(of.mode)).copied().unwrap_or_default(),
            base: Base::ALL.get(usize::from(of.base)).copied().unwrap_or_default(),
            exponent: of.exponent,
            period: of.period,
        })
    });
    Ok((ids, generators.collect::<Result<_, _>>()?))
}

/// The nodes, each after its parent, and where the processes are. Nodes inside each other, as only a damaged archive has them,
/// are parts of nothing.
fn system_tree(
    raw: &GlobalDefinitions<'_>,
    locations: &[(LocationDefinition, u32)],
    budget: &mut Budget,
) -> Result<SystemTree, Fault> {
    let by_id: FxHashMap<u32, &Node> = raw.nodes.iter().map(|node| (node.id, node)).collect();
    let mut tree = SystemTree::default();
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut asked: FxHashSet<u32> = FxHashSet::default();
    for innermost in raw.nodes.iter().map(|node| node.id) {
        let parent = |&id: &u32| Some(by_id[&id].parent).filter(|parent| by_id.contains_key(parent));
        let mut not_asked = |id: u32| asked.insert(id).then_some(id);
        let chain: Vec<u32> =
            std::iter::successors(not_asked(innermost), |id| parent(id).and_then(&mut not_asked)).collect();
        for id in chain.into_iter().rev() {
            let node = by_id[&id];
            tree.nodes.push(SystemNode {
                name: budget.text(raw, node.name)?,
                class: budget.text(raw, node.class)?,
                parent: numbers.get(&node.parent).copied(),
            });
            numbers.insert(id, tree.nodes.len() as u32 - 1);
        }
    }
    let node_of_group: FxHashMap<u32, u32> =
        raw.location_groups.iter().map(|group| (group.id, group.node)).collect();
    for (location, group) in locations {
        if let Some(&node) = node_of_group.get(group).and_then(|node| numbers.get(node)) {
            tree.processes.insert(location.rank, node);
        }
    }
    Ok(tree)
}

/// The locations, each with the id of its group.
fn locations(
    raw: &GlobalDefinitions<'_>,
    budget: &mut Budget,
) -> Result<Vec<(LocationDefinition, u32)>, Fault> {
    let processors =
        raw.locations.iter().filter(|it| matches!(it.kind, LOCATION_UNKNOWN | LOCATION_CPU_THREAD));
    let (_, processors) = unique(processors.map(|location| (location.id, location)));
    let groups = processors.iter().map(|location| (location.id, location.group));
    let processes = Processes::new(raw, groups.collect());
    let mut threads: FxHashMap<u32, u32> = FxHashMap::default();
    let definitions = processors.into_iter().map(|location| {
        let rank = processes.ranks.get(&location.group).copied().unwrap_or(0);
        let thread = if processes.masters.contains(&location.id) {
            0
        } else {
            let next = threads
                .entry(location.group)
                .or_insert_with(|| u32::from(processes.with_master.contains(&location.group)));
            *next += 1;
            *next - 1
        };
        let name = budget.text(raw, location.name)?;
        let definition = LocationDefinition { id: location.id, name, rank, thread, events: location.events };
        Ok((definition, location.group))
    });
    definitions.collect()
}

/// The number of events of the locations of each kind that is none of the model, in words.
fn passed_over(raw: &GlobalDefinitions<'_>) -> Vec<String> {
    let (_, all) = unique(raw.locations.iter().map(|location| (location.id, location)));
    let mut events: BTreeMap<&str, u64> = BTreeMap::new();
    for location in all {
        let kind = match location.kind {
            LOCATION_UNKNOWN | LOCATION_CPU_THREAD => continue,
            LOCATION_ACCELERATOR_STREAM => "accelerator streams",
            LOCATION_METRIC => "sources of metrics that are no threads",
            _ => "locations of unknown kinds",
        };
        let sum = events.entry(kind).or_default();
        *sum = sum.saturating_add(location.events);
    }
    events.retain(|_, events| *events > 0);
    events.iter().map(|(kind, events)| format!("events of {kind} (passed over): {events}")).collect()
}

/// The rank of each location group, and the locations that are the master threads of their processes.
#[derive(Default)]
struct Processes {
    ranks: FxHashMap<u32, u32>,
    masters: FxHashSet<u64>,
    with_master: FxHashSet<u32>,
}

impl Processes {
    /// MPI's group of locations decides: member *i* is the master thread of rank *i*. Location groups that it omits
    /// (or all, without such a group) are numbered on in the order of their definition.
    fn new(raw: &GlobalDefinitions<'_>, groups_of_locations: FxHashMap<u64, u32>) -> Self {
        let mut processes = Processes::default();
        let members = comm_locations(raw, PARADIGM_MPI);
        for (rank, location) in members.iter().enumerate() {
            let Some(&group) = groups_of_locations.get(location) else { continue };
            if processes.with_master.insert(group) {
                processes.ranks.insert(group, rank as u32);
                processes.masters.insert(*location);
            }
        }
        let mut next = members.len() as u32;
        let defined = raw.location_groups.iter().map(|group| group.id);
        for group in defined.chain(raw.locations.iter().map(|location| location.group)) {
            processes.ranks.entry(group).or_insert_with(|| {
                next += 1;
                next - 1
            });
        }
        processes
    }
}

#[cfg(test)]
mod tests {
    use super::super::definitions::Location;
    use super::*;

    #[test]
    fn events_of_locations_that_are_no_threads_are_counted_by_kind() {
        let location = |(id, kind, events)| Location { id, name: 0, kind, events, group: 0 };
        let of = |locations: &[(u64, u8, u64)]| {
            let locations = locations.iter().copied().map(location).collect();
            passed_over(&GlobalDefinitions { locations, ..GlobalDefinitions::default() })
        };
        assert!(of(&[(0, 0, 10), (1, 1, 20), (2, 2, 0)]).is_empty(), "threads, and a stream without events");
        assert_eq!(
            of(&[(0, 1, 10), (1, 2, 20), (2, 3, 7), (3, 2, 4), (4, 9, 1), (4, 9, 1)]),
            [
                "events of accelerator streams (passed over): 24",
                "events of locations of unknown kinds (passed over): 1",
                "events of sources of metrics that are no threads (passed over): 7",
            ]
        );
    }
}
