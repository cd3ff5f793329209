//! Conditions on ranks and repetitions, in as few words as possible.

use std::collections::BTreeSet;

use super::node::Point;

/// The coordinate of a point that is a rank; those of loops follow, the outermost first.
pub(crate) const RANK: usize = 0;

/// A condition on points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Always,
    Is {
        of: usize,
        number: usize,
    },
    IsNot {
        of: usize,
        number: usize,
    },
    Below {
        of: usize,
        number: usize,
    },
    AtLeast {
        of: usize,
        number: usize,
    },
    Modulo {
        of: usize,
        by: usize,
        is: usize,
    },
    /// Whether it is the rank's turn: the repetition modulo the number of ranks.
    Turn {
        of: usize,
    },
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// The chosen ones of these points.
    Table {
        all: BTreeSet<Point>,
        chosen: BTreeSet<Point>,
    },
}

impl Condition {
    /// Whether it holds at a point of a program with `ranks` ranks.
    pub(crate) fn holds(&self, point: &[usize], ranks: usize) -> bool {
        match self {
            Condition::Always => true,
            Condition::Is { of, number } => point[*of] == *number,
            Condition::IsNot { of, number } => point[*of] != *number,
            Condition::Below { of, number } => point[*of] < *number,
            Condition::AtLeast { of, number } => point[*of] >= *number,
            Condition::Modulo { of, by, is } => point[*of] % by == *is,
            Condition::Turn { of } => point[*of] % ranks == point[RANK],
            Condition::All(all) => all.iter().all(|one| one.holds(point, ranks)),
            Condition::Any(any) => any.iter().any(|one| one.holds(point, ranks)),
            Condition::Table { chosen, .. } => chosen.contains(point),
        }
    }

    /// Whether it is one that is read at a glance.
    pub(crate) fn is_simple(&self) -> bool {
        match self {
            Condition::Any(_) | Condition::Table { .. } => false,
            Condition::All(all) => all.len() < 3 && all.iter().all(Condition::is_simple),
            _ => true,
        }
    }

    /// The condition that holds at the chosen points of all, and not at the others.
    pub(crate) fn new(all: &BTreeSet<Point>, chosen: &BTreeSet<Point>, ranks: usize) -> Condition {
        if all == chosen {
            return Condition::Always;
        }
        let coordinates = all.first().map_or(0, Vec::len);
        let values = |points: &BTreeSet<Point>, of: usize| -> BTreeSet<usize> {
            points.iter().map(|point| point[of]).collect()
        };
        let all_of: Vec<_> = (0..coordinates).map(|of| values(all, of)).collect();
        let chosen_of: Vec<_> = (0..coordinates).map(|of| values(chosen, of)).collect();
        let is_among =
            |point: &&Point| point.iter().zip(&chosen_of).all(|(value, among)| among.contains(value));
        let limited: Vec<usize> = (0..coordinates).filter(|&of| all_of[of] != chosen_of[of]).collect();
        if all.iter().filter(is_among).count() == chosen.len() {
            let mut each = limited.iter().map(|&of| of_values(of, &all_of[of], &chosen_of[of]));
            return match &limited[..] {
                [_] => each.next().expect("there is one"),
                _ => Condition::All(each.collect()),
            };
        }
        let turn = (1..coordinates).map(|of| Condition::Turn { of });
        let fits = |condition: &Condition| {
            all.iter().all(|point| condition.holds(point, ranks) == chosen.contains(point))
        };
        let table = || Condition::Table { all: all.clone(), chosen: chosen.clone() };
        turn.into_iter().find(fits).unwrap_or_else(table)
    }
}

/// The same for one coordinate.
fn of_values(of: usize, all: &BTreeSet<usize>, chosen: &BTreeSet<usize>) -> Condition {
    let fits = |condition: &Condition| {
        all.iter().all(|&value| {
            let mut point = vec![0; of + 1];
            point[of] = value;
            condition.holds(&point, 1) == chosen.contains(&value)
        })
    };
    let (Some(&first), Some(&last)) = (chosen.first(), chosen.last()) else {
        return Condition::Any(Vec::new());
    };
    let others: Vec<usize> = all.difference(chosen).copied().collect();
    // One; the last ones, or the first; all but one, where that is in the middle.
    let mut tried = vec![
        Condition::Is { of, number: first },
        Condition::AtLeast { of, number: first },
        Condition::Below { of, number: last + 1 },
    ];
    tried.extend(others.first().map(|&number| Condition::IsNot { of, number }));
    let modulo = |by| Condition::Modulo { of, by, is: first % by };
    tried.extend((2..9).map(modulo));
    let inside = |one: Condition, limit| Condition::All(vec![one, limit]);
    let end = all.last().copied().unwrap_or(last);
    let below = |number| Condition::Below { of, number };
    for limit in [below(end), below(last + 1), Condition::AtLeast { of, number: first }] {
        tried.push(inside(modulo(2), limit.clone()));
        tried.push(inside(Condition::AtLeast { of, number: first }, limit));
    }
    let each = || Condition::Any(chosen.iter().map(|&number| Condition::Is { of, number }).collect());
    tried.into_iter().find(fits).unwrap_or_else(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_ranks(ranks: usize, chosen: &[usize]) -> Condition {
        let points = |ranks: &mut dyn Iterator<Item = usize>| ranks.map(|rank| vec![rank]).collect();
        Condition::new(&points(&mut (0..ranks)), &points(&mut chosen.iter().copied()), ranks)
    }

    #[test]
    fn ranks_are_named_in_the_fewest_words() {
        let of = RANK;
        for (ranks, chosen, condition) in [
            (4, &[0, 1, 2, 3][..], Condition::Always),
            (4, &[0], Condition::Is { of, number: 0 }),
            (4, &[1, 2, 3], Condition::AtLeast { of, number: 1 }),
            (4, &[0, 1, 2], Condition::Below { of, number: 3 }),
            (5, &[0, 1, 3, 4], Condition::IsNot { of, number: 2 }),
            (4, &[0, 2], Condition::Modulo { of, by: 2, is: 0 }),
            (7, &[1, 4], Condition::Modulo { of, by: 3, is: 1 }),
        ] {
            assert_eq!(of_ranks(ranks, chosen), condition);
        }
    }

    #[test]
    fn a_condition_holds_where_it_should() {
        for ranks in 1..7 {
            for chosen in 1..1_usize << ranks {
                let chosen: Vec<usize> = (0..ranks).filter(|rank| chosen >> rank & 1 == 1).collect();
                let condition = of_ranks(ranks, &chosen);
                let held: Vec<usize> = (0..ranks).filter(|&rank| condition.holds(&[rank], ranks)).collect();
                assert_eq!(held, chosen, "{condition:?}");
            }
        }
    }
}
