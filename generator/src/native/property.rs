//! The program of one property.

use std::iter;

use ats_props::{CArgument, CType, Parameter, Property};

use super::code::{Call, Code, Expression, Prototype, Statement};
use super::fit::{check_in_library, in_c};
use crate::template::described;
use crate::{GenerateError, Language};

/// The code of a property's program.
pub(crate) fn code(property: &Property, language: Language) -> Result<Code, GenerateError> {
    check_in_library(property, language)?;
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
        main.extend(given(parameter, property, language)?);
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
    if property.finds.is_silent() {
        main.push(itself);
    } else {
        let test = Call::new("ats_balanced", []);
        main.push(Statement::Either { test, then: vec![twin], otherwise: vec![itself] });
    }
    main.push(Statement::call("ats_end_measured", []));
    let sources = if property.needs.team { prototypes(property, language)? } else { Vec::new() };
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

/// The variables of a parameter, from the command line.
fn given(
    parameter: &Parameter,
    property: &Property,
    language: Language,
) -> Result<Vec<Statement>, GenerateError> {
    let mut all = Vec::new();
    for CArgument { name, part } in in_c(parameter, property, language)? {
        if part.getter.is_empty() {
            continue;
        }
        let value = Call::new(part.getter, [Expression::Text(parameter.name.to_owned())]);
        let name = if part.ctype == CType::Descriptor { parameter.name.to_owned() } else { name };
        let comment = if all.is_empty() { described(parameter) } else { String::new() };
        all.push(Statement::Let { ctype: part.ctype, name, value, comment });
    }
    Ok(all)
}

/// The property's arguments: its parameters, and all ranks.
fn arguments(property: &Property, language: Language) -> Result<Vec<Expression>, GenerateError> {
    let mut all = Vec::new();
    for parameter in property.parameters {
        all.extend(in_c(parameter, property, language)?.into_iter().map(
            |argument| match argument.part.ctype {
                CType::Function => Expression::Name("df_given".to_owned()),
                CType::Descriptor => Expression::Descriptor(parameter.name.to_owned()),
                CType::Double | CType::Int | CType::Long => Expression::Name(argument.name),
            },
        ));
    }
    all.extend(property.needs.ranks.then_some(Expression::World));
    Ok(all)
}

/// The property and its twin, if it has one, as functions of the program.
pub(super) fn prototypes(property: &Property, language: Language) -> Result<Vec<Prototype>, GenerateError> {
    let mut arguments = Vec::new();
    for parameter in property.parameters {
        let in_c = in_c(parameter, property, language)?;
        arguments.extend(in_c.into_iter().map(|argument| (argument.name, argument.part.ctype)));
    }
    let communicator = property.needs.ranks;
    let prototype =
        |name: &str| Prototype { name: name.to_owned(), arguments: arguments.clone(), communicator };
    let twin = (!property.finds.is_silent()).then(|| prototype(property.twin));
    Ok(iter::once(prototype(property.name)).chain(twin).collect())
}
