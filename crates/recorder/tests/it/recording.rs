//! Programs recorded under `mpirun`, and their traces read.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::mpi::{Mpi, Trace, source, succeeded};
use ats_model::definitions::{CallingContext, Paradigm, Region};
use ats_model::event::CollectiveOperation;
use ats_model::mpi::LACKING_EXIT_CODE;
use ats_model::own_attribute::Own;
use ats_model::{CallSite, Definitions, Event};

/// The regions of rank 1 of `calls.c`; a region is left where its indentation ends.
const CALLS_OF_RANK_1: &str = "\
main
  MPI_Init
    begin
    CreateHandle sent 0 received 0 on WORLD
  MPI_Comm_rank
  MPI_Comm_size
  blocking
    MPI_Recv
      receive from 0 tag 1 bytes 8 on WORLD
    MPI_Sendrecv
      send to 2 tag 2 bytes 4 on WORLD
      receive from 0 tag 2 bytes 4 on WORLD
    MPI_Sendrecv_replace
      send to 2 tag 3 bytes 8 on WORLD
      receive from 0 tag 3 bytes 8 on WORLD
    MPI_Send
    MPI_Recv
  nonblocking
    MPI_Irecv
      start 1: receive
    MPI_Isend
      start 2: send to 2 tag 5 bytes 12 on WORLD
    MPI_Irecv
    MPI_Waitall
      complete 1: receive from 0 tag 5 bytes 12 on WORLD
      complete 2: sent
    MPI_Irecv
      start 3: receive
    MPI_Ssend
    MPI_Issend
      start 4: send to 2 tag 6 bytes 8 on WORLD
    MPI_Wait
      complete 3: receive from 0 tag 6 bytes 8 on WORLD
    MPI_Waitany
      complete 4: sent
    MPI_Irecv
      start 5: receive
    MPI_Cancel
    MPI_Wait
      cancelled 5
    MPI_Ibarrier
      start 6: collective
    MPI_Waitsome
      complete 6: Barrier sent 0 received 0 on WORLD
    MPI_Send_init
    MPI_Recv_init
    MPI_Startall
      start 7: send to 2 tag 7 bytes 4 on WORLD
      start 8: receive
    MPI_Waitall
      complete 7: sent
      complete 8: receive from 0 tag 7 bytes 4 on WORLD
    MPI_Startall
      start 9: send to 2 tag 7 bytes 4 on WORLD
      start 10: receive
    MPI_Waitall
      complete 9: sent
      complete 10: receive from 0 tag 7 bytes 4 on WORLD
    MPI_Request_free
    MPI_Request_free
  probed
    MPI_Send
      send to 2 tag 9 bytes 4 on WORLD
    MPI_Mprobe
      with ATS::PROBED_SOURCE 0
      with ATS::PROBED_TAG 9
      with ATS::PROBED_COMMUNICATOR WORLD
    MPI_Mrecv
      receive from 0 tag 9 bytes 4 on WORLD
    MPI_Mprobe
    MPI_Mrecv
    MPI_Mprobe
    MPI_Imrecv
    MPI_Wait
    MPI_Send
      send to 2 tag 10 bytes 4 on WORLD
    MPI_Probe
      with ATS::PROBED_SOURCE 0
      with ATS::PROBED_TAG 10
      with ATS::PROBED_COMMUNICATOR WORLD
    MPI_Improbe
    MPI_Imrecv
      start 11: receive
    MPI_Wait
      complete 11: receive from 0 tag 10 bytes 4 on WORLD
  freed
    MPI_Irecv
      start 12: receive
    MPI_Cancel
    MPI_Request_free
      cancelled 12
    MPI_Irecv
      start 13: receive
    MPI_Request_free
    MPI_Issend
      start 14: send to 2 tag 12 bytes 4 on WORLD
    MPI_Request_free
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on WORLD
    MPI_Send
      send to 2 tag 11 bytes 4 on WORLD
    MPI_Recv
      receive from 0 tag 12 bytes 4 on WORLD
  collectives
    MPI_Bcast
      begin
      Bcast root 1 sent 16 received 4 on WORLD
    MPI_Gather
      begin
      Gather root 1 sent 0 received 12 on WORLD
    MPI_Scatter
      begin
      Scatter root 1 sent 16 received 4 on WORLD
    MPI_Gatherv
      begin
      Gatherv root 1 sent 8 received 40 on WORLD
    MPI_Reduce
      begin
      Reduce root 1 sent 4 received 16 on WORLD
    MPI_Allreduce
      begin
      Allreduce sent 12 received 12 on WORLD
    MPI_Allgather
      begin
      Allgather sent 16 received 16 on WORLD
    MPI_Allgatherv
      begin
      Allgatherv sent 32 received 40 on WORLD
    MPI_Alltoall
      begin
      Alltoall sent 32 received 32 on WORLD
    MPI_Reduce_scatter
      begin
      ReduceScatter sent 40 received 32 on WORLD
    MPI_Scan
      begin
      Scan sent 12 received 8 on WORLD
    MPI_Exscan
      begin
      Exscan sent 8 received 4 on WORLD
  in_place
    MPI_Gatherv
      begin
      Gatherv root 1 sent 0 received 32 on WORLD
    MPI_Scatter
      begin
      Scatter root 1 sent 12 received 0 on WORLD
    MPI_Scatterv
      begin
      Scatterv root 1 sent 32 received 0 on WORLD
    MPI_Reduce
      begin
      Reduce root 1 sent 0 received 12 on WORLD
    MPI_Allgather
      begin
      Allgather sent 12 received 12 on WORLD
    MPI_Allgatherv
      begin
      Allgatherv sent 24 received 32 on WORLD
    MPI_Alltoall
      begin
      Alltoall sent 24 received 24 on WORLD
    MPI_Alltoallv
      begin
      Alltoallv sent 44 received 44 on WORLD
    MPI_Alltoallw
      begin
      Alltoallw sent 34 received 34 on WORLD
    MPI_Reduce_scatter
      begin
      ReduceScatter sent 32 received 24 on WORLD
    MPI_Reduce_scatter_block
      begin
      ReduceScatterBlock sent 12 received 12 on WORLD
    MPI_Scan
      begin
      Scan sent 8 received 4 on WORLD
    MPI_Exscan
      begin
      Exscan sent 8 received 4 on WORLD
  types
    MPI_Alltoallw
      begin
      Alltoallw sent 40 received 40 on WORLD
    MPI_Type_contiguous
    MPI_Type_commit
    MPI_Bcast
      begin
      Bcast root 0 sent 6000000000 received 6000000000 on SELF
    MPI_Type_free
  communicators
    MPI_Comm_split
      begin
      CreateHandle sent 0 received 0 on WORLD
    MPI_Comm_dup
      begin
      CreateHandle sent 0 received 0 on [3, 1]
    MPI_Comm_set_name
    MPI_Bcast
      begin
      Bcast root 0 sent 0 received 4 on copy
    MPI_Cart_create
      begin
      CreateHandle sent 0 received 0 on WORLD
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on [0, 1, 2, 3]
    MPI_Intercomm_create
    MPI_Barrier
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on SELF
    MPI_Comm_free
    MPI_Comm_free
      begin
      DestroyHandle sent 0 received 0 on copy
    MPI_Comm_idup
      start 15: collective
    MPI_Comm_idup
      start 16: collective
    MPI_Waitall
      complete 15: CreateHandle sent 0 received 0 on [3, 1]
      complete 16: CreateHandle sent 0 received 0 on SELF
    MPI_Comm_set_name
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on later
    MPI_Comm_free
      begin
      DestroyHandle sent 0 received 0 on [1]
    MPI_Comm_idup
      start 17: collective
    MPI_Wait
      complete 17: CreateHandle sent 0 received 0 on later
    MPI_Bcast
      begin
      Bcast root 1 sent 8 received 4 on [3, 1]
  groups
    MPI_Comm_group
    MPI_Group_incl
    MPI_Comm_create_group
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on [3, 1]
    MPI_Comm_dup_with_info
      begin
      CreateHandle sent 0 received 0 on WORLD
    MPI_Comm_set_name
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on with_info
    MPI_Cart_create
      begin
      CreateHandle sent 0 received 0 on with_info
    MPI_Cart_sub
      begin
      CreateHandle sent 0 received 0 on [0, 1, 2, 3]
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on [0, 1]
    MPI_Graph_create
      begin
      CreateHandle sent 0 received 0 on with_info
    MPI_Comm_set_name
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on ring
  MPI_Finalize
    begin
    complete 13: receive from 0 tag 11 bytes 4 on WORLD
    complete 14: sent
    DestroyHandle sent 0 received 0 on WORLD
";

#[test]
fn every_kind_of_call_is_recorded_as_it_was_made() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source("calls.c"), folder.path());
        succeeded(&mpi.record(4, folder.path(), &program, &[]));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        assert_eq!(trace.listing(1), CALLS_OF_RANK_1, "{mpi:?}");
        assert_eq!(trace.definitions.locations.len(), 4);
        assert!(leftovers(folder.path()).is_empty(), "nothing says incomplete");
    }
}

/// The regions of the ranks of `errors.c`. Libraries differ in the size of a message that was cut off.
const ERRORS_OF_RANK_0: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_errhandler
MPI_Comm_rank
MPI_Send
MPI_Isend
MPI_Sendrecv
MPI_Sendrecv_replace
MPI_Send
  send to 1 tag 1 bytes 16 on WORLD
MPI_Send
  send to 1 tag 2 bytes 16 on WORLD
MPI_Send
  send to 1 tag 3 bytes 16 on WORLD
MPI_Send
  send to 1 tag 4 bytes 16 on WORLD
MPI_Send
  send to 1 tag 5 bytes 16 on WORLD
MPI_Send
  send to 1 tag 6 bytes 16 on WORLD
MPI_Send
  send to 1 tag 7 bytes 16 on WORLD
MPI_Send
  send to 1 tag 8 bytes 16 on WORLD
MPI_Send
  send to 1 tag 9 bytes 16 on WORLD
MPI_Send
  send to 1 tag 10 bytes 16 on WORLD
MPI_Send
  send to 1 tag 11 bytes 16 on WORLD
MPI_Recv
  receive from 1 tag 12 bytes 16 on WORLD
MPI_Bcast
MPI_Comm_create
MPI_Comm_free
MPI_Barrier
  begin
  Barrier sent 0 received 0 on WORLD
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";
const ERRORS_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_errhandler
MPI_Comm_rank
MPI_Recv
MPI_Irecv
MPI_Recv
  receive from 0 tag 1 bytes CUT on WORLD
MPI_Irecv
  start 1: receive
MPI_Wait
  complete 1: receive from 0 tag 2 bytes CUT on WORLD
MPI_Probe
  with ATS::PROBED_SOURCE 0
  with ATS::PROBED_TAG 3
  with ATS::PROBED_COMMUNICATOR WORLD
MPI_Irecv
  start 2: receive
MPI_Test
  complete 2: receive from 0 tag 3 bytes CUT on WORLD
MPI_Irecv
  start 3: receive
MPI_Irecv
  start 4: receive
MPI_Waitall
  complete 3: receive from 0 tag 4 bytes 16 on WORLD
  complete 4: receive from 0 tag 5 bytes CUT on WORLD
MPI_Irecv
  start 5: receive
MPI_Waitany
  complete 5: receive from 0 tag 6 bytes CUT on WORLD
MPI_Irecv
  start 6: receive
MPI_Waitsome
  complete 6: receive from 0 tag 7 bytes CUT on WORLD
MPI_Mprobe
  with ATS::PROBED_SOURCE 0
  with ATS::PROBED_TAG 8
  with ATS::PROBED_COMMUNICATOR WORLD
MPI_Mrecv
MPI_Mrecv
  receive from 0 tag 8 bytes CUT on WORLD
MPI_Mprobe
  with ATS::PROBED_SOURCE 0
  with ATS::PROBED_TAG 9
  with ATS::PROBED_COMMUNICATOR WORLD
MPI_Imrecv
MPI_Imrecv
  start 7: receive
MPI_Wait
  complete 7: receive from 0 tag 9 bytes CUT on WORLD
MPI_Recv_init
MPI_Start
  start 8: receive
MPI_Wait
  complete 8: receive from 0 tag 10 bytes CUT on WORLD
MPI_Sendrecv
  send to 0 tag 12 bytes 16 on WORLD
  receive from 0 tag 11 bytes CUT on WORLD
MPI_Bcast
MPI_Comm_create
MPI_Comm_free
MPI_Barrier
  begin
  Barrier sent 0 received 0 on WORLD
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

/// A listing of rank 1 without the sizes of the messages that were cut off: MPI leaves open what their statuses say,
/// and MPICH's say anything.
fn without_cut_sizes(listing: &str) -> String {
    assert_eq!(listing.lines().count(), ERRORS_OF_RANK_1.lines().count(), "{listing}");
    let line = |(line, expected): (&str, &str)| match line.split_once("bytes ") {
        Some((before, size)) if expected.contains("bytes CUT") => {
            let (_, after) = size.split_once(' ').expect("a communicator follows");
            format!("{before}bytes CUT {after}\n")
        }
        _ => format!("{line}\n"),
    };
    listing.lines().zip(ERRORS_OF_RANK_1.lines()).map(line).collect()
}

#[test]
fn calls_that_fail_are_recorded_as_far_as_they_went() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source("errors.c"), folder.path());
        succeeded(&mpi.record(2, folder.path(), &program, &[]));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        assert_eq!(trace.listing(0), ERRORS_OF_RANK_0, "{mpi:?}");
        let listing = trace.listing(1);
        match mpi {
            Mpi::Open => assert_eq!(listing, ERRORS_OF_RANK_1.replace("bytes CUT", "bytes 16")),
            Mpi::Mpich => assert_eq!(without_cut_sizes(&listing), ERRORS_OF_RANK_1),
        }
    }
}

/// The functions of MPI and their call sites. Fails unless each call of MPI has one of its own in this file.
#[track_caller]
fn call_sites<'a>(trace: &'a Trace, file: &str) -> BTreeSet<(&'a str, &'a CallSite)> {
    let mut sites = BTreeSet::new();
    let Definitions { regions, calls, .. } = &trace.definitions;
    let of_mpi = regions.iter().filter(|region| region.paradigm == Paradigm::Mpi);
    let functions: BTreeSet<&str> = of_mpi.map(|region| region.name.as_str()).collect();
    assert_eq!(functions.len(), calls.values().collect::<BTreeSet<_>>().len(), "one region for a function");
    for call in calls.keys() {
        let region = &regions[call.0 as usize];
        let site = region.call_site.as_ref().expect("each call has its site");
        assert!(site.file.ends_with(file), "{site}");
        assert!(sites.insert((region.name.as_str(), site)), "{} is defined once, {site}", region.name);
    }
    sites
}

/// Fails unless the line of the call site calls the function.
#[track_caller]
fn assert_calls(text: &str, function: &str, site: &CallSite) {
    let line = text.lines().nth(site.line as usize - 1).expect("the line is in the file");
    assert!(line.contains(&format!("{function}(")), "{function}, {site}: {line}");
}

#[test]
fn calls_are_kept_apart_by_where_they_stand() {
    let source = source("calls.c");
    let text = std::fs::read_to_string(&source).expect("the program is there");
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source, folder.path());
        succeeded(&mpi.record_with_stacks(4, folder.path(), &program, &[]));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        assert_eq!(trace.listing(1), CALLS_OF_RANK_1, "{mpi:?}: the regions' names are as ever");
        let sites = call_sites(&trace, "tests/programs/calls.c");
        sites.iter().for_each(|(function, site)| assert_calls(&text, function, site));
        let functions = |name: &str| -> BTreeSet<&str> {
            sites.iter().filter(|(of, _)| *of == name).map(|(_, site)| site.function.as_str()).collect()
        };
        assert_eq!(functions("MPI_Init"), BTreeSet::from(["main"]));
        assert_eq!(functions("MPI_Sendrecv"), BTreeSet::from(["blocking"]));
        assert!(functions("MPI_Irecv").len() > 1, "{:?}", functions("MPI_Irecv"));
        assert_contexts_lead_to_calls(&trace, "main");
    }
}

/// The functions around the call of a calling context, the outermost first, each with the line of its call.
fn stack(trace: &Trace, context: usize) -> Vec<(&str, u32)> {
    let contexts = &trace.definitions.calling_contexts;
    let outer = |context: &&CallingContext| Some(&contexts[context.parent? as usize]);
    let mut stack: Vec<_> = std::iter::successors(outer(&&contexts[context]), outer)
        .map(|context| (trace.definitions.regions[context.function.0 as usize].name.as_str(), context.line))
        .collect();
    stack.reverse();
    stack
}

/// The calls of MPI on a location: function, call site and stack.
pub(crate) fn stacks(trace: &Trace, location: usize) -> Vec<(&Region, Vec<(&str, u32)>)> {
    let mut context = None;
    let mut stacks = Vec::new();
    for (_, event) in &trace.events[location] {
        match *event {
            Event::Attribute { attribute, value } if attribute == Own::CallingContext.reference() => {
                context = Some(value.bits as usize);
            }
            Event::Enter { region } => {
                let region = &trace.definitions.regions[region.0 as usize];
                if let Some(context) = context.take() {
                    stacks.push((region, stack(trace, context)));
                } else {
                    assert_ne!(region.paradigm, Paradigm::Mpi, "{} has a stack", region.name);
                }
            }
            _ => {}
        }
    }
    stacks
}

/// Fails unless the stack of each call of MPI begins with the outermost function and ends with the call site.
#[track_caller]
fn assert_contexts_lead_to_calls(trace: &Trace, outermost: &str) {
    for location in 0..trace.events.len() {
        for (region, stack) in stacks(trace, location) {
            let site = region.call_site.as_ref().expect("each call has its site");
            assert_eq!(
                stack.last(),
                Some(&(site.function.as_str(), site.line)),
                "{}: {stack:?}",
                region.name
            );
            assert_eq!(stack[0].0, outermost, "{}: {stack:?}", region.name);
        }
    }
}

/// Optimized code without frame pointers: recursion, a callback, a frame of variable size, and a thread.
#[test]
fn stacks_are_found_without_frame_pointers() {
    let source = source("stacks.c");
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = ["-O2", "-fomit-frame-pointer", "-fno-inline", "-fno-optimize-sibling-calls"];
        let program = mpi.compile_with_options(mpi.compiler(), &options, &source, folder.path());
        succeeded(&mpi.record_with_stacks(2, folder.path(), &program, &[]));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        for rank in 0..2 {
            let of_barriers: Vec<String> = stacks(&trace, rank)
                .into_iter()
                .filter(|(region, _)| region.name == "MPI_Barrier")
                .map(|(_, stack)| {
                    stack.into_iter().map(|(function, _)| function).collect::<Vec<_>>().join("/")
                })
                .collect();
            let halves = "main/halve/halve/halve/meet";
            assert_eq!(
                of_barriers,
                [halves, halves, "main/sized/meet", "main/sized/meet", "main/bsearch_by/compare/meet"],
                "{mpi:?}, rank {rank}"
            );
        }
        let thread = trace.definitions.locations.iter().position(|location| location.thread == 1);
        let of_thread = stacks(&trace, thread.expect("the thread is recorded"));
        let names: Vec<&str> = of_thread[0].1.iter().map(|(function, _)| *function).collect();
        assert_eq!(names, ["beside", "alone"], "{mpi:?}");
    }
}

/// The interpreters of Python that this machine has, without those that are one.
fn interpreters() -> BTreeSet<String> {
    let names =
        (9..=13).map(|minor| format!("python3.{minor}")).chain(["python3".into(), "/usr/bin/python3".into()]);
    let found = names.filter_map(|name| {
        let asked = Command::new(name).args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
        let path = Path::new(str::from_utf8(&asked.stdout).ok()?.trim()).canonicalize().ok()?;
        Some(path.to_str()?.to_owned())
    });
    found.collect()
}

/// Functions in Python, with their lines: methods, recursion, a callback of C, a generator, a thread, a name in Unicode.
#[test]
fn stacks_have_the_functions_in_python() {
    let source = source("frames.py");
    let text = std::fs::read_to_string(&source).expect("it is there");
    for (mpi, python) in Mpi::tested().flat_map(|mpi| interpreters().into_iter().map(move |of| (mpi, of))) {
        let folder = tempfile::tempdir().expect("a folder");
        let arguments = [source.to_str().expect("a path in Unicode")];
        succeeded(&mpi.record_with_stacks(1, folder.path(), Path::new(&python), &arguments));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let of_location = |location: usize| -> Vec<String> {
            let of_barriers =
                stacks(&trace, location).into_iter().filter(|(region, _)| region.name == "MPI_Barrier");
            let name = |(function, line): (&str, u32)| {
                let at = text.lines().nth(line as usize - 1).unwrap_or_default().trim().to_owned();
                // Before 3.11, code has the name of its function alone.
                (function.rsplit('.').next().unwrap_or_default().to_owned(), at)
            };
            of_barriers
                .map(|(_, stack)| {
                    let stack: Vec<_> = stack.into_iter().map(name).collect();
                    assert_eq!(
                        stack.last().map(|(_, line)| line.as_str()),
                        Some("mpi.MPI_Barrier(world)"),
                        "{python}"
                    );
                    if let [.., (outer, line), _] = &stack[..]
                        && outer != "run"
                    {
                        assert!(line.contains("meet()"), "{python}: {stack:?}");
                    }
                    stack.into_iter().map(|(function, _)| function).collect::<Vec<_>>().join("/")
                })
                .collect()
        };
        let step = "<module>/step/meet";
        let expected = [
            step,
            step,
            step,
            step,
            "<module>/halve/halve/halve/meet",
            "<module>/compare/meet",
            "<module>/größe/meet",
            "<module>/<genexpr>/meet",
        ];
        assert_eq!(of_location(0), expected, "{python} with {mpi:?}");
        assert_eq!(of_location(1), ["_bootstrap/_bootstrap_inner/run/meet"], "{python} with {mpi:?}");
    }
}

fn leftovers(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("it is there");
    let names = names.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("incomplete")).collect()
}

/// Programs written without this recorder in mind, with events per rank that Score-P has counted in the same programs.
#[test]
fn programs_that_others_wrote_are_recorded_as_score_p_does() {
    let programs = ats_testing::peer("programs");
    for mpi in Mpi::tested() {
        for (name, ranks, arguments, expected) in [
            ("seven_properties", 4, &["all", "0.002", "0.005", "10", "sleep"][..], [40, 40, 0, 300]),
            ("patterns", 4, &[], [85, 80, 15, 186]),
            ("hybrid", 2, &[], [0, 0, 0, 18]),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let program = mpi.compile(&programs.join(name).with_extension("c"), folder.path());
            succeeded(&mpi.record(ranks, folder.path(), &program, arguments));
            let trace = Trace::read(folder.path());
            trace.is_sound();
            let count = |select: fn(&Event) -> bool| {
                (0..trace.events.len()).map(|location| trace.count(location, select)).sum::<usize>()
            };
            let counted = [
                count(|event| matches!(event, Event::MpiSend { .. })),
                count(|event| matches!(event, Event::MpiRecv { .. })),
                count(|event| matches!(event, Event::MpiIrecv { .. })),
                count(|event| matches!(event, Event::MpiCollectiveEnd { .. })),
            ];
            assert_eq!(counted, expected, "{name} with {mpi:?}");
        }
    }
}

/// The regions of rank 1 of `fortran.f90`, by either of two interfaces of MPI.
const FORTRAN_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
MPI_Irecv
  start 1: receive
MPI_Wait
  complete 1: receive from 0 tag 3 bytes 16 on WORLD
MPI_Allreduce
  begin
  Allreduce sent 16 received 16 on WORLD
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

#[test]
fn fortran_programs_are_recorded_through_the_same_functions() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/fortran.f90");
    for mpi in Mpi::tested() {
        let compiler = mpi.compiler().replace("mpicc", "mpif90");
        if !ats_testing::required(&compiler) {
            continue;
        }
        for (interface, request) in [("mpi", "integer"), ("mpi_f08", "type(MPI_Request)")] {
            let folder = tempfile::tempdir().expect("a folder");
            let text = std::fs::read_to_string(&source).expect("the program is there");
            let variant = folder.path().join("fortran.f90");
            let text =
                text.replace("use mpi\n", &format!("use {interface}\n")).replace("REQUEST_TYPE", request);
            std::fs::write(&variant, &text).expect("written");
            let program = mpi.compile_with(&compiler, &variant, folder.path());
            succeeded(&mpi.record_with_stacks(2, folder.path(), &program, &[]));
            let trace = Trace::read(folder.path());
            trace.is_sound();
            let sites = call_sites(&trace, "/fortran.f90");
            // Of other calls, gfortran gives the lines of what is around them.
            for (function, caller) in [("MPI_Ssend", "calls"), ("MPI_Irecv", "receive")] {
                let (_, site) = sites.iter().find(|(name, _)| *name == function).expect("it is called");
                assert_eq!(site.function, caller);
                assert_calls(&text, function, site);
            }
            assert_eq!(trace.listing(1), FORTRAN_OF_RANK_1, "{mpi:?}, use {interface}");
            assert_contexts_lead_to_calls(&trace, "main");
        }
    }
}

/// A property's regions, as its program marks them, are on the call path of its calls.
#[test]
fn a_rust_program_has_its_regions_on_the_call_path() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = conformance(mpi);
        succeeded(&mpi.record(3, folder.path(), &program, &[]));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let lines = trace.listing(0);
        let path = "mpi_commpattern_sendrecv\n  MPI_Ssend\n    send to 1 tag 42 bytes 16 on WORLD\n";
        assert!(lines.contains(path), "{lines}");
        let barriers = |location| {
            trace.count(location, |event| {
                matches!(event, Event::MpiCollectiveEnd { operation: CollectiveOperation::Barrier, .. })
            })
        };
        assert!(barriers(0) > 100, "there are many barriers");
        messages_match(&trace);
    }
}

/// The tag of messages whose receives the program abandons.
const ABANDONED: u32 = 199;

/// Every message that was sent was received: the same bytes and tags between the same ranks on the same communicator.
fn messages_match(trace: &Trace) {
    let mut sent = Vec::new();
    let mut received = Vec::new();
    for (location, events) in trace.definitions.locations.iter().zip(&trace.events) {
        for (_, event) in events {
            let member = |communicator: ats_model::event::CommunicatorRef, rank: u32| match &trace
                .definitions
                .communicators[communicator.0 as usize]
                .members
            {
                ats_model::definitions::Members::Ranks(ranks) => ranks[rank as usize],
                ats_model::definitions::Members::SelfOnly => location.rank,
            };
            match *event {
                Event::MpiSend { receiver, communicator, tag, bytes }
                | Event::MpiIsend { receiver, communicator, tag, bytes, .. } => {
                    sent.push((communicator, location.rank, member(communicator, receiver), tag, bytes));
                }
                Event::MpiRecv { sender, communicator, tag, bytes }
                | Event::MpiIrecv { sender, communicator, tag, bytes, .. } => {
                    received.push((communicator, member(communicator, sender), location.rank, tag, bytes));
                }
                _ => {}
            }
        }
    }
    sent.retain(|&(.., tag, _)| tag != ABANDONED);
    sent.sort_unstable();
    received.sort_unstable();
    assert!(sent.len() > 100, "there are many messages");
    assert_eq!(sent, received);
}

fn conformance(mpi: Mpi) -> std::path::PathBuf {
    let built = mpi.build(&["-p", "ats-mpi", "--features", "ats-mpi/real", "--example", "conformance"]);
    built.join("examples/conformance")
}

/// The real engine of `ats-mpi` makes every call and verifies the data; here, since only MPI can run it.
#[test]
fn the_real_engine_conforms_on_any_number_of_ranks() {
    for mpi in Mpi::tested() {
        let program = conformance(mpi);
        for ranks in 1..=5 {
            let output = mpi.run(ranks, &[], &program, &[]);
            succeeded(&output);
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.starts_with(&format!("conformance on {ranks} ranks of ")), "{mpi:?}: {said}");
        }
    }
}

/// Misuse that would be undefined behaviour in MPI ends the run of a safe program with a message.
#[test]
fn misuse_of_the_real_engine_ends_the_run_with_a_message() {
    let not_main = "called by a thread that is not the main thread of its process";
    for mpi in Mpi::tested() {
        let program = conformance(mpi);
        for (misuse, message) in [
            ("thread", format!("MPI_Barrier: {not_main}")),
            ("drop-in-thread", format!("MPI_Comm_free: {not_main}")),
            ("allgatherv", "the receive buffer has 32 bytes and needs 64".to_owned()),
            ("reduce_scatter", "the receive buffer has 16 bytes and needs 32".to_owned()),
            ("counts", "18446744073709551615 is more than MPI's int holds".to_owned()),
            ("twice", "the same request is there twice".to_owned()),
            ("elsewhere", "the request belongs to another communicator".to_owned()),
            ("started", "the request is started already".to_owned()),
            ("not-persistent", "the request is not persistent".to_owned()),
            (
                "no-rank",
                "MPI_Dist_graph_create_adjacent on rank 0: names rank 2 of a communicator of 2 ranks"
                    .to_owned(),
            ),
            ("no-grid", "a grid of 3 places on a communicator of 2 ranks; make it of 1 to 2".to_owned()),
            (
                "no-topology",
                "the communicator has no neighbours; make it with `cart` or `dist_graph`".to_owned(),
            ),
            ("neighbors", "the receive buffer has 1 elements and needs 2, 1 a neighbour".to_owned()),
            ("partitions", "MPI_Psend_init: 3 elements cannot be divided into 2 equal partitions".to_owned()),
            ("column", "the send buffer is a column; use one without gaps".to_owned()),
            ("column-in-partitions", "MPI_Psend_init: a column has no partitions".to_owned()),
        ] {
            let output = mpi.run(2, &[], &program, &[misuse]);
            let said = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            assert!(code.is_some_and(|code| code != 0 && code != 124), "{mpi:?}, {misuse}: {code:?} {said}");
            assert!(said.contains(&message), "{mpi:?}, {misuse}: {said}");
        }
    }
}

/// The same of messages in partitions, which Open MPI 4 lacks: then the run is unsupported.
#[test]
fn misuse_of_partitions_ends_the_run_with_a_message() {
    for mpi in Mpi::tested() {
        let program = conformance(mpi);
        for (misuse, message) in [
            ("not-started", "MPI_Pready on rank 0: the request is not started"),
            ("ready-twice", "MPI_Pready on rank 0: partition 1 is ready already"),
            ("no-partition", "MPI_Pready on rank 0: there is no partition 2: the message has 2"),
            ("not-partitioned", "MPI_Pready on rank 0: the request is none that was made by MPI_Psend_init"),
        ] {
            let output = mpi.run(2, &[], &program, &[misuse]);
            let said = String::from_utf8_lossy(&output.stderr);
            let (message, code) = match mpi {
                Mpi::Mpich => (message, 1),
                Mpi::Open => ("does not have it; use a library of MPI 4 or later", LACKING_EXIT_CODE),
            };
            assert_eq!(output.status.code(), Some(code), "{mpi:?}, {misuse}: {said}");
            // Whoever is first ends the other.
            let message = message.replace(" on rank 0", "");
            let said = said.replace(" on rank 0", "").replace(" on rank 1", "");
            assert!(said.contains(&message), "{mpi:?}, {misuse}: {said}");
        }
    }
}
