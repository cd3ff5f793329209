//! Cores that run at the same time: processors that are threads of one core share its first cache.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::affinity::cores_of_all_threads;
use crate::machine;

/// The folder in which the kernel lists the processors.
const LISTED_IN: &str = "/sys/devices/system/cpu";

/// Ends the process unless its threads may run on two cores or more; `what` do they do at the same time.
pub(crate) fn require_two(what: &str) {
    static CORES: OnceLock<Result<usize, String>> = OnceLock::new();
    let count = || {
        let processors = cores_of_all_threads().map_err(|error| error.to_string())?;
        Ok(cores(Path::new(LISTED_IN), &processors))
    };
    match CORES.get_or_init(count) {
        Ok(2..) => {}
        Ok(_) => machine::unfit(&format!(
            "{what} on two cores at the same time, and this process may use one (its hardware threads share a cache)"
        )),
        Err(error) => {
            machine::unfit(&format!("the system does not tell the cores of this process ({error})"))
        }
    }
}

/// The number of cores that these processors belong to, by the folder that lists them; each is one where nothing is listed.
fn cores(listed_in: &Path, processors: &[usize]) -> usize {
    let core = |processor: &usize| {
        let file = listed_in.join(format!("cpu{processor}/topology/thread_siblings_list"));
        fs::read_to_string(file).unwrap_or_else(|_| processor.to_string()).trim().to_owned()
    };
    processors.iter().map(core).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_threads_of_a_core_are_one() {
        let folder = tempfile::tempdir().unwrap();
        for (processor, siblings) in [(0, "0,4\n"), (1, "1,5\n"), (4, "0,4\n")] {
            let folder = folder.path().join(format!("cpu{processor}/topology"));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("thread_siblings_list"), siblings).unwrap();
        }
        let cores = |processors: &[usize]| cores(folder.path(), processors);
        assert_eq!([cores(&[0, 4]), cores(&[0, 1]), cores(&[0, 1, 4])], [1, 2, 2]);
        assert_eq!(cores(&[7, 8]), 2, "without a list");
    }
}
