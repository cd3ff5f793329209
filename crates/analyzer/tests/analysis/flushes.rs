//! Times in which the recorder writes its buffers.

use ats_analyzer::{Options, analyze, analyze_and_profile_with, notation::parse};
use ats_documents::Wait;

const TRACE: &str =
    "0: 0..1 MPI_Init; 2 enter work; 3 flush 11; 11 leave; 12..13 MPI_Send send 1; 20..21 MPI_Finalize
                     1: 0..1 MPI_Init; 5..13 MPI_Recv recv 0; 14 flush 15; 20..21 MPI_Finalize";

#[test]
fn a_wait_tells_how_long_the_awaited_recorder_wrote() {
    let trace = parse(TRACE).unwrap();
    let mut waits = Vec::new();
    let observe = &mut |wait| waits.push(wait);
    let (analysis, profile) = analyze_and_profile_with(&trace, "test", &Options::default(), observe).unwrap();
    let late = Wait {
        finding: analysis.findings.iter().position(|finding| finding.id == "late_sender@MPI_Recv").unwrap(),
        location: 1,
        begin: 5,
        end: 12,
        awaited: Some(0),
        flushed: 6,
        recorded: 0,
    };
    assert!(waits.contains(&late), "{waits:?}");
    let path = |id| profile.path(id).join("/");
    let of_recorder: Vec<_> = profile
        .values_of("time")
        .map(|(id, unit, time)| (path(id), unit, time))
        .filter(|(path, ..)| path.contains("work") || path.contains("FLUSH"))
        .collect();
    let expected = [
        ("PROGRAM/work", 0, 1.0),
        ("PROGRAM/work/TRACE BUFFER FLUSH", 0, 8.0),
        ("PROGRAM/TRACE BUFFER FLUSH", 1, 1.0),
    ];
    assert_eq!(of_recorder, expected.map(|(path, unit, time)| (path.to_owned(), unit, time)));
}

#[test]
fn the_analysis_says_that_the_recorder_wrote() {
    let warnings = |text: &str| analyze(&parse(text).unwrap(), "test", &Options::default()).unwrap().warnings;
    assert_eq!(
        warnings(TRACE),
        [
            "the recorder wrote its buffers during the run (on rank 0 1 time, 8 s in all, on rank 1 1 time, 1 s in all); \
          the program stood still meanwhile, and waits for that are the recorder's"
        ]
    );
    // Times that overlap, or end before they begin, are damage, and count once or not at all.
    assert_eq!(
        warnings("0: 0..1 work; 3 flush 8; 5 flush 9; 6 flush 2; 10..11 work"),
        ["the recorder wrote its buffers during the run (on rank 0 2 times, 6 s in all); \
          the program stood still meanwhile, and waits for that are the recorder's"]
    );
    let many =
        (0..5).map(|rank| format!("{rank}: 0..1 work; 2 flush {}", 3 + rank)).collect::<Vec<_>>().join("\n");
    assert!(warnings(&many)[0].contains("(on rank 4 1 time, 5 s in all, on rank 3 1 time, 4 s in all, on rank 2 1 time, 3 s in all, and on 2 more locations)"), "{:?}", warnings(&many));
}
