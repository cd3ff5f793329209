#![allow(unsafe_code, reason = "sets an environment variable")]
//! A program from its command line to its exit code.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, panic, thread};

use ats_props::Property;
use ats_work::machine;

use crate::launcher::Launcher;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::world::{self, World};
use crate::{Harness, Measured, Outline, report, team};

/// Runs a program: `phases` walks through them, up to [`Harness::measure`].
///
/// The property's needs decide whether there is MPI, and whether there are threads. Options and the property's
/// parameters are read from the command line. Errors are printed by rank 0; the exit code is 2 for bad usage and 1 for
/// any other error. A rank that panics ends all ranks.
pub fn main(property: &'static Property, phases: impl FnOnce(Harness) -> Measured) -> ExitCode {
    ExitCode::from(match Harness::begin(property, env::args_os()) {
        Ok(harness) => phases(harness).report(),
        Err(code) => code,
    })
}

impl Harness {
    /// Starts a program up to the end of its set-up: [`main`] in steps; the last is [`Measured::report`].
    ///
    /// # Errors
    /// There is nothing to run: help was asked for, or something does not fit. All messages have been printed, and MPI
    /// has ended; exit with this code.
    pub fn begin(
        outline: impl Into<Outline>,
        command_line: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, u8> {
        let outline = outline.into();
        let launcher = Launcher::find();
        let options = Options::parse(&outline, launcher, command_line);
        if let Err(Refusal::Help(text)) = &options {
            if launcher.is_none_or(|launcher| launcher.rank == 0) {
                print!("{text}");
            }
            return Err(0);
        }
        let locations = |options: &Options| Launcher::ranks_here(launcher) * options.threads;
        let crowded = options.as_ref().is_ok_and(|options| locations(options) > machine::cores());
        if crowded && outline.needs.ranks {
            yield_when_idle();
        }
        let world = world::open(&outline, launcher).map_err(|refusal| {
            ats_work::say(format_args!("error: {refusal}"));
            refusal.exit_code()
        })?;
        say_which_rank_panics(outline.name, world.rank());
        let ready = options.and_then(|options| {
            check(&outline, &options, &*world, launcher)?;
            let team = team::engine(outline.needs, options.threads, crowded)?;
            Ok((options, team))
        });
        match ready {
            Ok((options, team)) => {
                prepare_witness(&options, &*world);
                Ok(Harness::set_up(outline, options, world, team))
            }
            Err(refusal) => Err(refuse(&refusal, &*world, launcher)),
        }
    }
}

/// Lets ranks that wait give their cores away, unless the user said otherwise. Open MPI's launcher decides that by the
/// number of ranks, and does not know of threads.
fn yield_when_idle() {
    const NAME: &str = "OMPI_MCA_mpi_yield_when_idle";
    if env::var_os(NAME).is_none() {
        // SAFETY: neither MPI nor a team has been started, so no other thread reads the environment.
        unsafe { env::set_var(NAME, "1") };
    }
}

/// Rank 0 tries first, so that a folder that cannot be written to is reported once.
fn prepare_witness(options: &Options, world: &dyn World) {
    let Some(dir) = &options.witness else { return };
    let prepare = || {
        report::prepare(dir, world.rank()).unwrap_or_else(|error| {
            error.tell(world.rank());
            world.abort(1)
        });
    };
    if world.rank() == 0 {
        prepare();
        world.align();
    } else {
        world.align();
        prepare();
    }
}

/// Whether the ranks are those that were meant.
fn check(
    outline: &Outline,
    options: &Options,
    world: &dyn World,
    launcher: Option<Launcher>,
) -> Result<(), Refusal> {
    let found = world.size();
    if let Some(Launcher { name, ranks, .. }) = launcher
        && found == 1
        && ranks > 1
    {
        return Err(match world.library() {
            Some(library) => Refusal::Singletons { launcher: name, started: ranks, library },
            None => Refusal::OneProcess { launcher: name, started: ranks },
        });
    }
    if let Some(expected) = options.expected_ranks
        && expected != found
    {
        return Err(Refusal::Expected { expected, found });
    }
    if let Some(ranks) = outline.ranks
        && ranks != found
    {
        return Err(Refusal::MadeFor { name: outline.name, ranks, found });
    }
    outline.check(found, options.threads)?;
    if found < 2 && options.needs_limit(outline) {
        return Err(Refusal::Limit);
    }
    Ok(())
}

/// Rank 0 says why; the others end after it.
pub(crate) fn refuse(refusal: &Refusal, world: &dyn World, launcher: Option<Launcher>) -> u8 {
    let alone = matches!(refusal, Refusal::Singletons { .. } | Refusal::OneProcess { .. });
    let rank = if alone { launcher.map_or(0, |launcher| launcher.rank) } else { world.rank() };
    if rank == 0 {
        ats_work::say(format_args!("error: {refusal}"));
    } else if alone {
        // They have no MPI in common to wait by, and a launcher ends all when the first of them fails.
        thread::sleep(Duration::from_millis(500));
    }
    world.align();
    refusal.exit_code()
}

/// The universe ends all ranks when it is dropped by a panic.
fn say_which_rank_panics(program: &'static str, rank: usize) {
    panic::set_hook(Box::new(move |panic| ats_work::say(format_args!("{program}: rank {rank}: {panic}"))));
}
