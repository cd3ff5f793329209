//! The properties of the catalogue as C functions.

use ats_props::{
    CArgument, CPart, CType, Catalogue, Needs, Parameter, ParameterKind, Program, Property, Shown,
};

use super::interface::{COMMUNICATOR, Function, TEXT, Type, exported};

/// A property or its twin: its entry in the interface, and the Rust that calls it.
pub(crate) struct Entry {
    pub(crate) function: Function,
    pub(crate) rust: String,
}

/// Those with these needs: ranks alone, or nothing. Threads are made by the pragmas of the program that has them.
pub(crate) fn of_catalogue(needs: Needs) -> Vec<Entry> {
    let catalogue = Catalogue::builtin().filter(ats_props::Entry::is_function);
    catalogue.programs().filter(|program| program.property.needs == needs).map(entry).collect()
}

fn entry(program: Program) -> Entry {
    let function = function(&program);
    let rust = rust(&program, &function);
    Entry { function, rust }
}

fn function(program: &Program) -> Function {
    let parameters = program.property.parameters;
    let mut all: Vec<(String, &'static Type)> = parameters.iter().flat_map(in_c).collect();
    let has_ranks = program.property.needs.ranks;
    all.extend(has_ranks.then(|| ("c".to_owned(), &COMMUNICATOR)));
    Function {
        name: program.name().to_owned(),
        module: if has_ranks { "mpi::property" } else { "sequential" }.to_owned(),
        doc: doc(program),
        parameters: all,
        result: None,
    }
}

fn in_c(parameter: &Parameter) -> Vec<(String, &'static Type)> {
    let arguments = parameter.in_c();
    assert!(!arguments.is_empty(), "{}: C has nothing for a {}", parameter.name, parameter.kind.name);
    arguments.into_iter().map(|CArgument { name, part }| (name, Type::of_argument(part.ctype))).collect()
}

fn doc(program: &Program) -> String {
    let Property { name, doc, parameters, finds, needs, .. } = program.property;
    if program.balanced && !needs.ranks {
        return format!("The balanced twin of `{name}`, which shows nothing of it.");
    }
    if program.balanced {
        return format!(
            "The balanced twin of `{name}`: the same calls and the same work in total, but no waiting."
        );
    }
    let described = parameters.iter().map(|parameter| {
        let names: Vec<String> = in_c(parameter).into_iter().map(|(name, _)| name).collect();
        let unit = match parameter.kind.unit {
            "" => String::new(),
            unit => format!(" [{unit}]"),
        };
        format!("{}{unit}: {}\n", names.join(", "), parameter.doc)
    });
    let shown = match finds.shown {
        [] => "Shows nothing.".to_owned(),
        shown => {
            let all =
                shown.iter().map(|Shown { what, formula, .. }| format!("Shows {}: {formula}.", what.name()));
            all.collect::<Vec<_>>().join("\n")
        }
    };
    format!("{doc}\n\n{shown}\n\n{}", described.collect::<String>())
}

fn rust(program: &Program, function: &Function) -> String {
    let Property { name, origin, parameters, .. } = program.property;
    let arguments: String = parameters.iter().map(|parameter| converted(parameter) + ", ").collect();
    let (region, called) = if program.balanced {
        (format!("        let _region = ats_work::region({:?});\n", program.name()), "balanced")
    } else {
        (String::new(), *name)
    };
    let (module, symbol) = (origin.module, &function.name);
    if !program.property.needs.ranks {
        let body = format!(
            "    property({symbol:?}, || {{\n\
             {region}        \
             {module}::{called}({arguments});\n        \
             Ok(())\n    \
             }})\n"
        );
        let declared = function.parameters.iter().map(|(name, kind)| (name.as_str(), kind.rust));
        return exported(symbol, declared, None, &body);
    }
    let body = format!(
        "    let run = |c: &dyn Communicator| {{\n\
         {region}        \
         // SAFETY: the program passes a function with a descriptor that it understands.\n        \
         {module}::{called}({arguments}c);\n        \
         Ok(())\n    \
         }};\n    \
         // SAFETY: the program passes a handle of MPI.\n    \
         unsafe {{ property({symbol:?}, c, run) }}\n"
    );
    let declared = function.parameters.iter().map(|(name, kind)| (name.as_str(), kind.rust));
    exported(symbol, declared, None, &body)
}

/// The expression that checks an argument.
fn converted(parameter: &Parameter) -> String {
    let arguments = parameter.in_c();
    match &arguments[..] {
        [df, dd] if df.part.ctype == CType::Function => {
            format!("unsafe {{ distribution({}, {}) }}?", df.name, dd.name)
        }
        all => {
            let values: Vec<_> =
                all.iter().map(|one| format!("CValue::{}({})", variant(one.part.ctype), one.name)).collect();
            format!("value({:?}, &[{}])?", parameter.name, values.join(", "))
        }
    }
}

fn variant(ctype: CType) -> &'static str {
    match ctype {
        CType::Double => "Real",
        CType::Int => "Int",
        CType::Long => "Long",
        CType::Function | CType::Descriptor => unreachable!("they come together"),
    }
}

/// The functions that return a program's parameters from the command line: one for each part of each kind.
pub(crate) fn getters() -> Vec<Entry> {
    let kinds = ParameterKind::ALL.iter();
    let parts = kinds.flat_map(|kind| kind.in_c.iter().enumerate().map(move |(at, part)| (kind, at, part)));
    // A descriptor is made by hand: its number is that of a distribution which the library keeps.
    parts.filter(|(.., part)| part.ctype.is_number()).map(|(kind, at, part)| getter(kind, at, part)).collect()
}

fn getter(kind: &ParameterKind, at: usize, part: &CPart) -> Entry {
    let result = Type::of_argument(part.ctype);
    let (name, variant) = (part.getter, variant(part.ctype));
    let body = format!(
        "    // SAFETY: the program passes a string.\n    \
         call({name:?}, || match unsafe {{ part(name, {:?}, {at}) }}? {{\n        \
         CValue::{variant}(value) => Ok(value),\n        \
         other => unreachable!(\"{{other:?}} is no part of it\"),\n    \
         }})\n",
        kind.name,
    );
    Entry {
        rust: exported(name, [("name", TEXT.rust)].into_iter(), Some(result.rust), &body),
        function: Function {
            name: name.to_owned(),
            module: "program".to_owned(),
            doc: format!("The value of a parameter that is {}.", part.doc),
            parameters: vec![("name".to_owned(), &TEXT)],
            result: Some(result),
        },
    }
}
