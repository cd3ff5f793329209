//! A problem of a composition in the place of which its balanced twin comes.

use ats_compose::{Composition, Step, Subject};
use ats_props::{Catalogue, Property};
use ats_truth::{Planned, Size, TruthOptions};
use ats_whatif::Changes;

use crate::truths::{POLLING, even};
use crate::{composed, ideal, program};

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
    for seed in 0.. {
        let composition = unaligned(seed, [(8, 1), (1, 4), (4, 3), (7, 2)][seed as usize % 4]);
        // A region in which no process communicates belongs to all of them.
        let is_told = |property: &Property| {
            let region = even.get(property.name);
            region.is_some_and(|region| {
                property.needs.ranks || region.contains(";in:") || composition.ranks() == 1
            })
        };
        let is_even = |step: &&Step| !step.program.balanced && is_told(step.program.property);
        let problems: Vec<&Step> = composition.steps().filter(is_even).collect();
        // How often a message is tested for, the trace repeats.
        let polls = composition.steps().any(|step| step.program.property.name == POLLING);
        if problems.is_empty() || polls {
            continue;
        }
        let property = problems[seed as usize % problems.len()].program.property.name;
        let twin = planned(with_twin(&composition, property));
        let changes = Changes { balances: vec![even[property].parse().unwrap()], ..Changes::default() };
        let trace = ideal(&planned(composition), &options);
        let (predicted, _) = program(&trace).run_in_memory(&changes).unwrap();
        let wall = ideal(&twin, &options).events.iter().flatten().map(|event| event.0).max().unwrap();
        let is_exact = predicted.wall.abs_diff(wall) <= wall / 1_000_000_000 + 100;
        differences
            .extend((!is_exact).then(|| format!("{seed}: {property}: {} for {wall} ps", predicted.wall)));
        checked += 1;
        if checked == 200 {
            break;
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
