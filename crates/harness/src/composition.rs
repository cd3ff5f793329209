//! A composition, from its command line to its exit code.

use std::env;
use std::process::ExitCode;
use std::rc::Rc;

use ats_compose::{Composition, Subject};
use ats_props::Catalogue;
use ats_work::region;

use crate::launcher::Launcher;
use crate::refusal::Refusal;
use crate::run::refuse;
use crate::{Harness, Outline, Run};

/// Runs the program of a composition: `text` is the content of its file, and messages call it `file`.
///
/// It is [`main`](crate::main) for a program of several properties. Its communicators are made in `ats_setup` and
/// freed after the measured part, so that no rank waits in them there; for warm-up every step's twin runs once.
pub fn composition(text: &str, file: &str, catalogue: &Catalogue) -> ExitCode {
    let composition: &'static Composition = match Composition::parse(text, file, catalogue) {
        Ok(composition) => Box::leak(Box::new(composition)),
        Err(error) => {
            ats_work::say(format_args!("error: {error}"));
            return ExitCode::from(2);
        }
    };
    let subject = Subject::from(composition);
    let outline = Outline {
        name: composition.name(),
        doc: composition.description(),
        needs: composition.needs(),
        property: None,
        ranks: None,
        threads: Some(composition.threads()),
        owns_mpi: false,
        sends_eagerly: subject.sends_eagerly(),
        needs_limit: subject.is_probed(),
        measured: subject.measured(),
    };
    ExitCode::from(match Harness::begin(outline, env::args_os()) {
        Ok(harness) => run(composition, harness),
        Err(code) => code,
    })
}

fn run(composition: &Composition, harness: Harness) -> u8 {
    let (world, team) = (Rc::clone(&harness.world), harness.team.clone());
    let plan = match composition.plan(world.size(), harness.options.threads) {
        Ok(plan) => plan,
        Err(error) => return refuse(&Refusal::Composition(error), &*world, Launcher::find()),
    };
    let stage = {
        let _region = region("ats_setup");
        plan.set_up(&Run::new(&*world, team.as_deref()).context())
    };
    harness.align();
    {
        let _region = region("ats_warmup");
        stage.warm_up(harness.options.warm_up);
    }
    harness.align();
    let measuring = harness.begin_measured();
    stage.run(|| world.align());
    measuring.end().report()
}
