//! Functions of MPI that a library lacks: asked of the dynamic linker.

use ats_model::mpi::Function;

use super::asked::answer;
use crate::mpi::Mpi;

const SOURCE: &str = include_str!("functions.c");

/// The functions that programs of the suite look up and that a library has neither under their own name nor under that of
/// an extension.
///
/// # Errors
/// The program that asks cannot be compiled or run; the reason is in words.
pub(super) fn lacking(mpi: Mpi) -> Result<Vec<Function>, String> {
    let asked: Vec<Function> = Function::ALL.iter().copied().filter(|it| it.is_looked_up()).collect();
    let names = asked.iter().flat_map(|it| [it.name().into(), it.name_of_extension().into()]).collect();
    let said = answer(mpi, SOURCE, 1, names)?;
    let is_there = |name: &str| said.lines().any(|line| line == name);
    let lacks = |it: &Function| !is_there(it.name()) && !is_there(&it.name_of_extension());
    Ok(asked.into_iter().filter(lacks).collect())
}
