//! Chrome's trace-event format, as Perfetto (<https://ui.perfetto.dev>) and `chrome://tracing` read it.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use ats_model::{Analysis, Definitions, EventSource, Wait};
use serde_json::{Value, json};

use crate::{
    calls::{self, Step},
    stamps::{Stamps, numbered},
    timeline::Kind,
    words,
};

/// Writes a trace as trace events: processes are ranks, threads are threads, calls are slices, messages are flows between
/// them. `found` are the findings of its analysis and the single waits that the analyzer handed out: each is an asynchronous
/// slice of its process, named as the wait state.
///
/// Everything is written, one process after the other; memory is proportional to the messages of one process. What of a
/// location cannot be read is left out, and its name says so.
///
/// ```
/// let trace = ats_analyzer::notation::parse("0: 0..5 work")?;
/// let mut file = Vec::new();
/// ats_presentation::chrome_trace(&trace, None, &mut file).unwrap();
/// let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
/// let work = file["traceEvents"].as_array().unwrap().iter().find(|event| event["name"] == "work").unwrap();
/// assert_eq!((work["ph"].as_str(), work["dur"].as_f64()), (Some("X"), Some(5e6)));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
///
/// # Errors
/// The file cannot be written.
pub fn chrome_trace<S: EventSource>(
    source: &S,
    found: Option<(&Analysis, &[Wait])>,
    writer: &mut impl Write,
) -> io::Result<()> {
    let definitions = source.definitions();
    let mut events = Events { definitions, writer, is_first: true };
    events.begin()?;
    let mut processes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate() {
        processes.entry(location.rank).or_default().push(index);
    }
    for (rank, locations) in processes {
        events.metadata("process_name", rank, 0, format!("rank {rank}"))?;
        let mut stamps = Vec::new();
        for location in locations {
            stamps.push((location, events.location(source, location)?));
        }
        let sends = stamps.iter().flat_map(|(l, stamps)| stamps.sends.iter().map(|&end| (*l, end)));
        let receives = stamps.iter().flat_map(|(l, stamps)| stamps.receives.iter().map(|&end| (*l, end)));
        events.flows("s", sends.collect())?;
        events.flows("f", receives.collect())?;
    }
    if let Some((analysis, waits)) = found {
        for (number, wait) in waits.iter().enumerate() {
            events.wait(number, wait, analysis)?;
        }
    }
    events.end()
}

/// The file that is being written.
struct Events<'a, W> {
    definitions: &'a Definitions,
    writer: &'a mut W,
    is_first: bool,
}

impl<W: Write> Events<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        write!(self.writer, r#"{{"displayTimeUnit":"ns","traceEvents":["#)
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.writer, "\n]}}")
    }

    fn write(&mut self, event: Value) -> io::Result<()> {
        let separator = if std::mem::take(&mut self.is_first) { "\n" } else { ",\n" };
        write!(self.writer, "{separator}{event}")
    }

    fn metadata(&mut self, what: &str, rank: u32, thread: u32, name: String) -> io::Result<()> {
        self.write(json!({ "ph": "M", "name": what, "pid": rank, "tid": thread, "args": { "name": name } }))
    }

    /// The calls of a location.
    fn location<S: EventSource>(&mut self, source: &S, location: usize) -> io::Result<Stamps> {
        let definitions = self.definitions;
        let definition = &definitions.locations[location];
        let (pid, tid) = (definition.rank, definition.thread);
        let mut stamps = Stamps::new(pid);
        let (mut open, mut written) = (Vec::new(), Ok(()));
        let result = calls::read(source, location, |time, step| match step {
            Step::Open(_) => open.push(time),
            Step::Close(region) => {
                let (Some(begin), Some(region)) = (open.pop(), definitions.regions.get(region.0 as usize))
                else {
                    return;
                };
                if written.is_ok() {
                    let (ts, dur) = (self.microseconds(begin), self.duration(time - begin));
                    let (name, cat) = (&region.name, category(Kind::of(region)));
                    written = self.write(
                        json!({ "ph": "X", "name": name, "cat": cat, "pid": pid, "tid": tid, "ts": ts, "dur": dur }),
                    );
                }
            }
            Step::Other(event) => stamps.visit(definitions, time, event),
        });
        written?;
        let part = if result.is_err() { " (in part)" } else { "" };
        self.metadata("thread_name", pid, tid, format!("thread {tid}{part}"))?;
        Ok(stamps)
    }

    /// One end of messages. Both ends of a flow have the same id, made of channel and number.
    fn flows(&mut self, phase: &str, ends: Vec<(usize, crate::stamps::MessageEnd)>) -> io::Result<()> {
        for (number, location, end) in numbered(ends) {
            let definition = &self.definitions.locations[location];
            let channel = end.channel;
            let id = format!(
                "{}/{}/{}/{}/{number}",
                channel.communicator.0, channel.from, channel.to, channel.tag
            );
            let mut event = json!({
                "ph": phase, "name": "message", "cat": "message", "id": id,
                "pid": definition.rank, "tid": definition.thread, "ts": self.microseconds(end.at),
                "args": { "bytes": end.bytes, "tag": channel.tag },
            });
            if phase == "f" {
                // It ends in the slice around it, not in the next one.
                event["bp"] = "e".into();
            }
            self.write(event)?;
        }
        Ok(())
    }

    fn wait(&mut self, number: usize, wait: &Wait, analysis: &Analysis) -> io::Result<()> {
        let finding = analysis.findings.get(wait.finding);
        let (Some(finding), Some(location)) = (finding, self.definitions.locations.get(wait.location)) else {
            return Ok(());
        };
        let name = words::title(words::property(finding.property, finding.view));
        for (phase, time) in [("b", wait.begin), ("e", wait.end)] {
            self.write(json!({
                "ph": phase, "name": name, "cat": "wait", "id": number,
                "pid": location.rank, "tid": location.thread, "ts": self.microseconds(time),
                "args": { "call_path": finding.call_path.join("/"), "thread": location.thread },
            }))?;
        }
        Ok(())
    }

    /// Since the trace began.
    fn microseconds(&self, time: u64) -> f64 {
        self.duration(time.saturating_sub(self.definitions.clock.offset))
    }

    fn duration(&self, ticks: u64) -> f64 {
        ticks as f64 / self.definitions.clock.resolution.max(1) as f64 * 1e6
    }
}

fn category(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        Kind::PointToPoint => "mpi,point_to_point",
        Kind::Collective => "mpi,collective",
        Kind::Mpi => "mpi",
        Kind::OpenMp => "openmp",
        Kind::OpenMpSynchronization => "openmp,synchronization",
    }
}
