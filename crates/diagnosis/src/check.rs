//! Identities that the sums of a table of overheads have to satisfy.

use ats_documents::overheads::{Contradiction, Overheads, RegionOverheads, RunOverheads, Stated};

/// The larger of these differences is within the digits of a table: a share, and seconds.
const ROUNDED: [f64; 2] = [0.002, 0.002];

/// The identities that do not hold.
pub fn contradictions(overheads: &Overheads) -> Vec<Contradiction> {
    let of_run = |run: &RunOverheads| {
        let is_listed = run.regions.iter().any(|of| of.region == run.program.region);
        let program = (!is_listed).then_some(&run.program);
        let regions = program.into_iter().chain(&run.regions);
        regions.flat_map(|of| of_region(&run.id, of)).collect::<Vec<_>>()
    };
    overheads.experiments.iter().flat_map(of_run).collect()
}

fn of_region(experiment: &str, of: &RegionOverheads) -> Vec<Contradiction> {
    let stated = of.stated.unwrap_or_default();
    let Stated { identified, unidentified, overhead } = Stated {
        identified: stated.identified.or(of.identified),
        unidentified: stated.unidentified.or(of.unidentified),
        overhead: stated.overhead.or(of.overhead),
    };
    let sum = identified.zip(unidentified).map(|of| of.0 + of.1);
    let mut identities = vec![
        ("T_i = sum of the classes".to_owned(), identified, of.identified),
        ("T_o = T_i + T_u".to_owned(), overhead, sum),
        ("T_o = T_p - T_s/p".to_owned(), overhead, of.overhead),
    ];
    for (class, parts) in of.parts_by_class() {
        let seconds = of.classes.get(&class).copied();
        identities.push((format!("{} = sum of its parts", class.name()), seconds, Some(parts)));
    }
    let violated = |(identity, left, right): (String, Option<f64>, Option<f64>)| {
        let (left, right) = left.zip(right)?;
        let [share, seconds] = ROUNDED;
        let is_rounded = (left - right).abs() <= f64::max(share * left.abs().max(right.abs()), seconds);
        let (experiment, region) = (experiment.to_owned(), of.region.clone());
        (!is_rounded).then_some(Contradiction { experiment, region, identity, left, right })
    };
    identities.into_iter().filter_map(violated).collect()
}
