//! Functions that are newer than the MPI library that a file may be compiled with.

use std::collections::BTreeSet;

use ats_model::mpi;

use super::function::Function;
use super::statement::Statement;
use super::step::Shape;

/// The lines before the program: the names of functions of MPI 4 in Open MPI 4, which has some of them as extensions; and the
/// refusal of a library that has no others.
pub(crate) fn head(functions: &[Function]) -> String {
    let mut names = BTreeSet::new();
    functions.iter().for_each(|function| add_names(&function.body, &mut names));
    let called = names.into_iter().filter_map(mpi::Function::of_name);
    let (renamed, missing): (Vec<_>, Vec<_>) = called
        .filter(|function| function.is_looked_up())
        .partition(|function| function.collective().is_some());
    let mut text = String::new();
    if let Some(function) = missing.first() {
        text += &format!(
            "#if MPI_VERSION < 4\n#error \"{function} is new in MPI 4: use another MPI library\"\n#endif\n\n"
        );
    }
    if !renamed.is_empty() {
        let line = |function: mpi::Function| format!("#define {function} {}\n", function.name_of_extension());
        let lines: String = renamed.into_iter().map(line).collect();
        text += &format!("#if MPI_VERSION < 4 && defined(OPEN_MPI)\n#include <mpi-ext.h>\n{lines}#endif\n\n");
    }
    text
}

/// Adds the names of the functions that are called.
fn add_names(body: &[Statement], names: &mut BTreeSet<&'static str>) {
    for statement in body {
        match statement {
            Statement::Line { shape: Shape::Call(name, _), .. } => {
                names.insert(name);
            }
            Statement::Line { .. } => {}
            Statement::Loop { body, .. } => add_names(body, names),
            Statement::When(cases) => cases.iter().for_each(|(_, body)| add_names(body, names)),
        }
    }
}
