//! The functions of MPI that libraries have.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use ats_model::mpi::Function;

/// The `mpi.h` of a compiler's library, with what it includes.
fn header(compiler: &Path) -> String {
    let program = tempfile::Builder::new().suffix(".c").tempfile().expect("a temporary file");
    std::fs::write(program.path(), "#include <mpi.h>\n").expect("it is writable");
    let output = Command::new(compiler).arg("-E").arg(program.path()).output().expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a header is a text")
}

/// The functions that a header declares.
fn functions(header: &str) -> BTreeSet<&str> {
    let end = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let words = header.match_indices("MPI_").filter(|(at, _)| {
        let before = header[..*at].chars().next_back().unwrap_or(' ');
        !before.is_alphanumeric() && before != '_'
    });
    words
        .map(|(at, _)| header[at..].split_at(end(&header[at..])))
        .filter(|(name, after)| {
            let is_mixed = name[4..].chars().next().is_some_and(char::is_uppercase)
                && name[4..].chars().any(char::is_lowercase);
            is_mixed && after.starts_with('(')
        })
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn every_function_of_a_library_has_a_row() {
    for library in ats_testing::tested_mpi() {
        let Some(compiler) = ats_testing::find(&format!("mpicc.{library}")) else { continue };
        let header = header(&compiler);
        let functions = functions(&header);
        assert!(functions.len() > 350, "only {} functions: {functions:?}", functions.len());
        let unknown: Vec<_> =
            functions.into_iter().filter(|name| Function::of_spelling(name).is_none()).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", compiler.display());
    }
}
