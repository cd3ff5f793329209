//! The properties of the catalogue as C functions.

use ats_props::{CArgument, CKind, Catalogue, Finds, Needs, Parameter, Program, Property};

use crate::interface::{COMMUNICATOR, DESCRIPTOR, DOUBLE, FUNCTION, Function, INT, Type};

/// A property or its twin: what the interface says of it, and the Rust that calls it.
pub(crate) struct Entry {
    pub(crate) function: Function,
    pub(crate) rust: String,
}

/// Those that need MPI alone; threads are made by the pragmas of the program that has them.
pub(crate) fn of_catalogue() -> Vec<Entry> {
    let catalogue = Catalogue::builtin();
    catalogue.programs().filter(|program| program.property.needs == Needs::RANKS).map(entry).collect()
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

fn in_c(parameter: &Parameter) -> Vec<(String, &'static Type)> {
    arguments(parameter).into_iter().map(|CArgument { name, kind }| (name, type_of(kind))).collect()
}

fn arguments(parameter: &Parameter) -> Vec<CArgument> {
    parameter.in_c().unwrap_or_else(|| panic!("{}: C has nothing for a {}", parameter.name, parameter.kind))
}

fn type_of(kind: CKind) -> &'static Type {
    match kind {
        CKind::Seconds => &DOUBLE,
        CKind::Count => &INT,
        CKind::Function => &FUNCTION,
        CKind::Descriptor => &DESCRIPTOR,
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
    match &arguments(parameter)[..] {
        [CArgument { name, kind: CKind::Seconds }] => format!("seconds({name:?}, {name})?"),
        [CArgument { name, kind: CKind::Count }] => format!("count({name:?}, {name})?"),
        [df, dd] => format!("unsafe {{ distribution({}, {}) }}?", df.name, dd.name),
        other => panic!("{}: nothing is made of {other:?}", parameter.name),
    }
}
