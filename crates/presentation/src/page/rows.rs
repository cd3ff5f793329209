//! The rows of a program: truth and findings, side by side by property and call path.

use std::collections::BTreeMap;

use ats_documents::{
    Finding, Truth,
    finding::{MEASURED_REGION, Unit},
    page as document,
};
use ats_model::{CallSite, place};

use super::{Found, Program};

/// The entries of truth and tools for one property at one call path.
pub(super) struct Row<'a> {
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

    /// The row as data.
    pub(super) fn shown(&self) -> document::Row {
        let mut path = self.path.clone();
        if let Some(call) = path.last_mut() {
            *call = CallSite::label(call, self.call_site());
        }
        document::Row {
            property: self.property.to_owned(),
            path,
            ambient: self.is_ambient,
            truth: amounts(self.truth.as_slice()),
            found: self.found.iter().map(|findings| amounts(findings)).collect(),
        }
    }

    /// Whether a finding of this id is in it.
    pub(super) fn is(&self, id: &str) -> bool {
        self.found.iter().flatten().chain(&self.truth).any(|finding| finding.id == id)
    }
}

/// The sums of findings; `None` if there are none.
fn amounts(findings: &[&Finding]) -> Option<document::Amounts> {
    let amount = match findings.first()?.unit() {
        Unit::Seconds | Unit::Inclusive(_) => {
            rounded(findings.iter().fold(0.0, |sum, finding| sum + finding.waiting_time))
        }
        Unit::Ratio(_) => findings.iter().map(|finding| finding.quantity().value).fold(0.0, f64::max),
        _ => findings.iter().map(|finding| finding.instances).sum::<u64>() as f64,
    };
    let mut shares: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for share in findings.iter().flat_map(|finding| &finding.locations) {
        *shares.entry((share.rank, share.thread)).or_default() += share.waiting_time;
    }
    let mut locations = document::Shares::default();
    for ((rank, thread), seconds) in shares {
        locations.rank.push(rank);
        locations.thread.push(thread);
        locations.seconds.push(rounded(seconds));
    }
    Some(document::Amounts { amount, locations })
}

/// Seconds rounded to a tenth of a nanosecond: more digits would only fill the page.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e10).round() / 1e10
}

/// The rows of a program: those of the truth, then others that tools found.
pub(super) fn rows<'a>(program: &Program<'a>) -> Vec<Row<'a>> {
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
