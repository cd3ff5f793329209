//! The processors of ranks in virtual time, in words: `4`, or `0,1,1,2`.

use ats_virtual::Processors;

/// Reads the processors of the ranks: how many the ranks take in turn, or that of each rank by number. With more ranks,
/// the list begins again.
///
/// # Errors
/// No number, or no processor.
///
/// # Examples
/// ```
/// use ats_truth::{processors, processors_in_words};
///
/// assert_eq!(processors("3")?, processors("0,1,2")?);
/// assert_eq!(processors_in_words(&processors("0,1,1,2")?), "0,1,1,2");
/// # Ok::<(), String>(())
/// ```
pub fn processors(text: &str) -> Result<Processors, String> {
    let wrong =
        || format!("`{text}` names no processors; give their number, as 4, or that of each rank, as 0,1,1,2");
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let of_ranks = match numbers.map_err(|_| wrong())?[..] {
        [number] => (0..number.min(MOST)).collect(),
        ref numbers => numbers.to_vec(),
    };
    Processors::of_ranks(of_ranks).ok_or_else(wrong)
}

/// More processors than ranks in any simulation: the others are idle.
const MOST: u32 = 1 << 24;

/// Processors in the words of [`processors`].
pub fn processors_in_words(processors: &Processors) -> String {
    let numbers = processors.as_slice();
    if (0..).zip(numbers).all(|(expected, number)| expected == *number) {
        return numbers.len().to_string();
    }
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_read_and_written() {
        for (text, of_ranks, words) in [
            ("2", &[0, 1][..], "2"),
            (" 0, 1 ,1", &[0, 1, 1], "0,1,1"),
            ("3,3", &[3, 3], "3,3"),
            ("1", &[0], "1"),
        ] {
            let read = processors(text).unwrap();
            assert_eq!((read.as_slice(), processors_in_words(&read).as_str()), (of_ranks, words));
            assert_eq!(processors(words), Ok(read));
        }
        for text in ["", "0", "a", "1,", "-1", "0,b"] {
            let why = processors(text).unwrap_err();
            assert!(why.ends_with("give their number, as 4, or that of each rank, as 0,1,1,2"), "{why}");
        }
    }
}
