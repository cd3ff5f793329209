//! Ranks that form a group.

use std::fmt;
use std::str::FromStr;

/// Ranks by their numbers, as a text: single ones, ranges, ranges with a step, and colours, joined by commas.
///
/// | text | ranks |
/// |---|---|
/// | `3` | 3 |
/// | `0-7` | 0 to 7 |
/// | `0-14:2` | 0, 2, 4 … 14 |
/// | `1%3` | those whose number leaves 1 when divided by 3: 1, 4, 7 … |
///
/// ```
/// let ranks: ats_compose::Ranks = "0-3,9,20-26:2".parse()?;
/// assert_eq!((0..30).filter(|&rank| ranks.contains(rank)).collect::<Vec<_>>(), [0, 1, 2, 3, 9, 20, 22, 24, 26]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ranks(Vec<Part>);

/// Ranks that a text without commas names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `first`, `first + step` … up to `last`, which is one of them.
    Range {
        /// The lowest.
        first: usize,
        /// The highest.
        last: usize,
        /// From one to the next.
        step: usize,
    },
    /// Those that leave `color` when divided by `colors`.
    Color {
        /// The remainder.
        color: usize,
        /// The divisor.
        colors: usize,
    },
}

impl Part {
    fn contains(self, rank: usize) -> bool {
        match self {
            Part::Range { first, last, step } => {
                (first..=last).contains(&rank) && (rank - first).is_multiple_of(step)
            }
            Part::Color { color, colors } => rank % colors == color,
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        // MPI counts ranks in `int`.
        let number =
            |digits: &str| digits.trim().parse::<i32>().ok().and_then(|number| usize::try_from(number).ok());
        if let Some((color, colors)) = text.split_once('%') {
            return match (number(color), number(colors)) {
                (Some(color), Some(colors)) if color < colors => Ok(Part::Color { color, colors }),
                _ => Err(format!(
                    "`{text}` is not a valid colour; write color%colors with color below colors, as \
                     in 1%3"
                )),
            };
        }
        let (range, step) = match text.split_once(':') {
            Some((range, step)) => (range, number(step).filter(|&step| step > 0)),
            None => (text, Some(1)),
        };
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(first), number(last)),
            None => (number(range), number(range)),
        };
        match (first, last, step) {
            (Some(first), Some(last), Some(step)) if first <= last => {
                Ok(Part::Range { first, last: last - (last - first) % step, step })
            }
            _ => Err(format!("`{text}` names no ranks; write 3, 0-7, 0-14:2 or 1%3, joined by commas")),
        }
    }
}

impl Ranks {
    /// Whether a rank is one of them.
    pub fn contains(&self, rank: usize) -> bool {
        self.0.iter().any(|part| part.contains(rank))
    }

    /// The parts that they are joined of.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The ranks that are named, one after the other; colours name none.
    pub fn named(&self) -> impl Iterator<Item = usize> {
        let ranges = self.0.iter().filter_map(|part| match *part {
            Part::Range { first, last, step } => Some((first..=last).step_by(step)),
            Part::Color { .. } => None,
        });
        ranges.flatten()
    }

    /// The highest that is named; colours name none.
    pub fn highest(&self) -> Option<usize> {
        let last = |part: &Part| match *part {
            Part::Range { last, .. } => Some(last),
            Part::Color { .. } => None,
        };
        self.0.iter().filter_map(last).max()
    }
}

impl FromStr for Ranks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(|part| Part::parse(part.trim())).collect::<Result<_, _>>().map(Ranks)
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            match *part {
                Part::Color { color, colors } => write!(f, "{color}%{colors}")?,
                Part::Range { first, last, .. } if first == last => write!(f, "{first}")?,
                Part::Range { first, last, step: 1 } => write!(f, "{first}-{last}")?,
                Part::Range { first, last, step } => write!(f, "{first}-{last}:{step}")?,
            }
        }
        Ok(())
    }
}
