//! The file `anchor.xml`: the meaning of the rows.

use std::io::{self, Write};

use ats_documents::profile::{ProcessingUnit, Profile, ProfiledRegion};
use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::xml::allowed;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::metrics::Metric;
use super::shape::Shape;

/// Cube's words for the roles of regions, by the numbers of `OTF2_RegionRole`.
const ROLES: [&str; RegionRole::ALL.len()] = [
    "unknown",
    "function",
    "wrapper",
    "loop",
    "code",
    "parallel",
    "sections",
    "section",
    "workshare",
    "single",
    "single sblock",
    "master",
    "critical",
    "critical sblock",
    "atomic",
    "barrier",
    "implicit barrier",
    "flush",
    "ordered",
    "ordered sblock",
    "task",
    "task create",
    "taskwait",
    "one2all",
    "all2one",
    "all2all",
    "other collective",
    "file io",
    "point2point",
    "rma",
    "data transfer",
    "artificial",
];

fn paradigm(region: &ProfiledRegion) -> &'static str {
    match region.paradigm {
        _ if region.role == RegionRole::Artificial => "measurement",
        Paradigm::User => "user",
        Paradigm::Compiler => "compiler",
        Paradigm::OpenMp => "openmp",
        Paradigm::Mpi => "mpi",
        Paradigm::Unknown | Paradigm::Other => "unknown",
    }
}

/// Writes the anchor.
pub(super) fn write(
    profile: &Profile,
    shape: &Shape,
    metrics: &[Metric],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut xml = Anchor(Writer::new_with_indent(out, b' ', 0));
    xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.start("cube", &[("version", "4.4")])?;
    xml.attr("Cube anchor.xml syntax version", "4.4")?;
    xml.attr("Creator", concat!("ATS ", env!("CARGO_PKG_VERSION")))?;
    xml.attr("CUBE_CT_AGGR", "SUM")?;
    xml.attr("ATS::trace", &profile.source)?;
    xml.start("doc", &[])?;
    xml.end("doc")?;
    xml.metrics(metrics)?;
    xml.start("program", &[])?;
    profile.regions.iter().chain(&shape.program).try_for_each(|region| xml.region(region))?;
    xml.call_tree(profile, shape)?;
    xml.end("program")?;
    xml.system(shape)?;
    xml.end("cube")
}

/// An anchor that is being written.
struct Anchor<'o>(Writer<&'o mut dyn Write>);

impl Anchor<'_> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.0.write_event(event)
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.event(Event::Start(element(name, attributes)))
    }

    fn end(&mut self, name: &str) -> io::Result<()> {
        self.event(Event::End(BytesEnd::new(name)))
    }

    /// An element with nothing but text.
    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.start(name, &[])?;
        self.event(Event::Text(BytesText::new(&allowed(text))))?;
        self.end(name)
    }

    fn attr(&mut self, key: &str, value: &str) -> io::Result<()> {
        self.event(Event::Empty(element("attr", &[("key", key), ("value", value)])))
    }

    /// Begins an element with others of its kind inside it, after ending those before it that it does not lie in.
    fn nest(
        &mut self,
        open: &mut usize,
        depth: usize,
        name: &str,
        attributes: &[(&str, &str)],
    ) -> io::Result<()> {
        self.unnest(open, depth, name)?;
        *open += 1;
        self.start(name, attributes)
    }

    /// Ends the open elements except the outermost `depth`.
    fn unnest(&mut self, open: &mut usize, depth: usize, name: &str) -> io::Result<()> {
        while *open > depth {
            *open -= 1;
            self.end(name)?;
        }
        Ok(())
    }

    fn metrics(&mut self, metrics: &[Metric]) -> io::Result<()> {
        self.start("metrics", &[])?;
        let mut open = 0;
        for (id, metric) in metrics.iter().enumerate() {
            self.nest(&mut open, metric.depth, "metric", &[("id", &id.to_string()), ("type", "EXCLUSIVE")])?;
            self.text("disp_name", &metric.title)?;
            self.text("uniq_name", &metric.name)?;
            self.text("dtype", metric.number.data_type())?;
            self.text("uom", &metric.unit)?;
            self.text("url", "")?;
            self.text("descr", &metric.description)?;
        }
        self.unnest(&mut open, 0, "metric")?;
        self.end("metrics")
    }

    fn region(&mut self, region: &ProfiledRegion) -> io::Result<()> {
        let [begin, end] =
            region.lines.map_or([-1, -1], |lines| lines.map(i64::from)).map(|line| line.to_string());
        let id = region.id.to_string();
        let file = region.file.as_deref().unwrap_or_default();
        self.start("region", &[("id", &id), ("mod", file), ("begin", &begin), ("end", &end)])?;
        self.text("name", &region.name)?;
        self.text("mangled_name", &region.name)?;
        self.text("paradigm", paradigm(region))?;
        self.text("role", ROLES[region.role as usize])?;
        self.text("url", "")?;
        self.text("descr", &region.call_site.as_ref().map(ToString::to_string).unwrap_or_default())?;
        self.end("region")
    }

    fn call_tree(&mut self, profile: &Profile, shape: &Shape) -> io::Result<()> {
        let program = shape.program.iter().map(|program| (0, program.id));
        let callee = |&(path, depth): &(u32, usize)| (depth, profile.call_tree[path as usize].region);
        let mut open = 0;
        for (row, (depth, region)) in program.chain(shape.paths.iter().map(callee)).enumerate() {
            let (row, callee) = (row.to_string(), region.to_string());
            let mut attributes = vec![("id", &*row), ("calleeId", &*callee)];
            // The program's own region is none of the profile.
            let site = profile.regions.get(region as usize).and_then(|region| region.call_site.as_ref());
            let site = site.filter(|site| site.line > 0);
            let line = site.map(|site| site.line.to_string());
            attributes.extend(line.iter().map(|line| ("line", &**line)));
            attributes.extend(site.map(|site| ("mod", &*site.file)));
            self.nest(&mut open, depth, "cnode", &attributes)?;
        }
        self.unnest(&mut open, 0, "cnode")
    }

    /// The parts of the machine, and the processes on each.
    fn system(&mut self, shape: &Shape) -> io::Result<()> {
        self.start("system", &[])?;
        let (mut open, mut groups, mut column) = (0, 0, 0);
        for (id, (node, depth)) in shape.nodes.iter().enumerate() {
            self.nest(&mut open, *depth, "systemtreenode", &[("Id", &id.to_string())])?;
            self.text("name", &node.name)?;
            self.text("class", &node.class)?;
            let [from, to] = [id, id + 1].map(|id| shape.units.partition_point(|(on, _)| *on < id));
            for process in shape.units[from..to].chunk_by(|(_, one), (_, next)| one.rank == next.rank) {
                self.process(process, groups, &mut column)?;
                groups += 1;
            }
        }
        self.unnest(&mut open, 0, "systemtreenode")?;
        self.end("system")
    }

    fn process(&mut self, units: &[(usize, ProcessingUnit)], id: u32, column: &mut u32) -> io::Result<()> {
        let rank = units[0].1.rank;
        self.start("locationgroup", &[("Id", &id.to_string())])?;
        self.text("name", &format!("MPI Rank {rank}"))?;
        self.text("rank", &rank.to_string())?;
        self.text("type", "process")?;
        for (_, unit) in units {
            let name =
                if unit.thread == 0 { "Master thread".to_owned() } else { format!("Thread {}", unit.thread) };
            self.start("location", &[("Id", &column.to_string())])?;
            self.text("name", &name)?;
            self.text("rank", &unit.thread.to_string())?;
            self.text("type", "thread")?;
            self.end("location")?;
            *column += 1;
        }
        self.end("locationgroup")
    }
}

fn element<'n>(name: &'n str, attributes: &[(&str, &str)]) -> BytesStart<'n> {
    let mut element = BytesStart::new(name);
    attributes.iter().for_each(|&(key, value)| element.push_attribute((key, &*allowed(value))));
    element
}
