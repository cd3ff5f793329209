//! The output of `perf stat -j`: a line of JSON for each event.
//!
//! ```text
//! {"counter-value" : "59.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 461528, "pcnt-running" : 100.00}
//! {"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00}
//! ```
//!
//! The numbers are those of the whole program. Events that were refused are unknown, and never 0. Where there are more
//! events than the hardware counts at once, they take turns: perf makes each number larger by the time that it was not
//! counted, and the metric says so.
//!
//! From the manual of perf 6.1, its `stat-display.c` and reports that it wrote.

use ats_documents::{Profile, Report};
use ats_model::call_path::CallPathId;
use ats_model::place::ANYWHERE;
use serde::Deserialize;

use crate::counted::{Counted, NUMBER};
use crate::draft::Draft;
use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, names, number};

/// The tool's name.
const TOOL: &str = "perf-stat";

pub(crate) const READER: Reader = Reader { name: TOOL, tools: &[TOOL], recognises, read };

/// The bytes that it is recognised by: comments with the date and the command come first.
const BEGIN: usize = 1 << 14;

/// A line.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Line {
    /// A number, or why there is none.
    counter_value: String,
    #[serde(default)]
    unit: String,
    event: String,
    /// Per cent of the time that it was counted.
    pcnt_running: Option<f64>,
    /// Seconds from the beginning, where it writes in between.
    interval: Option<f64>,
    /// The part of the machine that it is of.
    #[serde(alias = "core", alias = "socket", alias = "die", alias = "node", alias = "thread")]
    cpu: Option<serde_json::Value>,
}

/// The lines of events, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn recognises(input: &Input) -> bool {
    let Some(file) = input.single() else { return false };
    let begin = String::from_utf8_lossy(&file.bytes[..file.bytes.len().min(BEGIN)]);
    lines(&begin).next().is_some_and(|(_, line)| line.starts_with('{') && line.contains("\"counter-value\""))
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let (counted, program) = collected(input)?;
    counted.report(&[program])
}

pub(crate) fn profile(input: &Input) -> Result<Profile, ReportError> {
    collected(input).map(|(counted, _)| counted.profile())
}

/// The counts, and the program as a call path.
fn collected(input: &Input) -> Result<(Counted<'_>, CallPathId), ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let text = file.text()?;
    let mut counted = Counted::new(Draft::new(TOOL, origin, &input.path));
    let program = counted.child(CallPathId::ROOT, ANYWHERE)?;
    let mut seen = std::collections::HashSet::new();
    for (at, line) in lines(&text) {
        let at = At::Line(at);
        let damaged = |what: String| origin.damaged(at, what);
        let Line { counter_value, unit, event, pcnt_running, interval, cpu } =
            serde_json::from_str(line).map_err(|error| damaged(error.to_string()))?;
        if interval.is_some() || cpu.is_some() {
            let what = "has a number of a part of the run or of the machine";
            return Err(origin.unsupported(at, what, "leave -I, -A and --per-… of perf stat out"));
        }
        if !seen.insert(event.clone()) {
            return Err(damaged(format!("event {:?} is there twice", names::shortened(&event))));
        }
        let (name, modes) =
            event.split_once(':').filter(|(_, modes)| is_modes(modes)).unwrap_or((&event, ""));
        if let Some(reason) = counter_value.strip_prefix('<') {
            let reason = reason.trim_end_matches('>');
            counted.warn(format!("{} is unknown: {}", names::shortened(name), names::shortened(reason)));
            continue;
        }
        let value: f64 = number::parse(&counter_value, "number").map_err(damaged)?;
        let (unit, value) = match unit.as_str() {
            "" => (NUMBER, number::count(value).map(|count| count as f64)),
            "msec" => ("ms", number::seconds(value)),
            unit => (unit, number::seconds(value)),
        };
        let value = value.map_err(damaged)?;
        let metric = counted.metric(name, unit);
        if !modes.is_empty() {
            counted
                .warn(format!("{} is of a part of the time: perf counted {event}", names::shortened(name)));
        }
        if let Some(share) = pcnt_running.filter(|share| *share < 100.0) {
            let rule = format!("counted in {share} % of the time, and scaled by perf");
            counted.warn(format!("{} was {rule}", names::shortened(name)));
            counted.rule(metric, rule);
        }
        counted.add(program, metric, value)?;
    }
    Ok((counted, program))
}

/// Whether these are the modes of the processor that an event is counted in, as in `cycles:u`.
fn is_modes(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|mode| "ukhGHpPSDWeIb".contains(mode))
}
