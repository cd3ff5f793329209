//! The format `.cali`: one record a line.
//!
//! ```text
//! __rec=node,id=34,attr=10,data=276,parent=3        a node: 10 is the attribute "properties" of an attribute's node
//! __rec=node,id=35,attr=8,data=region,parent=34     8 is its name: node 35 is the attribute "region"
//! __rec=node,id=36,attr=35,data=main                the region "main"
//! __rec=ctx,ref=36,attr=17=19,data=3=0.25           a record: nodes, and attributes with their values
//! __rec=globals,ref=40                              facts about the run
//! ```
//!
//! The first nodes are built in; in 2016 they were written, too. `\` escapes `,`, `=` and itself, and `\n` is a line
//! feed.

use std::collections::{BTreeMap, HashMap};

use ats_documents::Report;
use ats_model::CallPathId;

use super::times::{PARTS, TIMES, UNIT_ATTRIBUTES, is_of_several};
use super::{CONSTRUCT_ATTRIBUTES, Profile, RANK, Record, Run, THREAD, TOOL};
use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, limits, names, number};

/// The global with the number of ranks.
const WORLD_SIZE: &str = "mpi.world.size";
/// The attribute of the same number in Adiak.
const JOB_SIZE: &str = "jobsize";
/// The global with Caliper's version.
const VERSION: &str = "cali.caliper.version";

/// The attribute whose value is an attribute's name.
const NAME: u64 = 8;
/// The attribute whose value is an attribute's type.
const TYPE: u64 = 9;
/// The attribute whose value is an attribute's properties.
const PROPERTIES: u64 = 10;
/// The nodes that are built in, by id: attribute and value. Newer versions have one more, 11.
const BUILT_IN: [(u64, &str); 11] = [
    (TYPE, "usr"),
    (TYPE, "int"),
    (TYPE, "uint"),
    (TYPE, "string"),
    (TYPE, "addr"),
    (TYPE, "double"),
    (TYPE, "bool"),
    (TYPE, "type"),
    (NAME, "cali.attribute.name"),
    (NAME, "cali.attribute.type"),
    (NAME, "cali.attribute.prop"),
];
/// The first node that is never built in.
const FIRST_NODE: u64 = 12;
/// The property of a region that lies in others.
const NESTED: u64 = 256;

/// The beginning of every line.
const MARK: &[u8] = b"__rec=";

pub(crate) const READER: Reader = Reader { name: "cali", tools: &[TOOL], recognises, read };

fn recognises(input: &Input) -> bool {
    input.single().is_some_and(|file| file.bytes.trim_ascii_start().starts_with(MARK))
}

/// The role of an attribute for the reader.
#[derive(Clone, Copy)]
enum Role {
    /// Its value, in a slot.
    Slot(usize),
    /// A time, by its index in [`TIMES`].
    Time(usize),
    /// A value that may stand beside such a time, by its index in [`PARTS`].
    Part { time: usize, part: usize },
}

/// Attributes whose innermost value counts.
const SLOTS: [&str; 8] = {
    let [region, work, sync] = CONSTRUCT_ATTRIBUTES;
    [RANK, THREAD, WORLD_SIZE, JOB_SIZE, VERSION, region, work, sync]
};
const RANK_SLOT: usize = 0;
const THREAD_SLOT: usize = 1;
const WORLD_SIZE_SLOT: usize = 2;
const JOB_SIZE_SLOT: usize = 3;
const VERSION_SLOT: usize = 4;
const CONSTRUCT_SLOTS: std::ops::Range<usize> = 5..8;

impl Role {
    fn from_name(name: &str) -> Option<Self> {
        let slot = SLOTS.iter().position(|of| *of == name).map(Role::Slot);
        let time = || TIMES.iter().position(|time| time.name == name).map(Role::Time);
        let part = || {
            PARTS.iter().enumerate().find_map(|(part, prefix)| {
                let value = name.strip_prefix(prefix);
                let time = TIMES.iter().position(|time| value.is_some() && time.summed() == value)?;
                Some(Role::Part { time, part })
            })
        };
        slot.or_else(time).or_else(part)
    }
}

/// A node of the tree of metadata. It inherits the values of the nodes above it.
struct Node {
    attribute: u64,
    parent: Option<u64>,
    data: String,
    depth: usize,
    /// The nested regions from the outermost to this one.
    path: CallPathId,
    /// The properties of an attribute.
    properties: u64,
    /// The nodes that have the values of [`SLOTS`].
    slots: [Option<u64>; SLOTS.len()],
}

/// The metadata in the nodes.
#[derive(Default)]
struct Metadata {
    nodes: HashMap<u64, Node>,
    attributes: BTreeMap<u64, Attribute>,
}

struct Attribute {
    is_nested: bool,
    role: Option<Role>,
}

/// The values of a record.
#[derive(Default)]
struct Values<'a> {
    slots: [Option<&'a str>; SLOTS.len()],
    /// The best time, by its index in [`TIMES`].
    time: Option<(usize, &'a str)>,
    /// The values beside the time.
    parts: [Option<&'a str>; PARTS.len()],
}

impl Metadata {
    fn values<'a>(&'a self, line: &'a Line) -> Values<'a> {
        let mut values = Values::default();
        for node in line.references.iter().filter_map(|reference| self.nodes.get(reference)) {
            for (slot, from) in values.slots.iter_mut().zip(node.slots) {
                let value = from.and_then(|from| self.nodes.get(&from));
                *slot = value.map(|node| node.data.as_str()).or(*slot);
            }
        }
        let attributes = || {
            let role = |id: &u64| self.attributes.get(id).and_then(|attribute| attribute.role);
            line.attributes.iter().map(role).zip(&line.data)
        };
        for (role, data) in attributes() {
            match role {
                Some(Role::Slot(slot)) => values.slots[slot] = Some(data),
                Some(Role::Time(time)) if values.time.is_none_or(|(best, _)| time < best) => {
                    values.time = Some((time, data));
                }
                _ => {}
            }
        }
        for (role, data) in attributes() {
            if let Some(Role::Part { time, part }) = role
                && values.time.is_some_and(|(of, _)| of == time)
            {
                values.parts[part] = Some(data);
            }
        }
        values
    }

    /// The name of the unit of a time, given by its index in [`TIMES`].
    fn unit(&self, time: usize) -> Option<String> {
        let is_time = |of: &Attribute| matches!(of.role, Some(Role::Time(of)) if of == time);
        let nodes = self.attributes.iter().filter(|(_, of)| is_time(of));
        let mut units = nodes.flat_map(|(&id, _)| UNIT_ATTRIBUTES.map(|name| self.value_above(id, name)));
        units.find_map(|unit| unit.map(str::to_owned))
    }

    /// The value that a node or one above it has of an attribute. In old files the attribute may come after its values.
    fn value_above(&self, node: u64, attribute: &str) -> Option<&str> {
        let mut above = std::iter::successors(self.nodes.get(&node), |node| self.nodes.get(&node.parent?));
        let is_it = |node: &&Node| self.nodes.get(&node.attribute).is_some_and(|of| of.data == attribute);
        let found = above.find(is_it)?;
        // Caliper 2.2 writes the zero byte at its end, too.
        Some(found.data.trim_end_matches('\0'))
    }
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let text = file.text()?;
    let mut metadata = Metadata::default();
    let mut profile = Profile::new(file, &input.path);
    let (mut run, mut is_timed) = (Run::default(), false);
    for (number, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = At::Line(number + 1);
        let damaged = |what: String| origin.damaged(at, what);
        let line = Line::parse(text).map_err(damaged)?;
        match line.kind.as_str() {
            "node" => {
                node(&mut metadata, &mut profile, line, at).map_err(|error| error.into_report(damaged))?;
            }
            "ctx" => {
                if line.attributes.len() != line.data.len() {
                    return Err(damaged("it has not as many values as attributes".to_owned()));
                }
                let values = metadata.values(&line);
                let Some((time, value)) = values.time else { continue };
                is_timed = true;
                let place = |slot: usize, what| {
                    values.slots[slot].map(|value| number::parse(value, what)).transpose().map_err(damaged)
                };
                let (rank, thread) = (place(RANK_SLOT, "rank")?, place(THREAD_SLOT, "thread")?.unwrap_or(0));
                let number = |value: &str| number::parse(value, "time").map_err(damaged);
                let mut parts = [None; PARTS.len()];
                for (part, text) in parts.iter_mut().zip(values.parts) {
                    *part = text.map(number).transpose()?;
                }
                let value = number(value)?;
                let is_of_several = is_of_several(value, parts);
                let path = path(&metadata, &mut profile, &line, &values, at)?;
                profile.add(time, Record { path, rank, thread, value, is_of_several, at })?;
            }
            "globals" => {
                let slots = metadata.values(&line).slots;
                let ranks = slots[WORLD_SIZE_SLOT].or(slots[JOB_SIZE_SLOT]);
                let ranks = ranks.map(|ranks| number::parse(ranks, "number of ranks")).transpose();
                run = Run { version: slots[VERSION_SLOT].map(str::to_owned), ranks: ranks.map_err(damaged)? };
            }
            kind => {
                return Err(damaged(format!("a record of the unknown kind {:?}", names::shortened(kind))));
            }
        }
    }
    if !is_timed {
        let fix = "measure with CALI_CONFIG=hatchet-region-profile,output.format=cali";
        return Err(origin.unsupported(At::Whole, "has no record with a time", fix));
    }
    profile.finish(run, |time| metadata.unit(time))
}

/// The reason why a node was not taken.
enum NodeError {
    Damaged(String),
    Report(ReportError),
}

impl NodeError {
    fn into_report(self, damaged: impl FnOnce(String) -> ReportError) -> ReportError {
        match self {
            NodeError::Damaged(what) => damaged(what),
            NodeError::Report(error) => error,
        }
    }
}

impl From<ReportError> for NodeError {
    fn from(error: ReportError) -> Self {
        NodeError::Report(error)
    }
}

fn node(metadata: &mut Metadata, profile: &mut Profile<'_>, line: Line, at: At) -> Result<(), NodeError> {
    let damaged = |what: String| Err(NodeError::Damaged(what));
    let (Some(id), [attribute]) = (line.id, &line.attributes[..]) else {
        return damaged("a node has no id or no attribute".to_owned());
    };
    let attribute = *attribute;
    let data = line.data.into_iter().next().unwrap_or_default();
    let is_own = |parent: &u64| *parent >= FIRST_NODE || metadata.nodes.contains_key(parent);
    let parent = line.parent.filter(is_own);
    let built_in = usize::try_from(id).ok().and_then(|id| BUILT_IN.get(id));
    let known = match built_in {
        Some(&(attribute, data)) => Some((attribute, data, parent)),
        None => metadata.nodes.get(&id).map(|node| (node.attribute, &*node.data, node.parent)),
    };
    match known {
        Some(known) if known == (attribute, &*data, parent) => return Ok(()),
        Some(_) => return damaged(format!("node {id} is there already, and is another")),
        None => {}
    }
    let (depth, mut path, mut properties, mut slots) =
        match parent.map(|parent| (parent, metadata.nodes.get(&parent))) {
            None => (1, CallPathId::ROOT, 0, [None; SLOTS.len()]),
            Some((_, Some(node))) => (node.depth + 1, node.path, node.properties, node.slots),
            Some((parent, None)) => {
                return damaged(format!("node {id} lies below node {parent}, which is not there"));
            }
        };
    if depth > limits::DEPTH {
        return damaged(format!("node {id} lies below more than {} others", limits::DEPTH));
    }
    match attribute {
        NAME => {
            let of = Attribute { is_nested: properties & NESTED != 0, role: Role::from_name(&data) };
            metadata.attributes.insert(id, of);
        }
        PROPERTIES => properties = number::parse(&data, "set of properties").map_err(NodeError::Damaged)?,
        _ => match metadata.attributes.get(&attribute) {
            Some(Attribute { is_nested: true, .. }) => path = profile.child(path, &data, at)?,
            Some(Attribute { role: Some(Role::Slot(slot)), .. }) => slots[*slot] = Some(id),
            _ => {}
        },
    }
    metadata.nodes.insert(id, Node { attribute, parent, data, depth, path, properties, slots });
    Ok(())
}

/// The path of a record: its nested regions, then OpenMP's constructs.
fn path(
    metadata: &Metadata,
    profile: &mut Profile<'_>,
    line: &Line,
    values: &Values<'_>,
    at: At,
) -> Result<CallPathId, ReportError> {
    let nodes = line.references.iter().filter_map(|reference| metadata.nodes.get(reference));
    let path = nodes
        .filter(|node| node.path != CallPathId::ROOT)
        .try_fold(CallPathId::ROOT, |path, node| profile.joined(path, node.path, at))?;
    let constructs = values.slots[CONSTRUCT_SLOTS].iter().flatten();
    constructs.into_iter().try_fold(path, |path, value| profile.construct(path, value, at))
}

/// A line in its parts.
#[derive(Debug, Default, PartialEq)]
struct Line {
    kind: String,
    id: Option<u64>,
    parent: Option<u64>,
    references: Vec<u64>,
    attributes: Vec<u64>,
    data: Vec<String>,
}

impl Line {
    fn parse(text: &str) -> Result<Self, String> {
        let mut line = Line::default();
        let mut characters = text.trim().chars();
        let mut more = true;
        while more {
            let (words, comma) = words(&mut characters)?;
            more = comma;
            let mut words = words.into_iter();
            let key = words.next().unwrap_or_default();
            let id = |word: String| number::parse::<u64>(&word, "id");
            match key.as_str() {
                "__rec" => line.kind = words.next().unwrap_or_default(),
                "id" => line.id = words.next().map(id).transpose()?,
                "parent" => line.parent = words.next().map(id).transpose()?,
                "ref" => line.references = words.map(id).collect::<Result<_, _>>()?,
                "attr" => line.attributes = words.map(id).collect::<Result<_, _>>()?,
                "data" => line.data = words.collect(),
                _ => {}
            }
        }
        Ok(line)
    }
}

/// The words between `=` up to the next `,`, and whether there was one.
fn words(characters: &mut std::str::Chars<'_>) -> Result<(Vec<String>, bool), String> {
    let mut words = vec![String::new()];
    while let Some(character) = characters.next() {
        let word = words.last_mut().ok_or("a line has no words")?;
        match character {
            '\\' => match characters.next() {
                Some('n') => word.push('\n'),
                Some(escaped) => word.push(escaped),
                None => return Err("a line ends with an escape".to_owned()),
            },
            '=' => words.push(String::new()),
            ',' => return Ok((words, true)),
            _ => word.push(character),
        }
    }
    Ok((words, false))
}
