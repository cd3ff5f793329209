//! A new kind of parameter, and a property that has one: neither needs changes outside of this file.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ats_compose::{Composition, Subject};
use ats_props::{
    Bytes, Catalogue, Communicator, Context, Distribution, List, ParameterType, Schedule, Seconds, Seed,
    Share, do_work, property,
};
use ats_virtual::Simulation;

/// A made-up kind of parameter.
#[derive(Clone, Debug, PartialEq)]
struct Color(u8);

impl ParameterType for Color {
    const KIND: &'static str = "color";
    const RANGE: &'static str = "red or blue";

    fn parse(text: &str) -> Result<Self, String> {
        let all = ["red", "blue"];
        let at = all.iter().position(|name| *name == text);
        at.map(|at| Color(at as u8))
            .ok_or_else(|| format!("`{text}` is not a valid color; give {}", Self::RANGE))
    }

    fn text(&self) -> String {
        ["red", "blue"][usize::from(self.0)].to_owned()
    }
}

/// The arguments that the property was called with.
static CALLED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A made-up property with a parameter of every kind.
#[property(finds = WaitAtBarrier, formula = (P - 1) * work)]
#[allow(clippy::too_many_arguments, reason = "one of every kind")]
fn made_up(
    /// Work of rank 0 alone.
    #[default(Seconds(0.25))]
    work: Seconds,
    /// Number of repetitions.
    #[default(1)]
    r: usize,
    /// Size of a message.
    #[default(Bytes::Exactly(1024))]
    size: Bytes,
    /// Probability of a hit.
    #[default(Share(0.5))]
    hits: Share,
    /// Whether messages are sent eagerly.
    #[default(false)]
    eager: bool,
    /// Seed of the random numbers.
    #[default(Seed(42))]
    seed: Seed,
    /// Work of each rank.
    #[default(Distribution::cyclic2(1.0, 2.0))]
    distribution: Distribution,
    /// Schedule of a loop.
    #[default(Schedule::Static)]
    schedule: Schedule,
    /// Sizes of the runs.
    #[default(List(vec![1, 2]))]
    sizes: List,
    /// An unused colour.
    #[default(Color(0))]
    color: Color,
    c: &dyn Communicator,
) {
    let texts =
        [size.text(), hits.text(), eager.text(), seed.text(), schedule.text(), sizes.text(), color.text()];
    if c.rank() == 0 {
        CALLED.lock().unwrap().push(format!("{} {}", texts.join(" "), distribution.value(1, 2, 1.0)));
        (0..r).for_each(|_| do_work(work.0));
    }
    c.barrier();
}

/// No rank works.
#[allow(clippy::too_many_arguments, reason = "one of every kind")]
fn balanced(
    _: Seconds,
    _: usize,
    _: Bytes,
    _: Share,
    _: bool,
    _: Seed,
    _: Distribution,
    _: Schedule,
    _: List,
    _: Color,
    c: &dyn Communicator,
) {
    c.barrier();
}

fn catalogue() -> Catalogue {
    Catalogue::builtin().with(&PROPERTY)
}

#[test]
fn a_command_line_has_every_kind() {
    let words = [
        ("work", "10ms"),
        ("size", "64KiB"),
        ("hits", "25%"),
        ("eager", "true"),
        ("seed", "7"),
        ("schedule", "guided,4"),
        ("sizes", "1,2,4"),
        ("color", "blue"),
    ];
    let arguments = PROPERTY.arguments(words).unwrap();
    let expected = [
        ("color", "blue"),
        ("distribution", "cyclic2:1:2"),
        ("eager", "true"),
        ("hits", "0.25"),
        ("r", "1"),
        ("schedule", "guided,4"),
        ("seed", "7"),
        ("size", "65536"),
        ("sizes", "1,2,4"),
        ("work", "0.01"),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    assert_eq!(arguments.to_map(), expected);
    let wrong = PROPERTY.arguments([("color", "green")]).unwrap_err();
    assert_eq!(wrong.to_string(), "made_up: color: `green` is not a valid color; give red or blue");
}

#[test]
fn a_composition_has_every_kind() {
    let text = r#"
        schema = "ats-composition/1"
        name = "recipe"
        ranks = 2
        [[phase]]
        property = [{ name = "made_up", repeat = 2, parameters = { size = { first = "1KiB", factor = 2 }, hits = [0.5, 1],
            eager = true, seed = 7, schedule = ["static", "dynamic,2"], sizes = "3", color = ["red", "blue"],
            distribution = { first = "same:1", factor = 3 } } }]
    "#;
    let composition = Composition::parse(text, "it.toml", &catalogue()).unwrap();
    assert_eq!(Subject::from(&composition).properties().len(), 1);
    let plan = composition.plan(2, 1).unwrap();
    CALLED.lock().unwrap().clear();
    let run = |c: &dyn Communicator| plan.set_up(&Context::new(Some(c), None)).run(ats_virtual::align);
    Simulation::new(2).run(run).unwrap();
    assert_eq!(
        *CALLED.lock().unwrap(),
        ["1024 0.5 true 7 static 3 red 1", "2048 1 true 7 dynamic,2 3 blue 3"]
    );

    let grows = text.replace(r#"["red", "blue"]"#, "{ first = \"red\", step = 1 }");
    let told = Composition::parse(&grows, "it.toml", &catalogue()).unwrap_err().to_string();
    assert!(told.contains("color in run 0: `red` does not grow; give a list"), "{told}");
}
