//! What a rank does, step by step.

use std::collections::BTreeMap;

use ats_mpi::Datatype;

/// Something that a rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) shape: Shape,
    /// What may differ from rank to rank and from time to time, in the order in which the shape takes it.
    pub(crate) values: Vec<Value>,
}

/// What steps of one line of a program have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Work; takes picoseconds.
    Work,
    /// A region, which is a function of the program; takes the values of its parameters.
    Region(&'static str),
    /// The program initialises MPI itself.
    Init,
    /// A call of MPI.
    Call(&'static str, Vec<Argument>),
}

/// What a function of MPI is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// This word.
    Word(&'static str),
    /// A number that is called so; takes it.
    Number(&'static str),
    /// Memory; takes its place among the buffers that are in use at the same time.
    Buffer(Role, Datatype),
    /// A request; takes its place among those that are open at the same time.
    Request,
    /// How many requests, from the first on, and they.
    Requests,
    /// A number for each rank, under this name; takes the list.
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

/// What a buffer is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Send,
    Receive,
    /// Both: that of a broadcast.
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
    /// One for each rank; empty where MPI does not look at it.
    List(Vec<i64>),
    /// Another one each time the function is called that the step is in.
    Each(Vec<i64>),
    /// A parameter of the function, by its number.
    Parameter(usize),
}

impl Shape {
    /// How much it matters that the same line is this step of two ranks: what all have to do together first.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Shape::Work => 2,
            Shape::Region(_) => 20,
            Shape::Init => 1000,
            Shape::Call(_, arguments) => {
                let has_peer =
                    arguments.iter().any(|argument| matches!(argument, Argument::Number("to" | "from")));
                if has_peer
                    || arguments.contains(&Argument::Requests)
                    || arguments.contains(&Argument::Request)
                {
                    1
                } else {
                    1000
                }
            }
        }
    }
}

/// How many elements the buffers of a program have to have, and how many are in use at the same time.
pub(crate) type Buffers = BTreeMap<(Role, &'static str), Extent>;

/// How large a buffer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) datatype: Option<Datatype>,
    pub(crate) elements: usize,
    pub(crate) places: usize,
}
