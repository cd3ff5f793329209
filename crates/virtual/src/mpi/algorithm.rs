//! Algorithms of collective operations, and the transfers that each of them needs.
//!
//! Formulas are those of Thakur, Rabenseifner and Gropp (2005), and of Chan, Heimlich, Purkayastha and van de Geijn (2007),
//! without the time to reduce. `docs/what-if.md` has them.

use ats_model::event::CollectiveOperation;

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
    /// No data.
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
    use CollectiveOperation as Collective;
    let [linear, binomial, doubling, ring]: [&'static [Phase]; 4] = match operation {
        Collective::Barrier => {
            let around: &[Phase] = &[(Each, Nothing), (Each, Nothing)];
            [around, &[(Doubling, Nothing), (Doubling, Nothing)], &[(Doubling, Nothing)], around]
        }
        Collective::Bcast => [
            &[(Each, Block)],
            &[(Doubling, Block)],
            &[(Doubling, GrowingShares), (Doubling, GrowingShares)],
            &[(Doubling, GrowingShares), (Each, Share)],
        ],
        Collective::Reduce => [
            &[(Each, Block)],
            &[(Doubling, Block)],
            &[(Doubling, GrowingShares), (Doubling, GrowingShares)],
            &[(Each, Share), (Doubling, GrowingShares)],
        ],
        Collective::Gather | Collective::Gatherv | Collective::Scatter | Collective::Scatterv => {
            let tree: &[Phase] = &[(Doubling, Growing)];
            [&[(Each, Block)], tree, tree, tree]
        }
        Collective::Allgather | Collective::Allgatherv => [
            &[(Each, Block)],
            &[(Doubling, Growing), (Doubling, Blocks)],
            &[(Doubling, Growing)],
            &[(Each, Block)],
        ],
        Collective::Allreduce => [
            &[(Each, Block), (Each, Block)],
            &[(Doubling, Block), (Doubling, Block)],
            &[(Doubling, Block)],
            &[(Each, Share), (Each, Share)],
        ],
        Collective::ReduceScatter | Collective::ReduceScatterBlock => [
            &[(Each, Blocks), (Each, Block)],
            &[(Doubling, Blocks), (Doubling, Growing)],
            &[(Doubling, Growing)],
            &[(Each, Block)],
        ],
        Collective::Alltoall | Collective::Alltoallv | Collective::Alltoallw => {
            let (pairs, bruck): (&[Phase], &[Phase]) = (&[(Each, Block)], &[(Doubling, Half)]);
            [pairs, bruck, bruck, pairs]
        }
        Collective::Scan | Collective::Exscan => {
            let (chain, doubling): (&[Phase], &[Phase]) = (&[(Each, Block)], &[(Doubling, Block)]);
            [chain, doubling, doubling, chain]
        }
        Collective::CreateHandle
        | Collective::DestroyHandle
        | Collective::Allocate
        | Collective::Deallocate
        | Collective::CreateHandleAndAllocate
        | Collective::DestroyHandleAndDeallocate
        | Collective::Other => return None,
    };
    Some(match algorithm {
        Algorithm::Linear => linear,
        Algorithm::Binomial => binomial,
        Algorithm::Doubling => doubling,
        Algorithm::Ring => ring,
    })
}

/// Transfers of a member, one after the other, each of so many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfers {
    pub(crate) number: u32,
    pub(crate) bytes: f64,
    /// If they are to the partner at a distance of 2 to this power: that.
    pub(crate) round: Option<u32>,
}

/// Hands over the transfers of an operation of so many members, with a block of so many bytes; returns whether it has an
/// algorithm.
pub(crate) fn each_transfer(
    (algorithm, operation): (Algorithm, CollectiveOperation),
    members: usize,
    block: usize,
    mut take: impl FnMut(Transfers),
) -> bool {
    let Some(phases) = phases(algorithm, operation) else { return false };
    let (block, size) = (block as f64, members as f64);
    let share = block / size;
    let blocks = |round: u32| (1 << round).min(members - (1 << round)) as f64;
    for &(partners, data) in phases {
        let bytes = |round: u32| match data {
            Nothing => 0.0,
            Block => block,
            Blocks => block * size,
            Share => share,
            Growing => block * blocks(round),
            GrowingShares => share * blocks(round),
            Half => block * size / 2.0,
        };
        match partners {
            Each => {
                let number = members.saturating_sub(1) as u32;
                take(Transfers { number, bytes: bytes(0), round: None });
            }
            Doubling => {
                let rounds = 0..members.next_power_of_two().trailing_zeros();
                rounds.for_each(|round| {
                    take(Transfers { number: 1, bytes: bytes(round), round: Some(round) });
                });
            }
        }
    }
    true
}
