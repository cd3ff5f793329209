//! `callgrind.out`: what each function itself does, in the regions that the program marks, and how often it is called.
//!
//! ```text
//! # callgrind format
//! version: 1
//! creator: callgrind-3.19.0
//! part: 2
//! desc: Trigger: Client Request: ats leave transform
//! events: Ir Dr D1mr
//! fn=(1) main
//! 17 230 3 1
//! cfn=(2) solve
//! calls=3 40
//! +1 1000 200 11
//! fn=(2)
//! 40 1000 200 11
//! totals: 1230 203 12
//! ```
//!
//! A name stands behind its number once in a file. Places in the source may be counted from the last one. The line behind
//! `calls=` has the costs of all these calls with all that is inside; since other lines have the same again, they are
//! passed over. Which calls lie in which is not known of more than two functions, so that the profile has no call paths.
//!
//! A part has what was counted since the last one. Programs of the suite end one where they enter or leave a region, and
//! say so: then it is in the regions that the program is in.
//!
//! From the manual of valgrind 3.19 and reports that it wrote.

use std::collections::{BTreeMap, HashMap};

use ats_documents::{Profile, Report};
use ats_model::call_path::CallPathId;

use super::{Costs, Events, add, cut_short, function_name};
use crate::counted::{Counted, NUMBER};
use crate::draft::Draft;
use crate::error::{At, Origin};
use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, limits, names, number};

/// The tool's name.
const TOOL: &str = "callgrind";

pub(crate) const READER: Reader = Reader { name: TOOL, tools: &[TOOL], recognises, read };

/// The requests of a program of the suite that end a part, before the name of the region.
const TRIGGER: &str = "Trigger: Client Request: ats ";

fn recognises(input: &Input) -> bool {
    let Some(file) = input.single() else { return false };
    let mut lines = file.bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    first == b"# callgrind format"
        || (first == b"version: 1" && lines.next().is_some_and(|line| line.starts_with(b"creator:")))
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let Parts { counted, mut functions, mut regions, .. } = collected(input)?;
    let places = if regions.is_empty() { &mut functions } else { &mut regions };
    places.sort_unstable();
    places.dedup();
    counted.report(places)
}

pub(crate) fn profile(input: &Input) -> Result<Profile, ReportError> {
    collected(input).map(|parts| parts.counted.profile())
}

fn collected(input: &Input) -> Result<Parts<'_>, ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let text = file.text()?;
    let mut parts = Parts::new(origin, Counted::new(Draft::new(TOOL, origin, &input.path)));
    for (at, line) in text.lines().enumerate() {
        parts.line(at + 1, line.trim_end())?;
    }
    parts.end()?;
    if !parts.has_sum {
        return Err(cut_short(origin, "totals:"));
    }
    Ok(parts)
}

/// A line with costs in a part, until it is known in which region that is.
struct Row {
    function: u32,
    costs: Costs,
}

/// The parts of a file.
struct Parts<'a> {
    origin: Origin<'a>,
    counted: Counted<'a>,
    /// The names behind numbers, as numbers of functions.
    numbers: HashMap<u64, u32>,
    /// The names of functions.
    names: Vec<String>,
    by_name: HashMap<String, u32>,
    events: Option<Events>,
    /// The number of a function's calls.
    visits: usize,
    function: Option<u32>,
    called: Option<u32>,
    /// Numbers at the begin of a line of costs.
    positions: usize,
    /// Whether the next line has the costs of calls.
    of_calls: bool,
    rows: Vec<Row>,
    calls: BTreeMap<u32, u64>,
    /// The event that ends the part, with the region.
    mark: Option<(bool, String)>,
    sum: Costs,
    has_sum: bool,
    /// The regions that the program is in.
    open: Vec<CallPathId>,
    functions: Vec<CallPathId>,
    regions: Vec<CallPathId>,
}

impl<'a> Parts<'a> {
    fn new(origin: Origin<'a>, mut counted: Counted<'a>) -> Self {
        let visits = counted.metric(Profile::VISITS, NUMBER);
        Parts {
            origin,
            counted,
            numbers: HashMap::new(),
            names: Vec::new(),
            by_name: HashMap::new(),
            events: None,
            visits,
            function: None,
            called: None,
            positions: 1,
            of_calls: false,
            rows: Vec::new(),
            calls: BTreeMap::new(),
            mark: None,
            sum: Costs::default(),
            has_sum: false,
            open: Vec::new(),
            functions: Vec::new(),
            regions: Vec::new(),
        }
    }

    fn line(&mut self, at: usize, line: &str) -> Result<(), ReportError> {
        let origin = self.origin;
        let damaged = |what: String| origin.damaged(At::Line(at), what);
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            return self.costs(line).map_err(damaged);
        }
        if let Some((key, value)) = line.split_once('=').filter(|(key, _)| is_word(key)) {
            match key {
                "fn" => self.function = Some(self.named(value).map_err(damaged)?),
                "cfn" => self.called = Some(self.named(value).map_err(damaged)?),
                "calls" => self.call(value).map_err(damaged)?,
                // Objects and files of the functions, and jumps.
                _ => {}
            }
            return Ok(());
        }
        let Some((key, value)) = line.split_once(':').filter(|(key, _)| is_word(key)) else {
            return Err(damaged(format!(
                "{:?} is neither costs, a name nor a value",
                names::shortened(line)
            )));
        };
        let value = value.trim();
        match key {
            "creator" => self.counted.version(value.strip_prefix("callgrind-").map(str::to_owned)),
            "part" => self.end()?,
            "thread" => {
                let thread: u32 = number::parse(value, "thread").map_err(damaged)?;
                self.counted.thread(thread.saturating_sub(1));
            }
            "positions" => {
                self.positions = value.split_whitespace().count();
                if !(1..=2).contains(&self.positions) {
                    return Err(damaged(format!("it has {} positions", self.positions)));
                }
            }
            "events" => self.events = Some(Events::new(value, &mut self.counted).map_err(damaged)?),
            "desc" => {
                let mark = value.strip_prefix(TRIGGER).and_then(|mark| mark.split_once(' '));
                self.mark = match mark {
                    Some(("enter", region)) => Some((true, region.to_owned())),
                    Some(("leave", region)) => Some((false, region.to_owned())),
                    _ => self.mark.take(),
                };
            }
            "totals" => {
                let Some(events) = &self.events else { return Err(damaged(NO_EVENTS.to_owned())) };
                let whole = events.costs(value.split_whitespace()).map_err(damaged)?;
                if !whole.agree(&self.sum) {
                    return Err(damaged("it is not the sum of the costs before it".to_owned()));
                }
                self.has_sum = true;
            }
            _ => {}
        }
        Ok(())
    }

    /// The function of `(3) name`, `(3)` or `name`.
    fn named(&mut self, text: &str) -> Result<u32, String> {
        let known = text.strip_prefix('(').and_then(|text| text.split_once(')'));
        let Some((number, name)) =
            known.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        else {
            return Ok(self.function(text));
        };
        let number: u64 = number::parse(number, "number of a name")?;
        let name = name.trim();
        if name.is_empty() {
            return self
                .numbers
                .get(&number)
                .copied()
                .ok_or_else(|| format!("name ({number}) was not there before"));
        }
        let function = self.function(name);
        match self.numbers.insert(number, function).filter(|before| *before != function) {
            Some(before) => Err(format!(
                "name ({number}) was {:?} before",
                names::shortened(&self.names[before as usize])
            )),
            None => Ok(function),
        }
    }

    fn function(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let next = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), next);
        next
    }

    /// `calls=3 40`
    fn call(&mut self, value: &str) -> Result<(), String> {
        let called = self.called.ok_or("there is no line \"cfn=\" before it")?;
        let calls: u64 = number::parse(value.split_whitespace().next().unwrap_or_default(), "count")?;
        let sum = self.calls.entry(called).or_default();
        *sum = sum.saturating_add(calls);
        self.of_calls = true;
        Ok(())
    }

    /// `17 230 3 1`, `+1 230`, `* 1000`
    fn costs(&mut self, line: &str) -> Result<(), String> {
        let events = self.events.as_ref().ok_or(NO_EVENTS)?;
        let costs = events.costs(line.split_whitespace().skip(self.positions))?;
        if std::mem::take(&mut self.of_calls) {
            return Ok(());
        }
        let function = self.function.ok_or("there is no line \"fn=\" before it")?;
        self.sum.add(&costs);
        match self.rows.last_mut().filter(|row| row.function == function) {
            Some(row) => row.costs.add(&costs),
            None => self.rows.push(Row { function, costs }),
        }
        Ok(())
    }

    /// Ends a part: its costs are in the regions that the program was in.
    fn end(&mut self) -> Result<(), ReportError> {
        let region = self.open.last().copied().unwrap_or(CallPathId::ROOT);
        for Row { function, costs } in std::mem::take(&mut self.rows) {
            let Some(events) = &self.events else { continue };
            let path = self.counted.child(region, &function_name(&self.names[function as usize]))?;
            self.functions.push(path);
            add(&mut self.counted, events, path, &costs)?;
        }
        for (function, calls) in std::mem::take(&mut self.calls) {
            if calls > 0 {
                let path = self.counted.child(region, &function_name(&self.names[function as usize]))?;
                self.counted.add(path, self.visits, calls as f64)?;
            }
        }
        self.sum = Costs::default();
        match self.mark.take() {
            Some((true, name)) => {
                if self.open.len() >= limits::DEPTH {
                    let what = format!("its regions lie in each other {} times", self.open.len());
                    return Err(self.origin.refused(At::Whole, what));
                }
                let path = self.counted.child(region, &name)?;
                self.counted.add(path, self.visits, 1.0)?;
                self.open.push(path);
                self.regions.push(path);
            }
            Some((false, name)) if self.open.pop().is_none() => {
                let what =
                    format!("it leaves region {:?}, which it has not entered", names::shortened(&name));
                return Err(self.origin.damaged(At::Whole, what));
            }
            _ => {}
        }
        Ok(())
    }
}

const NO_EVENTS: &str = "there is no line \"events:\" before it";

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
