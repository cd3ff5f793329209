//! Chrome's trace-event format, as Perfetto (<https://ui.perfetto.dev>) and `chrome://tracing` read it.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    iter::Peekable,
    vec,
};

use ats_documents::{Analysis, Causes, Wait, profile::ProcessingUnit};
use ats_model::{CallSite, Definitions, Event, EventSource, messages::Channel};
use serde_json::{Value, json};

use crate::{
    calls::{self, Step},
    stamps::{MessageEnd, Stamps, by_channel},
    timeline::Kind,
    words,
};

/// Writes a trace as trace events: processes are ranks, threads are threads, calls are slices, messages are flows
/// between them. `found` are the findings of its analysis and the single waits that the analyzer handed out: each is an
/// asynchronous slice of its process, named as the wait state. If the analysis has root causes, a flow leads from the
/// awaited location to the end of the wait, and the critical path is a process of its own.
///
/// Everything is written, one process after the other, each event after those before it on its location, so that calls
/// of no length keep their places, too; memory is proportional to the messages of one process. Unreadable events of a
/// location are omitted, and its name says so.
///
/// ```
/// let trace = ats_analyzer::notation::parse("0: 0..5 work")?;
/// let mut file = Vec::new();
/// ats_presentation::chrome_trace(&trace, None, &mut file).unwrap();
/// let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
/// let [_, work, end, _] = &file["traceEvents"].as_array().unwrap()[..] else { panic!("{file:#}") };
/// assert_eq!((work["ph"].as_str(), work["name"].as_str()), (Some("B"), Some("work")));
/// assert_eq!((end["ph"].as_str(), end["ts"].as_f64()), (Some("E"), Some(5e6)));
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
    let mut events = Events { definitions, writer, is_first: true, first: None, sure_until: u64::MAX };
    events.begin()?;
    let mut processes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate() {
        processes.entry(location.rank).or_default().push(index);
    }
    for (rank, locations) in processes {
        events.metadata("process_name", rank, 0, format!("rank {rank}"))?;
        let stamps: Vec<_> =
            locations.iter().map(|&location| (location, stamps(source, rank, location))).collect();
        let sure_until =
            stamps.iter().map(|(_, stamps)| stamps.sure_until()).filter(|&until| until > 0).min();
        events.sure_until = sure_until.unwrap_or(u64::MAX);
        let (mut sends, mut receives) = (flows(&stamps, |of| &of.sends), flows(&stamps, |of| &of.receives));
        for location in locations {
            events.location(source, location, &mut sends, &mut receives)?;
        }
    }
    if let Some((analysis, waits)) = found {
        for (number, wait) in waits.iter().enumerate() {
            events.wait(number, wait, analysis)?;
        }
        if let Some(causes) = &analysis.causes {
            for (number, wait) in waits.iter().enumerate() {
                events.awaited(number, wait)?;
            }
            events.critical_path(causes)?;
        }
    }
    events.end()
}

/// Ends of messages in the order of their events: location, number in its channel, and the end.
type Flows = Peekable<vec::IntoIter<(usize, u64, MessageEnd)>>;

fn flows(stamps: &[(usize, Stamps)], ends: fn(&Stamps) -> &[MessageEnd]) -> Flows {
    let ends =
        stamps.iter().flat_map(|(location, stamps)| ends(stamps).iter().map(|&end| (*location, 0, end)));
    let mut flows: Vec<(usize, u64, MessageEnd)> = ends.collect();
    let by_channel = by_channel(flows.iter().map(|(.., end)| end));
    for (_, channel) in by_channel.iter() {
        (0..).zip(channel).for_each(|(number, &end)| flows[end as usize].1 = number);
    }
    flows.into_iter().peekable()
}

/// The begins and ends of messages on a location; of a damaged one, those before the damage.
fn stamps<S: EventSource>(source: &S, rank: u32, location: usize) -> Stamps {
    let mut stamps = Stamps::new(rank);
    let visit = |time, step| {
        if let Step::Other(event) = step {
            stamps.visit(source.definitions(), time, event);
        }
    };
    let _ = calls::read(source, location, visit);
    stamps
}

/// The file that is being written.
struct Events<'a, W> {
    definitions: &'a Definitions,
    writer: &'a mut W,
    is_first: bool,
    /// The time of the first event of the trace, as far as it was read.
    first: Option<u64>,
    /// The end of the time whose messages have lines, of the process that is being written: then recording was off, and
    /// other ends are not known.
    sure_until: u64,
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

    /// The calls of a location, as they begin and end, each message's end inside the call that it belongs to.
    fn location<S: EventSource>(
        &mut self,
        source: &S,
        location: usize,
        sends: &mut Flows,
        receives: &mut Flows,
    ) -> io::Result<()> {
        let definitions = self.definitions;
        let definition = &definitions.locations[location];
        let (pid, tid) = (definition.rank, definition.thread);
        let mut written = Ok(());
        let result = calls::read(source, location, |time, step| {
            if written.is_err() {
                return;
            }
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            let mut flow = |phase: &str, flows: &mut Flows| {
                let flow = flows.next_if(|(at, _, end)| (*at, end.at) == (location, time));
                flow.map_or(Ok(()), |(_, number, end)| self.flow(phase, (pid, tid), number, end))
            };
            written = match step {
                Step::Open(region) => definitions.regions.get(region.0 as usize).map_or(Ok(()), |region| {
                    let (ts, cat) = (self.microseconds(time), category(Kind::from_region(region)));
                    self.write(json!({ "ph": "B", "name": region.label(), "cat": cat, "pid": pid, "tid": tid, "ts": ts }))
                }),
                Step::Close(region) if (region.0 as usize) < definitions.regions.len() => {
                    self.write(json!({ "ph": "E", "pid": pid, "tid": tid, "ts": self.microseconds(time) }))
                }
                Step::Other(Event::MpiSend { .. } | Event::MpiIsend { .. }) => flow("s", sends),
                Step::Other(Event::MpiRecv { .. } | Event::MpiIrecv { .. }) => flow("f", receives),
                _ => Ok(()),
            };
        });
        written?;
        let part = if result.is_err() { " (in part)" } else { "" };
        self.metadata("thread_name", pid, tid, format!("thread {tid}{part}"))
    }

    /// One end of a message. Both ends have the same id, made of channel and number.
    fn flow(&mut self, phase: &str, (pid, tid): (u32, u32), number: u64, end: MessageEnd) -> io::Result<()> {
        if end.ordered >= self.sure_until {
            return Ok(());
        }
        let Channel { communicator, from, to, tag } = end.channel;
        let id = format!("{}/{from}/{to}/{tag}/{number}", communicator.0);
        let mut event = json!({
            "ph": phase, "name": "message", "cat": "message", "id": id,
            "pid": pid, "tid": tid, "ts": self.microseconds(end.at),
            "args": { "bytes": end.bytes, "tag": tag },
        });
        if phase == "f" {
            // It ends in the slice around it, not in the next one.
            event["bp"] = "e".into();
        }
        self.write(event)
    }

    fn wait(&mut self, number: usize, wait: &Wait, analysis: &Analysis) -> io::Result<()> {
        let finding = analysis.findings.get(wait.finding);
        let (Some(finding), Some(location)) = (finding, self.definitions.locations.get(wait.location)) else {
            return Ok(());
        };
        let name = words::title(finding.name());
        let call_path = CallSite::label(&finding.call_path.join("/"), finding.call_site.as_ref());
        for (phase, time) in [("b", wait.begin), ("e", wait.end)] {
            self.write(json!({
                "ph": phase, "name": name, "cat": "wait", "id": number,
                "pid": location.rank, "tid": location.thread, "ts": self.microseconds(time),
                "args": { "call_path": call_path, "thread": location.thread },
            }))?;
        }
        Ok(())
    }

    /// The flow from the location that a wait is for to the one that waits.
    fn awaited(&mut self, number: usize, wait: &Wait) -> io::Result<()> {
        let [from, to] = [wait.awaited, Some(wait.location)]
            .map(|location| location.and_then(|location| self.definitions.locations.get(location)));
        let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
        for (phase, location) in [("s", from), ("f", to)] {
            let mut event = json!({
                "ph": phase, "name": "cause", "cat": "cause", "id": format!("wait/{number}"),
                "pid": location.rank, "tid": location.thread, "ts": self.microseconds(wait.end),
            });
            if phase == "f" {
                event["bp"] = "e".into();
            }
            self.write(event)?;
        }
        Ok(())
    }

    /// The parts of the critical path, as slices of a process behind all ranks.
    fn critical_path(&mut self, causes: &Causes) -> io::Result<()> {
        const NAME: &str = "critical path";
        let (Some(first), Some(last)) =
            (self.first, self.definitions.locations.iter().map(|location| location.rank).max())
        else {
            return Ok(());
        };
        let Some(pid) = last.checked_add(1) else { return Ok(()) };
        self.metadata("process_name", pid, 0, NAME.to_owned())?;
        self.metadata("thread_name", pid, 0, NAME.to_owned())?;
        let has_threads = causes.units.iter().any(|unit| unit.thread > 0);
        let begin = self.microseconds(first);
        for stretch in &causes.critical_path.stretches {
            let Some(&ProcessingUnit { rank, thread, .. }) = causes.units.get(stretch.unit as usize) else {
                continue;
            };
            self.write(json!({
                "ph": "X", "name": words::place(rank, thread, has_threads), "cat": "critical_path",
                "pid": pid, "tid": 0,
                "ts": begin + stretch.begin * 1e6, "dur": (stretch.end - stretch.begin) * 1e6,
            }))?;
        }
        Ok(())
    }

    /// Since the trace began.
    fn microseconds(&self, time: u64) -> f64 {
        let clock = self.definitions.clock;
        clock.seconds(time.saturating_sub(clock.offset)) * 1e6
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
