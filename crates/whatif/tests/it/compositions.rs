//! A problem of a composition in the place of which its balanced twin comes.

use std::collections::BTreeMap;

use ats_compose::{Composition, Subject};
use ats_props::Catalogue;
use ats_truth::{Planned, Size, TruthOptions};
use ats_whatif::Changes;

use crate::composed;
use crate::truths::{differs, even};

/// A random composition whose ranks do not meet before phases: no record tells that.
fn unaligned(seed: u64, size: (usize, usize)) -> Composition {
    let Subject::Composition(composition) = composed(seed, size, 4).subject else { unreachable!() };
    let aligned = composition.to_toml().replace("align = false\n", "");
    parsed(&aligned.replace("[[phase]]\n", "[[phase]]\nalign = false\n"))
}

fn parsed(text: &str) -> Composition {
    Composition::parse(text, "test", &Catalogue::builtin()).unwrap()
}

/// The composition with the twin of a property in its place, wherever it is.
fn with_twin(composition: &Composition, property: &str) -> Composition {
    let named = format!("name = \"{property}\"");
    let text = composition.to_toml();
    let mut lines: Vec<&str> = text.lines().collect();
    let is_problem = |&at: &usize| lines[at] == named && lines.get(at + 1) != Some(&"balanced = true");
    for at in (0..lines.len()).filter(is_problem).collect::<Vec<_>>().into_iter().rev() {
        lines.insert(at + 1, "balanced = true");
    }
    parsed(&lines.join("\n"))
}

fn planned(composition: Composition) -> Planned {
    let size = Size { ranks: composition.ranks(), threads: composition.threads() };
    Planned { subject: Subject::Composition(composition.into()), size }
}

#[test]
fn with_problems_replaced_by_their_twins() {
    let options = TruthOptions::default();
    let even = even();
    let mut differences = Vec::new();
    let mut checked = 0;
    let mut by: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for seed in 0..200 {
        let (ranks, threads) = [(8, 1), (1, 4), (4, 3), (7, 2)][seed as usize % 4];
        let composition = unaligned(seed, (ranks, threads));
        let properties: Vec<&str> = composition
            .steps()
            .filter(|step| !step.program.balanced)
            .map(|step| step.program.property.name)
            .filter(|name| even.contains_key(name))
            .collect();
        let Some(property) = properties.get(seed as usize % properties.len().max(1)) else { continue };
        checked += 1;
        let (before, after) = (planned(composition.clone()), planned(with_twin(&composition, property)));
        let changes = Changes { balances: vec![even[property].parse().unwrap()], ..Changes::default() };
        let it = by.entry(property.to_string()).or_default();
        it.0 += 1;
        if let Some(it_differs) = differs((&before, &options), &changes, (&after, &options)) {
            it.1 += 1;
            differences.push(format!("{property}: {it_differs}"));
        }
    }
    eprintln!("{by:#?}");
    assert!(differences.is_empty(), "{} of {checked} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
#[ignore = "by hand"]
fn ends_of() {
    let options = TruthOptions::default();
    let even = even();
    for (seed, size, property) in [
        (1, (1, 4), "imbalance_in_omp_loop"),
        (21, (1, 4), "imbalance_in_omp_sections"),
        (33, (1, 4), "imbalance_at_omp_barrier"),
        (27, (7, 2), "imbalance_at_mpi_alltoallw"),
        (34, (4, 3), "imbalance_at_mpi_allgatherv"),
        (64, (8, 1), "late_scatterv"),
        (136, (8, 1), "synchronous_send_without_progress"),
        (187, (7, 2), "late_ibcast"),
        (174, (4, 3), "imbalance_at_comm_dup"),
        (176, (8, 1), "imbalance_at_mpi_allgather"),
    ] {
        let composition = unaligned(seed, size);
        std::fs::write(format!("/work/help/random_{seed}.toml"), composition.to_toml()).unwrap();
        let after = with_twin(&composition, property);
        std::fs::write(format!("/work/help/random_{seed}_after.toml"), after.to_toml()).unwrap();
        let (before, after) = (planned(composition), planned(after));
        let changes = Changes { balances: vec![even[property].parse().unwrap()], ..Changes::default() };
        let trace = crate::ideal(&before, &options);
        let (_, predicted) = crate::program_again(&trace, &before).run_in_memory(&changes).unwrap();
        let ends = |it: &ats_model::source::InMemory| {
            it.events.iter().map(|it| it.last().map_or(0, |it| it.0) as f64 / 1e12).collect::<Vec<_>>()
        };
        eprintln!(
            "{seed} {property}\n  {:?}\n  {:?}\n  {:?}",
            ends(&trace),
            ends(&predicted),
            ends(&crate::ideal(&after, &options))
        );
    }
}
