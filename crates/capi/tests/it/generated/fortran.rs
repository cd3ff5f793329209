//! The Fortran module `ats.f90`, and the functions that it calls.

use ats_props::Bytes;

use super::interface::{
    DESCRIPTOR, FUNCTION, Function, INT, Interface, Structure, TEXT, Type, exported, lines, paradigms,
};

pub(crate) fn module(interface: &Interface) -> String {
    let numbers = |structure: &&Structure| structure.fields.iter().all(|(_, kind)| kind.is_number());
    let structures: String = interface.structures.iter().filter(numbers).map(structure).collect();
    let interfaces = |functions: &[Function]| functions.iter().map(procedure).collect::<String>();
    include_str!("../../../templates/ats.f90")
        .replace("@paradigms@", &paradigms())
        .replace("@limit@", &Bytes::LIMIT_IN_C.to_string())
        .replace("@structures@", structures.trim_end())
        .replace("@functions@", interfaces(&interface.functions).trim_end())
        .replace("@properties@", interfaces(&interface.properties).trim_end())
}

fn structure(Structure { name, doc, fields, .. }: &Structure) -> String {
    let fields: String =
        fields.iter().map(|(name, kind)| format!("    {} :: {name}\n", kind.fortran)).collect();
    format!("{}  type, bind(C) :: {name}\n{fields}  end type\n\n", comment("  ", doc))
}

fn procedure(function: &Function) -> String {
    let Function { name, doc, parameters, result, .. } = function;
    let (kind, returned) = match result {
        Some(_) => ("function", " result(value)"),
        None => ("subroutine", ""),
    };
    let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
    let takes_function = parameters.iter().any(|(_, kind)| **kind == FUNCTION);
    let dummies: String = parameters
        .iter()
        .map(|(name, kind)| format!("      {} :: {name}\n", dummy(kind, takes_function)))
        .collect();
    let value = result.map_or(String::new(), |kind| format!("      {} :: value\n", kind.fortran));
    format!(
        "{}    {kind} {name}({}) &\n        bind(C, name=\"{}\"){returned}\n      import\n{dummies}{value}    end {kind}\n\n",
        comment("    ", doc),
        names.join(", "),
        function.fortran_symbol(),
    )
}

/// A descriptor of any type goes with a function by its address; the function itself gets that address.
fn dummy(kind: &Type, takes_function: bool) -> String {
    match () {
        () if *kind == FUNCTION || *kind == TEXT => kind.fortran.to_owned(),
        () if *kind == DESCRIPTOR && takes_function => "type(*), intent(in)".to_owned(),
        () => format!("{}, value", kind.fortran),
    }
}

fn comment(indent: &str, doc: &str) -> String {
    lines(doc).map(|line| format!("{indent}!> {line}").trim_end().to_owned() + "\n").collect()
}

/// The functions with handles once more, with the integers that Fortran has for them.
pub(crate) fn entry_points(interface: &Interface) -> String {
    interface.all_functions().filter(|function| function.has_handles()).map(entry_point).collect()
}

fn entry_point(function: &Function) -> String {
    let rust = |kind: &Type| if kind.handle.is_some() { INT.rust } else { kind.rust };
    let argument = |(name, kind): &(String, &'static Type)| match &kind.handle {
        Some(handle) => format!("ffi::{}(r#{name})", handle.from_fortran),
        None => format!("r#{name}"),
    };
    let arguments: Vec<String> = function.parameters.iter().map(argument).collect();
    let call = format!("crate::{}::{}({})", function.module, function.name, arguments.join(", "));
    let call = match function.result.and_then(|kind| kind.handle.as_ref()) {
        Some(handle) => format!("ffi::{}({call})", handle.to_fortran),
        None => call,
    };
    let body = format!(
        "    // SAFETY: the caller keeps the rules of the function, whose handles these become.\n    \
         unsafe {{ {call} }}\n"
    );
    let declared = function.parameters.iter().map(|(name, kind)| (name.as_str(), rust(kind)));
    exported(&function.fortran_symbol(), declared, function.result.map(rust), &body)
}
