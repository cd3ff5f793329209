//! Algorithms of collective operations, and the transfers that each of them needs.
//!
//! Formulas are those of Thakur, Rabenseifner and Gropp (2005), and of Chan, Heimlich, Purkayastha and van de Geijn (2007),
//! without the time to reduce. `docs/what-if.md` has them.

use ats_model::event::CollectiveOperation;

use crate::kernel::time::Picoseconds;
use crate::mpi::network::{Costs, Rounds};

/// The algorithm of collective operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// One member sends to all others, or receives from them, one after the other.
    Linear,
    /// Along a binomial tree.
    Binomial,
    /// Between pairs of members at twice the distance each time, or half.
    Doubling,
    /// From each member to the next.
    Ring,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 4] =
        [Algorithm::Linear, Algorithm::Binomial, Algorithm::Doubling, Algorithm::Ring];

    /// As options name it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Linear => "linear",
            Algorithm::Binomial => "binomial",
            Algorithm::Doubling => "doubling",
            Algorithm::Ring => "ring",
        }
    }
}

/// The partners of a member in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Partners {
    /// All others, or as often the next one.
    Each,
    /// Those at distances of 1, 2, 4 …
    Doubling,
}

/// The data that goes to a partner in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Data {
    /// None.
    Nothing,
    /// A block.
    Block,
    /// The blocks of all members.
    Blocks,
    /// The part of a block that each member has.
    Share,
    /// As many blocks as the partner is away, at most those of all others in sum.
    Growing,
    /// The same with parts of a block.
    GrowingShares,
    /// Half of the blocks of all.
    Half,
}

/// Transfers of one kind, one after the other.
type Phase = (Partners, Data);

use Data::{Block, Blocks, Growing, GrowingShares, Half, Nothing, Share};
use Partners::{Doubling, Each};

/// The phases of an operation; `None` if it has no algorithm. Where the one that is asked for does not exist, the one in the
/// same row that does is taken.
fn phases(algorithm: Algorithm, operation: CollectiveOperation) -> Option<&'static [Phase]> {
    use CollectiveOperation as Op;
    let [linear, binomial, doubling, ring]: [&'static [Phase]; 4] = match operation {
        Op::Barrier => {
            let around: &[Phase] = &[(Each, Nothing), (Each, Nothing)];
            [around, &[(Doubling, Nothing), (Doubling, Nothing)], &[(Doubling, Nothing)], around]
        }
        Op::Bcast => [
            &[(Each, Block)],
            &[(Doubling, Block)],
            &[(Doubling, GrowingShares), (Doubling, GrowingShares)],
            &[(Doubling, GrowingShares), (Each, Share)],
        ],
        Op::Reduce => [
            &[(Each, Block)],
            &[(Doubling, Block)],
            &[(Doubling, GrowingShares), (Doubling, GrowingShares)],
            &[(Each, Share), (Doubling, GrowingShares)],
        ],
        Op::Gather | Op::Gatherv | Op::Scatter | Op::Scatterv => {
            let tree: &[Phase] = &[(Doubling, Growing)];
            [&[(Each, Block)], tree, tree, tree]
        }
        Op::Allgather | Op::Allgatherv => [
            &[(Each, Block)],
            &[(Doubling, Growing), (Doubling, Blocks)],
            &[(Doubling, Growing)],
            &[(Each, Block)],
        ],
        Op::Allreduce => [
            &[(Each, Block), (Each, Block)],
            &[(Doubling, Block), (Doubling, Block)],
            &[(Doubling, Block)],
            &[(Each, Share), (Each, Share)],
        ],
        Op::ReduceScatter | Op::ReduceScatterBlock => [
            &[(Each, Blocks), (Each, Block)],
            &[(Doubling, Blocks), (Doubling, Growing)],
            &[(Doubling, Growing)],
            &[(Each, Block)],
        ],
        Op::Alltoall | Op::Alltoallv | Op::Alltoallw => {
            let (pairs, bruck): (&[Phase], &[Phase]) = (&[(Each, Block)], &[(Doubling, Half)]);
            [pairs, bruck, bruck, pairs]
        }
        Op::Scan | Op::Exscan => {
            let (chain, doubling): (&[Phase], &[Phase]) = (&[(Each, Block)], &[(Doubling, Block)]);
            [chain, doubling, doubling, chain]
        }
        Op::CreateHandle
        | Op::DestroyHandle
        | Op::Allocate
        | Op::Deallocate
        | Op::CreateHandleAndAllocate
        | Op::DestroyHandleAndDeallocate
        | Op::Other => return None,
    };
    Some(match algorithm {
        Algorithm::Linear => linear,
        Algorithm::Binomial => binomial,
        Algorithm::Doubling => doubling,
        Algorithm::Ring => ring,
    })
}

/// The transfers of an operation of so many members, with a block of so many bytes.
pub(crate) fn rounds(
    (algorithm, operation): (Algorithm, CollectiveOperation),
    members: usize,
    block: usize,
    costs: &Costs,
) -> Option<Rounds> {
    let phases = phases(algorithm, operation)?;
    let mut rounds = Rounds::NONE;
    for &(partners, data) in phases {
        let others = members.saturating_sub(1);
        let number = match partners {
            Each => others as u32,
            Doubling => members.next_power_of_two().trailing_zeros(),
        };
        let (block, size) = (block as f64, members as f64);
        let share = block / size;
        let blocks = |distance: usize| distance.min(members - distance) as f64;
        let bytes = |round: u32| match data {
            Nothing => 0.0,
            Block => block,
            Blocks => block * size,
            Share => share,
            Growing => block * blocks(1 << round),
            GrowingShares => share * blocks(1 << round),
            Half => block * size / 2.0,
        };
        rounds.number += number;
        rounds.duration = rounds.duration.saturating_add(match partners {
            Each => u64::from(number).saturating_mul(costs.transfer_of(bytes(0), false)),
            Doubling => (0..number)
                .map(|round| costs.transfer_of(bytes(round), round < costs.near))
                .fold(0, Picoseconds::saturating_add),
        });
    }
    Some(rounds)
}
