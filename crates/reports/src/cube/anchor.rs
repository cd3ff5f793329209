//! The file `anchor.xml`: the meaning of the rows.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;

use flate2::read::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::tree::{Cnode, Tree};
use crate::archive::ANCHOR;
use crate::content::Content;
use crate::error::{At, Origin};
use crate::{ReportError, limits, number};

/// The content of the anchor.
#[derive(Default)]
pub(crate) struct Anchor {
    pub(crate) version: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// Parents before their children.
    pub(crate) metrics: Vec<Metric>,
    /// The regions by id.
    pub(crate) regions: HashMap<u32, Region>,
    pub(crate) tree: Tree,
    /// The locations, in the order of the columns.
    pub(crate) locations: Vec<Location>,
}

impl Anchor {
    /// The name of a region; empty if there is no such region.
    pub(crate) fn region_name(&self, id: u32) -> &str {
        self.regions.get(&id).map_or("", |region| &region.name)
    }
}

/// A region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) file: Option<String>,
    /// Its first and its last line.
    pub(crate) lines: Option<[u32; 2]>,
    /// Whether it is not the program's, but encloses its regions.
    pub(crate) is_artificial: bool,
}

/// A metric.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metric {
    pub(crate) id: u32,
    pub(crate) parent: Option<usize>,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) data_type: String,
    pub(crate) unit: String,
}

/// The part of the call paths below that a metric's values contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing: its own values only.
    #[default]
    Exclusive,
    /// All call paths below.
    Inclusive,
    /// It has no values: it is computed from others.
    Derived,
}

/// A column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) rank: u32,
    pub(crate) thread: u32,
    /// Whether it is a thread of a process, not an accelerator or a source of metrics.
    pub(crate) is_thread: bool,
}

/// Reads the anchor.
pub(crate) fn read(origin: Origin<'_>, content: Content) -> Result<Anchor, ReportError> {
    let origin = origin.entry(ANCHOR);
    let xml = document(origin, &content)?;
    let mut reader = Reader::from_reader(&*xml);
    reader.config_mut().expand_empty_elements = true;
    let mut parser =
        Parser { origin, at: 0, anchor: Anchor::default(), open: Vec::new(), text: String::new(), depth: 0 };
    loop {
        parser.at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = reader.read_event().map_err(|error| {
            let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            origin.damaged(At::Byte(at), error.to_string())
        })?;
        match event {
            Event::Start(element) => parser.start(&element)?,
            Event::End(element) => parser.end(element.local_name().as_ref())?,
            Event::Text(text) => parser.text.push_str(&String::from_utf8_lossy(&text)),
            Event::CData(text) => parser.text.push_str(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", String::from_utf8_lossy(&name));
                let text = parser.unescaped(&reference)?;
                parser.text.push_str(&text);
            }
            Event::DocType(_) => {
                let what = "the document declares its own type, which could have entities that expand";
                return Err(origin.refused(At::Byte(parser.at), what));
            }
            Event::Eof if parser.depth > 0 => {
                return Err(origin.damaged(At::Byte(parser.at), "the document is cut short"));
            }
            Event::Eof => return parser.finish(),
            _ => {}
        }
    }
}

/// The document, decompressed if it is compressed.
fn document<'a>(origin: Origin<'_>, content: &'a Content) -> Result<Cow<'a, [u8]>, ReportError> {
    let length = content.len();
    if length > limits::ANCHOR as u64 {
        return Err(origin.refused(At::Whole, format!("it has {length} bytes")));
    }
    let bytes = content.read_all().map_err(|error| origin.unread(error))?;
    if bytes.starts_with(&[0x1f, 0x8b]) { decompressed(origin, &bytes).map(Cow::Owned) } else { Ok(bytes) }
}

fn decompressed(origin: Origin<'_>, bytes: &[u8]) -> Result<Vec<u8>, ReportError> {
    let limit = bytes.len().saturating_mul(limits::RATIO).clamp(1 << 20, limits::ANCHOR);
    let mut xml = Vec::new();
    let decoder = MultiGzDecoder::new(bytes);
    decoder
        .take(limit as u64 + 1)
        .read_to_end(&mut xml)
        .map_err(|error| origin.damaged(At::Whole, format!("it cannot be decompressed: {error}")))?;
    if xml.len() > limit {
        let what = format!("its {} bytes decompress to more than {limit}", bytes.len());
        return Err(origin.refused(At::Whole, what));
    }
    Ok(xml)
}

/// An element whose children are read.
enum Open {
    Metric(usize),
    Region(u32, Region),
    Cnode(u32),
    Group { rank: u32, is_process: bool },
    Location(Location),
}

struct Parser<'a> {
    origin: Origin<'a>,
    /// The byte behind the last event.
    at: usize,
    anchor: Anchor,
    open: Vec<Open>,
    /// The text since the last element's begin.
    text: String,
    depth: usize,
}

impl Parser<'_> {
    fn damaged(&self, what: impl Into<String>) -> ReportError {
        self.origin.damaged(At::Byte(self.at), what)
    }

    fn unescaped(&self, text: &str) -> Result<String, ReportError> {
        unescape(text).map(Cow::into_owned).map_err(|error| self.damaged(error.to_string()))
    }

    /// The value of the first attribute that has one of the names.
    fn attribute(&self, element: &BytesStart<'_>, names: &[&str]) -> Result<Option<String>, ReportError> {
        // Looking for an attribute that is there twice takes quadratic time.
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.damaged(error.to_string()))?;
            if names.iter().any(|name| attribute.key.as_ref() == name.as_bytes()) {
                return self.unescaped(&String::from_utf8_lossy(&attribute.value)).map(Some);
            }
        }
        Ok(None)
    }

    fn id(&self, element: &BytesStart<'_>, names: &[&str]) -> Result<u32, ReportError> {
        let value = self.attribute(element, names)?;
        let value =
            value.ok_or_else(|| self.damaged(format!("an element has no attribute {:?}", names[0])))?;
        number::parse(value.trim(), "id").map_err(|what| self.damaged(what))
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), ReportError> {
        self.depth += 1;
        if self.depth > limits::DEPTH {
            let what = format!("its elements are nested more than {} times", limits::DEPTH);
            return Err(self.origin.refused(At::Byte(self.at), what));
        }
        self.text.clear();
        match element.local_name().as_ref() {
            b"cube" => self.anchor.version = self.attribute(element, &["version"])?.unwrap_or_default(),
            b"attr" => {
                let key = self.attribute(element, &["key"])?;
                let value = self.attribute(element, &["value"])?;
                if let (Some(key), Some(value)) = (key, value) {
                    self.anchor.attributes.insert(key, value);
                }
            }
            b"metric" => {
                self.limited("metrics", self.anchor.metrics.len(), limits::METRICS)?;
                let id = self.id(element, &["id"])?;
                let kind = match self.attribute(element, &["type"])?.as_deref() {
                    None | Some("EXCLUSIVE") => Kind::Exclusive,
                    Some("INCLUSIVE") => Kind::Inclusive,
                    Some(_) => Kind::Derived,
                };
                let parent = match self.open.last() {
                    Some(&Open::Metric(parent)) => Some(parent),
                    _ => None,
                };
                self.open.push(Open::Metric(self.anchor.metrics.len()));
                self.anchor.metrics.push(Metric { id, parent, kind, ..Metric::default() });
            }
            b"region" => {
                let id = self.id(element, &["id"])?;
                let file = self.attribute(element, &["mod"])?.filter(|file| !file.is_empty());
                // What is not known is -1.
                let line = |name| self.attribute(element, &[name]).map(|line| line?.trim().parse().ok());
                let lines = line("begin")?.zip(line("end")?).map(|(begin, end)| [begin, end]);
                self.open.push(Open::Region(id, Region { file, lines, ..Region::default() }));
            }
            b"cnode" => {
                self.limited("call paths", self.anchor.tree.len(), limits::NODES)?;
                let callee = self.id(element, &["calleeId"])?;
                let parent = match self.open.last() {
                    Some(&Open::Cnode(parent)) => Some(parent),
                    _ => None,
                };
                let index = self.anchor.tree.push(Cnode { callee, parent });
                self.open.push(Open::Cnode(index));
            }
            b"locationgroup" => self.open.push(Open::Group { rank: 0, is_process: true }),
            b"location" => {
                self.limited("locations", self.anchor.locations.len(), limits::NODES)?;
                let (rank, is_thread) = match self.open.last() {
                    Some(&Open::Group { rank, is_process }) => (rank, is_process),
                    _ => return Err(self.damaged("a location is in no group")),
                };
                self.open.push(Open::Location(Location { rank, thread: 0, is_thread }));
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &[u8]) -> Result<(), ReportError> {
        self.depth = self.depth.saturating_sub(1);
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        match (name, self.open.last_mut()) {
            (b"metric" | b"cnode" | b"locationgroup", Some(_)) => {
                self.open.pop();
            }
            (b"region", Some(Open::Region(id, region))) => {
                self.anchor.regions.insert(*id, std::mem::take(region));
                self.open.pop();
            }
            (b"location", Some(Open::Location(location))) => {
                self.anchor.locations.push(*location);
                self.open.pop();
            }
            (b"uniq_name", Some(&mut Open::Metric(metric))) => {
                self.anchor.metrics[metric].name = text.to_owned()
            }
            (b"dtype", Some(&mut Open::Metric(metric))) => {
                self.anchor.metrics[metric].data_type = text.to_owned()
            }
            (b"uom", Some(&mut Open::Metric(metric))) => self.anchor.metrics[metric].unit = text.to_owned(),
            (b"name", Some(Open::Region(_, region))) => text.clone_into(&mut region.name),
            (b"role", Some(Open::Region(_, region))) => region.is_artificial = text == "artificial",
            (b"rank", Some(Open::Group { .. } | Open::Location(_))) => {
                let value = number::parse(text, "rank").map_err(|what| self.damaged(what))?;
                match self.open.last_mut() {
                    Some(Open::Group { rank, .. }) => *rank = value,
                    Some(Open::Location(location)) => location.thread = value,
                    _ => {}
                }
            }
            (b"type", Some(Open::Group { is_process, .. })) => *is_process = text == "process",
            (b"type", Some(Open::Location(location))) => location.is_thread &= text == "thread",
            _ => {}
        }
        Ok(())
    }

    /// Refuses a number of things beyond all measure.
    fn limited(&self, what: &str, count: usize, limit: usize) -> Result<(), ReportError> {
        let refused = || self.origin.refused(At::Byte(self.at), format!("it has more than {limit} {what}"));
        if count < limit { Ok(()) } else { Err(refused()) }
    }

    fn finish(self) -> Result<Anchor, ReportError> {
        let mut seen = HashSet::new();
        let threads = self.anchor.locations.iter().filter(|location| location.is_thread);
        for Location { rank, thread, .. } in threads {
            if !seen.insert((rank, thread)) {
                return Err(self.damaged(format!("thread {thread} of rank {rank} is there twice")));
            }
        }
        let (mut ids, mut names) = (HashSet::new(), HashSet::new());
        for metric in &self.anchor.metrics {
            if !ids.insert(metric.id) || !names.insert(&metric.name) {
                return Err(self.damaged(format!("metric {} ({:?}) is there twice", metric.id, metric.name)));
            }
        }
        let unknown =
            self.anchor.tree.nodes().find(|(_, node)| !self.anchor.regions.contains_key(&node.callee));
        if let Some((_, node)) = unknown {
            return Err(self.damaged(format!("region {} is called, but the document has none", node.callee)));
        }
        Ok(self.anchor)
    }
}
