//! The reports of valgrind's simulators of caches and branches.
//!
//! Both are texts with the names of the counted events, and costs by line of the source below `fl=` and `fn=`. Lines
//! become functions. The numbers have PAPI's or perf's names where there is one ([`METRICS`]), and else valgrind's.

pub(crate) mod cachegrind;
pub(crate) mod callgrind;

use ats_model::call_path::CallPathId;

use crate::ReportError;
use crate::counted::{Counted, NUMBER};
use crate::error::{At, Origin};
use crate::{limits, names, number};

/// Metrics, and the events that they are the sums of. Valgrind simulates two levels: the last one is no level of PAPI's.
const METRICS: [(&str, &[&str]); 12] = [
    ("PAPI_TOT_INS", &["Ir"]),
    ("PAPI_LD_INS", &["Dr"]),
    ("PAPI_SR_INS", &["Dw"]),
    ("PAPI_L1_DCA", &["Dr", "Dw"]),
    ("PAPI_L1_LDM", &["D1mr"]),
    ("PAPI_L1_STM", &["D1mw"]),
    ("PAPI_L1_DCM", &["D1mr", "D1mw"]),
    ("PAPI_L1_ICM", &["I1mr"]),
    ("LLC-load-misses", &["DLmr"]),
    ("LLC-store-misses", &["DLmw"]),
    ("PAPI_BR_CN", &["Bc"]),
    ("PAPI_BR_MSP", &["Bcm"]),
];

/// The events of a report: each has the numbers of the metrics that it is a part of.
struct Events(Vec<Vec<usize>>);

impl Events {
    /// Of the line `events: Ir Dr …`.
    fn new(line: &str, counted: &mut Counted<'_>) -> Result<Self, String> {
        let events: Vec<&str> = line.split_whitespace().collect();
        if events.is_empty() || events.len() > limits::METRICS {
            return Err(format!("it counts {} events", events.len()));
        }
        if let Some(twice) = (1..events.len()).find(|&at| events[..at].contains(&events[at])) {
            return Err(format!("event {:?} is there twice", names::shortened(events[twice])));
        }
        let mut metrics = vec![Vec::new(); events.len()];
        for (name, parts) in METRICS {
            let found: Vec<_> =
                parts.iter().filter_map(|part| events.iter().position(|event| event == part)).collect();
            if found.len() == parts.len() {
                let metric = counted.metric(name, NUMBER);
                found.into_iter().for_each(|event| metrics[event].push(metric));
            }
        }
        for (event, metrics) in events.iter().zip(&mut metrics).filter(|(_, metrics)| metrics.is_empty()) {
            metrics.push(counted.metric(event, NUMBER));
        }
        Ok(Events(metrics))
    }

    /// The numbers of a line; events that are left out at its end are 0.
    fn costs<'t>(&self, words: impl Iterator<Item = &'t str>) -> Result<Costs, String> {
        // Cachegrind writes a point for what was not counted.
        let number = |word| if word == "." { Ok(0) } else { number::parse(word, "count") };
        let costs: Vec<u64> = words.map(number).collect::<Result<_, _>>()?;
        if costs.len() > self.0.len() {
            return Err(format!("it has {} counts of {} events", costs.len(), self.0.len()));
        }
        Ok(Costs(costs))
    }
}

/// The numbers of some lines, by event.
#[derive(Clone, Debug, Default)]
struct Costs(Vec<u64>);

impl Costs {
    fn add(&mut self, other: &Costs) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(sum, cost)| *sum = sum.saturating_add(*cost));
    }

    /// Whether both are the same, whatever zeros are left out.
    fn agree(&self, other: &Costs) -> bool {
        let events = self.0.len().max(other.0.len());
        let cost = |costs: &Costs, event: usize| costs.0.get(event).copied().unwrap_or(0);
        (0..events).all(|event| cost(self, event) == cost(other, event))
    }
}

/// Adds the costs of a line to a call path.
fn add(
    counted: &mut Counted<'_>,
    events: &Events,
    path: CallPathId,
    costs: &Costs,
) -> Result<(), ReportError> {
    for (&cost, metrics) in costs.0.iter().zip(&events.0) {
        for &metric in metrics {
            counted.add(path, metric, cost as f64)?;
        }
    }
    Ok(())
}

/// The name of a function: `fib'2` is the second of several that are in each other.
fn function_name(name: &str) -> String {
    let name = match name.rsplit_once('\'') {
        Some((function, depth)) if !depth.is_empty() && depth.bytes().all(|byte| byte.is_ascii_digit()) => {
            function
        }
        _ => name,
    };
    names::region(name)
}

/// A report that ends before its sum.
fn cut_short(origin: Origin<'_>, sum: &str) -> ReportError {
    let fix = "let the program end, and copy the whole file";
    origin.unsupported(At::Whole, format!("ends without its line \"{sum}\""), fix)
}
