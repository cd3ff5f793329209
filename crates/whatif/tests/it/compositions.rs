//! A problem of a composition in the place of which its balanced twin comes.

use std::collections::BTreeMap;

use ats_compose::{Composition, Subject};
use ats_props::Catalogue;
use ats_truth::{Planned, Size, TruthOptions};
use ats_whatif::Changes;

use crate::composed;
use crate::truths::{differs, even};

/// The composition with the twin of a property in its place, wherever it is.
fn with_twin(composition: &Composition, property: &str) -> Planned {
    let named = format!("name = \"{property}\"");
    let text = composition.to_toml();
    let mut lines: Vec<&str> = text.lines().collect();
    let problems =
        (0..lines.len()).filter(|&at| lines[at] == named && lines.get(at + 1) != Some(&"balanced = true"));
    for at in problems.collect::<Vec<_>>().into_iter().rev() {
        lines.insert(at + 1, "balanced = true");
    }
    let composition = Composition::parse(&lines.join("\n"), "twin", &Catalogue::builtin()).unwrap();
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
        let before = composed(seed, (ranks, threads), 4);
        let Subject::Composition(composition) = &before.subject else { unreachable!() };
        let properties: Vec<&str> = composition
            .steps()
            .filter(|step| !step.program.balanced)
            .map(|step| step.program.property.name)
            .filter(|name| even.contains_key(name))
            .collect();
        let Some(property) = properties.get(seed as usize % properties.len().max(1)) else { continue };
        checked += 1;
        let after = with_twin(composition, property);
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
