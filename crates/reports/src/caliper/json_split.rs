//! The format `json-split`: a table whose columns hold numbers, or indices into a tree of labels.
//!
//! ```text
//! { "data": [ [ 0, 0.25, 2 ] ], "columns": [ "mpi.rank", "time", "path" ],
//!   "column_metadata": [ { "is_value": true }, { "is_value": true }, { "is_value": false } ],
//!   "nodes": [ { "label": "main" }, { "label": "late_sender", "parent": 0 }, { "label": "MPI_Recv", "parent": 1 } ],
//!   "mpi.world.size": "2" }
//! ```

use std::collections::BTreeMap;

use ats_documents::Report;
use ats_model::CallPathId;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::times::{PARTS, TIMES, UNIT_ATTRIBUTES, is_of_several};
use super::{CONSTRUCT_ATTRIBUTES, Profile, RANK, Record, Run, THREAD, TOOL};
use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, limits, number};

/// The column of paths.
const PATH: &str = "path";

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "data")]
    _data: IgnoredAny,
    #[serde(rename = "columns")]
    _columns: IgnoredAny,
    #[serde(rename = "column_metadata")]
    _column_metadata: IgnoredAny,
    #[serde(rename = "nodes")]
    _nodes: IgnoredAny,
}

#[derive(Deserialize)]
struct Document {
    data: Vec<Vec<Cell>>,
    columns: Vec<String>,
    column_metadata: Vec<ColumnMetadata>,
    nodes: Vec<Node>,
    #[serde(rename = "mpi.world.size")]
    world_size: Option<String>,
    jobsize: Option<String>,
    #[serde(rename = "cali.caliper.version")]
    version: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Cell {
    Number(f64),
    Text(String),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
struct ColumnMetadata {
    #[serde(default)]
    is_value: bool,
    #[serde(flatten)]
    attributes: BTreeMap<String, serde_json::Value>,
}

impl ColumnMetadata {
    fn unit(&self) -> Option<String> {
        let mut units = UNIT_ATTRIBUTES.iter().filter_map(|name| self.attributes.get(*name)?.as_str());
        units.next().map(str::to_owned)
    }
}

#[derive(Deserialize)]
struct Node {
    label: String,
    parent: Option<usize>,
}

pub(crate) const READER: Reader = Reader { name: "caliper-json", tools: &[TOOL], recognises, read };

fn recognises(input: &Input) -> bool {
    let Some(file) = input.single().filter(|file| file.bytes.len() <= limits::TEXT) else { return false };
    serde_json::from_slice::<Head>(&file.bytes).is_ok()
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let damaged = |what: String| origin.damaged(At::Whole, what);
    let document: Document = serde_json::from_slice(&file.bytes)
        .map_err(|error| origin.damaged(At::Line(error.line()), error.to_string()))?;
    let column = |name: &str| document.columns.iter().position(|column| column == name);
    let Some(time) = TIMES.iter().position(|time| column(time.name).is_some()) else {
        let fix = "measure with CALI_CONFIG=hatchet-region-profile";
        return Err(origin.unsupported(At::Whole, "has no column of times", fix));
    };
    let is_value = |at: usize| document.column_metadata.get(at).is_some_and(|metadata| metadata.is_value);
    let hierarchy = |name: &str| column(name).filter(|&at| !is_value(at));
    if ![PATH].iter().chain(&CONSTRUCT_ATTRIBUTES).any(|name| hierarchy(name).is_some()) {
        let fix = "measure with CALI_CONFIG=hatchet-region-profile";
        return Err(origin.unsupported(At::Whole, format!("has no column {PATH:?}"), fix));
    }
    let [rank_column, thread_column, time_column] = [RANK, THREAD, TIMES[time].name].map(column);
    let parts = PARTS.map(|part| column(&format!("{part}{}", TIMES[time].summed()?)));

    let mut profile = Profile::new(file, &input.path);
    let mut paths: Vec<CallPathId> = Vec::with_capacity(document.nodes.len());
    for (index, node) in document.nodes.iter().enumerate() {
        let parent = match node.parent {
            None => CallPathId::ROOT,
            Some(parent) => *paths.get(parent).ok_or_else(|| {
                damaged(format!("node {index} has the parent {parent}, which does not come before it"))
            })?,
        };
        paths.push(profile.child(parent, &node.label, At::Whole)?);
    }
    for (row, cells) in document.data.iter().enumerate() {
        let damaged = |what: String| damaged(format!("row {row}: {what}"));
        let number = |at: Option<usize>| match cells.get(at?)? {
            Cell::Number(value) => Some(*value),
            Cell::Text(text) => text.parse().ok(),
            Cell::Other(_) => None,
        };
        let index =
            |at: Option<usize>| number(at).map(|value| number::count(value).map_err(damaged)).transpose();
        let node = |at: Option<usize>| {
            index(at)?
                .map(|index| {
                    let node = document.nodes.get(index as usize).zip(paths.get(index as usize));
                    node.ok_or_else(|| damaged(format!("there is no node {index}")))
                })
                .transpose()
        };
        let mut path = node(hierarchy(PATH))?.map_or(CallPathId::ROOT, |(_, path)| *path);
        for attribute in CONSTRUCT_ATTRIBUTES {
            if let Some((node, _)) = node(hierarchy(attribute))? {
                path = profile.construct(path, &node.label, At::Whole)?;
            }
        }
        let location = |at: Option<usize>, what: &str| {
            let location =
                |value| u32::try_from(value).map_err(|_| damaged(format!("{value} is not a valid {what}")));
            index(at)?.map(location).transpose()
        };
        let rank = location(rank_column, "rank")?;
        let thread = location(thread_column, "thread")?.unwrap_or(0);
        if let Some(value) = number(time_column) {
            let is_of_several = is_of_several(value, parts.map(number));
            let record = Record { path, rank, thread, value, is_of_several, at: At::Whole };
            profile.add(time, record)?;
        }
    }
    let ranks = document.world_size.as_deref().or(document.jobsize.as_deref());
    let ranks = ranks.map(|ranks| number::parse(ranks, "number of ranks")).transpose().map_err(damaged)?;
    let run = Run { version: document.version.clone(), ranks };
    let unit = |_| time_column.and_then(|at| document.column_metadata.get(at)?.unit());
    profile.finish(run, unit)
}
