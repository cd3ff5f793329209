//! The records of a `.prv` file, line by line.

use super::text::{Fault, Text};

/// The place of a record: application, task and thread, each from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Who {
    pub(super) application: u64,
    pub(super) task: u64,
    pub(super) thread: u64,
}

/// The content of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Record {
    /// A state: `1:cpu:appl:task:thread:begin:end:state`
    State { who: Who, begin: u64, end: u64 },
    /// `2:cpu:appl:task:thread:time:type:value:…`: its pairs are in the list that the caller has.
    Events { who: Who, time: u64 },
    /// A message: `3:cpu:appl:task:thread:logical:physical:cpu:appl:task:thread:logical:physical:size:tag`
    Message(Message),
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Message {
    pub(super) sender: Who,
    /// When the call was entered that sends it: its logical time.
    pub(super) sent: u64,
    pub(super) receiver: Who,
    /// When its receive was posted: its logical time.
    pub(super) posted: u64,
    /// When it was received: its physical time.
    pub(super) received: u64,
    pub(super) bytes: u64,
    pub(super) tag: u32,
}

/// Parses a record whose first number is read already; the type and value of each event of it go into `pairs`.
pub(super) fn parse(kind: u64, text: &mut Text<'_>, pairs: &mut Vec<(u32, u64)>) -> Result<Record, Fault> {
    let record = match kind {
        1 => {
            let (who, begin, end) = (who(text)?, text.next()?, text.next()?);
            text.expect(b':')?;
            text.signed()?;
            if end < begin {
                return Err(text.fault("a state that ends before it begins"));
            }
            Record::State { who, begin, end }
        }
        2 => {
            let (who, time) = (who(text)?, text.next()?);
            pairs.clear();
            while pairs.is_empty() || !text.is_over() {
                let kind = text.next_u32("a type of events")?;
                text.expect(b':')?;
                pairs.push((kind, text.signed()?));
            }
            Record::Events { who, time }
        }
        3 => {
            let (sender, sent, _left) = (who(text)?, text.next()?, text.next()?);
            let receiver = who(text)?;
            let (posted, received, bytes) = (text.next()?, text.next()?, text.next()?);
            let tag = text.next_u32("a tag")?;
            Record::Message(Message { sender, sent, receiver, posted, received, bytes, tag })
        }
        _ => return Err(text.fault(format!("there is no record of kind {kind}"))),
    };
    if !text.is_over() {
        return Err(text.fault("the record should end here"));
    }
    Ok(record)
}

/// Reads a processor, which does not matter, and the thread that was on it.
fn who(text: &mut Text<'_>) -> Result<Who, Fault> {
    text.next()?;
    Ok(Who { application: text.next()?, task: text.next()?, thread: text.next()? })
}
