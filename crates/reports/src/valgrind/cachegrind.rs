//! `cachegrind.out`: what each function itself does.
//!
//! ```text
//! desc: D1 cache:         32768 B, 64 B, 8-way associative
//! cmd: ./heat
//! events: Ir Dr D1mr
//! fl=heat.c
//! fn=main
//! 17 1230 203 12
//! summary: 1230 203 12
//! ```
//!
//! From the manual of valgrind 3.19 and reports that it wrote.

use ats_documents::{Profile, Report};
use ats_model::call_path::CallPathId;

use super::{Costs, Events, add, cut_short, function_name};
use crate::ReportError;
use crate::counted::Counted;
use crate::draft::Draft;
use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;

/// The tool's name.
const TOOL: &str = "cachegrind";

pub(crate) const READER: Reader = Reader { name: TOOL, tools: &[TOOL], recognises, read };

/// The lines that may come before the events.
const HEADER: usize = 64;

fn recognises(input: &Input) -> bool {
    let Some(file) = input.single() else { return false };
    let mut lines = file.bytes.split(|&byte| byte == b'\n').take(HEADER);
    let begins = lines.next().is_some_and(|line| line.starts_with(b"desc:") || line.starts_with(b"cmd:"));
    begins && lines.any(|line| line.starts_with(b"events:"))
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let (counted, functions) = collected(input)?;
    counted.report(&functions)
}

pub(crate) fn profile(input: &Input) -> Result<Profile, ReportError> {
    collected(input).map(|(counted, _)| counted.profile())
}

/// The counts, and the functions.
fn collected(input: &Input) -> Result<(Counted<'_>, Vec<CallPathId>), ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let text = file.text()?;
    let mut counted = Counted::new(Draft::new(TOOL, origin, &input.path));
    let (mut events, mut path, mut functions) = (None, None, Vec::new());
    let (mut sum, mut whole) = (Costs::default(), None);
    for (at, line) in text.lines().enumerate() {
        let damaged = |what: String| origin.damaged(At::Line(at + 1), what);
        if let Some(names) = line.strip_prefix("events:") {
            events = Some(Events::new(names, &mut counted).map_err(damaged)?);
        } else if let Some(name) = line.strip_prefix("fn=") {
            let function = counted.child(CallPathId::ROOT, &function_name(name))?;
            path = Some(function);
            functions.push(function);
        } else if line.trim().is_empty()
            || ["desc:", "cmd:", "fl=", "fi=", "fe="].iter().any(|key| line.starts_with(key))
        {
            // The places of functions are told apart by their names alone.
        } else {
            let Some(events) = &events else {
                return Err(damaged("there is no line \"events:\" before it".to_owned()));
            };
            let mut words = line.split_whitespace();
            let first = words.next();
            let costs = events.costs(words).map_err(damaged)?;
            if first == Some("summary:") {
                whole = Some(costs);
            } else if first.is_none_or(|line| line.parse::<u32>().is_err()) {
                return Err(damaged("it does not begin with the number of a line".to_owned()));
            } else {
                let Some(path) = path else {
                    return Err(damaged("there is no line \"fn=\" before it".to_owned()));
                };
                sum.add(&costs);
                add(&mut counted, events, path, &costs)?;
            }
        }
    }
    let whole = whole.ok_or_else(|| cut_short(origin, "summary:"))?;
    if !whole.agree(&sum) {
        return Err(origin.damaged(At::Whole, "its summary is not the sum of its lines"));
    }
    functions.sort_unstable();
    functions.dedup();
    Ok((counted, functions))
}
