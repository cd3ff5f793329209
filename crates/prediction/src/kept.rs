//! Predictions as profiles of runs that have not been.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_documents::experiment::Run;
use ats_documents::models::CostTerm;
use ats_documents::prediction::PredictedSize;
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_model::WaitState;
use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::mpi::Function;

/// The most units that a prediction is kept for: each has an entry in the document.
const MOST_UNITS: f64 = 1_000_000.0;

/// The profile of a prediction, in which all units spend the same in a region for each term, and its run; or the reason why there
/// is none.
///
/// # Errors
/// It has too many units, or a fraction of one.
pub fn predicted_profile(
    size: &PredictedSize,
    application: &str,
    source: &str,
) -> Result<(Profile, Run), String> {
    let number = |name: &str| size.parameters.get(name).copied().unwrap_or(1.0);
    let (ranks, threads) = (number("ranks"), number("threads"));
    if ranks * threads > MOST_UNITS || ranks.fract() != 0.0 || threads.fract() != 0.0 {
        return Err(format!(
            "a prediction for {} units is not kept; ask for a whole number, {MOST_UNITS} at most",
            ranks * threads
        ));
    }
    let (ranks, threads) = (ranks as u32, threads as u32);
    let unit = |rank| (0..threads).map(move |thread| ProcessingUnit { rank, thread, node: None });
    let mut profile = Profile::new(&format!("prediction of {source}"));
    profile.units = (0..ranks).flat_map(unit).collect();
    let metric = |name: &str| Metric::new(name, "s", Origin::Predicted, Combine::Sum);
    let waits = WaitState::WaitAtBarrier.name();
    profile.metrics = vec![metric(Profile::TIME), metric(waits)];
    let term = |term: CostTerm| size.whole.terms.get(&term).map_or(0.0, |of| of.value);
    let work = term(CostTerm::Computation) + term(CostTerm::Memory);
    let mut times = Vec::new();
    let mut add = |name: &str, role: RegionRole, seconds: f64| {
        let id = profile.regions.len() as u32;
        let paradigm = if id == 0 { Paradigm::User } else { Paradigm::Mpi };
        profile.regions.push(ProfiledRegion {
            id,
            name: name.to_owned(),
            role,
            paradigm,
            ..ProfiledRegion::default()
        });
        profile.call_tree.push(CallNode { id, parent: (id > 0).then_some(0), region: id });
        times.extend((0..profile.units.len() as u32).map(|unit| (id, unit, seconds)));
        id
    };
    add(application, RegionRole::Function, work);
    for (name, role, of) in [
        ("io", RegionRole::FileIo, CostTerm::Io),
        ("communication", RegionRole::PointToPoint, CostTerm::Communication),
        ("synchronisation", RegionRole::Barrier, CostTerm::Synchronisation),
        // No role is of this term.
        (Function::Init.name(), RegionRole::Function, CostTerm::Control),
    ] {
        if term(of) > 0.0 {
            add(name, role, term(of));
        }
    }
    let waiting = term(CostTerm::Waiting);
    let of_waits = (waiting > 0.0).then(|| add("waiting", RegionRole::Barrier, waiting));
    let of_waits =
        of_waits.into_iter().flat_map(|path| (0..ranks * threads).map(move |unit| (path, unit, waiting)));
    let of_waits: Vec<_> = of_waits.collect();
    profile.values =
        BTreeMap::from([(Profile::TIME.to_owned(), times.into()), (waits.to_owned(), of_waits.into())]);
    profile.warnings = vec![
        "predicted: waits are counted as if they were at a barrier, since a prediction does not tell the calls that they are in"
            .to_owned(),
    ];
    let is_own = |name: &&String| !["ranks", "threads"].contains(&name.as_str());
    let own = size.parameters.iter().filter(|(name, _)| is_own(name));
    let run = Run {
        name: format!("{application}-predicted"),
        parameters: own.map(|(name, value)| (name.clone(), value.to_string())).collect(),
        ranks,
        threads,
        repeat: 1,
        ..Run::default()
    };
    Ok((profile, run))
}
