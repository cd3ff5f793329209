//! The properties of the catalogue as C functions.

use ats_props::{Catalogue, Finds, Paradigm, Parameter, Program, Property};

use crate::interface::{COMMUNICATOR, DESCRIPTOR, DOUBLE, FUNCTION, Function, INT, Type};

/// A property or its twin: what the interface says of it, and the Rust that calls it.
pub(crate) struct Entry {
    pub(crate) function: Function,
    pub(crate) rust: String,
}

/// Those that need MPI alone; threads are made by the pragmas of the program that has them.
pub(crate) fn of_catalogue() -> Vec<Entry> {
    let catalogue = Catalogue::builtin();
    catalogue.programs().filter(|program| program.property.paradigm == Paradigm::Mpi).map(entry).collect()
}

fn entry(program: Program) -> Entry {
    let function = function(&program);
    let rust = rust(&program, &function);
    Entry { function, rust }
}

fn function(program: &Program) -> Function {
    let parameters = program.property.parameters;
    let mut all: Vec<(String, &'static Type)> = parameters.iter().flat_map(in_c).collect();
    all.push(("c".to_owned(), &COMMUNICATOR));
    Function {
        name: program.name().to_owned(),
        module: "property".to_owned(),
        doc: doc(program),
        parameters: all,
        result: None,
    }
}

/// A distribution is a function and its descriptor, as in the report.
fn in_c(parameter: &Parameter) -> Vec<(String, &'static Type)> {
    match parameter.kind {
        "seconds" => vec![(parameter.name.to_owned(), &DOUBLE)],
        "count" => vec![(parameter.name.to_owned(), &INT)],
        "distribution" => {
            let (df, dd) = distribution(parameter);
            vec![(df, &FUNCTION), (dd, &DESCRIPTOR)]
        }
        kind => panic!("{}: C has no type for a {kind}; add it in build/properties.rs", parameter.name),
    }
}

fn distribution(parameter: &Parameter) -> (String, String) {
    match parameter.name {
        "distribution" => ("df".to_owned(), "dd".to_owned()),
        name => (format!("{name}_df"), format!("{name}_dd")),
    }
}

fn doc(program: &Program) -> String {
    let Property { name, doc, parameters, finds, formula, .. } = program.property;
    if program.balanced {
        return format!(
            "The balanced twin of `{name}`: the same calls and the same work in total, but no waiting."
        );
    }
    let described = parameters.iter().map(|parameter| {
        let names: Vec<String> = in_c(parameter).into_iter().map(|(name, _)| name).collect();
        let unit = if parameter.unit.is_empty() { String::new() } else { format!(" [{}]", parameter.unit) };
        format!("{}{unit}: {}\n", names.join(", "), parameter.doc)
    });
    let shown = match *finds {
        Finds::Wait(state) => state.name(),
        Finds::Count(region) => region,
    };
    format!("{doc}\n\nShows {shown}: {formula}.\n\n{}", described.collect::<String>())
}

fn rust(program: &Program, function: &Function) -> String {
    let Property { name, origin, parameters, .. } = program.property;
    let declared: Vec<String> =
        function.parameters.iter().map(|(name, kind)| format!("{name}: {}", kind.rust)).collect();
    let arguments: String = parameters.iter().map(|parameter| converted(parameter) + ", ").collect();
    let (region, called) = if program.balanced {
        (format!("let _region = ats_work::region({:?});", program.name()), "balanced")
    } else {
        (String::new(), *name)
    };
    format!(
        "#[unsafe(no_mangle)]
        pub(crate) unsafe extern \"C\" fn {}({}) {{
            let run = |c: &dyn Communicator| {{
                {region}
                // SAFETY: the program passes a function with a descriptor that it understands.
                {}::{called}({arguments}c);
                Ok(())
            }};
            // SAFETY: the program passes a handle of MPI.
            unsafe {{ property({:?}, c, run) }}
        }}
        ",
        function.name,
        declared.join(", "),
        origin.module,
        function.name,
    )
}

/// The expression that checks an argument.
fn converted(parameter: &Parameter) -> String {
    let name = parameter.name;
    match parameter.kind {
        "seconds" => format!("seconds({name:?}, {name})?"),
        "count" => format!("count({name:?}, {name})?"),
        _ => {
            let (df, dd) = distribution(parameter);
            format!("unsafe {{ distribution({df}, {dd}) }}?")
        }
    }
}
