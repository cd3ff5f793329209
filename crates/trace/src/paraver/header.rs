//! The first line of a `.prv` file, and the communicators behind it.

use ats_model::definitions::Clock;

use super::text::{Fault, Text};

/// The beginning of a Paraver trace.
pub(crate) const MAGIC: &[u8] = b"#Paraver";

/// The content of the first line: `#Paraver (31/12/26 at 23:59):10000_ns:1(2):1:2(1:1,1:1),3`.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub(super) clock: Clock,
    /// The number of applications.
    pub(super) applications: u64,
    /// Per task of the first application how many threads it has.
    pub(super) threads: Vec<u32>,
}

/// Nanoseconds and microseconds: the units of the format.
const NANOSECONDS: u64 = 1_000_000_000;
const MICROSECONDS: u64 = 1_000_000;

impl Header {
    /// Parses the first line of a file of `file_bytes`.
    pub(super) fn parse(line: &[u8], file_bytes: usize) -> Result<Self, Fault> {
        let mut text = Text::new(line, 0);
        text.until(b')')?;
        let length = text.next()?;
        let resolution = if text.has(b'_') {
            match text.until(b':')? {
                b"ns" => NANOSECONDS,
                b"us" => MICROSECONDS,
                _ => return Err(text.fault("times are in `ns` or `us`")),
            }
        } else {
            text.expect(b':')?;
            MICROSECONDS
        };
        // The nodes, which are not asked for.
        text.until(b':')?;
        let applications = text.number()?;
        text.expect(b':')?;
        let threads = threads(&mut text)?;
        let (processes, all) =
            (threads.len(), threads.iter().map(|&threads| u64::from(threads)).sum::<u64>());
        // A thread has one record at least, of some bytes.
        if all > file_bytes as u64 {
            return Err(
                text.fault(format!("it names {all} threads of {processes} tasks, and has fewer bytes"))
            );
        }
        Ok(Header { clock: Clock { resolution, offset: 0, length }, applications, threads })
    }
}

/// The tasks of an application: `2(1:1,4:1)` are two, of one and of four threads, on the first node.
fn threads(text: &mut Text<'_>) -> Result<Vec<u32>, Fault> {
    let tasks = text.number()?;
    text.expect(b'(')?;
    let mut threads = Vec::new();
    loop {
        let count = text.number()?;
        threads.push(count.try_into().map_err(|_| text.fault("a task of more threads than there can be"))?);
        text.next()?;
        if !text.has(b',') {
            break;
        }
    }
    text.expect(b')')?;
    if tasks != threads.len() as u64 {
        return Err(text.fault(format!("{tasks} tasks are promised, and {} are there", threads.len())));
    }
    Ok(threads)
}

/// A communicator: `c:1:2:3:1,…` as the number of its application, its own, how many tasks it has, and these, from 1.
#[derive(Debug, PartialEq)]
pub(super) struct Communicator {
    pub(super) number: u64,
    /// As ranks in the world, from 0.
    pub(super) members: Vec<u32>,
}

impl Communicator {
    /// Parses a line after its `c`; there are `tasks` tasks.
    pub(super) fn parse(text: &mut Text<'_>, tasks: usize) -> Result<Self, Fault> {
        text.next()?;
        let number = text.next()?;
        let count = text.next()?;
        let mut members = Vec::new();
        while !text.is_over() {
            let task = text.next()?;
            if task == 0 || task > tasks as u64 {
                return Err(text.fault(format!("task {task} of a communicator, and there are {tasks}")));
            }
            members.push((task - 1) as u32);
        }
        if count != members.len() as u64 {
            return Err(text.fault(format!("{count} members are promised, and {} are there", members.len())));
        }
        Ok(Communicator { number, members })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Result<Header, String> {
        Header::parse(line.as_bytes(), 100)
            .map_err(|fault| format!("{}: {}", fault.offset, fault.what.unwrap()))
    }

    #[test]
    fn nodes_and_times_are_read_in_all_their_forms() {
        let threads = vec![1, 4];
        let clock = |resolution| Clock { resolution, offset: 0, length: 70 };
        for (begin, resolution) in
            [("#Paraver (1/2/26 at 10:20):70_ns:1(2)", NANOSECONDS), ("#Paraver (x):70:0", MICROSECONDS)]
        {
            let read = header(&format!("{begin}:1:2(1:1,4:1),3"));
            assert_eq!(
                read,
                Ok(Header { clock: clock(resolution), applications: 1, threads: threads.clone() }),
                "{begin}"
            );
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let error = |line: &str| header(line).unwrap_err();
        assert_eq!(error("#Paraver"), "0: there is no `)` from here on");
        assert!(error("#Paraver ():x").ends_with("a number is expected"));
        assert!(error("#Paraver ():99999999999999999999_ns").contains("above 18446744073709551615"));
        assert!(error("#Paraver ():7_h:1:1:1(1:1)").contains("`ns` or `us`"));
        assert!(error("#Paraver ():7:1:1:3(1:1)").contains("3 tasks are promised, and 1 are there"));
        assert!(error("#Paraver ():7:1:1:1(4000000000:1)").contains("4000000000 threads of 1 tasks"));
        assert!(error("#Paraver ():7:1:1:1(5000000000:1)").contains("more threads than there can be"));
    }

    #[test]
    fn a_communicator_has_the_tasks_that_it_promises() {
        let parse = |line: &'static str| Communicator::parse(&mut Text::new(line.as_bytes(), 0), 3);
        assert_eq!(parse(":1:7:2:3:1"), Ok(Communicator { number: 7, members: vec![2, 0] }));
        assert!(parse(":1:7:3:3:1").unwrap_err().what.unwrap().contains("3 members are promised"));
        assert!(parse(":1:7:1:4").unwrap_err().what.unwrap().contains("task 4"));
        assert!(parse(":1:7:1:0").unwrap_err().what.unwrap().contains("task 0"));
    }
}
