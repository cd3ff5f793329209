//! The rank that failed, and how, from the output of a launcher.

/// The launcher's words on the first rank that failed: `rank 2: signal 9 (Killed)`.
pub(super) fn blame(output: &str) -> Option<String> {
    by_open_mpi(output).or_else(|| by_mpich(output)).or_else(|| by_abort(output))
}

/// `… noticed that process rank 2 with PID 0 on node n exited on signal 9 (Killed).`, or a table of
/// `Process name: [[1234,1],2]` and `Exit code: 3`.
fn by_open_mpi(output: &str) -> Option<String> {
    if let Some(rest) = after(output, "process rank ") {
        let how = after(rest, "exited on ")?.lines().next()?.trim_end_matches('.');
        return Some(format!("rank {}: {how}", number(rest)?));
    }
    let rank = number(after(after(output, "Process name: [[")?, "],")?)?;
    let code = number(after(output, "Exit code:")?.trim_start())?;
    Some(format!("rank {rank}: exit code {code}"))
}

/// `YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)`, or `EXIT CODE: 3`; Hydra names no rank.
fn by_mpich(output: &str) -> Option<String> {
    if by_abort(output).is_some() {
        return None;
    }
    if let Some(how) = after(output, "WITH THE EXIT STRING: ") {
        return Some(format!("a rank ended with {}", how.lines().next()?.trim()));
    }
    let code = number(after(output, "EXIT CODE:")?.trim_start())?;
    Some(format!("a rank ended with exit code {code}"))
}

/// `MPI_ABORT was invoked on rank 1 …` (Open MPI), `Abort(3) on node 1 (rank 1 in comm 0)` (MPICH).
fn by_abort(output: &str) -> Option<String> {
    let rank = after(output, "MPI_ABORT was invoked on rank ")
        .or_else(|| after(after(output, "Abort(")?, "(rank "))
        .and_then(number)?;
    Some(format!("rank {rank}: MPI_Abort"))
}

fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

fn number(text: &str) -> Option<u32> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::blame;

    fn blamed(output: &str) -> String {
        blame(output).unwrap_or_default()
    }

    #[test]
    fn open_mpi() {
        assert_eq!(
            blamed(
                "mpirun noticed that process rank 2 with PID 0 on node vm exited on signal 9 (Killed).\n-----\n"
            ),
            "rank 2: signal 9 (Killed)"
        );
        assert_eq!(
            blamed("The first process to do so was:\n\n  Process name: [[39203,1],1]\n  Exit code:    3\n"),
            "rank 1: exit code 3"
        );
        assert_eq!(
            blamed("MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n"),
            "rank 1: MPI_Abort"
        );
    }

    #[test]
    fn mpich() {
        let bad = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 77 RUNNING AT vm\n=   EXIT CODE: 9\n";
        assert_eq!(blamed(bad), "a rank ended with exit code 9");
        let string = "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\nThis typically";
        assert_eq!(blamed(&format!("{bad}{string}")), "a rank ended with Killed (signal 9)");
        assert_eq!(
            blamed("Abort(3) on node 1 (rank 1 in comm 0): application called MPI_Abort\n"),
            "rank 1: MPI_Abort"
        );
    }

    #[test]
    fn no_rank_is_blamed() {
        for output in ["", "hello\n", "process rank ", "Exit code: x", "Process name: [[", "Abort("] {
            assert_eq!(blame(output), None, "{output:?}");
        }
    }
}
