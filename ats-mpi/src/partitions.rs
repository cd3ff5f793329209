//! Messages in partitions (MPI 4.1, chapter 4): prepared once, and sent when the last of their partitions is ready.

use ats_model::mpi::{Form, Function, SendMode};

use crate::{Op, Source, Tag};

/// The partitions of a message, and which of them are ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitions {
    ready: Vec<bool>,
}

impl Partitions {
    /// So many equal partitions of the message of an operation, and the function that prepares it.
    ///
    /// # Errors
    /// The operation has no such form, or its buffer cannot be divided so; in words.
    pub fn divide(op: &Op, partitions: usize) -> Result<(Function, Self), String> {
        let function = op.function();
        let buf = match op {
            Op::Send { mode: SendMode::Standard, buf, .. } => buf,
            Op::Recv { from: Source::Rank(_), tag: Tag::Is(_), buf } => buf,
            Op::Recv { .. } => {
                return Err(format!("{} needs a source and a tag, not any", Function::Precv_init));
            }
            _ => return Err(format!("{function} has no partitioned form")),
        };
        let function = function.in_form(Form::Partitioned).expect("standard sends and receives have one");
        if buf.column().is_some() {
            return Err(format!("{function}: a column has no partitions; use a buffer without gaps"));
        }
        if partitions == 0 || !buf.count().is_multiple_of(partitions) {
            let elements = buf.count();
            return Err(format!(
                "{function}: {elements} elements cannot be divided into {partitions} equal partitions"
            ));
        }
        Ok((function, Partitions { ready: vec![false; partitions] }))
    }

    /// The number of partitions.
    pub fn count(&self) -> usize {
        self.ready.len()
    }

    /// The message is started: no partition is ready.
    pub fn start(&mut self) {
        self.ready.fill(false);
    }

    /// A partition is ready, of a message that `is_started` or not. Returns whether all are ready now.
    ///
    /// # Errors
    /// It cannot be; in words.
    pub fn ready(&mut self, partition: usize, is_started: bool) -> Result<bool, String> {
        let count = self.count();
        match self.ready.get_mut(partition) {
            _ if !is_started => {
                Err("the request is not started; start it before its partitions are ready".to_owned())
            }
            None => Err(format!("there is no partition {partition}: the message has {count}, from 0 on")),
            Some(true) => Err(format!("partition {partition} is ready already; say so once for each start")),
            Some(ready) => {
                *ready = true;
                Ok(self.ready.iter().all(|&ready| ready))
            }
        }
    }
}

/// Says that a request has no partitions that its process could say to be ready.
pub const NO_PARTITIONS: &str = "the request is none that was made by MPI_Psend_init";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Datatype, Memory, MpiBuf};

    fn buf(count: usize) -> MpiBuf {
        MpiBuf::new(Memory::length_only(4 * count), Datatype::Int, count)
    }

    fn send(mode: SendMode, count: usize) -> Op {
        Op::Send { mode, to: 1, tag: 0, buf: buf(count) }
    }

    #[test]
    fn standard_sends_and_receives_from_one_rank_are_divided_evenly() {
        let refused = |op: &Op, partitions| Partitions::divide(op, partitions).unwrap_err();
        let standard = |count| send(SendMode::Standard, count);
        assert_eq!(Partitions::divide(&standard(6), 3).unwrap().0, Function::Psend_init);
        assert_eq!(Partitions::divide(&standard(0), 3).unwrap().1.count(), 3);
        for (count, partitions) in [(6, 4), (6, 0), (1, 2)] {
            assert_eq!(
                refused(&standard(count), partitions),
                format!(
                    "MPI_Psend_init: {count} elements cannot be divided into {partitions} equal partitions"
                )
            );
        }
        let receive = |from, tag| Op::Recv { from, tag, buf: buf(6) };
        let of_one = receive(Source::Rank(0), Tag::Is(1));
        assert_eq!(Partitions::divide(&of_one, 2).unwrap().0, Function::Precv_init);
        for op in [receive(Source::Any, Tag::Is(1)), receive(Source::Rank(0), Tag::Any)] {
            assert_eq!(refused(&op, 2), "MPI_Precv_init needs a source and a tag, not any");
        }
        assert_eq!(refused(&send(SendMode::Ready, 6), 2), "MPI_Rsend has no partitioned form");
        assert_eq!(refused(&Op::Barrier, 2), "MPI_Barrier has no partitioned form");
    }

    #[test]
    fn a_message_goes_when_each_partition_was_ready_once() {
        let mut partitions = Partitions::divide(&send(SendMode::Standard, 3), 3).unwrap().1;
        for _ in 0..2 {
            partitions.start();
            let said = [2, 0, 1].map(|partition| partitions.ready(partition, true));
            assert_eq!(said, [Ok(false), Ok(false), Ok(true)]);
        }
        let mut refused = |partition, is_started| partitions.ready(partition, is_started).unwrap_err();
        assert!(refused(0, true).starts_with("partition 0 is ready already"));
        assert!(refused(3, true).starts_with("there is no partition 3: the message has 3"));
        assert!(refused(0, false).starts_with("the request is not started"));
    }
}
