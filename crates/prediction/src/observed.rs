//! The amounts of runs that models are about.

use std::collections::{BTreeMap, BTreeSet};

use ats_diagnosis::Run;
use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::models::{CostTerm, Count};
use ats_documents::summaries::RegionSummaries;
use ats_model::hardware::{Counted, counted};
use ats_model::region_class::Class;

/// The amounts of a run, as the mean of its units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Its experiment.
    pub id: String,
    /// The application.
    pub application: String,
    /// The version of the application.
    pub version: String,
    /// The machine, and the engine of a run in virtual time; empty if it is not known.
    pub machine: String,
    /// Its parameters that are not numbers.
    pub texts: BTreeMap<String, String>,
    /// Its parameters that are numbers, ranks and threads among them.
    pub parameters: BTreeMap<String, f64>,
    /// The program.
    pub whole: Spent,
    /// Its regions, each with everything inside it.
    pub regions: BTreeMap<String, Spent>,
}

/// The amounts of a region, or of the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spent {
    /// Seconds of the slowest unit.
    pub time: f64,
    /// Seconds of each term.
    pub terms: BTreeMap<CostTerm, f64>,
    /// Numbers of events.
    pub counts: BTreeMap<Count, f64>,
}

/// The metrics of counts.
const METRICS: [(&str, Count); 2] = [("comms_send", Count::Messages), ("bytes_sent", Count::Bytes)];

impl Observed {
    /// The amounts of a run; by call path if it has a profile, otherwise as the summaries have them.
    pub fn new(run: &Run<'_>, classes: &Classes) -> Self {
        let of = &run.experiment.experiment;
        let mut observed = Observed {
            id: run.id.to_owned(),
            application: run.experiment.application.clone(),
            version: run.experiment.version.name.clone(),
            machine: run.experiment.machine.part_of.clone().unwrap_or_default(),
            ..Observed::default()
        };
        for (name, value) in &of.parameters {
            match value.parse().ok().filter(|value: &f64| value.is_finite()) {
                Some(value) => drop(observed.parameters.insert(name.clone(), value)),
                None => drop(observed.texts.insert(name.clone(), value.clone())),
            }
        }
        for (name, value) in [("ranks", of.ranks), ("threads", of.threads)] {
            observed.parameters.insert(name.to_owned(), value.into());
        }
        match run.profile {
            Some(profile) => observed.add_profile(profile, classes),
            None => observed.add_summaries(&run.experiment.summaries),
        }
        observed
    }

    fn add_profile(&mut self, profile: &Profile, classes: &Classes) {
        let units = profile.units.len().max(1);
        let names = profile.region_names();
        let of_classes = profile.classes_of_paths(classes);
        let own: Vec<Vec<Spent>> = by_unit(profile, &of_classes);
        let mean = |of_units: &[Spent], into: &mut Spent| of_units.iter().for_each(|of| into.add(of, units));
        let mut times = vec![0.0; units];
        let mut of_regions: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (path, of_units) in own.iter().enumerate() {
            mean(of_units, &mut self.whole);
            let around: BTreeSet<u32> = profile.ancestors(path as u32).map(|node| node.region).collect();
            let own_region = profile.call_tree[path].region;
            for region in around {
                let name = names[region as usize].as_str();
                let spent = self.regions.entry(name.to_owned()).or_default();
                let visits = spent.counts.get(&Count::Visits).copied();
                mean(of_units, spent);
                if region != own_region {
                    // Those of inner regions are theirs alone.
                    spent.counts.remove(&Count::Visits);
                    spent.counts.extend(visits.map(|visits| (Count::Visits, visits)));
                }
                let of_region = of_regions.entry(name).or_insert_with(|| vec![0.0; units]);
                of_region.iter_mut().zip(of_units).for_each(|(sum, of)| *sum += of.time);
            }
            times.iter_mut().zip(of_units).for_each(|(sum, of)| *sum += of.time);
        }
        let slowest = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
        self.whole.time = slowest(&times);
        self.whole.counts.remove(&Count::Visits);
        for (name, times) in of_regions {
            self.regions.entry(name.to_owned()).or_default().time = slowest(&times);
        }
    }

    /// Amounts of a table: the region that took longest stands for the program.
    fn add_summaries(&mut self, summaries: &[RegionSummaries]) {
        for of in summaries {
            let spent = Spent::of_summaries(of);
            if spent.time > self.whole.time {
                self.whole = spent.clone();
            }
            self.regions.insert(of.region.clone(), spent);
        }
    }
}

/// The amounts of each call path alone, by unit.
fn by_unit(
    profile: &Profile,
    classes: &[Option<ats_model::region_class::RegionClass<'_>>],
) -> Vec<Vec<Spent>> {
    let mut own = vec![vec![Spent::default(); profile.units.len()]; profile.call_tree.len()];
    let outside = profile.outside();
    for (path, unit, seconds) in profile.values_of(Profile::TIME) {
        own[path as usize][unit as usize].time += seconds - outside.seconds(path, unit, seconds);
    }
    let waits: Vec<&str> = profile.waits().map(|metric| metric.name.as_str()).collect();
    for (path, unit, seconds) in waits.iter().flat_map(|name| profile.values_of(name)) {
        *own[path as usize][unit as usize].terms.entry(CostTerm::Waiting).or_default() += seconds;
    }
    for (of_units, class) in own.iter_mut().zip(classes) {
        let term = match class.map_or(Class::Computation, |class| class.class) {
            Class::Computation => CostTerm::Computation,
            Class::Communication => CostTerm::Communication,
            Class::Synchronisation => CostTerm::Synchronisation,
            Class::Control => CostTerm::Control,
            Class::Io => CostTerm::Io,
        };
        for of_unit in of_units {
            let waits = of_unit.terms.get(&CostTerm::Waiting).copied().unwrap_or_default();
            let rest = of_unit.time - waits;
            // Differences of times of a whole run are not known to more digits.
            if rest.abs() > 1e-12 * of_unit.time {
                of_unit.terms.insert(term, rest);
            }
        }
    }
    let mut count = |metric: &str, count: Count| {
        for (path, unit, number) in profile.values_of(metric) {
            *own[path as usize][unit as usize].counts.entry(count).or_default() += number;
        }
    };
    count(Profile::VISITS, Count::Visits);
    METRICS.into_iter().for_each(|(metric, of)| count(metric, of));
    for metric in &profile.metrics {
        if counted(&metric.name).is_some_and(|(what, _)| what == Counted::Instructions) {
            count(&metric.name, Count::Instructions);
        }
    }
    own
}

impl Spent {
    /// Adds a unit's share of the mean of so many.
    fn add(&mut self, of: &Spent, units: usize) {
        let units = units as f64;
        for (term, seconds) in &of.terms {
            *self.terms.entry(*term).or_default() += seconds / units;
        }
        for (count, number) in &of.counts {
            *self.counts.entry(*count).or_default() += number / units;
        }
    }

    /// The seconds of a term that are known; 0 if it took none.
    pub fn term(&self, term: CostTerm) -> f64 {
        self.terms.get(&term).copied().unwrap_or_default()
    }

    /// Those that summaries have: of waits it is not known which class they are in, so that they are in none.
    fn of_summaries(of: &RegionSummaries) -> Self {
        let units = of.units().max(1) as f64;
        let total = of.total();
        let mean = |amount: Option<f64>| amount.map(|amount| amount / units);
        let slowest = of.rows().filter_map(|(_, spent)| spent.time).fold(0.0, f64::max);
        let mut spent = Spent { time: slowest, ..Spent::default() };
        let by_name: BTreeMap<_, f64> = total.by_name().collect();
        let named = |name: &str| mean(by_name.get(name).copied());
        let parts = |class: &str| {
            let is_part = |name: &str| name.split_once('/').is_some_and(|(of, _)| of == class);
            let parts = by_name.iter().filter(|(name, _)| is_part(name));
            parts.map(|(_, seconds)| seconds / units).reduce(|sum, of| sum + of)
        };
        let classes = [
            (CostTerm::Communication, ["communication", "movement"]),
            (CostTerm::Synchronisation, ["synchronisation"; 2]),
            (CostTerm::Control, ["control"; 2]),
            (CostTerm::Io, ["io"; 2]),
        ];
        for (term, [name, other]) in classes {
            let seconds =
                named(name).or_else(|| named(other)).or_else(|| parts(name)).or_else(|| parts(other));
            spent.terms.extend(seconds.filter(|seconds| *seconds != 0.0).map(|seconds| (term, seconds)));
        }
        if spent.terms.is_empty() {
            spent.terms.extend(mean(total.waiting).map(|seconds| (CostTerm::Waiting, seconds)));
        }
        let others: f64 = spent.terms.values().sum();
        if let Some(time) = mean(total.time) {
            spent.terms.insert(CostTerm::Computation, (time - others).max(0.0));
        }
        spent.counts.extend(mean(total.visits).map(|visits| (Count::Visits, visits)));
        spent.counts.extend(mean(total.instructions).map(|number| (Count::Instructions, number)));
        spent.counts.extend(METRICS.into_iter().filter_map(|(metric, count)| Some((count, named(metric)?))));
        spent
    }
}
