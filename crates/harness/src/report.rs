//! Results of a run: a witness file per rank, and one line from rank 0.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ats_model::Witness;
use ats_model::witness::{Choice, Clock, ClockOffset, Construct, MeasuredRegion, Span, ThreadWitness, Work};
use ats_work::log::{Log, TASK_CLOCK};
use ats_work::{Measured as MeasuredSum, checksum, region};

use crate::environment;
use crate::harness::Measured;
use crate::refusal::WitnessError;

/// Makes a rank's witness file, empty, so that a folder that cannot be written is noticed before the measured part.
pub(crate) fn prepare(dir: &Path, rank: usize) -> Result<(), WitnessError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| WitnessError { path, source }
    };
    fs::create_dir_all(dir).map_err(failed(dir))?;
    let path = file(dir, rank);
    File::create(&path).map(drop).map_err(failed(&path))
}

fn file(dir: &Path, rank: usize) -> PathBuf {
    dir.join(Witness::file_name(rank as u32))
}

impl Measured {
    /// Writes this rank's witness, if asked for; then rank 0 prints the summary, and MPI ends. Returns the process' exit
    /// code.
    pub fn report(self) -> u8 {
        match self.write() {
            Ok(()) => 0,
            Err(error) => {
                error.tell(self.harness.world.rank());
                1
            }
        }
    }

    fn write(&self) -> Result<(), WitnessError> {
        let _region = region("ats_report");
        let world = &self.harness.world;
        // Together with the others, before anything can fail.
        let checksum = world.combined(checksum::sum());
        let end = world.clock_offset();
        let summary = checksum.map(|checksum| self.summary(checksum));
        let written = match &self.harness.options.witness {
            Some(dir) => {
                let path = file(dir, world.rank());
                let text = serde_json::to_string(&self.witness(end)).expect("a witness is plain data");
                fs::write(&path, text).map_err(|source| WitnessError { path, source })
            }
            None => Ok(()),
        };
        if let Some(summary) = summary {
            println!("{summary}");
        }
        written
    }

    /// `ATS`, the program, and then `name=value` each; options have the names of the command line, as a parameter may be
    /// called `work` or `seed`, too. The checksum is that of all ranks and threads.
    fn summary(&self, checksum: u64) -> String {
        let Measured { harness, span, .. } = self;
        let (ranks, threads) = (harness.world.size(), harness.options.threads);
        let mut line = format!("ATS {} ranks={ranks} threads={threads}", harness.name());
        line += &format!(" --work={} --seed={}", harness.work, harness.options.seed);
        for (name, value) in harness.options.arguments.to_map() {
            line += &format!(" {name}={value}");
        }
        if let Some(held) = harness.eager_held {
            line += &format!(" eager={held}");
        }
        if let Some(limit) = harness.eager_limit {
            line += &format!(" eager_limit={limit}");
        }
        let wall = (span.leave_ns - span.enter_ns) as f64 * 1e-9;
        line + &format!(" wall={wall:.6} checksum={checksum:016x}")
    }

    fn witness(&self, end: ClockOffset) -> Witness {
        let Measured { harness, span, log } = self;
        Witness {
            schema: Witness::SCHEMA.to_owned(),
            program: harness.name().to_owned(),
            parameters: harness.options.arguments.to_map(),
            rank: harness.world.rank() as u32,
            ranks: harness.world.size() as u32,
            clock: Clock { start: harness.clock, end },
            measured: *span,
            constructs: constructs(log),
            work: work(log),
            choices: choices(log),
            begins_ns: log.begins.clone(),
            regions: regions(log),
            threads: log
                .threads
                .iter()
                .map(|(path, log)| ThreadWitness {
                    path: path.clone(),
                    constructs: constructs(log),
                    work: work(log),
                    choices: choices(log),
                    begins_ns: log.begins.clone(),
                    regions: regions(log),
                })
                .collect(),
            eager_held: harness.eager_held,
            eager_limit: harness.eager_limit.map(|limit| limit as u64),
            environment: environment::describe(harness),
        }
    }
}

fn constructs(log: &Log) -> Vec<Construct> {
    let construct = |&(name, enter_ns, leave_ns): &(&str, u64, u64)| Construct {
        name: name.to_owned(),
        span: Span { enter_ns, leave_ns },
        times: 1,
    };
    let mut constructs: Vec<_> = log.constructs.iter().map(construct).collect();
    log.repeated.iter().for_each(|&(at, times)| constructs[at].times = times);
    constructs
}

fn work(log: &Log) -> Vec<Work> {
    let piece = |&(seconds, enter_ns, leave_ns): &(f64, u64, u64)| Work {
        seconds,
        span: Span { enter_ns, leave_ns },
    };
    log.work.iter().map(piece).collect()
}

fn regions(log: &Log) -> Vec<MeasuredRegion> {
    let region = |(region, sum): (&str, MeasuredSum)| MeasuredRegion {
        region: region.to_owned(),
        visits: sum.visits,
        time_ns: sum.time,
        counts: {
            let processor = log.processor.sums().get(region).map(|sum| (TASK_CLOCK, sum.time));
            let counts = sum.counts.into_iter().chain(processor);
            counts.map(|(counter, number)| (counter.to_owned(), number)).collect()
        },
    };
    log.regions.sums().into_iter().map(region).collect()
}

fn choices(log: &Log) -> Vec<Choice> {
    log.choices.iter().map(|&(construct, chosen)| Choice { construct, chosen }).collect()
}
