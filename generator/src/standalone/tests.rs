use std::collections::BTreeMap;
use std::thread;

use ats_props::{Catalogue, Property, Value};

use super::function::{Function, functions};
use super::note::{Notes, note};
use super::statement::unfolded;
use super::step::{self, Shape, Step};
use super::*;

/// The steps of a rank in a call of a function of the program.
fn done(
    functions: &[Function],
    name: &str,
    rank: usize,
    ranks: usize,
    parameters: &[step::Value],
) -> Vec<Step> {
    let function = functions.iter().find(|function| function.name == name).unwrap();
    let steps = unfolded(&function.body, rank, ranks, parameters).into_iter();
    steps
        .flat_map(|step| match step.shape {
            Shape::Region(inner) => in_region(inner, done(functions, inner, rank, ranks, &step.values)),
            _ => vec![step],
        })
        .collect()
}

/// The steps that the engine has noted of a rank, in the given visit to the region.
fn noted(notes: &Notes, name: &str, rank: usize, time: usize) -> Vec<Step> {
    let steps = notes.ranks[rank][name][time].iter().cloned();
    steps
        .flat_map(|step| match (&step.shape, &step.values[..]) {
            (Shape::Region(inner), [step::Value::Number(time)]) => {
                in_region(inner, noted(notes, inner, rank, *time as usize))
            }
            _ => vec![step],
        })
        .collect()
}

fn in_region(region: &'static str, steps: Vec<Step>) -> Vec<Step> {
    let enter = Step { shape: Shape::Region(region), values: Vec::new() };
    [vec![enter], steps].concat()
}

/// Steps without work for no time, and with lists ignored by MPI replaced by those of steps like them.
fn comparable(steps: Vec<Step>, like: &[Step]) -> Vec<Step> {
    let is_work = |step: &Step| step.shape != Shape::Work || step.values != [step::Value::Number(0)];
    let steps = steps.into_iter().filter(is_work).enumerate();
    let unlooked = |at: usize, number: usize| {
        like.get(at).and_then(|step| step.values.get(number)) == Some(&step::Value::List(Vec::new()))
    };
    steps
        .map(|(at, mut step)| {
            for (number, value) in step.values.iter_mut().enumerate() {
                if unlooked(at, number) {
                    *value = step::Value::List(Vec::new());
                }
            }
            step
        })
        .collect()
}

/// The arguments of a property with few repetitions: enough that there are loops.
fn short(property: &'static Property) -> Arguments {
    let arguments = property.defaults();
    if property.repeats() { arguments.with(Property::REPETITIONS, Value::new(3_usize)) } else { arguments }
}

#[test]
fn every_rank_does_what_it_does_on_the_engine() {
    thread::scope(|scope| {
        for ranks in 2..=9 {
            scope.spawn(move || {
                let catalogue = Catalogue::builtin().filter(Entry::has_program);
                // Twins are simpler than what they are twins of.
                let fits = |program: &Program| {
                    program.property.needs == Needs::RANKS
                        && ranks >= program.property.min_ranks
                        && (ranks == 5 || !program.balanced)
                };
                let programs: Vec<Program> = catalogue.programs().filter(fits).collect();
                assert!(programs.len() > 50, "{} programs", programs.len());
                for program in programs {
                    let notes = note(&program, &short(program.property), ranks).unwrap();
                    let functions = functions(&notes, program.name()).unwrap();
                    for rank in 0..ranks {
                        let noted = noted(&notes, program.name(), rank, 0);
                        let noted = comparable(noted, &[]);
                        let done = comparable(done(&functions, program.name(), rank, ranks, &[]), &noted);
                        assert!(!noted.is_empty());
                        assert_eq!(done, noted, "rank {rank} of {ranks} in {}", program.name());
                    }
                }
            });
        }
    });
}

/// A rank that takes messages from any source answers the sender, also if it can have only one of each.
#[test]
fn an_answer_is_one_whoever_comes_first() {
    let property = Catalogue::builtin().program("intensive_server").unwrap();
    for r in [1_usize, 2] {
        let arguments = property.property.defaults().with("r", Value::new(r));
        let notes = note(&property, &arguments, 5).unwrap();
        let server: &BTreeMap<_, _> = &notes.ranks[0];
        let calls = server["intensive_server"][0].iter().filter_map(|step| match &step.shape {
            Shape::Call(name, arguments) => Some((*name, arguments)),
            _ => None,
        });
        let answers: Vec<_> = calls.filter(|(name, _)| *name == "MPI_Send").collect();
        assert_eq!(answers.len(), 4 * r);
        let source = step::Argument::Word("status.MPI_SOURCE");
        assert!(answers.iter().all(|(_, arguments)| arguments.contains(&source)));
    }
}
