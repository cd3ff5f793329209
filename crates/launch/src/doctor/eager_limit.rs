//! Up to what size a library sends without waiting for the receive: asked of two ranks.

use super::asked::answer;
use crate::mpi::Mpi;

const SOURCE: &str = include_str!("eager_limit.c");

/// The largest message of a standard send that is sent eagerly between two processes of this machine, in bytes; none where
/// there is no such size up to 64 MiB.
///
/// # Errors
/// The program that asks cannot be compiled or run; the reason is in words.
pub(super) fn eager_limit(mpi: Mpi) -> Result<Option<u64>, String> {
    parse(&answer(mpi, SOURCE, 2, Vec::new())?)
}

fn parse(said: &str) -> Result<Option<u64>, String> {
    match said.trim().parse::<i64>() {
        Ok(limit) => Ok(u64::try_from(limit).ok()),
        Err(_) => Err(format!("the program that asks printed {said:?} instead of a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_a_size_or_none() {
        assert_eq!(parse("4056\n"), Ok(Some(4056)));
        assert_eq!(parse("-1\n"), Ok(None));
        assert!(parse("").unwrap_err().contains("instead of a number"));
    }
}
