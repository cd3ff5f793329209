//! The operations that a process has started.

use crate::mpi::operation::Operation;

/// Operations by number. Most processes have one at a time, which then has a place of its own.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    first: Option<Operation>,
    others: Vec<Option<Operation>>,
    /// Numbers of others that are free.
    free: Vec<u32>,
}

impl Operations {
    /// Keeps an operation and returns its number.
    #[inline(always)]
    pub(crate) fn keep(&mut self, operation: Operation) -> u32 {
        if self.first.is_none() {
            self.first = Some(operation);
            return 0;
        }
        self.keep_too(operation)
    }

    #[inline(never)]
    fn keep_too(&mut self, operation: Operation) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.others.push(None);
            self.others.len() as u32
        });
        self.others[number as usize - 1] = Some(operation);
        number
    }

    /// The operation of this number, if it is still kept.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Operation> {
        match number {
            0 => self.first.as_mut(),
            _ => self.others.get_mut(number as usize - 1)?.as_mut(),
        }
    }

    /// Forgets the operation of this number.
    #[inline(always)]
    pub(crate) fn forget(&mut self, number: u32) {
        match number {
            0 => self.first = None,
            _ => self.forget_too(number),
        }
    }

    #[inline(never)]
    fn forget_too(&mut self, number: u32) {
        self.others[number as usize - 1] = None;
        self.free.push(number);
    }

    /// All that are kept.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.first.iter().chain(self.others.iter().flatten())
    }
}
