//! Variants of programs with a planted problem: another culprit, other numbers of ranks and threads, other times, Fortran,
//! wrappers around calls of MPI, marked regions, helpers, and a communicator with the ranks backwards. The programs are in
//! `tests/programs/variants`, and take these as macros.

use std::fs;
use std::path::{Path, PathBuf};

use ats_model::CauseKind::{self, *};

use super::{Explained, On, Program, Wait, commands, table};

/// The usual work in each step of a program, in milliseconds.
const USUAL: u32 = 10;

/// The time that a culprit works longer than others in a run, in milliseconds, or a little less.
const PLANTED: u32 = 400;

/// The threads of each rank of a program of both.
const OF_EACH_RANK: u32 = 4;

/// The name of waits that are in no call.
const IDLE: &str = "idle_threads";

/// The name of barriers that end constructs.
const AT_END: &str = "!$omp implicit barrier";

/// The form that a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Calls of MPI are in `main`.
    Plain,
    /// The late code is marked.
    Regions,
    /// Each step is a function.
    Helper,
    /// Calls of MPI are in functions of the program.
    Wrapped,
    /// Ranks of the communicator are those of the program backwards.
    Backwards,
    /// In Fortran.
    Fortran,
}

/// A variant of a program.
#[derive(Clone, Copy, Debug)]
struct Variant {
    form: Form,
    /// The number of ranks or threads.
    number: u32,
    culprit: u32,
    /// The work of the culprit beyond that of others in each step, in milliseconds.
    more: u32,
    steps: u32,
}

impl Variant {
    /// One of each form: the numbers of ranks or threads are 3 to 8 in turn, or the even ones of them.
    fn each(template: &Template, seed: u32) -> impl Iterator<Item = Self> {
        let are_pairs = template.are_pairs;
        (seed..).zip(template.forms).map(move |(index, &form)| {
            let number = if are_pairs { 4 + 2 * (index % 3) } else { 3 + index % 6 };
            let more = [40, 50, 80, 25, 60, 30][index as usize % 6];
            Variant { form, number, culprit: (2 * index + 1) % number, more, steps: PLANTED / more }
        })
    }

    /// Another location than the culprit.
    fn other(self) -> u32 {
        (self.culprit + 1) % self.number
    }

    /// The seconds that one location waits if others wait as long in each step as the culprit works longer.
    fn each_waits(self) -> f64 {
        f64::from(self.more * self.steps) / 1000.0
    }

    /// The same of all but the culprit.
    fn others_wait(self) -> f64 {
        f64::from(self.number - 1) * self.each_waits()
    }

    /// The same of a location for each pair of neighbours.
    fn half_waits(self) -> f64 {
        f64::from(self.number / 2) * self.each_waits()
    }

    /// The seconds of all but the culprit in a ring: its messages of a step are sent before it works, so each step away from it the
    /// waits begin a step later.
    fn others_of_a_ring_wait(self) -> f64 {
        let away = (1..self.number).map(|of| of.min(self.number - of));
        let waits: u32 = away.map(|away| self.steps.saturating_sub(away)).sum();
        f64::from(waits * self.more) / 1000.0
    }

    /// Numbers that are as odd or as even as the culprit's.
    fn every_second(self) -> Vec<u32> {
        (0..self.number).filter(|rank| rank % 2 == self.culprit % 2).collect()
    }

    /// The seconds that locations wait if each comes later than the one before it by the same time.
    fn one_after_the_other(self) -> f64 {
        f64::from(self.number) / 2.0 * self.others_wait()
    }

    /// Seconds that threads wait for each other: each has four pieces of work, and half of a piece is exclusive.
    fn take_turns(self) -> f64 {
        let number = f64::from(self.number);
        let pieces = number * (number - 1.0) / 2.0 + 3.0 * number * (number - 2.0);
        pieces / 4.0 * self.each_waits()
    }
}

/// A program that has variants.
struct Template {
    /// Its file.
    file: &'static str,
    on: On,
    forms: &'static [Form],
    /// Whether its ranks work in pairs.
    are_pairs: bool,
    /// The definition of its operation, if it takes one.
    operation: &'static str,
    /// The cause that is planted beside waits, and advice that does not help.
    explained: Option<(CauseKind, &'static str)>,
}

/// A program of ranks in C.
const RANKS: Template = Template {
    file: "",
    on: On::Ranks,
    forms: &[Form::Plain, Form::Regions, Form::Helper, Form::Wrapped, Form::Backwards],
    are_pairs: false,
    operation: "",
    explained: None,
};

/// A program of ranks in both languages.
const RANKS_OR_FORTRAN: Template = Template {
    forms: &[Form::Plain, Form::Regions, Form::Helper, Form::Wrapped, Form::Backwards, Form::Fortran],
    ..RANKS
};

/// A program of pairs of ranks in C.
const PAIRS: Template = Template { are_pairs: true, ..RANKS };

/// A program of threads.
const THREADS: Template =
    Template { on: On::Threads, forms: &[Form::Plain, Form::Regions, Form::Helper], ..RANKS };

fn wait(call: &str, seconds: f64, cause: CauseKind, culprits: impl IntoIterator<Item = u32>) -> Wait {
    Wait {
        call: call.to_owned(),
        seconds: Some(seconds),
        culprits: culprits.into_iter().collect(),
        cause: Some(cause),
        ..Wait::default()
    }
}

impl Wait {
    /// The same with the region that is late.
    fn of_code(self, region: &str) -> Self {
        Wait { code: Some(region.to_owned()), ..self }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/variants")
}

/// The first line of a text that contains some words.
fn line(text: &str, words: &str) -> Option<u32> {
    (1..).zip(text.lines()).find(|(_, line)| line.contains(words)).map(|(line, _)| line)
}

/// The lines of a text with a comment that something waits there.
fn marked(text: &str) -> impl Iterator<Item = u32> + '_ {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| line.ends_with("/* waits */") || line.ends_with("! waits")).map(|(line, _)| line)
}

impl Template {
    /// Checks all variants, with numbers from a seed on: the waits are in the order of their lines.
    fn check(&self, seed: u32, waits: impl Fn(Variant) -> Vec<Wait>) {
        check(Variant::each(self, seed).map(|variant| self.program(variant, waits(variant))));
    }

    /// Words for the code that is late: its region, or the place of the call that follows it, unless a wrapper has that.
    fn late(&self, form: Form, text: &str, region: &str) -> Option<String> {
        let mut rest = (1..).zip(text.lines()).skip_while(|(_, line)| !line.contains(region)).skip(1);
        let call = rest.find(|(_, line)| line.contains("MPI_") || line.contains("OPERATION"));
        match form {
            Form::Regions => Some(format!("`{region}`")),
            Form::Plain | Form::Helper | Form::Backwards => {
                Some(format!(" and {}:{}", self.file, call.expect("a call follows").0))
            }
            Form::Wrapped | Form::Fortran => None,
        }
    }

    fn program(&self, variant: Variant, mut waits: Vec<Wait>) -> Program {
        let Variant { form, number, culprit, more, steps } = variant;
        let step = self.file.replace(".c", ".inc");
        let read = |file: &str| fs::read_to_string(folder().join(file)).unwrap();
        let (text, wrappers) =
            (read(if form == Form::Fortran { &step } else { self.file }), read("variant.h"));
        let mut lines = marked(&text);
        for wait in &mut waits {
            wait.code = wait.code.take().and_then(|name| self.late(form, &text, &name));
        }
        for wait in waits.iter_mut().filter(|wait| wait.call != IDLE) {
            let own = lines.next().expect("each has a comment");
            let wrapper = line(&wrappers, &format!("return {}(", wait.call));
            wait.line = if form == Form::Wrapped { wrapper } else { Some(own) };
        }
        let numbers = [
            ("USUAL", USUAL),
            ("MORE", more),
            ("STEPS", steps),
            ("CULPRIT", culprit),
            ("OTHER", variant.other()),
            ("THREADS", if self.on == On::Hybrid { OF_EACH_RANK } else { number }),
        ];
        let mut options = numbers.map(|(name, value)| format!("-D{name}={value}")).to_vec();
        options.push(format!("-DOPERATION={}", self.operation));
        options.push(format!("-D{}", format!("{form:?}").to_uppercase()));
        options.push(format!("-DSTEP_OF_FORTRAN=\"{step}\""));
        let explained = self.explained.map(|(cause, not_advised)| Explained {
            cause,
            seconds: Some(variant.others_wait()),
            not_advised: not_advised.to_owned(),
        });
        Program {
            folder: folder(),
            file: if form == Form::Fortran { "variant.f90" } else { self.file }.to_owned(),
            options,
            on: self.on,
            ranks: (self.on != On::Threads).then_some(number),
            problem: format!("{}, {variant:?}", self.file),
            waits,
            explained: explained.into_iter().collect(),
            ..Program::default()
        }
    }
}

/// Records programs, and holds what is said of them to what is right; fails with all differences.
fn check(programs: impl Iterator<Item = Program>) {
    let (mut differences, mut number) = (Vec::new(), 0);
    for program in programs {
        let Some(dir) = program.recorded() else { return };
        number += 1;
        differences.extend(program.difference(&commands::answers(dir.path())));
    }
    assert!(
        number > 0 && differences.is_empty(),
        "{} of {number}:\n{}",
        differences.len(),
        differences.join("\n\n")
    );
}

/// The programs of the corpus that can mark regions do so.
#[test]
fn marked_regions_in_the_corpus() {
    let marks = |program: &Program| {
        let text = fs::read_to_string(program.folder.join(&program.file)).unwrap();
        ["IN(\"", "enter(\""].iter().any(|mark| text.contains(mark))
    };
    check(
        table()
            .into_iter()
            .filter(marks)
            .map(|program| Program { options: vec!["-DREGIONS".to_owned()], ..program }),
    );
}

/// One rank is late to a collective operation.
fn check_late_at(seed: u32, call: &str, operation: &'static str, template: Template) {
    let template = Template { file: "late_at_collective.c", operation, ..template };
    template.check(seed, |of| vec![wait(call, of.others_wait(), LateArrival, [of.culprit]).of_code("solve")]);
}

#[test]
fn late_at_barrier() {
    check_late_at(0, "MPI_Barrier", "MPI_Barrier(comm)", RANKS);
}

#[test]
fn late_at_allreduce() {
    let operation = "MPI_Allreduce(a,b,512,MPI_DOUBLE,MPI_SUM,comm)";
    check_late_at(1, "MPI_Allreduce", operation, RANKS_OR_FORTRAN);
}

#[test]
fn late_at_allgather() {
    check_late_at(2, "MPI_Allgather", "MPI_Allgather(a,64,MPI_DOUBLE,b,64,MPI_DOUBLE,comm)", RANKS);
}

#[test]
fn late_at_alltoall() {
    check_late_at(3, "MPI_Alltoall", "MPI_Alltoall(a,64,MPI_DOUBLE,b,64,MPI_DOUBLE,comm)", RANKS);
}

#[test]
fn gradient() {
    Template { file: "gradient.c", ..RANKS }.check(4, |of| {
        vec![wait("MPI_Barrier", of.one_after_the_other(), LateArrival, [of.number - 1]).of_code("stencil")]
    });
}

#[test]
fn serial_before_bcast() {
    Template { file: "serial_before_bcast.c", ..RANKS_OR_FORTRAN }.check(5, |of| {
        vec![wait("MPI_Bcast", of.others_wait(), LackOfParallelism, [of.culprit]).of_code("prepare")]
    });
}

#[test]
fn output_after_gather() {
    Template { file: "output_after_gather.c", ..RANKS }.check(0, |of| {
        vec![wait("MPI_Barrier", of.others_wait(), LackOfParallelism, [of.culprit]).of_code("write")]
    });
}

/// The root alone waits; who comes last changes.
#[test]
fn early_at_reduce() {
    Template { file: "early_at_reduce.c", ..RANKS }
        .check(1, |of| vec![wait("MPI_Reduce", of.each_waits(), UnevenWork, []).of_code("residual")]);
}

#[test]
fn late_sender() {
    Template { file: "late_sender.c", are_pairs: true, ..RANKS_OR_FORTRAN }
        .check(2, |of| vec![wait("MPI_Recv", of.each_waits(), UnevenWork, [of.culprit]).of_code("pack")]);
}

#[test]
fn late_receiver() {
    Template { file: "late_receiver.c", ..PAIRS }.check(3, |of| {
        vec![wait("MPI_Send", of.half_waits(), LateReceiver, of.every_second()).of_code("digest")]
    });
}

#[test]
fn wrong_order() {
    Template { file: "wrong_order.c", ..PAIRS }
        .check(4, |of| vec![wait("MPI_Recv", of.half_waits(), WrongOrder, of.every_second())]);
}

#[test]
fn blocked_chain() {
    Template { file: "blocked_chain.c", ..RANKS_OR_FORTRAN }.check(5, |of| {
        ["MPI_Recv", "MPI_Barrier"]
            .map(|call| wait(call, of.one_after_the_other(), BlockedSender, []).of_code("line"))
            .into()
    });
}

#[test]
fn busy_master() {
    Template { file: "busy_master.c", ..RANKS }.check(0, |of| {
        let seconds = f64::from(of.number - 2) * of.others_wait();
        vec![wait("MPI_Recv", seconds, BusyMaster, [of.culprit]).of_code("make_task")]
    });
}

#[test]
fn two_causes() {
    Template { file: "two_causes.c", ..RANKS }.check(1, |of| {
        vec![
            wait("MPI_Bcast", of.others_wait() / 2.0, LackOfParallelism, [of.other()]).of_code("read_input"),
            wait("MPI_Allreduce", of.others_wait(), LateArrival, [of.culprit]).of_code("solve"),
        ]
    });
}

/// All others wait in each step, once the delay has come to them.
#[test]
fn halo_waitall() {
    Template { file: "halo_waitall.c", ..RANKS }.check(2, |of| {
        vec![wait("MPI_Waitall", of.others_of_a_ring_wait(), UnevenWork, [of.culprit]).of_code("interior")]
    });
}

#[test]
fn single() {
    Template { file: "single.c", ..THREADS }
        .check(3, |of| vec![wait(AT_END, of.others_wait(), OneThread, [])]);
}

#[test]
fn master() {
    Template { file: "master.c", ..THREADS }
        .check(4, |of| vec![wait("!$omp barrier", of.others_wait(), OneThread, [0])]);
}

#[test]
fn triangular_loop() {
    Template { file: "triangular_loop.c", ..THREADS }
        .check(5, |of| vec![wait(AT_END, 2.0 * of.others_wait(), UnevenTeam, [of.number - 1])]);
}

#[test]
fn few_iterations() {
    Template { file: "few_iterations.c", ..THREADS }.check(0, |of| {
        let idle = f64::from(of.number.div_ceil(2));
        vec![wait(AT_END, idle * of.each_waits(), FewPieces, [])]
    });
}

#[test]
fn critical() {
    Template { file: "critical.c", ..THREADS }
        .check(1, |of| vec![wait("!$omp critical", of.take_turns(), Contention, [])]);
}

#[test]
fn lock() {
    Template { file: "lock.c", ..THREADS }
        .check(2, |of| vec![wait("omp_set_lock", of.take_turns(), Contention, [])]);
}

#[test]
fn tasks_too_big() {
    let explained = Some((FewPieces, "Make tasks larger"));
    Template { file: "tasks_too_big.c", explained, ..THREADS }.check(3, |_| Vec::new());
}

#[test]
fn serial_part() {
    Template { file: "serial_part.c", ..THREADS }
        .check(4, |of| vec![wait(IDLE, of.others_wait(), SerialPart, [0])]);
}

#[test]
fn hybrid_serial_part() {
    let forms = &[Form::Plain, Form::Regions, Form::Helper];
    Template { file: "hybrid_serial_part.c", on: On::Hybrid, forms, ..RANKS }.check(5, |of| {
        let idle = f64::from((OF_EACH_RANK - 1) * of.number);
        vec![wait(IDLE, idle * of.each_waits(), SerialPart, 0..of.number)]
    });
}
