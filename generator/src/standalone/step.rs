//! The steps of a rank.

use std::collections::BTreeMap;

use ats_mpi::Datatype;

/// Something that a rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) shape: Shape,
    /// The values that may differ between ranks and times, in the order of the shape.
    pub(crate) values: Vec<Value>,
}

/// The common part of steps of one line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Work; takes picoseconds.
    Work,
    /// An amount of work: the call that does it.
    Amount(String),
    /// A region, which is a function of the program; takes the values of its parameters.
    Region(&'static str),
    /// The program initialises MPI itself.
    Init,
    /// A call of MPI.
    Call(&'static str, Vec<Argument>),
}

/// An argument of a function of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A fixed word.
    Word(&'static str),
    /// A number that is called so; takes it.
    Number(&'static str),
    /// Memory; takes its place among the buffers that are in use at the same time.
    Buffer(Role, Datatype),
    /// A request; takes its place among those open at the same time.
    Request,
    /// The same request by its value.
    RequestItself,
    /// The number of requests, and an array of them, from the first on.
    Requests,
    /// A number for each rank, neighbour or dimension, under this name; takes the list.
    List(&'static str),
    /// The datatype, for each rank.
    Types(Datatype),
}

impl Argument {
    /// Whether it takes a value.
    pub(crate) fn takes(self) -> bool {
        !matches!(self, Argument::Word(_) | Argument::Types(_))
    }
}

/// The purpose of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Send,
    Receive,
    /// Both, in a broadcast.
    Share,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Send => "sendbuf",
            Role::Receive => "recvbuf",
            Role::Share => "buf",
        }
    }
}

/// A value that a step takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Number(i64),
    /// As many as the argument has; empty if MPI ignores it.
    List(Vec<i64>),
    /// Another value for each call of the function that has the step.
    Each(Vec<i64>),
    /// A parameter of the function, by its number.
    Parameter(usize),
}

/// Seconds of work in picoseconds.
pub(crate) fn picoseconds(seconds: f64) -> i64 {
    if seconds > 0.0 { (seconds * 1e12).round() as i64 } else { 0 }
}

impl Shape {
    /// The benefit of the same line for this step of two ranks: common operations of all ranks come first.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Shape::Work | Shape::Amount(_) => 2,
            Shape::Region(_) => 20,
            Shape::Init => 1000,
            Shape::Call(_, arguments) => {
                let has_peer =
                    arguments.iter().any(|argument| matches!(argument, Argument::Number("to" | "from")));
                let of_requests = [Argument::Requests, Argument::Request, Argument::RequestItself];
                if has_peer || of_requests.iter().any(|argument| arguments.contains(argument)) {
                    1
                } else {
                    1000
                }
            }
        }
    }
}

/// The number of elements that the buffers of a program need, and the number of buffers in use at the same time.
pub(crate) type Buffers = BTreeMap<(Role, &'static str), Extent>;

/// The size of a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) datatype: Option<Datatype>,
    pub(crate) elements: usize,
    pub(crate) places: usize,
}
