//! Replays with changes, held against the changed programs.

use ats_compose::{Composition, Subject};
use ats_documents::WhatIfScore;
use ats_documents::what_if_score::{JudgedChange, KindOfChange, VerdictOnChange};
use ats_props::Catalogue;
use ats_truth::{Planned, Size};
use ats_validation::what_if::{Machines, judge};

/// Judges programs: none may be off.
#[track_caller]
fn judged(programs: &[Planned]) -> WhatIfScore {
    let score = judge(programs, &Machines::default(), &mut |_, _| true);
    let off = score.changes.iter().filter(|change| change.verdict == VerdictOnChange::Off);
    let line = |change: &JudgedChange| {
        let JudgedChange { program, ranks, threads, options, times, reason, .. } = change;
        let off_by = times.map(|times| times.difference);
        format!("{program} on {ranks}x{threads}, {}: off by {off_by:?} {reason:?}", options.join(" "))
    };
    let off: Vec<String> = off.map(line).collect();
    assert!(off.is_empty(), "{} of {} are off:\n{}", off.len(), score.changes.len(), off.join("\n"));
    score
}

#[test]
fn every_program_is_predicted_exactly() {
    let catalogue = Catalogue::builtin();
    let planned = |program: ats_props::Program| {
        let needs = program.property.needs;
        let (ranks, threads) = (if needs.ranks { 5 } else { 1 }, if needs.team { 3 } else { 1 });
        Planned { subject: program.into(), size: Size { ranks, threads } }
    };
    let programs: Vec<Planned> = catalogue.programs().map(planned).collect();
    let score = judged(&programs);
    let exact = |kind| {
        let of_kind = score.changes.iter().filter(|change| change.kind == kind);
        of_kind.filter(|change| change.verdict == VerdictOnChange::Exact).count()
    };
    assert_eq!(exact(KindOfChange::EvenWork), 89);
    let [speed, network, processors] =
        [KindOfChange::Speed, KindOfChange::Network, KindOfChange::Processors].map(exact);
    assert_eq!((programs.len(), speed, network, processors), (308, 254, 296, 292));
}

#[test]
fn compositions_are_predicted_exactly() {
    let catalogue = Catalogue::builtin();
    let composed = |seed| {
        let (ranks, threads) = (2 + seed as usize % 7, 1 + seed as usize % 4 / 3 * 2);
        let composition = Composition::random(&catalogue, seed, ranks, threads, 3).unwrap();
        let size = Size { ranks: composition.ranks(), threads: composition.threads() };
        Planned { subject: Subject::Composition(composition.into()), size }
    };
    let compositions: Vec<Planned> = ats_testing::seeds(60).map(composed).collect();
    let score = judged(&compositions);
    assert!(score.totals.exact > 4 * compositions.len(), "{:?}", score.totals);
}
