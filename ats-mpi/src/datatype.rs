//! Types of messages: elementary ones, and those that describe columns of a matrix to an engine.

use std::any::Any;

/// An elementary MPI type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datatype {
    /// The type `MPI_BYTE`.
    Byte,
    /// The type `MPI_INT`.
    Int,
    /// The type `MPI_DOUBLE`.
    Double,
}

impl Datatype {
    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            Datatype::Byte => 1,
            Datatype::Int => 4,
            Datatype::Double => 8,
        }
    }

    /// The name in MPI.
    pub fn name(self) -> &'static str {
        match self {
            Datatype::Byte => "MPI_BYTE",
            Datatype::Int => "MPI_INT",
            Datatype::Double => "MPI_DOUBLE",
        }
    }

    /// Bytes of `count` elements.
    ///
    /// # Panics
    /// They are more than a memory can have.
    pub fn bytes(self, count: usize) -> usize {
        count.checked_mul(self.size()).unwrap_or_else(|| {
            panic!("{count} {} are more bytes than a memory can have; use a smaller message", self.name())
        })
    }
}

/// A column of a matrix that lies row by row in memory (`MPI_Type_vector` with blocks of one element).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Type of an element.
    pub datatype: Datatype,
    /// The number of elements: the rows of the matrix.
    pub count: usize,
    /// Elements from the begin of one to that of the next: those of a row, at least one. With one there are no gaps.
    pub stride: usize,
}

/// A column's derived type in the engine that has made it, which frees it when its last buffer is dropped
/// (`MPI_Type_free`).
pub type DerivedType = Box<dyn Any + Send + Sync>;

impl Column {
    /// Bytes of the memory that it lies in, from its first element to its last.
    ///
    /// # Panics
    /// They are more than a memory can have.
    pub fn extent_bytes(&self) -> usize {
        let Some(before) = self.count.checked_sub(1) else { return 0 };
        self.datatype.bytes(before.saturating_mul(self.stride).saturating_add(1))
    }
}
