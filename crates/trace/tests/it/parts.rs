//! Parts of an interrupted recording become an archive.

use std::fs;
use std::path::Path;

use ats_model::definitions::Members;
use ats_model::event::{CommunicatorRef, ProgramRef, RegionRef, TeamRef};
use ats_model::{Event, EventSource, locations};
use ats_trace::parts::{Joined, Part, join};
use ats_trace::{Archive, ChunkSize, LocationWriter};

use crate::common::events_of;

/// The parts of ranks 0 and 2; rank 1 was killed.
fn parts() -> Vec<Part> {
    let lines = include_bytes!("../data/parts.jsonl").split(|&byte| byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| Part::parse(line, Path::new("parts.jsonl")).unwrap())
        .collect()
}

/// Writes the events of a location, in the numbers of its process.
fn record(dir: &Path, rank: u32, thread: u32, events: &[(u64, Event)]) {
    let mut writer = LocationWriter::create(dir, locations::id(rank, thread), ChunkSize::default()).unwrap();
    events.iter().for_each(|(time, event)| writer.event(*time, event).unwrap());
    writer.finish().unwrap();
}

const SEND: Event = Event::MpiSend { receiver: 1, communicator: CommunicatorRef(2), tag: 3, bytes: 4 };

/// A folder as an interrupted recording leaves it.
fn interrupted() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let begin = Event::ProgramBegin { program: ProgramRef(0) };
    let (enter, leave) = (Event::Enter { region: RegionRef(0) }, Event::Leave { region: RegionRef(0) });
    record(dir.path(), 0, 0, &[(1000, begin), (2000, enter), (2000, SEND), (3000, leave)]);
    record(dir.path(), 2, 0, &[(2000, enter), (2500, leave)]);
    let team = TeamRef(0);
    record(
        dir.path(),
        2,
        1,
        &[(2100, Event::ThreadTeamBegin { team }), (2400, Event::ThreadTeamEnd { team })],
    );
    parts().iter().for_each(|part| part.write(dir.path()).unwrap());
    for (rank, why) in
        ["ended by signal SIGTERM", "it did not end; was it killed?", "ended by signal SIGTERM"]
            .into_iter()
            .enumerate()
    {
        fs::write(dir.path().join(format!("incomplete.{rank}")), format!("rank {rank}: {why}\n")).unwrap();
    }
    dir
}

#[test]
fn parts_become_an_archive_that_says_what_is_missing() {
    let dir = interrupted();
    assert!(join(dir.path()).unwrap());
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    let said = "the recording is incomplete: ranks 0,2: ended by signal SIGTERM; rank 1: it did not end; was it killed?";
    assert_eq!(archive.remarks(), [said]);
    assert!(archive.has_common_clock(), "the rank that was killed has no times");
    let definitions = archive.definitions();
    let names: Vec<&str> = definitions.regions.iter().map(|region| region.name.as_str()).collect();
    assert_eq!(names, ["MPI_Init", "work", "MPI_Recv", "heat", "MPI_Recv"]);
    assert_eq!(definitions.calls, [(RegionRef(4), RegionRef(2))].into(), "a call of MPI_Recv");
    let found: Vec<_> = definitions.locations.iter().map(|one| (one.rank, one.thread, one.events)).collect();
    assert_eq!(found, [(0, 0, 4), (1, 0, 0), (2, 0, 2), (2, 1, 2)]);
    let members: Vec<&Members> = definitions.communicators.iter().map(|one| &one.members).collect();
    assert_eq!(members, [&Members::Ranks(vec![0, 1, 2]), &Members::SelfOnly, &Members::Ranks(vec![0, 2])]);
    assert_eq!((definitions.clock.offset, definitions.clock.length), (898, 9002 - 898));
    let work = RegionRef(1);
    assert_eq!(events_of(&archive, 0)[1..3], [(2000, Event::Enter { region: RegionRef(0) }), (2000, SEND)]);
    assert_eq!(events_of(&archive, 1), []);
    let of_rank_2 = [(1000, Event::Enter { region: work }), (1500, Event::Leave { region: work })];
    assert_eq!(events_of(&archive, 2), of_rank_2, "on the clock of rank 0");
    assert_eq!(definitions.teams[0].members, [2, 3]);
    assert_eq!(events_of(&archive, 3)[0], (1100, Event::ThreadTeamBegin { team: TeamRef(0) }));
}

#[test]
fn a_rank_that_has_recorded_nothing_on_its_first_thread_has_a_location_for_it() {
    let dir = interrupted();
    let file = Part::file(dir.path(), 2);
    let without = fs::read_to_string(&file).unwrap().replace("\"0\":2,", "");
    fs::write(&file, without).unwrap();
    assert!(join(dir.path()).unwrap());
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    let locations = archive.definitions().locations.iter();
    let found: Vec<_> = locations.map(|one| (one.rank, one.thread, one.events)).collect();
    assert_eq!(found, [(0, 0, 4), (1, 0, 0), (2, 0, 0), (2, 1, 2)]);
    assert_eq!(events_of(&archive, 2), []);
    assert_eq!(events_of(&archive, 3).len(), 2);
}

#[test]
fn nothing_is_joined_where_there_is_an_archive_or_no_part() {
    let dir = interrupted();
    fs::write(dir.path().join("traces.otf2"), "whole").unwrap();
    assert!(!join(dir.path()).unwrap());
    assert_eq!(fs::read_to_string(dir.path().join("traces.otf2")).unwrap(), "whole");
    let empty = tempfile::tempdir().unwrap();
    assert!(!join(empty.path()).unwrap());
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn a_rank_without_part_and_marker_is_missed() {
    let dir = interrupted();
    fs::remove_file(dir.path().join("incomplete.1")).unwrap();
    let error = join(dir.path()).unwrap_err().to_string();
    let said = "definitions.1.json is missing: rank 1 of a recording that was interrupted has left neither it nor a marker; \
                copy the whole folder of the recording, or record again";
    assert!(error.ends_with(said), "{error}");
    assert!(!dir.path().join("traces.otf2").exists());
}

#[test]
fn a_damaged_part_is_named_with_the_place() {
    let dir = interrupted();
    let file = Part::file(dir.path(), 2);
    let whole = fs::read_to_string(&file).unwrap();
    for (text, said) in [
        (whole[..60].to_owned(), "definitions.2.json is damaged at byte 59: EOF while parsing"),
        (whole.replace("\"rank\":2", "\"rank\":3"), "it is of rank 3, but there are 3 ranks"),
        (whole.replace("\"ranks\":3", "\"ranks\":4"), "it is one of 3 ranks, another part is one of 4"),
        (
            whole.replace("\"members\":[]", "\"members\":[3]"),
            "a communicator has rank 3 as a member, but there are 3 ranks",
        ),
    ] {
        assert_ne!(text, whole);
        fs::write(&file, text).unwrap();
        let error = join(dir.path()).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("or record again"), "{error}");
    }
}

#[test]
fn a_part_that_claims_more_ranks_than_there_are_takes_no_memory() {
    let mut parts = parts();
    parts.iter_mut().for_each(|part| part.ranks = u32::MAX);
    assert!(Joined::new(Path::new(""), parts, &[0, 1].into()).is_err());
}
