//! Global and local definition files.

use std::path::Path;

use ats_model::Definitions;
use ats_model::affinity::Affinity;
use ats_model::attribute::AttributeType;
use ats_model::definitions::{COUNTED_SHARE, LOST_SAMPLES, Paradigm, Region, RegionRole, left_out};
use ats_model::event::RegionRef;
use ats_model::neighbors::Neighbors;
use ats_model::openmp;
use ats_model::own_metric::OwnMetric;

use super::encode::Body;
use super::records::{CHUNK_BYTES, Records, Strings};
use super::{clock, comms};
use crate::format::{PARADIGM_MEASUREMENT_SYSTEM, TEAM_IDS, call, definition, mapping};
use crate::{ClockOffset, TraceError};

/// `OTF2_LOCATION_GROUP_TYPE_PROCESS` and `OTF2_LOCATION_TYPE_CPU_THREAD`.
const PROCESS: u8 = 1;
const CPU_THREAD: u8 = 1;
/// `OTF2_METRIC_TYPE_OTHER`, two of `OTF2_MetricOccurrence`, `OTF2_RECORDER_KIND_CPU`.
const METRIC_TYPE_OTHER: u8 = 0;
const METRIC_SYNCHRONOUS: u8 = 1;
const METRIC_ASYNCHRONOUS: u8 = 2;
const RECORDED_BY_CPU: u8 = 2;
const NONE: u32 = u32::MAX;

/// The global definitions; `events` says how many events a location (by index) has.
pub(super) fn global(
    definitions: &Definitions,
    machine: &str,
    events: impl Fn(usize) -> u64,
    anchor: &Path,
) -> Result<Records, TraceError> {
    let masters = masters(definitions, anchor)?;
    check_teams(definitions, anchor)?;
    // Events name these by their numbers.
    let mut strings = Strings::beginning_with(&definitions.strings);
    let mut records = Records::default();
    let empty = strings.id("");
    system_tree(definitions, machine, &mut strings, &mut records);
    for rank in 0..masters.len() as u32 {
        let name = strings.id(&format!("MPI Rank {rank}"));
        let node = definitions.system_tree.processes.get(&rank).copied().unwrap_or(0);
        records.push(
            definition::LOCATION_GROUP,
            Body::default().u32(rank).u32(name).u8(PROCESS).u32(node).u32(NONE),
        );
    }
    for (index, location) in definitions.locations.iter().enumerate() {
        let name = strings.id(&location.name);
        let body = Body::default().u64(location.id).u32(name).u8(CPU_THREAD);
        records.push(definition::LOCATION, body.u64(events(index)).u32(location.rank));
    }
    let is_call = |id: usize| definitions.calls.contains_key(&RegionRef(id as u32));
    for (id, region) in definitions.regions.iter().enumerate().filter(|&(id, _)| !is_call(id)) {
        let (name, file) = (strings.id(name_of(region)), strings.id(&region.file));
        let canonical_name = strings.id(&region.name);
        let call_site = region.call_site.as_ref().map_or(empty, |site| strings.id(&site.to_string()));
        let paradigm = match region.paradigm {
            Paradigm::Other if is_of_measurement(region) => PARADIGM_MEASUREMENT_SYSTEM,
            Paradigm::Other => Paradigm::Unknown as u8,
            named => named as u8,
        };
        // Name, description, the type of version 1.0, file, lines; then the canonical name, role, paradigm, flags.
        let body = Body::default().u32(id as u32).u32(name).u32(call_site).u8(0);
        let body = body.u32(file).u32(region.line).u32(region.last_line.max(region.line));
        let body = body.u32(canonical_name).u8(region.role as u8).u8(paradigm).u32(0);
        records.push(definition::REGION, body);
    }
    calling_contexts(definitions, &mut strings, &mut records);
    metrics(definitions, empty, &mut strings, &mut records);
    attributes(definitions, &mut strings, &mut records);
    comms::write(definitions, &masters, &mut strings, &mut records);
    interrupt_generators(definitions, &mut strings, &mut records);
    properties(definitions, &mut strings, &mut records);
    let mut all = Records::default();
    clock::write(definitions.clock, &mut all);
    for (id, text) in strings.iter().enumerate() {
        all.push(definition::STRING, Body::default().u32(id as u32).string(text));
    }
    all.append(records);
    Ok(all)
}

/// Whether a region is not the program's: Score-P has such for the program as a whole, and for what it does itself.
fn is_of_measurement(region: &Region) -> bool {
    region.role == RegionRole::Artificial && region.paradigm == Paradigm::Other
}

/// The short name of a region: a program as a whole has that of its file, and its path as the canonical name.
fn name_of(region: &Region) -> &str {
    match region.name.rsplit_once('/') {
        Some((_, file)) if is_of_measurement(region) && !file.is_empty() => file,
        _ => &region.name,
    }
}

/// Writes the nodes, or the machine if there are none.
fn system_tree(definitions: &Definitions, machine: &str, strings: &mut Strings, records: &mut Records) {
    let mut node = |id: usize, name: &str, class: &str, parent: Option<u32>| {
        let body = Body::default().u32(id as u32).u32(strings.id(name)).u32(strings.id(class));
        records.push(definition::SYSTEM_TREE_NODE, body.u32(parent.unwrap_or(NONE)));
    };
    for (id, one) in definitions.system_tree.nodes.iter().enumerate() {
        node(id, &one.name, &one.class, one.parent);
    }
    if definitions.system_tree.nodes.is_empty() {
        node(0, machine, "machine", None);
    }
}

/// Each calling context has a place in the source of its own. That of a call has the region of its function, and
/// properties.
fn calling_contexts(definitions: &Definitions, strings: &mut Strings, records: &mut Records) {
    for (id, context) in (0..).zip(&definitions.calling_contexts) {
        let function = definitions.calls.get(&context.function);
        let body = Body::default().u32(id).u32(strings.id(&context.file)).u32(context.line);
        records.push(definition::SOURCE_CODE_LOCATION, body);
        let body = Body::default().u32(id).u32(function.unwrap_or(&context.function).0).u32(id);
        records.push(definition::CALLING_CONTEXT, body.u32(context.parent.unwrap_or(NONE)));
        if let Some(function) = function {
            let [call, function] =
                [context.function, *function].map(|of| &definitions.regions[of.0 as usize]);
            let property = |name| Body::default().u32(id).u32(name);
            if let Some(site) = &call.call_site {
                let (name, site) = (strings.id(call::SITE), strings.id(&site.to_string()));
                let body = property(name).u8(AttributeType::String as u8).u32(site);
                records.push(definition::CALLING_CONTEXT_PROPERTY, body);
            }
            if call.role != function.role {
                let body =
                    property(strings.id(call::ROLE)).u8(AttributeType::Uint8 as u8).u8(call.role as u8);
                records.push(definition::CALLING_CONTEXT_PROPERTY, body);
            }
        }
    }
}

fn interrupt_generators(definitions: &Definitions, strings: &mut Strings, records: &mut Records) {
    for (id, of) in (0..).zip(&definitions.interrupt_generators) {
        let body = Body::default().u32(id).u32(strings.id(&of.name)).u8(of.mode as u8).u8(of.base as u8);
        records.push(definition::INTERRUPT_GENERATOR, body.u64(of.exponent as u64).u64(of.period));
    }
}

/// Each metric is the only member of a class of its own. Those of the suite's recorder are sampled now and then, others
/// have values where regions are entered and left, though not at each of these.
fn metrics(definitions: &Definitions, empty: u32, strings: &mut Strings, records: &mut Records) {
    for (id, metric) in (0..).zip(&definitions.metrics) {
        let (name, unit) = (strings.id(&metric.name), strings.id(&metric.unit));
        let body = Body::default().u32(id).u32(name).u32(empty).u8(METRIC_TYPE_OTHER);
        let body =
            body.u8(metric.property.to_otf2_mode()).u8(metric.value_type.to_otf2()).u8(metric.base as u8);
        records.push(definition::METRIC_MEMBER, body.u64(metric.exponent as u64).u32(unit));
        let occurrence = if OwnMetric::from_definition(metric).is_some() {
            METRIC_ASYNCHRONOUS
        } else {
            METRIC_SYNCHRONOUS
        };
        let body = Body::default().u32(id).u8(1).u32(id);
        records.push(definition::METRIC_CLASS, body.u8(occurrence).u8(RECORDED_BY_CPU));
    }
}

fn attributes(definitions: &Definitions, strings: &mut Strings, records: &mut Records) {
    for (id, attribute) in (0..).zip(&definitions.attributes) {
        let (name, description) = (strings.id(&attribute.name), strings.id(&attribute.description));
        let body = Body::default().u32(id).u32(name).u8(attribute.value_type.map_or(0, |of| of as u8));
        records.push(definition::ATTRIBUTE, body.u32(description));
    }
}

/// Writes what OTF2 has no definitions of: properties of processes.
fn properties(definitions: &Definitions, strings: &mut Strings, records: &mut Records) {
    let mut property = |rank: u32, name: &str, value: &str| {
        let (name, value) = (strings.id(name), strings.id(value));
        // The value twice, once as version 1 of the format has it.
        let body = Body::default().u32(rank).u32(name).u32(value).u8(AttributeType::String as u8).u32(value);
        records.push(definition::LOCATION_GROUP_PROPERTY, body);
    };
    for (&(rank, communicator), neighbors) in &definitions.neighbors {
        property(rank, &Neighbors::property(communicator.0), &neighbors.to_string());
    }
    for (&rank, ended) in &definitions.openmp_ended {
        property(rank, openmp::ENDED, &ended.to_string());
    }
    for (&rank, lost) in &definitions.lost_samples {
        property(rank, LOST_SAMPLES, &lost.to_string());
    }
    for (&rank, counted) in &definitions.counted_permille {
        property(rank, COUNTED_SHARE, &counted.to_string());
    }
    for (&(rank, region), calls) in &definitions.left_out {
        property(rank, &left_out::property(region.0), &calls.to_string());
    }
    for (&rank, affinity) in &definitions.affinities {
        property(rank, Affinity::PROPERTY, &affinity.to_string());
    }
}

fn check_teams(definitions: &Definitions, anchor: &Path) -> Result<(), TraceError> {
    let locations = definitions.locations.len();
    for (index, team) in definitions.teams.iter().enumerate() {
        if let Some(member) = team.members.iter().find(|&&member| member as usize >= locations) {
            let what = format!(
                "team {index} has location number {member} as a member, but there are {locations}; define it"
            );
            return Err(TraceError::Inconsistent { file: anchor.to_owned(), what });
        }
    }
    Ok(())
}

/// The master thread's location id of each rank.
fn masters(definitions: &Definitions, anchor: &Path) -> Result<Vec<u64>, TraceError> {
    let inconsistent = |what| TraceError::Inconsistent { file: anchor.to_owned(), what };
    let ranks = definitions.locations.iter().map(|location| location.rank as usize + 1).max().unwrap_or(0);
    if ranks > definitions.locations.len() {
        return Err(inconsistent(format!(
            "it has {} locations but a rank {}; every rank up to the highest needs a location",
            definitions.locations.len(),
            ranks - 1
        )));
    }
    let mut masters = vec![None; ranks];
    for location in definitions.locations.iter().filter(|location| location.thread == 0) {
        masters[location.rank as usize] = Some(location.id);
    }
    let with_rank = masters.into_iter().enumerate();
    with_rank
        .map(|(rank, id)| {
            id.ok_or_else(|| inconsistent(format!("rank {rank} has no location with thread 0; define one")))
        })
        .collect()
}

/// The local definitions of a location: its clock, and its own ids by the archive's.
#[derive(Default)]
pub(super) struct Local {
    pub(super) clock_offsets: Vec<ClockOffset>,
    pub(super) strings: Vec<u32>,
    pub(super) regions: Vec<u32>,
    pub(super) communicators: Vec<u32>,
    pub(super) calling_contexts: Vec<u32>,
    pub(super) metrics: Vec<u32>,
    /// Teams of the events, and the ids of their communicators.
    pub(super) teams: Vec<(u32, u32)>,
}

impl Local {
    pub(super) fn into_file(self) -> Vec<u8> {
        let mut records = Records::default();
        dense_map(mapping::STRING, &self.strings, &mut records);
        dense_map(mapping::REGION, &self.regions, &mut records);
        if self.teams.is_empty() {
            dense_map(mapping::COMM, &self.communicators, &mut records);
        } else {
            let communicators = (0..).zip(self.communicators);
            let teams = self.teams.into_iter().map(|(team, comm)| (TEAM_IDS | team, comm));
            let pairs: Vec<(u32, u32)> = communicators.chain(teams).collect();
            let body = Body::default().u8(mapping::COMM).u64(pairs.len() as u64).u8(mapping::SPARSE);
            let body =
                pairs.into_iter().fold(body, |body, (own, id)| body.u64(u64::from(own)).u64(u64::from(id)));
            records.push(definition::MAPPING_TABLE, body);
        }
        dense_map(mapping::CALLING_CONTEXT, &self.calling_contexts, &mut records);
        dense_map(mapping::METRIC, &self.metrics, &mut records);
        for measured in self.clock_offsets {
            let body = Body::default().full_u64(measured.time).u64(measured.offset as u64);
            records.push(definition::CLOCK_OFFSET, body.full_u64(measured.standard_deviation.to_bits()));
        }
        records.into_file(CHUNK_BYTES)
    }
}

fn dense_map(kind: u8, ids: &[u32], records: &mut Records) {
    if !ids.is_empty() {
        let body = Body::default().u8(kind).u64(ids.len() as u64).u8(mapping::DENSE);
        let body =
            ids.iter().fold(body, |body, &id| body.u64(if id == NONE { u64::MAX } else { u64::from(id) }));
        records.push(definition::MAPPING_TABLE, body);
    }
}
