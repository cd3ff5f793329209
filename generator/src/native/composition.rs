//! The program of several properties, written out.

use std::collections::BTreeSet;

use ats_compose::{Composition, Group, Phase, Ranks, Step, Subject};
use ats_distr::Distribution;
use ats_props::{Arguments, CType, CValue, Needs, Parameter, Property};

use super::code::{Call, Code, Condition, Expression, Run, Statement, Teams, descriptor};
use super::fit::{check_in_library, in_c};
use super::property;
use crate::{GenerateError, Language};

type Result<T, E = GenerateError> = std::result::Result<T, E>;

/// The code of a composition.
pub(crate) fn code(composition: &Composition, language: Language) -> Result<Code> {
    Writer { composition, language, splits: Vec::new(), code: Code::default() }.write()
}

/// The variable with the number of runs of the twins before the measured part.
const WARM_UPS: &str = "warm_ups";

/// The part of the program that is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    WarmUp,
    Measured,
}

/// A group of ranks: the split and its colour.
type Place = (usize, usize);

struct Writer<'a> {
    composition: &'a Composition,
    language: Language,
    /// The divisions of the ranks.
    splits: Vec<Vec<&'a Ranks>>,
    code: Code,
}

impl<'a> Writer<'a> {
    fn write(mut self) -> Result<Code> {
        self.sources()?;
        for phase in self.composition.phases() {
            let named = named(phase);
            if !named.is_empty() && !self.splits.contains(&named) {
                self.splits.push(named);
            }
        }
        let mut main = self.begin();
        main.extend(self.set_up());
        let warm_up = self.warm_up()?;
        let measured = self.measured()?;
        let align = self.composition.needs().ranks.then(|| Statement::call("ats_align", []));
        main.push(Statement::comment(
            "The balanced twins take the start-up costs and leave nothing to find.",
        ));
        main.extend(align.clone());
        main.extend(Statement::region("ats_warmup", warm_up));
        main.extend([Statement::Space, Statement::comment("From here on there is something to find.")]);
        main.extend(align);
        main.push(Statement::call("ats_begin_measured", []));
        main.extend(measured);
        main.extend([Statement::Space, Statement::call("ats_end_measured", [])]);
        main.extend((1..=self.splits.len()).map(|number| Statement::Free { number }));
        self.code.main = main;
        Ok(self.code)
    }

    /// The sources that the program brings itself, each once.
    fn sources(&mut self) -> Result<()> {
        let mut known = BTreeSet::new();
        for step in self.composition.steps() {
            let property = step.program.property;
            if property.needs.team {
                if known.insert(property.name) {
                    self.code.sources.extend(property::prototypes(property, self.language)?);
                }
            } else {
                check_in_library(property, self.language)?;
            }
        }
        Ok(())
    }

    fn begin(&self) -> Vec<Statement> {
        let composition = self.composition;
        let (needs, subject) = (composition.needs(), Subject::from(composition));
        let arguments = [
            Expression::CommandLine,
            Expression::Text(composition.name().to_owned()),
            Expression::Text(composition.description().to_owned()),
            Expression::Name(needs.in_c()),
            Expression::integer(composition.ranks()),
            Expression::integer(composition.threads()),
            Expression::integer(usize::from(subject.sends_eagerly())),
            Expression::integer(usize::from(subject.is_probed())),
        ];
        let (ranks, threads) = (composition.ranks(), composition.threads());
        let size = match needs {
            Needs { ranks: true, team: true } => format!("{ranks} ranks of {threads} threads"),
            Needs { ranks: true, team: false } => format!("{ranks} ranks"),
            Needs { ranks: false, team: true } => format!("{threads} threads"),
            Needs { ranks: false, team: false } => "one process".to_owned(),
        };
        vec![
            Statement::Comment(format!("Reads the command line; the program is made for {size}.")),
            Statement::call("ats_begin_composition", arguments),
            Statement::Let {
                ctype: CType::Int,
                name: WARM_UPS.to_owned(),
                value: Call::new("ats_warm_ups", []),
                comment: String::new(),
            },
            Statement::Space,
        ]
    }

    fn set_up(&self) -> Vec<Statement> {
        let mut all = Vec::new();
        if !self.splits.is_empty() {
            all.push(Statement::comment("Who runs with whom."));
            all.push(Statement::Me);
            let number = |(at, named): (usize, &Vec<&Ranks>)| Statement::Split {
                number: at + 1,
                groups: named.iter().map(|ranks| ranks.parts().to_vec()).collect(),
            };
            all.extend(Statement::region("ats_setup", self.splits.iter().enumerate().map(number).collect()));
            all.push(Statement::Space);
        }
        if self.composition.needs().team {
            all.extend(property::start());
        }
        all
    }

    /// Runs each twin once on its ranks.
    fn warm_up(&mut self) -> Result<Vec<Statement>> {
        let mut known = BTreeSet::new();
        let mut all = Vec::new();
        for (at, phase) in self.composition.phases().iter().enumerate() {
            let mut cases = Vec::new();
            for (number, group) in phase.groups.iter().enumerate() {
                let place = self.place(phase, number);
                let mut body = Vec::new();
                for step in &group.steps {
                    if known.insert((place, step.program.property.name)) {
                        body.extend(self.warm_up_step(step, place)?);
                    }
                }
                body.extend(self.teams(group, at, number, Part::WarmUp)?);
                cases.push((place, body));
            }
            all.extend(chosen(cases));
        }
        Ok(all)
    }

    fn measured(&mut self) -> Result<Vec<Statement>> {
        let mut all = Vec::new();
        for (at, phase) in self.composition.phases().iter().enumerate() {
            let mut tables = Vec::new();
            let mut cases = Vec::new();
            for (number, group) in phase.groups.iter().enumerate() {
                let place = self.place(phase, number);
                let mut body = Vec::new();
                for (step_at, step) in group.steps.iter().enumerate() {
                    let of_step = format!("{}_{}", number + 1, step_at + 1);
                    body.extend(self.step(step, phase.repeat, place, &of_step, &mut tables)?);
                }
                body.extend(self.teams(group, at, number, Part::Measured)?);
                cases.push((place, body));
            }
            let mut body: Vec<_> = (phase.align && self.composition.needs().ranks)
                .then(|| Statement::call("ats_align", []))
                .into_iter()
                .collect();
            body.extend(chosen(cases));
            let body = Statement::repeated("iteration", phase.repeat, body);
            all.extend([Statement::Space, Statement::Comment(format!("Phase {}.", at + 1))]);
            all.extend(in_block(tables, body));
        }
        Ok(all)
    }

    /// The ranks of a group; `None` for all, if there are no groups.
    fn place(&self, phase: &Phase, group: usize) -> Option<Place> {
        let named = named(phase);
        let at = self.splits.iter().position(|split| *split == named)?;
        Some((at + 1, group))
    }

    fn warm_up_step(&self, step: &Step, place: Option<Place>) -> Result<Vec<Statement>> {
        let property = step.program.property;
        let mut arguments = Vec::new();
        for parameter in property.parameters {
            if parameter.name == Property::REPETITIONS {
                arguments.push(Expression::Name(WARM_UPS.to_owned()));
                continue;
            }
            let values = self.values(parameter, property, step.arguments(0))?;
            arguments.extend(values.into_iter().flat_map(passed));
        }
        let call = Statement::call(property.twin, arguments.into_iter().chain(communicator(property, place)));
        if property.repeats() {
            return Ok(vec![call]);
        }
        let times = Expression::Name(WARM_UPS.to_owned());
        Ok(vec![Statement::Repeat { variable: "run", times, body: vec![call] }])
    }

    /// A step in its regions, with its repetitions. Varying values come from tables.
    fn step(
        &self,
        step: &Step,
        phase_repeat: usize,
        place: Option<Place>,
        of_step: &str,
        tables: &mut Vec<Statement>,
    ) -> Result<Vec<Statement>> {
        let property = step.program.property;
        let run = Run { phase: phase_repeat, step: step.repeat };
        let runs = phase_repeat * step.repeat;
        let mut columns = Vec::new();
        for parameter in property.parameters {
            let varies = step.parameters.get(parameter.name).is_some_and(|given| !given.is_constant());
            let of_runs: Vec<_> = (0..if varies { runs } else { 1 })
                .map(|run| self.values(parameter, property, step.arguments(run)))
                .collect::<Result<_>>()?;
            for part in 0..of_runs[0].len() {
                let suffix = if part == 0 { "" } else { parameter.kind.in_c[part].suffix };
                let values: Vec<_> = of_runs.iter().map(|values| values[part].clone()).collect();
                columns.push((format!("{}{suffix}", parameter.name), values));
            }
        }
        let call = |arguments: Vec<Expression>| {
            Statement::call(step.program.name(), arguments.into_iter().chain(communicator(property, place)))
        };
        let body = if columns.iter().any(|(_, values)| shapes(values) > 1) {
            // A table has descriptors of one type.
            let of_run = |run: usize| {
                let value =
                    |(_, values): &(String, Vec<CValue>)| passed(values[run.min(values.len() - 1)].clone());
                vec![call(columns.iter().flat_map(value).collect())]
            };
            vec![Statement::When(
                (0..runs).map(|number| (Condition::Run(run, number), of_run(number))).collect(),
            )]
        } else {
            let mut arguments = Vec::new();
            for (name, mut values) in columns {
                if values.len() == 1 {
                    arguments.extend(passed(values.remove(0)));
                    continue;
                }
                let table = format!("{name}_{of_step}");
                let entry = |ctype| Expression::Entry { table: table.clone(), run, ctype };
                if let CValue::Distribution(first) = &values[0] {
                    arguments.push(Expression::Name(descriptor(first).1.to_owned()));
                }
                arguments.extend(values[0].types().last().map(|&ctype| entry(ctype)));
                tables.push(Statement::Table { name: table.clone(), values });
            }
            vec![call(arguments)]
        };
        let body = Statement::repeated("run", step.repeat, body);
        Ok(step.regions.iter().rev().fold(body, |body, region| Statement::region(region, body)))
    }

    /// The call of the function that divides the process's threads, if the group has teams.
    fn teams(&mut self, group: &Group, phase: usize, number: usize, part: Part) -> Result<Option<Statement>> {
        if group.teams.is_empty() {
            return Ok(None);
        }
        let repeat = self.composition.phases()[phase].repeat;
        let (prefix, parameter, argument) = match part {
            Part::WarmUp => ("warm_up_", WARM_UPS, Expression::Name(WARM_UPS.to_owned())),
            Part::Measured if repeat > 1 => ("", "iteration", Expression::Name("iteration".to_owned())),
            Part::Measured => ("", "iteration", Expression::integer(0)),
        };
        let name = format!("{prefix}teams_{}_{}", phase + 1, number + 1);
        let mut members = Vec::new();
        for team in &group.teams {
            let (mut tables, mut body) = (Vec::new(), Vec::new());
            for (at, step) in team.steps.iter().enumerate() {
                body.extend(match part {
                    Part::WarmUp => self.warm_up_step(step, None)?,
                    Part::Measured => self.step(step, repeat, None, &(at + 1).to_string(), &mut tables)?,
                });
            }
            tables.extend(body);
            members.push((team.threads, tables));
        }
        self.code.teams.push(Teams { name: name.clone(), parameter, members });
        Ok(Some(Statement::call(&name, [argument])))
    }

    /// The arguments for a parameter.
    fn values(
        &self,
        parameter: &Parameter,
        property: &Property,
        arguments: &Arguments,
    ) -> Result<Vec<CValue>> {
        in_c(parameter, property, self.language)?;
        Ok(arguments.value(parameter.name).expect("a value for every parameter").to_c())
    }
}

/// The groups of a phase by their ranks; empty if all ranks run together.
fn named(phase: &Phase) -> Vec<&Ranks> {
    phase.groups.iter().filter_map(|group| group.ranks.as_ref()).collect()
}

/// Statements that give each rank the part of its group.
fn chosen(cases: Vec<(Option<Place>, Vec<Statement>)>) -> Vec<Statement> {
    let (mut of_all, mut of_groups) = (Vec::new(), Vec::new());
    for (place, body) in cases {
        match place {
            None => of_all.extend(body),
            Some((split, group)) if !body.is_empty() => {
                of_groups.push((Condition::Member { split, group }, body));
            }
            Some(_) => {}
        }
    }
    of_all.extend((!of_groups.is_empty()).then_some(Statement::When(of_groups)));
    of_all
}

fn in_block(mut tables: Vec<Statement>, body: Vec<Statement>) -> Vec<Statement> {
    if tables.is_empty() {
        return body;
    }
    tables.extend(body);
    vec![Statement::Block(tables)]
}

fn communicator(property: &Property, place: Option<Place>) -> Option<Expression> {
    let communicator = || place.map_or(Expression::World, |(split, _)| Expression::Group(split));
    property.needs.ranks.then(communicator)
}

/// A value as it is passed.
fn passed(value: CValue) -> Vec<Expression> {
    match &value {
        CValue::Distribution(distribution) => {
            vec![Expression::Name(descriptor(distribution).1.to_owned()), Expression::Literal(value)]
        }
        _ => vec![Expression::Literal(value)],
    }
}

/// The number of shapes of the distributions.
fn shapes(values: &[CValue]) -> usize {
    let shape = |value: &CValue| match value {
        CValue::Distribution(distribution) => Some(shape(distribution)),
        _ => None,
    };
    values.iter().filter_map(shape).collect::<BTreeSet<_>>().len()
}

fn shape(distribution: &Distribution) -> &'static str {
    descriptor(distribution).1
}
