//! The arguments of MPI functions, in the order of their parameters in C.

use ats_model::mpi::Function;
use ats_mpi::part::{Part, Pieces, Side};
use ats_mpi::{Counts, Datatype, MpiBuf, Op, ReduceOp, Source, Tag};

use super::step::{Argument, Role, Value};

/// The communicator of all.
pub(crate) const WORLD: &str = "MPI_COMM_WORLD";

/// The arguments of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) arguments: Vec<Argument>,
    pub(crate) values: Vec<Value>,
    /// The number of elements that each buffer needs.
    pub(crate) needed: Vec<(Role, Datatype, usize)>,
}

impl Passed {
    pub(crate) fn word(mut self, word: &'static str) -> Self {
        self.arguments.push(Argument::Word(word));
        self
    }

    pub(crate) fn number(mut self, name: &'static str, number: usize) -> Self {
        self.arguments.push(Argument::Number(name));
        self.values.push(Value::Number(number as i64));
        self
    }

    pub(crate) fn request(mut self, place: usize) -> Self {
        self.arguments.push(Argument::Request);
        self.values.push(Value::Number(place as i64));
        self
    }

    /// The request at this place by its value.
    pub(crate) fn request_itself(mut self, place: usize) -> Self {
        self.arguments.push(Argument::RequestItself);
        self.values.push(Value::Number(place as i64));
        self
    }

    /// Adds a buffer with at least `elements` elements.
    fn buffer(mut self, role: Role, datatype: Datatype, elements: usize, place: usize) -> Self {
        self.arguments.push(Argument::Buffer(role, datatype));
        self.values.push(Value::Number(place as i64));
        self.needed.push((role, datatype, elements));
        self
    }

    /// All elements of a buffer.
    fn whole(self, role: Role, buf: &MpiBuf, place: usize) -> Self {
        let (datatype, count) = (buf.datatype(), buf.count());
        let Some(column) = buf.column() else {
            return self.buffer(role, datatype, count, place).number("count", count).word(datatype.name());
        };
        let elements = column.extent_bytes() / datatype.size();
        self.buffer(role, datatype, elements, place).word("1").word("column")
    }

    /// Adds a list of numbers, with one for each rank or neighbour; empty if MPI ignores it.
    pub(crate) fn list(mut self, name: &'static str, list: impl Iterator<Item = usize>) -> Self {
        self.arguments.push(Argument::List(name));
        self.values.push(Value::List(list.map(|number| number as i64).collect()));
        self
    }

    /// Adds the sizes of parts and their begins, in multiples of `unit`.
    fn lists(self, counts: &Counts, [sizes, begins]: [&'static str; 2], unit: usize) -> Self {
        let before = counts.iter().scan(0, |next, count| {
            let begin = *next;
            *next += count * unit;
            Some(begin)
        });
        self.list(sizes, counts.iter()).list(begins, before)
    }

    fn to(self, to: Option<usize>) -> Self {
        match to {
            Some(to) => self.number("to", to),
            None => self.word("status.MPI_SOURCE"),
        }
    }

    fn from(self, from: Source) -> Self {
        match from {
            Source::Rank(from) => self.number("from", from),
            Source::Any => self.word("MPI_ANY_SOURCE"),
        }
    }

    fn tag(self, tag: Tag) -> Self {
        match tag {
            Tag::Is(tag) => self.number("tag", tag as usize),
            Tag::Any => self.word("MPI_ANY_TAG"),
        }
    }

    /// The communicator of all.
    fn world(self) -> Self {
        self.word(WORLD)
    }
}

/// The arguments of an operation on one of `ranks` ranks, up to its status or request; messages are received at `place`
/// of their buffer. An answer is sent to the rank that the last message from any source came from.
pub(crate) fn arguments(op: &Op, rank: usize, ranks: usize, place: usize, answers: bool) -> Passed {
    let passed = Passed::default();
    let peer = |to: usize| (!answers).then_some(to);
    match op {
        Op::Send { to, tag, buf, .. } => {
            passed.whole(Role::Send, buf, 0).to(peer(*to)).number("tag", *tag as usize).world()
        }
        Op::Recv { from, tag, buf } => passed.whole(Role::Receive, buf, place).from(*from).tag(*tag).world(),
        Op::Sendrecv { to, send_tag, send, from, recv_tag, recv } => passed
            .whole(Role::Send, send, 0)
            .to(peer(*to))
            .number("tag", *send_tag as usize)
            .whole(Role::Receive, recv, place)
            .from(*from)
            .tag(*recv_tag)
            .world(),
        _ => collective(op, rank, ranks),
    }
}

/// The arguments of a probe, up to its message or status.
pub(crate) fn of_probe(from: Source, tag: Tag) -> Passed {
    Passed::default().from(from).tag(tag).world()
}

/// The arguments of a receive of a message that was matched, up to that message.
pub(crate) fn of_matched(buf: &MpiBuf) -> Passed {
    Passed::default().whole(Role::Receive, buf, 0)
}

/// The arguments of an operation whose message has so many partitions, up to its request.
pub(crate) fn of_partitions(op: &Op, partitions: usize, place: usize) -> Passed {
    let passed = |role, buf: &MpiBuf, place| {
        let (datatype, count) = (buf.datatype(), buf.count());
        let passed = Passed::default().buffer(role, datatype, count, place);
        passed.number("partitions", partitions).number("count", count / partitions).word(datatype.name())
    };
    let passed = match op {
        Op::Send { to, tag, buf, .. } => {
            passed(Role::Send, buf, 0).to(Some(*to)).number("tag", *tag as usize)
        }
        Op::Recv { from, tag, buf } => passed(Role::Receive, buf, place).from(*from).tag(*tag),
        _ => Passed::default(),
    };
    passed.world().word("MPI_INFO_NULL")
}

/// The parameters of collective operations follow from their buffers: those at the root, if there is one.
fn collective(op: &Op, rank: usize, ranks: usize) -> Passed {
    let root = op.part(rank, ranks).member.root.map(|root| root as usize);
    let part = op.part(root.unwrap_or(rank), ranks);
    let passed = Passed::default();
    let passed = match (part.send.pieces, part.receive.pieces, op.reduction()) {
        (Pieces::None, Pieces::None, _) => passed,
        (_, Pieces::None, _) => passed.side(Role::Share, &part, ranks),
        (_, _, Some(op)) => passed.reduced(op, &part, ranks),
        _ => passed.side(Role::Send, &part, ranks).side(Role::Receive, &part, ranks),
    };
    match root {
        Some(root) => passed.number("root", root).world(),
        None => passed.world(),
    }
}

impl Passed {
    /// Adds a buffer that is read or written: its place, number of elements, and type.
    fn side(mut self, role: Role, part: &Part<'_>, ranks: usize) -> Self {
        let (side, names) = match (role, part.send.pieces, part.receive.pieces) {
            (Role::Send, Pieces::Counts(..), Pieces::Counts(..)) => {
                (&part.send, ["send_counts", "send_begins"])
            }
            (Role::Receive, Pieces::Counts(..), Pieces::Counts(..)) => {
                (&part.receive, ["recv_counts", "recv_begins"])
            }
            (Role::Receive, ..) => (&part.receive, ["counts", "begins"]),
            _ => (&part.send, ["counts", "begins"]),
        };
        let datatype = datatype(side, part);
        // A part is that of one neighbour.
        let whole = side.buf.filter(|_| part.function.among_neighbors().is_some()).map(MpiBuf::count);
        let elements = whole.unwrap_or(side.pieces.bytes(ranks) / datatype.size());
        self = self.buffer(role, datatype, elements, 0);
        let Pieces::Counts(counts, _) = side.pieces else {
            return self.number("count", each(side, datatype)).word(datatype.name());
        };
        if part.function == Function::Alltoallw {
            self = self.lists(counts, names, datatype.size());
            self.arguments.push(Argument::Types(datatype));
            return self;
        }
        self.lists(counts, names, 1).word(datatype.name())
    }

    /// Adds both sides of a reduction, which have one type: the size of each part is given once.
    fn reduced(self, op: ReduceOp, part: &Part<'_>, ranks: usize) -> Self {
        let datatype = datatype(&part.send, part);
        let elements = |side: &Side<'_>| side.pieces.bytes(ranks) / datatype.size();
        let passed = self.buffer(Role::Send, datatype, elements(&part.send), 0).buffer(
            Role::Receive,
            datatype,
            elements(&part.receive),
            0,
        );
        let passed = match part.send.pieces {
            Pieces::Counts(counts, _) => passed.list("counts", counts.iter()),
            _ => passed.number("count", each(&part.send, datatype)),
        };
        passed.word(datatype.name()).word(match op {
            ReduceOp::Sum => "MPI_SUM",
            ReduceOp::Min => "MPI_MIN",
            ReduceOp::Max => "MPI_MAX",
        })
    }
}

/// The type of a side's elements: that of the other side if only the root has this one.
fn datatype(side: &Side<'_>, part: &Part<'_>) -> Datatype {
    let buf = side.buf.or(part.send.buf).or(part.receive.buf);
    buf.map_or(Datatype::Byte, MpiBuf::datatype)
}

/// The number of elements of a part.
fn each(side: &Side<'_>, datatype: Datatype) -> usize {
    match side.pieces {
        Pieces::One(bytes) | Pieces::Each(bytes) => bytes / datatype.size(),
        Pieces::None | Pieces::Counts(..) => 0,
    }
}
