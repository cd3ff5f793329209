//! `.cali`: one record a line.
//!
//! ```text
//! __rec=node,id=34,attr=10,data=276,parent=3        a node: 10 is the attribute "properties" of an attribute's node
//! __rec=node,id=35,attr=8,data=region,parent=34     8 is its name: node 35 is the attribute "region"
//! __rec=node,id=36,attr=35,data=main                the region "main"
//! __rec=ctx,ref=36,attr=17=19,data=3=0.25           a record: nodes, and attributes with their values
//! __rec=globals,ref=40                              what is true of the run
//! ```
//!
//! Nodes below 12 are built in. `\` escapes `,`, `=` and itself, and `\n` is a line feed.

use ats_model::{CallPathId, Report};
use rustc_hash::FxHashMap;

use super::{CONSTRUCT_ATTRIBUTES, Profile, RANK, THREAD, best_time};
use crate::error::At;
use crate::input::Input;
use crate::{ReportError, limits, number};

/// The global that tells the number of ranks.
const WORLD_SIZE: &str = "mpi.world.size";
/// That which tells Caliper's version.
const VERSION: &str = "cali.caliper.version";

/// The attribute whose value is an attribute's name.
const NAME: u64 = 8;
/// That whose value is an attribute's properties.
const PROPERTIES: u64 = 10;
/// The first node that is not built in.
const FIRST_NODE: u64 = 12;
/// The property of a region that lies in others.
const NESTED: u64 = 256;

/// How every line begins.
const MARK: &[u8] = b"__rec=";

pub(crate) fn recognises(input: &Input) -> bool {
    input.single().is_some_and(|file| file.bytes.trim_ascii_start().starts_with(MARK))
}

/// A node of the tree of metadata.
struct Node {
    attribute: u64,
    data: String,
    parent: Option<u64>,
    depth: usize,
    /// The nested regions from the outermost to this one.
    path: CallPathId,
}

/// What the nodes say.
#[derive(Default)]
struct Metadata {
    nodes: FxHashMap<u64, Node>,
    /// Names by the attributes' nodes.
    names: FxHashMap<u64, String>,
}

impl Metadata {
    /// A node and those above it.
    fn chain(&self, node: u64) -> impl Iterator<Item = &Node> {
        let parent = |node: &&Node| node.parent.and_then(|parent| self.nodes.get(&parent));
        std::iter::successors(self.nodes.get(&node), parent)
    }

    fn is_nested(&self, attribute: u64) -> bool {
        let properties = self.chain(attribute).find(|node| node.attribute == PROPERTIES);
        properties.and_then(|node| node.data.parse::<u64>().ok()).is_some_and(|bits| bits & NESTED != 0)
    }

    /// The innermost value of an attribute.
    fn value<'a>(&'a self, record: &'a Line, name: &str) -> Option<&'a str> {
        let immediate = record.attributes.iter().zip(&record.data);
        let immediate =
            immediate.filter(|(attribute, _)| self.names.get(attribute).is_some_and(|of| of == name));
        let immediate = immediate.map(|(_, data)| data.as_str()).next();
        let nodes = || record.references.iter().flat_map(|&reference| self.chain(reference));
        let is_it = |node: &&Node| self.names.get(&node.attribute).is_some_and(|of| of == name);
        immediate.or_else(|| nodes().find(is_it).map(|node| node.data.as_str()))
    }

    fn has(&self, record: &Line, name: &str) -> bool {
        record.attributes.iter().any(|attribute| self.names.get(attribute).is_some_and(|of| of == name))
    }
}

pub(crate) fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let text = file.text()?;
    let mut metadata = Metadata::default();
    let mut profile = Profile::new(file, &input.path);
    let (mut version, mut world_size, mut rank_known, mut timed) = (None, None, false, false);
    for (number, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = At::Line(number + 1);
        let damaged = |what: String| origin.damaged(at, what);
        let line = Line::parse(text).map_err(damaged)?;
        match line.kind.as_str() {
            "node" => {
                node(&mut metadata, &mut profile, line, at).map_err(|error| error.into_report(damaged))?
            }
            "ctx" => {
                if line.attributes.len() != line.data.len() {
                    return Err(damaged("it has not as many values as attributes".to_owned()));
                }
                let Some((name, time)) = best_time(|name| metadata.has(&line, name)) else { continue };
                timed = true;
                let rank = metadata.value(&line, RANK);
                rank_known |= rank.is_some();
                let place =
                    |value: Option<&str>, what| value.map_or(Ok(0), |value| number::parse(value, what));
                let place = (
                    place(rank, "rank").map_err(damaged)?,
                    place(metadata.value(&line, THREAD), "thread").map_err(damaged)?,
                );
                let value = metadata.value(&line, name).unwrap_or_default();
                let value = number::parse(value, "time").map_err(damaged)?;
                let path = path(&metadata, &mut profile, &line, at)?;
                profile.add(path, place, time, value, at)?;
            }
            "globals" => {
                version = metadata.value(&line, VERSION).map(str::to_owned);
                let size = metadata.value(&line, WORLD_SIZE);
                let size = size.map(|size| number::parse(size, "number of ranks")).transpose();
                world_size = size.map_err(damaged)?;
            }
            kind => {
                return Err(damaged(format!(
                    "a record of the unknown kind {:?}",
                    crate::names::shortened(kind)
                )));
            }
        }
    }
    if !timed {
        let fix = "measure with CALI_CONFIG=hatchet-region-profile,output.format=cali";
        return Err(origin.unsupported(At::Whole, "has no record with a time", fix));
    }
    profile.finish(version, world_size, rank_known)
}

/// Why a node was not taken.
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
    let parent = line.parent.filter(|&parent| parent >= FIRST_NODE);
    let (depth, path) = match parent.map(|parent| (parent, metadata.nodes.get(&parent))) {
        None => (1, CallPathId::ROOT),
        Some((_, Some(node))) => (node.depth + 1, node.path),
        Some((parent, None)) => {
            return damaged(format!("node {id} lies below node {parent}, which is not there"));
        }
    };
    if depth > limits::DEPTH {
        return damaged(format!("node {id} lies below more than {} others", limits::DEPTH));
    }
    if id < FIRST_NODE || metadata.nodes.contains_key(&id) {
        return damaged(format!("node {id} is there already"));
    }
    let path = if metadata.is_nested(attribute) { profile.child(path, &data, at)? } else { path };
    if attribute == NAME {
        metadata.names.insert(id, data.clone());
    }
    metadata.nodes.insert(id, Node { attribute, data, parent, depth, path });
    Ok(())
}

/// The path of a record: its nested regions, then OpenMP's constructs.
fn path(
    metadata: &Metadata,
    profile: &mut Profile<'_>,
    line: &Line,
    at: At,
) -> Result<CallPathId, ReportError> {
    let nodes = line.references.iter().filter_map(|reference| metadata.nodes.get(reference));
    let mut path = nodes
        .map(|node| node.path)
        .try_fold(CallPathId::ROOT, |path, other| profile.joined(path, other, at))?;
    for attribute in CONSTRUCT_ATTRIBUTES {
        if let Some(value) = metadata.value(line, attribute) {
            path = profile.construct(path, value, at)?;
        }
    }
    Ok(path)
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

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn lines_have_parts_and_escapes() {
        let line = Line::parse(r"__rec=ctx,ref=36=149,attr=17=19,data=a\,b\=c\\=\n").unwrap();
        let data = vec!["a,b=c\\".to_owned(), "\n".to_owned()];
        let (references, attributes) = (vec![36, 149], vec![17, 19]);
        assert_eq!(line, Line { kind: "ctx".into(), references, attributes, data, ..Line::default() });
        assert_eq!(Line::parse(r"__rec=node,data=a\").unwrap_err(), "a line ends with an escape");
        assert_eq!(Line::parse("__rec=node,id=-1").unwrap_err(), "\"-1\" is no id");
    }
}
