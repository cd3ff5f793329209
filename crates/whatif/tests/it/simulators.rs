//! Traces in the forms of simulators.

use ats_model::simulator::TraceForm;
use ats_whatif::NotWritten;

use crate::program;

/// The files of a trace in words, one after the other, and what is lost.
fn written(trace: &str, form: TraceForm) -> Result<(String, Vec<String>), NotWritten> {
    let trace = ats_analyzer::notation::parse(trace).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let losses = program(&trace).write_for(form, 4096, dir.path())?;
    let mut files: Vec<_> = dir.path().read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    Ok((files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect(), losses))
}

const MESSAGES: &str = "0: 0..5 work; 5..6 MPI_Send send 1
     1: 0..2 work; 2..6 MPI_Recv recv 0; 6..7 work";

const BARRIER: &str = "0: 0..5 work; 5..6 MPI_Barrier barrier
     1: 0..2 work; 2..6 MPI_Barrier barrier
     2: 0..2 work; 2..6 MPI_Barrier barrier";

#[test]
fn messages_for_smpi() {
    let (text, losses) = written(MESSAGES, TraceForm::Smpi).unwrap();
    insta::assert_snapshot!(text);
    assert_eq!(losses, Vec::<String>::new());
}

#[test]
fn messages_for_loggopsim() {
    insta::assert_snapshot!(written(MESSAGES, TraceForm::Goal).unwrap().0);
}

#[test]
fn a_collective_operation_is_an_action_of_smpi_and_messages_of_loggopsim() {
    let (text, losses) = written(BARRIER, TraceForm::Smpi).unwrap();
    assert_eq!((text.matches("barrier").count(), losses), (3, Vec::new()));
    let (text, losses) = written(BARRIER, TraceForm::Goal).unwrap();
    insta::assert_snapshot!(text);
    assert!(losses[0].starts_with("collective operations are messages"), "{losses:?}");
}

#[test]
fn an_exchange_sends_while_it_receives() {
    let exchange = "0: 0..1 MPI_Sendrecv send 1, recv 1
         1: 0..1 MPI_Sendrecv send 0, recv 0";
    let (text, _) = written(exchange, TraceForm::Smpi).unwrap();
    assert!(text.contains("0 isend 1 0 1 6\n0 recv 1 0 1 6\n0 wait 0 1 0\n"), "{text}");
}

#[test]
fn inexpressible_traces_are_refused_and_losses_are_listed() {
    let error = |trace: &str| written(trace, TraceForm::Goal).unwrap_err().to_string();
    let ibarrier = "0: 0..1 MPI_Ibarrier start 1; 1..2 MPI_Wait ibarrier request 1";
    assert_eq!(error(ibarrier), "MPI_Ibarrier cannot be written for a simulator");
    let part = "comm half 0 1
         0: 0..1 MPI_Send send 1 on half
         1: 0..1 MPI_Recv recv 0 on half
         2: 0..1 work";
    assert!(error(part).contains("on a part of the ranks cannot be written"), "{}", error(part));
    let synchronous = "0: 0..1 MPI_Ssend send 1
         1: 0..1 MPI_Recv recv 0";
    let (_, losses) = written(synchronous, TraceForm::Smpi).unwrap();
    assert!(losses[0].starts_with("synchronous sends are standard ones"), "{losses:?}");
}
