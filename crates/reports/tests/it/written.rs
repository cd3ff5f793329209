//! Reports in our own format, as a document or as a table.

use ats_documents::Report;
use ats_model::WaitState;
use ats_reports::{Format, ReportError};

fn read(text: &str) -> Result<Report, ReportError> {
    ats_reports::parse("mine".as_ref(), text.as_bytes().to_vec(), None)
}

#[test]
fn a_table_and_a_document_say_the_same() {
    let document = r#"{ "schema": "ats-report/1", "findings": [
        { "property": "late_sender", "call_path": ["main", "MPI_Recv"],
          "locations": [{ "rank": 1, "seconds": 0.5 }, { "rank": 3, "thread": 2, "seconds": 0.25 }] },
        { "property": "mpi_collective", "call": "MPI_Bcast", "share": 0.125 },
        { "property": "wait_at_barrier", "call": "MPI_Barrier", "seconds": 2 }
    ] }"#;
    let table = "Property;Call path;Share;Rank;Thread;Seconds\n\
                 late_sender;main/MPI_Recv;;3;2;0.25\n\
                 mpi_barrier_wait;MPI_Barrier;;;;2\n\
                 \n\
                 mpi_collective;MPI_Bcast;0.125;;;\n\
                 late_sender;main/MPI_Recv;;1;;0.5\n";
    let (document, table) = (read(document).unwrap(), read(table).unwrap());
    let sorted = |mut report: Report| {
        report.findings.sort_by(|a, b| a.id.cmp(&b.id));
        report.findings
    };
    assert_eq!(table.names, WaitState::ALL);
    assert_eq!(sorted(table), sorted(document));
}

#[test]
fn a_table_may_have_few_columns() {
    let table = read("call,metric,seconds\nMPI_Recv,mpi_latesender,1.5\n").unwrap();
    assert_eq!(
        (table.findings[0].title().as_str(), table.findings[0].waiting_time),
        ("late_sender at …/MPI_Recv", 1.5)
    );
    assert_eq!(read("property,call,seconds\n").unwrap().findings, [], "nothing was found");
}

#[test]
fn all_mistakes_of_a_table_are_said_at_once() {
    let table = "property,cal path,rank,seconds,rank\n\
                 LateSender,MPI_Recv,1,0.5,1\n\
                 late_sender,MPI_Recv,one,50ms,1\n\
                 late_sender,MPI_Recv,1\n\
                 ,MPI_Recv,1,0.5,1\n\
                 late_sender,MPI_Recv,1,-1,\n\
                 late_sender,MPI_Recv,1,,\n\
                 wait_at_barrier,MPI_Recv,,0.5,\n\
                 wait_at_barrier,MPI_Recv,3,0.5,\n";
    let expected = "mine: 11 mistakes:
  its header: there is no column `cal path`; did you mean call path?
  its header: `rank` has the meaning of another column
  its header: missing column `call path` or `call`
  line 2: there is no wait state `LateSender`; did you mean late_sender?
  line 3: `one` is not a valid rank; use a whole number from 0 on
  line 3: `50ms` is not a number of seconds, as 0.25
  line 4: it has 3 values, and the header 5 columns
  line 5: it has no name in the column `property`
  line 6: a time of -1 s is negative
  line 7: it has no amount; write one, or omit the line
  line 9: of the same wait at the same call, some lines have a rank and some none";
    assert_eq!(read(table).unwrap_err().to_string(), expected);
    let of_shares = "property,call,rank,share\nlate_sender,MPI_Recv,,41\nlate_sender,MPI_Recv,1,0.5\n";
    let expected = "mine: 2 mistakes:
  line 2: its share is 41, and 1 is all; 41 % is 0.41
  line 3: a share is one of all locations together; omit the rank, or give seconds";
    assert_eq!(read(of_shares).unwrap_err().to_string(), expected);
    let of_percent = "property;call;percent\nlate_sender;MPI_Recv;41\n";
    let expected = "mine: 3 mistakes:
  its header: there is no column `percent`; there are property, metric, call path, call, rank, thread, seconds, share
  its header: missing column `seconds` or `share`
  line 2: it has no amount; write one, or omit the line";
    assert_eq!(read(of_percent).unwrap_err().to_string(), expected);
    let twice = "property,call,rank,seconds\nlate_sender,MPI_Recv,1,0.5\nlate_sender,MPI_Recv,1,0.5\n";
    let error = read(twice).unwrap_err().to_string();
    assert_eq!(error, "mine: findings[0].locations[1]: rank 1 thread 0 is there twice");
}

#[test]
fn incomplete_files_are_reported() {
    let error = read("{\"schema\": \"ats-report/1\", \"findings\": [{\"prop").unwrap_err().to_string();
    assert_eq!(error, "mine: it ends in the middle, at line 1 column 46, before it was completely written");
    let bytes = b"{\"schema\": \"ats-report/1\", \"findings\": 1}".to_vec();
    let error = ats_reports::parse("mine".as_ref(), bytes, Some(Format::Report)).unwrap_err();
    assert!(matches!(error, ReportError::Wrong { .. }), "{error}");
}
