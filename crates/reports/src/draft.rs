//! A report in the making.

use std::cmp::Reverse;

use ats_documents::finding::{LocationShare, MEASURED_REGION};
use ats_documents::report::{Call, CallShare, Unmapped};
use ats_documents::{Basis, Causes, Finding, Report};
use ats_model::WaitState;
use ats_model::traffic::CallCounter;

use crate::error::{At, Origin};
use crate::{ReportError, limits};

/// Collects the results of a reader; takes no more than [`limits::RESULT`] bytes.
pub(crate) struct Draft<'a> {
    origin: Origin<'a>,
    report: Report,
    left: usize,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(tool: &str, origin: Origin<'a>, source: &std::path::Path) -> Self {
        let report = Report {
            schema: Report::SCHEMA.to_owned(),
            tool: tool.to_owned(),
            version: None,
            source: source.display().to_string(),
            ranks: None,
            threads: None,
            basis: Basis::new(None, 0.0, 0),
            names: Vec::new(),
            findings: Vec::new(),
            calls: Vec::new(),
            causes: None,
            unmapped: Vec::new(),
            clock_correction: None,
            warnings: Vec::new(),
        };
        Draft { origin, report, left: limits::RESULT }
    }

    /// Takes memory from the limit of a report.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), ReportError> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            let what = format!("its names, call paths and shares need more than {} bytes", limits::RESULT);
            self.origin.refused(At::Whole, what)
        })?;
        Ok(())
    }

    /// A call path of these frames.
    pub(crate) fn path<'f>(
        &mut self,
        frames: impl Iterator<Item = &'f str> + Clone,
    ) -> Result<Vec<String>, ReportError> {
        self.take(frames.clone().map(|frame| frame.len() + size_of::<String>()).sum())?;
        Ok(frames.map(str::to_owned).collect())
    }

    pub(crate) fn version(&mut self, version: Option<String>) {
        self.report.version = version;
    }

    pub(crate) fn shape(&mut self, ranks: Option<u32>, threads: Option<u32>) {
        self.report.ranks = ranks;
        self.report.threads = threads;
    }

    pub(crate) fn names(&mut self, names: Vec<WaitState>) {
        self.report.names = names;
    }

    pub(crate) fn causes(&mut self, causes: Option<Causes>) {
        self.report.causes = causes;
    }

    pub(crate) fn warn(&mut self, warning: String) {
        self.report.warnings.push(warning);
    }

    /// A call path and the time of each location there; locations that were never there are omitted.
    pub(crate) fn call(&mut self, path: Vec<String>, mut shares: Vec<CallShare>) -> Result<(), ReportError> {
        shares.retain(|share| share.inclusive_time > 0.0 || share.visits.is_some_and(|visits| visits > 0));
        if shares.is_empty() {
            return Ok(());
        }
        self.take(shares.len() * size_of::<CallShare>())?;
        shares.sort_by_key(|share| (share.rank, share.thread));
        self.report.calls.push(Call { call_path: path, locations: shares });
        Ok(())
    }

    /// Turns the order of the calls: the last came first.
    pub(crate) fn turn_calls(&mut self) {
        self.report.calls.reverse();
    }

    /// Severities are relative to the measured region if the calls have it, otherwise to `wall_time` seconds. All calls
    /// come before.
    pub(crate) fn basis(&mut self, wall_time: f64, locations: usize) {
        self.report.basis = match measured(&self.report.calls) {
            Some(seconds) => Basis::new(Some(MEASURED_REGION.to_owned()), seconds, locations),
            None => Basis::new(None, wall_time, locations),
        };
    }

    /// A wait state at a call path, or a metric that stands for several. The basis comes before.
    pub(crate) fn finding(
        &mut self,
        property: Option<WaitState>,
        metric: &str,
        path: Vec<String>,
        shares: Vec<LocationShare>,
    ) -> Result<(), ReportError> {
        let name = path.iter().map(|frame| frame.len() + 1).sum::<usize>();
        self.take(size_of::<Finding>() + name + shares.len() * size_of::<LocationShare>())?;
        let basis = &self.report.basis;
        let in_basis = basis.includes(property, &path);
        let mut finding = Finding::wait(property, path, shares, 0, basis, in_basis);
        if property.is_none() {
            finding.id = format!("{metric}@{}", finding.call_path.join("/"));
            finding.metric = Some(metric.to_owned());
        }
        if finding.waiting_time > 0.0 {
            self.report.findings.push(finding);
        }
        Ok(())
    }

    /// An amount counted at a call path, under its name in the report; ignored if it is zero.
    pub(crate) fn count(
        &mut self,
        path: Vec<String>,
        counter: CallCounter,
        number: u64,
    ) -> Result<(), ReportError> {
        let metric = counter.metric(path.last().map_or("", String::as_str));
        self.number(path, metric, number)
    }

    /// A number of this metric at a call path; ignored if it is zero.
    pub(crate) fn number(&mut self, path: Vec<String>, metric: &str, number: u64) -> Result<(), ReportError> {
        if number == 0 {
            return Ok(());
        }
        let name = path.iter().map(|frame| frame.len() + 1).sum::<usize>();
        self.take(size_of::<Finding>() + name + metric.len())?;
        self.report.findings.push(Finding::count(path, metric, number));
        Ok(())
    }

    pub(crate) fn unmapped(&mut self, metric: &str, seconds: f64) {
        self.report.unmapped.push(Unmapped { metric: metric.to_owned(), seconds });
    }

    /// The report, findings and calls by falling time.
    pub(crate) fn finish(mut self) -> Report {
        self.report.findings.sort_by(|a, b| b.waiting_time.total_cmp(&a.waiting_time));
        // Times are not negative: their bits are in their order.
        let total =
            |call: &Call| call.locations.iter().map(|share| share.inclusive_time).sum::<f64>().to_bits();
        self.report.calls.sort_by_cached_key(|call| Reverse(total(call)));
        self.report
    }
}

/// The longest that a location spent in the measured region.
fn measured(calls: &[Call]) -> Option<f64> {
    let mut by_location = std::collections::BTreeMap::<(u32, u32), f64>::new();
    for call in calls {
        let at = call.call_path.iter().position(|frame| frame == MEASURED_REGION);
        if at.is_some_and(|at| at + 1 == call.call_path.len()) {
            for share in &call.locations {
                *by_location.entry((share.rank, share.thread)).or_default() += share.inclusive_time;
            }
        }
    }
    by_location.into_values().max_by(f64::total_cmp)
}
