//! Parsing of words into events.

use ats_model::{
    Event,
    attribute::{AttributeDefinition, AttributeType, AttributeValue},
    definitions::{Communicator, Members, Team},
    event::{
        self, AttributeRef, CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef,
        MeasurementMode, MetricRef, ProgramRef, RegionRef, TaskId, TeamRef, Time,
    },
    metric::{Base, MetricDefinition, MetricValue, ValueProperty, ValueType},
    neighbors::NotNeighbors,
    own_attribute::Own,
};

use super::Builder;

/// The words of a statement that are still to be read.
type Words<'a, 'b> = &'a mut std::iter::Peekable<std::str::SplitWhitespace<'b>>;

/// Reads one line; the error says in words why it is not valid.
pub(super) fn line(builder: &mut Builder, line: &str) -> Result<(), String> {
    let line = line.split('#').next().unwrap_or_default().trim();
    if line.is_empty() {
        return Ok(());
    }
    if let Some(rest) = line.strip_prefix("comm ") {
        return communicator(builder, rest);
    }
    if let Some(rest) = line.strip_prefix("neighbors ") {
        return neighbors(builder, rest);
    }
    if let Some(rest) = line.strip_prefix("team ") {
        return team(builder, rest);
    }
    if let Some(rest) = line.strip_prefix("metric ") {
        return metric(builder, rest);
    }
    if let Some(name) = line.strip_prefix("attribute ") {
        let value_type = Some(AttributeType::Double);
        let attribute =
            AttributeDefinition { name: name.trim().to_owned(), value_type, ..Default::default() };
        let attribute = Own::from_definition(&attribute).map_or(attribute, Own::definition);
        builder.definitions.attributes.push(attribute);
        return Ok(());
    }
    let (place, statements) = line.split_once(':').ok_or(
        "expected `RANK: …`, `comm NAME …`, `neighbors NAME RANK …`, `team NAME …`, `metric NAME …`, `attribute NAME` or `# …`",
    )?;
    let location = location(builder, place)?;
    statements
        .split(';')
        .filter(|statement| !statement.trim().is_empty())
        .try_for_each(|text| statement(builder, location, text))
}

fn communicator(builder: &mut Builder, text: &str) -> Result<(), String> {
    let mut words = text.split_whitespace();
    let name = words.next().ok_or("expected `comm NAME RANK …`")?.to_owned();
    let members = Members::Ranks(words.map(number).collect::<Result<_, _>>()?);
    builder.definitions.communicators.push(Communicator { name, members });
    Ok(())
}

fn neighbors(builder: &mut Builder, text: &str) -> Result<(), String> {
    let words = &mut text.split_whitespace().peekable();
    let communicator = on(builder, words)?;
    let rank = next(words)?;
    let listed = words.next().unwrap_or_default().parse().map_err(|error: NotNeighbors| error.to_string())?;
    builder.definitions.neighbors.insert((rank, communicator), listed);
    Ok(())
}

fn team(builder: &mut Builder, text: &str) -> Result<(), String> {
    let mut words = text.split_whitespace();
    let name = words.next().ok_or("expected `team NAME RANK.THREAD …`")?.to_owned();
    let members = words.map(|place| Ok(location(builder, place)? as u32)).collect::<Result<_, String>>()?;
    builder.definitions.teams.push(Team { name, members });
    Ok(())
}

fn metric(builder: &mut Builder, text: &str) -> Result<(), String> {
    let mut words = text.split_whitespace();
    let expected = "expected `metric NAME accumulated|absolute|relative [UNIT]`";
    let name = words.next().ok_or(expected)?.to_owned();
    let property = match words.next() {
        Some("accumulated") => ValueProperty::Accumulated,
        Some("absolute") => ValueProperty::Absolute,
        Some("relative") => ValueProperty::Relative,
        _ => return Err(expected.to_owned()),
    };
    builder.definitions.metrics.push(MetricDefinition {
        name,
        unit: words.next().unwrap_or_default().to_owned(),
        property,
        value_type: ValueType::Double,
        base: Base::Decimal,
        exponent: 0,
    });
    Ok(())
}

/// A value of a metric: `NAME VALUE`.
fn count(builder: &Builder, words: Words<'_, '_>) -> Result<Event, String> {
    let name = words.next().ok_or("expected `count NAME VALUE`")?;
    let metrics = &builder.definitions.metrics;
    let metric = metrics.iter().position(|metric| metric.name == name).ok_or_else(|| {
        format!("metric `{name}` is not defined; add a line `metric {name} accumulated` above")
    })?;
    let bits = next::<f64>(words)?.to_bits();
    let value = MetricValue { of: ValueType::Double, bits };
    Ok(Event::Metric { metric: MetricRef(metric as u32), value })
}

/// An attribute: `NAME VALUE`.
fn attribute(builder: &Builder, words: Words<'_, '_>) -> Result<Event, String> {
    let name = words.next().ok_or("expected `with NAME VALUE`")?;
    let attributes = &builder.definitions.attributes;
    let attribute = attributes
        .iter()
        .position(|attribute| attribute.name == name)
        .ok_or_else(|| format!("attribute `{name}` is not defined; add a line `attribute {name}` above"))?;
    let value = match attributes[attribute].value_type {
        None | Some(AttributeType::Double) => {
            AttributeValue { of: AttributeType::Double, bits: next::<f64>(words)?.to_bits() }
        }
        Some(of) => AttributeValue { of, bits: next(words)? },
    };
    Ok(Event::Attribute { attribute: AttributeRef(attribute as u32), value })
}

/// `RANK` or `RANK.THREAD`.
fn location(builder: &mut Builder, place: &str) -> Result<usize, String> {
    let (rank, thread) = place.split_once('.').unwrap_or((place, "0"));
    Ok(builder.location(number(rank)?, number(thread)?))
}

fn statement(builder: &mut Builder, location: usize, text: &str) -> Result<(), String> {
    let (time, rest) = text.trim().split_once(char::is_whitespace).ok_or_else(|| incomplete(text))?;
    let Some((from, to)) = time.split_once("..") else {
        return single(builder, location, number(time)?, rest);
    };
    let (from, to) = (number(from)?, number(to)?);
    let (region, records) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let region = builder.region(region);
    builder.push(location, from, Event::Enter { region });
    for text in records.split(',').filter(|record| !record.trim().is_empty()) {
        match record(builder, text)? {
            Record::Start(event) => builder.push(location, from, event),
            Record::Completion(event) => builder.push(location, to, event),
            Record::Whole(event) => {
                builder.push(location, from, Event::MpiCollectiveBegin);
                builder.push(location, to, event);
            }
        }
    }
    builder.push(location, to, Event::Leave { region });
    Ok(())
}

fn single(builder: &mut Builder, location: usize, time: u64, text: &str) -> Result<(), String> {
    let (keyword, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let event = match (keyword, name.trim()) {
        ("enter", "") => return Err(incomplete(text)),
        ("enter", name) => Event::Enter { region: builder.region(name) },
        ("leave", "") => Event::Leave { region: innermost(builder, location)? },
        ("leave", name) => Event::Leave { region: builder.region(name) },
        _ => match record(builder, text)? {
            Record::Start(event) | Record::Completion(event) | Record::Whole(event) => event,
        },
    };
    builder.push(location, time, event);
    Ok(())
}

fn innermost(builder: &Builder, location: usize) -> Result<RegionRef, String> {
    builder.stacks[location].last().copied().ok_or("`leave` without a region that was entered".to_owned())
}

/// An event, and its place in its call.
enum Record {
    Start(Event),
    Completion(Event),
    /// The end of a collective operation that began with its call.
    Whole(Event),
}

fn record(builder: &mut Builder, text: &str) -> Result<Record, String> {
    let mut words = text.split_whitespace().peekable();
    let words = &mut words;
    let keyword = words.next().ok_or_else(|| incomplete(text))?;
    let record = match keyword {
        "send" | "recv" | "isend" | "irecv" => message(builder, keyword, words)?,
        "post" => Record::Start(Event::MpiIrecvRequest { request: next(words)? }),
        "start" => Record::Start(Event::NonBlockingCollectiveRequest { request: next(words)? }),
        "sent" => Record::Completion(Event::MpiIsendComplete { request: next(words)? }),
        "test" => Record::Completion(Event::MpiRequestTest { request: next(words)? }),
        "cancel" => Record::Completion(Event::MpiRequestCancelled { request: next(words)? }),
        "other" => {
            Record::Completion(Event::Other { record: event::Record(words.next().map_or(Ok(255), number)?) })
        }
        "program" => {
            let name = words.next().ok_or_else(|| incomplete(text))?;
            let number = builder.definitions.strings.iter().count() as u32;
            builder.definitions.strings.extend([name]);
            Record::Start(Event::ProgramBegin { program: ProgramRef(number) })
        }
        "exit" => Record::Completion(Event::ProgramEnd { status: 0 }),
        "off" => Record::Start(Event::MeasurementOnOff { mode: MeasurementMode::Off }),
        "on" => Record::Completion(Event::MeasurementOnOff { mode: MeasurementMode::On }),
        "flush" => Record::Start(Event::BufferFlush { stop: Time(next(words)?) }),
        "count" => Record::Completion(count(builder, words)?),
        "sample" => Record::Completion(Event::CallingContextSample {
            context: CallingContextRef(next(words)?),
            unwind_distance: u32::MAX,
            interrupts: InterruptGeneratorRef(0),
        }),
        "with" => Record::Completion(attribute(builder, words)?),
        "begin" => Record::Start(match words.next() {
            None => Event::MpiCollectiveBegin,
            Some(name) => Event::ThreadTeamBegin { team: team_of(builder, name).ok_or(no_team(name))? },
        }),
        "end" => {
            let name = words.next().ok_or_else(|| incomplete(text))?;
            Record::Completion(match team_of(builder, name) {
                Some(team) => Event::ThreadTeamEnd { team },
                None => collective(builder, name, words)?,
            })
        }
        "fork" => Record::Start(Event::ThreadFork { requested: 0 }),
        "join" => Record::Completion(Event::ThreadJoin),
        "lock" | "unlock" => lock(keyword, words)?,
        "create" => Record::Start(Event::ThreadTaskCreate { team: TeamRef(0), task: task(words)? }),
        "switch" => Record::Start(Event::ThreadTaskSwitch { team: TeamRef(0), task: task(words)? }),
        "complete" => Record::Completion(Event::ThreadTaskComplete { team: TeamRef(0), task: task(words)? }),
        operation => whole(builder, operation, words)?,
    };
    match words.next() {
        None => Ok(record),
        Some(word) => Err(format!("`{word}` does not belong into `{}`", text.trim())),
    }
}

fn team_of(builder: &Builder, name: &str) -> Option<TeamRef> {
    let index = builder.definitions.teams.iter().position(|team| team.name == name)?;
    Some(TeamRef(index as u32))
}

fn no_team(name: &str) -> String {
    format!("team `{name}` is not defined; add a line `team {name} RANK.THREAD …` above")
}

/// A lock's acquisition is the end of a call, its release the beginning of one.
fn lock(keyword: &str, words: Words<'_, '_>) -> Result<Record, String> {
    let (lock, mut order) = (next(words)?, 0);
    if words.next_if_eq(&"order").is_some() {
        order = next(words)?;
    }
    Ok(match keyword {
        "lock" => Record::Completion(Event::ThreadAcquireLock { lock, order }),
        _ => Record::Start(Event::ThreadReleaseLock { lock, order }),
    })
}

fn task(words: Words<'_, '_>) -> Result<TaskId, String> {
    Ok(TaskId { creator: 0, generation: next(words)? })
}

fn message(builder: &Builder, keyword: &str, words: Words<'_, '_>) -> Result<Record, String> {
    let peer = next(words)?;
    let (mut tag, mut bytes, mut request, mut communicator) = (0, 1, None, CommunicatorRef(0));
    while let Some(&word) = words.peek() {
        words.next();
        match word {
            "tag" => tag = next(words)?,
            "bytes" => bytes = next(words)?,
            "request" => request = Some(next(words)?),
            "on" => communicator = on(builder, words)?,
            _ => return Err(format!("a message has no `{word}`")),
        }
    }
    let request = || request.ok_or(format!("`{keyword}` needs `request N`"));
    Ok(match keyword {
        "send" => Record::Start(Event::MpiSend { receiver: peer, communicator, tag, bytes }),
        "recv" => Record::Completion(Event::MpiRecv { sender: peer, communicator, tag, bytes }),
        "isend" => {
            Record::Start(Event::MpiIsend { receiver: peer, communicator, tag, bytes, request: request()? })
        }
        _ => Record::Completion(Event::MpiIrecv {
            sender: peer,
            communicator,
            tag,
            bytes,
            request: request()?,
        }),
    })
}

/// A collective operation, or the completion of a non-blocking one: `bcast`, `ibcast`.
fn whole(builder: &Builder, keyword: &str, words: Words<'_, '_>) -> Result<Record, String> {
    match keyword.strip_prefix('i').and_then(operation) {
        None => Ok(Record::Whole(collective(builder, keyword, words)?)),
        Some(operation) => {
            let (Part { communicator, root, sent, received }, request) = part(builder, words)?;
            let request = request.ok_or(format!("`{keyword}` needs `request N`"))?;
            let complete = Event::NonBlockingCollectiveComplete {
                operation,
                communicator,
                root: root.into(),
                sent: sent.into(),
                received: received.into(),
                request,
            };
            Ok(Record::Completion(complete))
        }
    }
}

/// The collective operation of a name, in letters of any case.
fn operation(name: &str) -> Option<CollectiveOperation> {
    let mut known = (0..=u8::MAX).map(CollectiveOperation::from_otf2);
    known.find(|known| format!("{known:?}").eq_ignore_ascii_case(name))
}

fn collective(builder: &Builder, name: &str, words: Words<'_, '_>) -> Result<Event, String> {
    let operation =
        operation(name).ok_or_else(|| format!("`{name}` is neither a record nor a collective operation"))?;
    match part(builder, words)? {
        (Part { communicator, root, sent, received }, None) => {
            Ok(Event::MpiCollectiveEnd { operation, communicator, root, sent, received })
        }
        (_, Some(_)) => Err(format!("`{name}` blocks and has no `request`")),
    }
}

/// A member's part in a collective operation.
struct Part {
    communicator: CommunicatorRef,
    root: Option<u32>,
    sent: u64,
    received: u64,
}

/// A part, and its request if it has one.
fn part(builder: &Builder, words: Words<'_, '_>) -> Result<(Part, Option<u64>), String> {
    let mut part = Part { communicator: CommunicatorRef(0), root: None, sent: 1, received: 1 };
    let mut request = None;
    while let Some(&word) = words.peek() {
        words.next();
        match word {
            "root" => part.root = Some(next(words)?),
            "sent" => part.sent = next(words)?,
            "received" => part.received = next(words)?,
            "on" => part.communicator = on(builder, words)?,
            "request" => request = Some(next(words)?),
            _ => return Err(format!("a collective operation has no `{word}`")),
        }
    }
    Ok((part, request))
}

fn on(builder: &Builder, words: Words<'_, '_>) -> Result<CommunicatorRef, String> {
    let name = match words.next() {
        Some("world") => "MPI_COMM_WORLD",
        Some("self") => "MPI_COMM_SELF",
        Some(name) => name,
        None => return Err(incomplete("on")),
    };
    let communicators = &builder.definitions.communicators;
    match communicators.iter().position(|communicator| communicator.name == name) {
        Some(index) => Ok(CommunicatorRef(index as u32)),
        None => Err(format!("communicator `{name}` is not defined; add a line `comm {name} RANK …` above")),
    }
}

fn next<N: std::str::FromStr>(words: Words<'_, '_>) -> Result<N, String> {
    number(words.next().unwrap_or_default())
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, String> {
    word.trim().parse().map_err(|_| format!("expected a number, found `{word}`"))
}

fn incomplete(text: &str) -> String {
    format!("`{}` is incomplete", text.trim())
}
