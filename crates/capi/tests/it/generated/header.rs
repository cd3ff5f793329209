//! The header `ats.h`.

use ats_props::Bytes;

use super::interface::{Function, Interface, Structure, Type, lines, paradigms};

pub(crate) fn header(interface: &Interface) -> String {
    let structures = |of_mpi: bool| {
        let all = interface.structures.iter().filter(|it| it.is_of_mpi() == of_mpi);
        all.map(structure).collect::<String>()
    };
    let documented = |functions: &[Function], of_mpi: bool| {
        let all = functions.iter().filter(|it| it.is_of_mpi() == of_mpi);
        all.map(|it| comment(&it.doc) + &prototype(it)).collect::<String>()
    };
    let for_fortran = interface.all_functions().filter(|function| function.has_handles()).map(for_fortran);
    include_str!("../../../templates/ats.h")
        .replace("@paradigms@", &paradigms())
        .replace("@limit@", &Bytes::LIMIT_IN_C.to_string())
        .replace("@structures@", structures(false).trim_end())
        .replace("@functions@", documented(&interface.functions, false).trim_end())
        .replace("@structures_of_mpi@", structures(true).trim_end())
        .replace("@functions_of_mpi@", documented(&interface.functions, true).trim_end())
        .replace("@sequential@", documented(&interface.properties, false).trim_end())
        .replace("@properties@", documented(&interface.properties, true).trim_end())
        .replace("@fortran@", for_fortran.collect::<String>().trim_end())
}

fn structure(Structure { name, doc, fields, .. }: &Structure) -> String {
    let fields: String = fields.iter().map(|(name, kind)| format!("    {} {name};\n", kind.c)).collect();
    format!("{}typedef struct {{\n{fields}}} {name};\n", comment(doc))
}

fn prototype(Function { name, parameters, result, .. }: &Function) -> String {
    declaration(
        name,
        parameters.iter().map(|(name, kind)| (name.as_str(), kind.c)),
        result.map(|kind| kind.c),
    )
}

fn for_fortran(function: &Function) -> String {
    let c = |kind: &Type| if kind.handle.is_some() { "MPI_Fint" } else { kind.c };
    let parameters = function.parameters.iter().map(|(name, kind)| (name.as_str(), c(kind)));
    declaration(&function.fortran_symbol(), parameters, function.result.map(c))
}

/// Without a blank line behind it, since a comment begins with one.
fn declaration<'a>(
    name: &str,
    parameters: impl Iterator<Item = (&'a str, &'a str)>,
    result: Option<&str>,
) -> String {
    let parameters: Vec<String> = parameters.map(|(name, kind)| format!("{kind} {name}")).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{} {name}({parameters});\n", result.unwrap_or("void"))
}

fn comment(doc: &str) -> String {
    let text: String = lines(doc)
        .map(|line| format!(" * {}", line.replace("*/", "* /")).trim_end().to_owned() + "\n")
        .collect();
    format!("\n/*\n{text} */\n")
}
