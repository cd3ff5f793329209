//! The text report of mpiP.
//!
//! Lines `@ key : value`, then sections that a title between two rules begins: `@--- Callsites: 12 ---`. The tables
//! that matter have a row for each task (its application and MPI time), for each level of a call site's stack (0 is the
//! caller of MPI), and for each call site and rank (count, maximum, mean and minimum in milliseconds; rank `*` is the
//! total). Another has the messages that are sent (count, maximum, mean, minimum and sum in bytes). For a collective
//! operation its bytes are those that every process hands in, not those that are sent, so only the rows of messages are
//! read. Options of mpiP add sections and change the numbers' form, so sections go by their titles and rows by their
//! words.
//!
//! From a report of mpiP 3.5 and its `report.c`, which prints calls without their `MPI_`, times with three digits after
//! the point (or three digits in all), and omits rows below the threshold of its option `-t`.

use std::collections::BTreeMap;

use ats_documents::Report;
use ats_documents::report::CallShare;
use ats_model::mpi;
use ats_model::traffic::CallCounter;

use crate::draft::Draft;
use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, limits, names, number};

/// The tool's name.
const TOOL: &str = "mpip";

/// The name that mpiP writes for an unknown function.
const UNKNOWN: &str = "[unknown]";

pub(crate) const READER: Reader = Reader { name: "mpip", tools: &[TOOL], recognises, read };

fn recognises(input: &Input) -> bool {
    let Some(file) = input.single() else { return false };
    let first = file.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    first.trim_ascii() == b"@ mpiP"
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let text = file.text()?;
    let mut content = Content::default();
    let mut section = Section::Other;
    let mut draft = Draft::new(TOOL, origin, &input.path);
    for (number, line) in text.lines().enumerate() {
        let read = content.line(&mut section, line);
        read.map_err(|what| origin.damaged(At::Line(number + 1), what))?;
        draft.take(std::mem::take(&mut content.taken))?;
    }
    if content.app_times.is_empty() || content.calls.is_empty() {
        let missing = if content.app_times.is_empty() { "MPI Time" } else { "Callsite Time statistics" };
        let fix = "have mpiP write its full report (leave -c out), and to its end";
        return Err(origin.unsupported(At::Whole, format!("has no section \"{missing}\""), fix));
    }
    draft.version(content.version.take());
    draft.shape(Some(content.app_times.len() as u32), None);
    for (site, calls) in &content.calls {
        let functions = content.sites.get(site).into_iter().flatten().rev().map(String::as_str);
        let path = draft.path(functions.chain([calls.name.as_str()]))?;
        draft.call(path, calls.shares.clone())?;
    }
    if let Some(inexact) = content.inexact {
        draft.warn(format!("the bytes of call site {inexact} are rounded, so that no bytes are read"));
    }
    for (site, sent) in &content.sent {
        let functions = content.sites.get(site).into_iter().flatten().rev().map(String::as_str);
        let path = draft.path(functions.chain([sent.name.as_str()]))?;
        draft.count(path.clone(), CallCounter::MessagesSent, sent.messages)?;
        if content.inexact.is_none() {
            draft.count(path, CallCounter::BytesSent, sent.bytes)?;
        }
    }
    let wall_time = content.app_times.values().copied().fold(0.0, f64::max);
    draft.basis(wall_time, content.app_times.len());
    let hidden = |(site, calls): (&u64, &Calls)| {
        let shown: u64 = calls.shares.iter().filter_map(|share| share.visits).sum();
        let hidden = calls.total.unwrap_or(shown).saturating_sub(shown);
        (hidden > 0).then(|| format!("{hidden} calls of call site {site} are in no row (mpiP's option -t)"))
    };
    content.calls.iter().filter_map(hidden).take(limits::WARNINGS).for_each(|warning| draft.warn(warning));
    Ok(draft.finish())
}

/// The sections that are read.
enum Section {
    Times,
    Sites,
    Statistics,
    Sent,
    Other,
}

impl Section {
    fn of_title(title: &str) -> Self {
        if title.starts_with("MPI Time (seconds)") {
            Section::Times
        } else if title.starts_with("Callsites:") {
            Section::Sites
        } else if title.starts_with("Callsite Time statistics (all, milliseconds)") {
            Section::Statistics
        } else if title.starts_with("Callsite Message Sent statistics (all, sent bytes)") {
            Section::Sent
        } else {
            Section::Other
        }
    }
}

/// The content of the sections.
#[derive(Default)]
struct Content {
    version: Option<String>,
    /// Seconds from `MPI_Init` to `MPI_Finalize` by rank.
    app_times: BTreeMap<u32, f64>,
    /// The functions of each call site, the caller of MPI first.
    sites: BTreeMap<u64, Vec<String>>,
    calls: BTreeMap<u64, Calls>,
    /// The messages that each call site sends.
    sent: BTreeMap<u64, Sent>,
    /// A call site whose bytes are rounded.
    inexact: Option<u64>,
    /// Bytes of the functions' names since this was asked.
    taken: usize,
}

/// The calls of a call site.
#[derive(Default)]
struct Calls {
    name: String,
    shares: Vec<CallShare>,
    /// The number of messages, over all ranks.
    total: Option<u64>,
}

/// The messages that a call site sends, over all ranks.
#[derive(Default)]
struct Sent {
    name: String,
    messages: u64,
    bytes: u64,
}

impl Content {
    fn line(&mut self, section: &mut Section, line: &str) -> Result<(), String> {
        if let Some(title) = line.strip_prefix("@--- ") {
            *section = Section::of_title(title);
            return Ok(());
        }
        if let Some(header) = line.strip_prefix('@') {
            if let Some((key, value)) = header.split_once(':')
                && key.trim() == "Version"
            {
                self.version = Some(value.trim().to_owned());
            }
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match (section, &words[..]) {
            // Rules, blank lines, column titles.
            (_, []) => Ok(()),
            (_, [first, ..]) if first.starts_with("----") => Ok(()),
            (Section::Times, ["Task", ..])
            | (Section::Sites, ["ID", ..])
            | (Section::Statistics | Section::Sent, ["Name", ..]) => Ok(()),
            (Section::Times, words) => self.task(words),
            (Section::Sites, words) => self.site(line, words),
            (Section::Statistics, words) => self.statistics(words),
            (Section::Sent, words) => self.sent(words),
            (Section::Other, _) => Ok(()),
        }
    }

    fn task(&mut self, words: &[&str]) -> Result<(), String> {
        let &[rank, app_time, ..] = words else { return Err("a row of times is cut short".to_owned()) };
        if rank != "*" {
            let rank = number::parse(rank, "rank")?;
            let app_time = number::seconds(number::parse(app_time, "time")?)?;
            if self.app_times.insert(rank, app_time).is_some() {
                return Err(format!("rank {rank} is there twice"));
            }
        }
        Ok(())
    }

    /// `1 0 heat.c 56 late_receiver Ssend`, at higher levels without the call, and `1 0 0x… late_receiver Ssend`.
    fn site(&mut self, line: &str, words: &[&str]) -> Result<(), String> {
        let &[site, level, place, ..] = words else {
            return Err("a row of call sites is cut short".to_owned());
        };
        let site: u64 = number::parse(site, "call site")?;
        let level: usize = number::parse(level, "level")?;
        let mut rest = line;
        let place_words = if place.starts_with("0x") {
            3
        } else {
            let line_number =
                words[3..].iter().position(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
            4 + line_number.ok_or("a row of call sites has no line number")?
        };
        for _ in 0..place_words {
            let trimmed = rest.trim_start();
            rest = trimmed.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
        }
        let function = match rest.trim() {
            rest if level == 0 => rest.rsplit_once(char::is_whitespace).map_or("", |(function, _)| function),
            rest => rest,
        };
        let functions = self.sites.entry(site).or_default();
        if level > limits::DEPTH {
            return Err(format!("a call site has a level of {level}"));
        }
        if function.trim() != UNKNOWN && !function.trim().is_empty() {
            let function = names::region(function);
            self.taken += function.len();
            functions.push(function);
        }
        Ok(())
    }

    fn statistics(&mut self, words: &[&str]) -> Result<(), String> {
        let &[name, site, rank, count, _max, mean, ..] = words else {
            return Err("a row of statistics is cut short".to_owned());
        };
        let calls = self.calls.entry(number::parse(site, "call site")?).or_default();
        let count: u64 = number::parse(count, "count")?;
        if rank == "*" {
            calls.total = Some(count);
            return Ok(());
        }
        let rank = number::parse(rank, "rank")?;
        let mean: f64 = number::parse(mean, "time")?;
        let inclusive_time = number::seconds(mean * count as f64 / 1000.0)?;
        if calls.shares.last().is_some_and(|last| last.rank >= rank) {
            return Err(format!("rank {rank} is there twice, or out of order"));
        }
        calls.name = mpi::full_name(name);
        calls.shares.push(CallShare { rank, thread: 0, inclusive_time, visits: Some(count) });
        Ok(())
    }

    /// `Ssend 1 0 10 4 4 4 40`
    fn sent(&mut self, words: &[&str]) -> Result<(), String> {
        let &[name, site, rank, count, max, _mean, min, sum] = words else {
            return Err("a row of messages is cut short".to_owned());
        };
        let name = mpi::full_name(name);
        let is_message =
            mpi::Function::of_spelling(&name).is_none_or(|function| function.collective().is_none());
        if rank == "*" || !is_message {
            return Ok(());
        }
        let site = number::parse(site, "call site")?;
        let count: u64 = number::parse(count, "count")?;
        let (max, min, sum) = (whole(max)?, whole(min)?, whole(sum)?);
        let bytes = if max == min { min.map(|each| count.saturating_mul(each)) } else { sum };
        if bytes.is_none() {
            self.inexact.get_or_insert(site);
        }
        let sent = self.sent.entry(site).or_default();
        sent.name = name;
        sent.messages = sent.messages.saturating_add(count);
        sent.bytes = sent.bytes.saturating_add(bytes.unwrap_or(0));
        Ok(())
    }
}

/// A whole number that mpiP writes as one of any kind; `None` if it has been rounded.
fn whole(text: &str) -> Result<Option<u64>, String> {
    let value: f64 = number::parse(text, "amount of data")?;
    let is_exact = !text.contains(['e', 'E']) && value.fract() == 0.0;
    Ok(Some(number::count(value)?).filter(|_| is_exact))
}
