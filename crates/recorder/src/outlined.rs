//! Functions that compilers make of the blocks of OpenMP's constructs: no functions of the program, but parts of those that they
//! were taken from.

use ats_trace::parts::LocalContext;

/// The marks in their names: of Clang, and of GCC.
const MARKS: [&str; 2] = [".omp_outlined", "._omp_fn."];

/// The begin of what stands behind the name of a function of C++, around a mark.
const CLONE: &str = " [clone ";

/// The function that begins a task in Clang's code, which may run in any other.
const TASK: &str = ".omp_task_entry.";

/// The name of the function that a function was taken from, if it was; empty if its name does not say.
fn origin(function: &str) -> Option<&str> {
    let (origin, _) = MARKS.iter().find_map(|mark| function.split_once(mark))?;
    Some(origin.strip_suffix(CLONE).unwrap_or(origin))
}

/// Whether a function is a block of a construct.
pub(crate) fn is_block(function: &str) -> bool {
    function == TASK || origin(function).is_some()
}

/// The call that `call` is if its function was taken from that of the call `around`: that function calls.
pub(crate) fn within(call: &LocalContext, around: &LocalContext) -> Option<LocalContext> {
    let origin = origin(&call.function)?;
    let is_part = around.function == origin || origin.is_empty() && around.function != TASK;
    let LocalContext { function, parent, .. } = around.clone();
    is_part.then(|| LocalContext { function, parent, ..call.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: &str, line: u32, parent: Option<u32>) -> LocalContext {
        LocalContext { function: function.into(), file: "heat.c".into(), line, parent }
    }

    #[test]
    fn a_block_is_a_part_of_the_function_that_it_was_taken_from() {
        let solve = call("solve", 12, Some(7));
        for name in [".omp_outlined.", ".omp_outlined._debug__", "solve.omp_outlined", "solve._omp_fn.0"] {
            assert_eq!(within(&call(name, 14, Some(8)), &solve), Some(call("solve", 14, Some(7))), "{name}");
        }
        let [of_cxx, block] =
            ["S::up(int)", "S::up(int) [clone ._omp_fn.0]"].map(|name| call(name, 12, None));
        assert_eq!(within(&block, &of_cxx), Some(of_cxx));
        for name in ["solve", "halo.omp_outlined", "halo._omp_fn.0"] {
            assert_eq!(within(&call(name, 14, Some(8)), &solve), None, "{name}");
        }
    }

    #[test]
    fn a_task_is_no_part_of_the_function_that_waits() {
        assert_eq!(within(&call(".omp_outlined.", 14, Some(8)), &call(TASK, 14, Some(7))), None);
    }
}
