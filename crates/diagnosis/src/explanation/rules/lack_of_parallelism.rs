//! All others need what one location works out alone.

use std::collections::BTreeSet;

use ats_documents::explanation::CauseKind;

use crate::explanation::case::{Case, NEARLY_ALL};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{object, percent, region, subject};

/// The share of the time in a region that a location has if the others only pass by: they spend microseconds there. With a
/// lower value a location with far more work than others counts as the only one, with a higher one those who only test
/// whose turn it is count as workers.
const ONLY: f64 = 0.99;

/// Fits if one location makes nearly all others wait: for the data that it sends them, or in a region that only it is ever
/// in. Data that others pass on, once they have done work of their own, do not count: then that work is as much in the way.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    let alone = case.only_unit().filter(|_| case.path.is_some() && case.call().is_none())?;
    let rank = |unit: u32| case.facts.location(unit).rank;
    let all = (0..case.facts.profile.units.len() as u32).map(rank).filter(|&of| of != rank(alone));
    let all: BTreeSet<u32> = all.collect();
    let time = case.time();
    let of_rank = (0..).zip(&time).filter(|&(unit, _)| rank(unit) == rank(alone));
    let own: f64 = of_rank.map(|(_, time)| time).sum();
    let is_only_there = own > 0.0 && own >= ONLY * time.iter().sum::<f64>();
    let waiting = if is_only_there { case.waiting() } else { case.waiting_directly() };
    let waiting: BTreeSet<u32> = waiting.into_iter().map(rank).filter(|&of| of != rank(alone)).collect();
    let share = waiting.len() as f64 / all.len() as f64;
    if waiting.len() < 2 || !is_only_there && share < NEARLY_ALL {
        return None;
    }
    let confidence = match (case.mechanism, is_only_there) {
        (Mechanism::Data | Mechanism::Meeting, true) => 0.9,
        (Mechanism::Data, false) => 0.7,
        _ => return None,
    };
    let who = subject(case.facts, &[alone]);
    let what = match is_only_there {
        true => format!("Only {} works in {}.", object(case.facts, &[alone]), region(case)),
        false => format!("{who} works in {} while all others wait for its data.", region(case)),
    };
    Some(Fit {
        cause: CauseKind::LackOfParallelism,
        confidence,
        what,
        evidence: vec![format!("{} of the other ranks wait for it.", percent(share))],
        advice: "Divide this work among all locations, or let each do it by itself.".to_owned(),
    })
}
