//! The program of one property.

use ats_props::{CKind, Parameter, Property};

use super::code::{Call, Code, Expression, Prototype, Statement};
use super::{argument_kinds, unfit};
use crate::template::described;
use crate::{GenerateError, Language};

/// What it does.
pub(crate) fn code(property: &Property, language: Language) -> Result<Code, GenerateError> {
    if property.origin.package != super::LIBRARY_OF {
        return Err(unfit(property, language, "libats has the suite's own properties only"));
    }
    let arguments = arguments(property, language)?;
    let with_warm_ups: Vec<_> = arguments
        .iter()
        .map(|argument| match argument {
            Expression::Name(name) if name == Property::REPETITIONS => warm_ups(),
            other => other.clone(),
        })
        .collect();
    let twin = Statement::call(property.twin, arguments.clone());
    let warm_up = Statement::call(property.twin, with_warm_ups);
    let itself = Statement::call(property.name, arguments);

    let mut main = begin(property);
    for parameter in property.parameters {
        main.push(given(parameter, property, language)?);
    }
    main.push(Statement::Space);
    if property.needs.team {
        main.extend(start());
    }
    main.push(Statement::comment("The balanced twin takes the start-up costs and leaves nothing to find."));
    main.extend(align(property));
    let warm_up = if property.repeats() {
        vec![warm_up]
    } else {
        vec![Statement::Repeat { variable: "run", times: warm_ups(), body: vec![warm_up] }]
    };
    main.extend(Statement::region("ats_warmup", warm_up));
    main.extend([Statement::Space, Statement::comment("From here on there is something to find.")]);
    main.extend(align(property));
    main.push(Statement::call("ats_begin_measured", []));
    let test = Call::new("ats_balanced", []);
    main.push(Statement::Either { test, then: vec![twin], otherwise: vec![itself] });
    main.push(Statement::call("ats_end_measured", []));
    let sources = if property.needs.team { prototypes(property, language)?.into() } else { Vec::new() };
    Ok(Code { main, sources, ..Code::default() })
}

fn warm_ups() -> Expression {
    Expression::Value(Box::new(Call::new("ats_warm_ups", [])))
}

fn begin(property: &Property) -> Vec<Statement> {
    let mpi = if property.needs.ranks { " and initialises MPI, which ats_end finalizes" } else { "" };
    vec![
        Statement::Comment(format!("Reads the command line{mpi}.")),
        Statement::call("ats_begin", [Expression::CommandLine, Expression::Text(property.name.to_owned())]),
        Statement::Space,
    ]
}

/// All threads are there before anything is measured.
pub(super) fn start() -> Vec<Statement> {
    let mut all =
        vec![Statement::comment("All threads are started, and each measures what work has to know.")];
    all.extend(Statement::region("ats_setup", vec![Statement::StartThreads]));
    all.push(Statement::Space);
    all
}

fn align(property: &Property) -> Option<Statement> {
    property.needs.ranks.then(|| Statement::call("ats_align", []))
}

/// The variable of a parameter, from the command line.
fn given(parameter: &Parameter, property: &Property, language: Language) -> Result<Statement, GenerateError> {
    let (kind, function) = match argument_kinds(parameter, property, language)?[..] {
        [CKind::Seconds] => (CKind::Seconds, "ats_seconds"),
        [CKind::Count] => (CKind::Count, "ats_count"),
        _ => (CKind::Descriptor, "ats_distribution"),
    };
    let name = parameter.name.to_owned();
    let value = Call::new(function, [Expression::Text(name.clone())]);
    Ok(Statement::Let { kind, name, value, comment: described(parameter) })
}

/// The property's arguments: its parameters, and all ranks.
fn arguments(property: &Property, language: Language) -> Result<Vec<Expression>, GenerateError> {
    let mut all = Vec::new();
    for parameter in property.parameters {
        for kind in argument_kinds(parameter, property, language)? {
            all.push(match kind {
                CKind::Function => Expression::Name("df_given".to_owned()),
                CKind::Descriptor => Expression::Descriptor(parameter.name.to_owned()),
                CKind::Seconds | CKind::Count => Expression::Name(parameter.name.to_owned()),
            });
        }
    }
    all.extend(property.needs.ranks.then_some(Expression::World));
    Ok(all)
}

/// The property and its twin, as functions of the program.
pub(super) fn prototypes(property: &Property, language: Language) -> Result<[Prototype; 2], GenerateError> {
    let mut arguments = Vec::new();
    for parameter in property.parameters {
        argument_kinds(parameter, property, language)?;
        let in_c = parameter.in_c().into_iter().flatten();
        arguments.extend(in_c.map(|argument| (argument.name, argument.kind)));
    }
    let communicator = property.needs.ranks;
    Ok([property.name, property.twin].map(|name| Prototype {
        name: name.to_owned(),
        arguments: arguments.clone(),
        communicator,
    }))
}
