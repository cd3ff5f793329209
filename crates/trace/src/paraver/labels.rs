//! Meanings of the numbers of a trace, from its `.pcf` file, and names of its threads, from its `.row` file.

use rustc_hash::FxHashMap;

/// The most characters of a name; Extrae's have fewer.
const LONGEST: usize = 512;

/// The types of events, and the values that have names.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Per type its index into `values`.
    types: FxHashMap<u32, usize>,
    /// Types may share theirs.
    values: Vec<FxHashMap<u64, String>>,
}

impl Labels {
    /// Reads a `.pcf` file: blocks of lines below a heading. Blocks that are not about types of events and their
    /// values are skipped.
    pub(super) fn parse(pcf: &[u8]) -> Self {
        let mut labels = Labels::default();
        let mut part = Part::Other;
        for line in pcf.split(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            let line = line.trim();
            match line {
                "EVENT_TYPE" => {
                    labels.values.push(FxHashMap::default());
                    part = Part::Types;
                }
                "VALUES" if part == Part::Types => part = Part::Values,
                "" => part = Part::Other,
                _ => labels.line(line, &part),
            }
        }
        labels
    }

    fn line(&mut self, line: &str, part: &Part) {
        let (number, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match part {
            Part::Types => {
                // Before it stands the number of its colour gradient.
                let kind = rest.split_whitespace().next();
                if let (Some(block), Some(Ok(kind))) =
                    (self.values.len().checked_sub(1), kind.map(str::parse))
                {
                    self.types.insert(kind, block);
                }
            }
            Part::Values => {
                let value = number.parse().or_else(|_| number.parse::<i64>().map(i64::cast_unsigned));
                if let (Some(block), Ok(value)) = (self.values.last_mut(), value) {
                    block.insert(value, rest.trim().chars().take(LONGEST).collect());
                }
            }
            Part::Other => {}
        }
    }

    /// The name of a value of a type, if it has one.
    pub(super) fn value(&self, kind: u32, value: u64) -> Option<&str> {
        let name = self.values[*self.types.get(&kind)?].get(&value)?;
        (!name.is_empty()).then_some(name)
    }
}

/// The current block of the file.
#[derive(PartialEq)]
enum Part {
    Types,
    Values,
    Other,
}

/// The names of the threads, in the order of tasks and of threads in them, as far as the `.row` file has them.
pub(super) fn names_of_threads(row: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(row);
    let mut lines = text.lines().skip_while(|line| !line.starts_with("LEVEL THREAD "));
    lines.next();
    let names = lines.take_while(|line| !line.trim().is_empty() && !line.starts_with("LEVEL "));
    names.map(|name| name.trim().chars().take(LONGEST).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PCF: &[u8] =
        b"DEFAULT_OPTIONS\n\nLEVEL               THREAD\n\nSTATES\n0    Idle\n1    Running\n\n\
        EVENT_TYPE\n9   50000001    Point-to-point\nVALUES\n4   Irecv\n3   Isend it\n0   Outside\n\n\
        EVENT_TYPE\n0   70000001    Caller 1\n0   70000002    Caller 2\nVALUES\n-1   Nobody\n5   \n\n\
        EVENT_TYPE\n0   7    Without values\n";

    #[test]
    fn values_have_names_by_type() {
        let labels = Labels::parse(PCF);
        assert_eq!(labels.value(50_000_001, 4), Some("Irecv"));
        assert_eq!(labels.value(50_000_001, 3), Some("Isend it"));
        assert_eq!(labels.value(50_000_001, 1), None, "that is a state");
        for shared in [70_000_001, 70_000_002] {
            assert_eq!(labels.value(shared, u64::MAX), Some("Nobody"));
        }
        assert_eq!(labels.value(70_000_001, 5), None, "an empty name is none");
        assert_eq!(labels.value(7, 0), None);
        assert_eq!(labels.value(8, 0), None);
    }

    #[test]
    fn a_file_cut_at_any_byte_is_read_as_far_as_it_goes() {
        for length in 0..PCF.len() {
            let labels = Labels::parse(&PCF[..length]);
            assert!(labels.value(50_000_001, 4).is_none_or(|name| "Irecv".starts_with(name)));
        }
    }

    #[test]
    fn threads_have_the_names_of_the_last_level() {
        let row =
            b"LEVEL CPU SIZE 1\nnode\n\nLEVEL THREAD SIZE 2\nTHREAD 1.1.1\n THREAD 1.2.1 \n\nLEVEL X\ny\n";
        assert_eq!(names_of_threads(row), ["THREAD 1.1.1", "THREAD 1.2.1"]);
        assert_eq!(names_of_threads(b""), [""; 0]);
    }
}
