//! The data that the script draws, as compact JSON.

use std::collections::BTreeMap;

use ats_documents::{
    Finding, Truth,
    finding::{MEASURED_REGION, Unit, VISITS},
};
use ats_model::{CallSite, WaitState, place};
use serde_json::{Value, json};

use super::{Found, Page, Program, experiments, profile};
use crate::{
    timeline::{Kind, Timeline},
    words,
};

/// Everything that the script draws.
pub(super) fn data(page: &Page<'_>) -> Value {
    let states = WaitState::ALL.into_iter().map(|state| (state.name(), state.parents()));
    let others = [(words::BLOCKED, &["Waiting"] as &[_]), (VISITS, &["Counts"])];
    let known = page.programs.iter().flat_map(|program| {
        let truth = program.truth.into_iter().flat_map(|truth| truth.findings.iter().chain(&truth.ambient));
        truth.chain(program.found.iter().flat_map(|found| found.findings))
    });
    let counted = known.filter_map(|finding| finding.unit().metric()).map(|name| (name, &["Counts"] as &[_]));
    let properties: BTreeMap<_, _> = states
        .chain(others)
        .chain(counted)
        .map(|(name, parents)| {
            let entry =
                json!({ "title": words::title(name), "groups": parents, "definition": words::definition(name), "isHeld": is_held(name) });
            (name, entry)
        })
        .collect();
    json!({
        "properties": properties,
        "kinds": Kind::ALL.map(|of| (kind(of), words::kind(of))),
        "experiments": page.experiments.map(experiments::data),
        "programs": page.programs.iter().map(program).collect::<Vec<_>>(),
    })
}

/// Whether the awaited location holds something, rather than comes late.
fn is_held(name: &str) -> bool {
    use WaitState::{OmpCriticalContention, OmpLockContention};
    matches!(WaitState::from_name(name), Some(OmpCriticalContention | OmpLockContention))
}

/// The index of a location in `named`, which gets it if it is new.
fn number_of(named: &mut Vec<(u32, u32)>, location: (u32, u32)) -> usize {
    named.iter().position(|&known| known == location).unwrap_or_else(|| {
        named.push(location);
        named.len() - 1
    })
}

fn program(program: &Program<'_>) -> Value {
    let tools: Vec<&str> = program.found.iter().map(|found| found.tool).collect();
    let basis = program.truth.map(|truth| &truth.basis);
    let basis = basis.or_else(|| program.found.iter().find_map(|found| found.basis));
    let rows = rows(program);
    json!({
        "name": program.name,
        "size": words::size(program.ranks, program.threads),
        "parameters": program.truth.map(|truth| &truth.parameters),
        "formulas": program.truth.map(|truth| truth.findings.iter().filter_map(|finding| finding.formula.as_deref()).collect::<Vec<_>>()),
        "wall": basis.map(|basis| basis.wall_time),
        "total": basis.map(|basis| basis.location_seconds),
        "known": program.truth.is_some(),
        "tools": tools,
        "notAnalyzed": program.found.iter().map(not_analyzed).collect::<Vec<_>>(),
        "warnings": program.found.iter().map(|found| found.warnings).collect::<Vec<_>>(),
        "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        "timeline": program.timeline.map(|picture| timeline(picture, &rows)),
        "profile": program.profile.map(|spent| profile::data(spent, program.sources, program.timeline)),
    })
}

fn not_analyzed(found: &Found<'_>) -> Vec<String> {
    found.not_analyzed.iter().map(ToString::to_string).collect()
}

/// The entries of truth and tools for one property at one call path.
struct Row<'a> {
    property: &'a str,
    /// The call path without the regions around the measured part, and the same for truth and tools.
    path: Vec<String>,
    is_ambient: bool,
    truth: Option<&'a Finding>,
    /// The findings by tool: one call path of the truth may be several in a trace, which has lines.
    found: Vec<Vec<&'a Finding>>,
}

impl<'a> Row<'a> {
    /// The place of the call; a truth has no call sites.
    fn call_site(&self) -> Option<&'a CallSite> {
        let found = self.found.iter().flatten().find_map(|finding| finding.call_site.as_ref());
        found.filter(|_| self.truth.is_none())
    }

    fn json(&self) -> Value {
        let mut path = self.path.clone();
        if let Some(call) = path.last_mut() {
            *call = CallSite::label(call, self.call_site());
        }
        json!({
            "property": self.property,
            "path": path,
            "ambient": self.is_ambient,
            "truth": amounts(self.truth.as_slice()),
            "found": self.found.iter().map(|findings| amounts(findings)).collect::<Vec<_>>(),
        })
    }

    fn is(&self, id: &str) -> bool {
        self.found.iter().flatten().chain(&self.truth).any(|finding| finding.id == id)
    }
}

/// The sums of findings: seconds or visits, single waits, and the seconds of each location.
fn amounts(findings: &[&Finding]) -> Option<Value> {
    let unit = findings.first()?.unit();
    let instances: u64 = findings.iter().map(|finding| finding.instances).sum();
    let seconds = findings.iter().fold(0.0, |sum, finding| sum + finding.waiting_time);
    let mut shares: BTreeMap<_, f64> = BTreeMap::new();
    for share in findings.iter().flat_map(|finding| &finding.locations) {
        *shares.entry((share.rank, share.thread)).or_default() += share.waiting_time;
    }
    let shares = shares.into_iter().map(|((rank, thread), seconds)| json!([rank, thread, rounded(seconds)]));
    let amount = match unit {
        Unit::Seconds | Unit::Inclusive(_) => rounded(seconds),
        Unit::Ratio(_) => findings.iter().map(|finding| finding.quantity().value).fold(0.0, f64::max),
        _ => instances as f64,
    };
    Some(json!([amount, instances, shares.collect::<Vec<_>>()]))
}

/// Seconds rounded to a tenth of a nanosecond: more digits would only fill the page.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e10).round() / 1e10
}

fn rows<'a>(program: &Program<'a>) -> Vec<Row<'a>> {
    let tools = program.found.len();
    let row = |finding: &'a Finding, is_ambient: bool, path: Vec<String>| Row {
        property: finding.name(),
        path,
        is_ambient,
        truth: None,
        found: vec![Vec::new(); tools],
    };
    let known = |truth: &'a Truth| {
        let of = |findings: &'a [Finding], is_ambient| {
            findings.iter().map(move |finding| Row {
                truth: Some(finding),
                ..row(finding, is_ambient, finding.call_path.clone())
            })
        };
        of(&truth.findings, false).chain(of(&truth.ambient, true))
    };
    let mut rows: Vec<Row<'a>> = program.truth.into_iter().flat_map(known).collect();
    for (tool, found) in program.found.iter().enumerate() {
        let mut others: Vec<&Finding> = found.findings.iter().collect();
        for (is_there, names_match) in PASSES {
            let is_open: Vec<bool> = rows.iter().map(|row| row.found[tool].is_empty()).collect();
            others.retain(|&finding| {
                let answers = (0..rows.len())
                    .filter(|&at| is_open[at] && is_there(&rows[at], finding))
                    .filter(|&at| rows[at].truth.is_some_and(|truth| names_match(truth, finding)))
                    .max_by_key(|&at| (!rows[at].is_ambient, rows[at].path.len()));
                answers.map(|at| rows[at].found[tool].push(finding)).is_none()
            });
        }
        for finding in others {
            let path = inner(found, &finding.call_path, program.truth.is_some());
            let property = finding.name();
            let fits = |row: &&mut Row<'_>| {
                let is_free = row.truth.is_none() && row.found[tool].is_empty() && row.property == property;
                let sites = row.call_site().zip(finding.call_site.as_ref());
                is_free
                    && sites.is_none_or(|(one, other)| one == other)
                    && (place::is_at(&row.path, &path) || place::is_at(&path, &row.path))
            };
            match rows.iter_mut().find(fits) {
                Some(row) => row.found[tool].push(finding),
                None => {
                    let mut row = row(finding, !finding.in_basis, path);
                    row.found[tool].push(finding);
                    rows.push(row);
                }
            }
        }
    }
    rows
}

/// Whether a finding is at the place of a row.
type IsThere = fn(&Row<'_>, &Finding) -> bool;
/// Whether a finding has the name of a known one, or one that may stand for it.
type IsNamed = fn(&Finding, &Finding) -> bool;

/// The passes of matching by place and name, the best first, as in the judgement.
const PASSES: [(IsThere, IsNamed); 4] =
    [(is_there, is_exact), (is_there, is_accepted), (is_beside, is_exact), (is_beside, is_accepted)];

fn is_there(row: &Row<'_>, finding: &Finding) -> bool {
    (finding.in_basis || row.is_ambient)
        && (finding.call_path.is_empty() || place::is_at(&row.path, &finding.call_path))
}

fn is_beside(row: &Row<'_>, finding: &Finding) -> bool {
    (finding.in_basis || row.is_ambient) && place::is_beside(&row.path, &finding.call_path)
}

fn is_exact(truth: &Finding, finding: &Finding) -> bool {
    truth.property == finding.property && truth.view == finding.view && truth.unit() == finding.unit()
}

/// Whether the known time may rightly be reported so.
fn is_accepted(truth: &Finding, finding: &Finding) -> bool {
    finding.metric.as_ref().is_some_and(|metric| truth.accept.contains(metric))
}

/// A call path from the measured part on; beside a truth with the names that the truth has.
fn inner(found: &Found<'_>, path: &[String], is_known: bool) -> Vec<String> {
    let region = found.basis.and_then(|basis| basis.region.as_deref()).unwrap_or(MEASURED_REGION);
    let inside = path.iter().position(|name| name == region).map_or(0, |position| position + 1);
    let name = |name: &String| if is_known { place::plain(name) } else { name.clone() };
    path[inside..].iter().map(name).collect()
}

/// The script's name of a kind, as its colour in the style is called.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        Kind::PointToPoint => "p2p",
        Kind::Collective => "coll",
        Kind::Mpi => "mpi",
        Kind::OpenMp => "omp",
        Kind::OpenMpSynchronization => "sync",
    }
}

/// A picture in flat lists of numbers; times are ticks since its begin.
fn timeline(picture: &Timeline, rows: &[Row<'_>]) -> Value {
    let since = |time: u64| time.saturating_sub(picture.begin);
    // Only regions that are seen.
    let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
    for bar in picture.rows.iter().flat_map(|row| &row.bars) {
        let number = numbers.len();
        numbers.entry(bar.region).or_insert(number);
    }
    let mut seen: Vec<_> = numbers.iter().collect();
    seen.sort_by_key(|(_, number)| **number);
    let region = |(&region, _): (&u32, &usize)| match picture.regions.get(region as usize) {
        Some(region) if region.call_site.is_some() => {
            json!([region.name, kind(region.kind), region.label()])
        }
        Some(region) => json!([region.name, kind(region.kind)]),
        None => json!(["(undefined region)", "user"]),
    };
    let regions: Vec<Value> = seen.into_iter().map(region).collect();
    let row = |row: &crate::timeline::Row| {
        let mut last = 0;
        let mut bars: Vec<u64> = Vec::with_capacity(row.bars.len() * 5);
        let mut level = 0;
        for bar in &row.bars {
            if bar.level != level {
                (level, last) = (bar.level, 0);
            }
            let begin = since(bar.begin);
            let region = numbers.get(&bar.region).copied().unwrap_or(0) as u64;
            bars.extend([
                bar.level.into(),
                region,
                begin.saturating_sub(last),
                bar.end - bar.begin,
                bar.calls,
            ]);
            last = begin;
        }
        json!({ "name": row.name, "rank": row.rank, "thread": row.thread, "bars": bars })
    };
    let messages = picture
        .messages
        .iter()
        .flat_map(|m| [m.from as u64, since(m.sent), m.to as u64, since(m.received), m.bytes, m.tag.into()]);
    let collectives = picture.collectives.iter().map(|collective| {
        let parts: Vec<u64> = collective
            .parts
            .iter()
            .flat_map(|part| [part.row as u64, since(part.begin), since(part.end)])
            .collect();
        json!([format!("{:?}", collective.operation), parts])
    });
    let (waits, awaited) = waits(picture, rows);
    json!({
        "resolution": picture.resolution,
        "length": since(picture.end),
        "measured": picture.measured.map(|(begin, end)| [since(begin), since(end)]),
        "regions": regions,
        "rows": picture.rows.iter().map(row).collect::<Vec<_>>(),
        "messages": messages.collect::<Vec<u64>>(),
        "collectives": collectives.collect::<Vec<_>>(),
        "waits": waits,
        "awaited": awaited,
        "remarks": picture.remarks(),
    })
}

/// Seven numbers for each wait, and the locations that the last ones refer to, from 1; 0 stands for no location.
///
/// Begins are since the one before in the same row, and a sum of waits is 0 if it equals the length: fewer digits.
fn waits(picture: &Timeline, rows: &[Row<'_>]) -> (Vec<u64>, Vec<(u32, u32)>) {
    let finding = |id: &String| rows.iter().position(|row| row.is(id));
    let findings: Vec<Option<usize>> = picture.findings.iter().map(finding).collect();
    let mut named = Vec::new();
    let mut last = (0, usize::MAX);
    let numbers = picture.waits.iter().filter_map(|wait| {
        let row = findings.get(wait.finding).copied().flatten()?;
        let awaited = wait.awaited.map_or(0, |awaited| number_of(&mut named, awaited) as u64 + 1);
        let before = if last.1 == wait.row { last.0 } else { 0 };
        last = (wait.begin.saturating_sub(picture.begin), wait.row);
        let length = wait.end - wait.begin;
        let together = if wait.waited == length { 0 } else { wait.waited };
        Some([
            row as u64,
            wait.row as u64,
            last.0.saturating_sub(before),
            length,
            wait.waits,
            together,
            awaited,
        ])
    });
    (numbers.flatten().collect(), named)
}
