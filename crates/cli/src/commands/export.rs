//! `ats export`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_analyzer::{Options, analyze_and_profile_with};
use ats_diagnosis::{Explained, Limits as ProblemLimits, explain_trace};
use ats_documents::{Analysis, Explanation, Profile, Wait};
use ats_model::EventSource;
use ats_model::definitions::RegionRole;
use ats_model::locations::size_in_words;
use ats_presentation::{
    Found, Limits, Page, Program, Sources, Timeline, Window, chrome_trace, communication, page, speedscope,
    timeline_of,
};
use ats_reports::source::opening::trace_file;
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::options::causes::CausesArgs;
use crate::options::part::PartArgs;
use crate::options::reference::ReferenceArgs;
use crate::output::{Output, check_file, remark};

/// Write a trace for a viewer: HTML page, Perfetto or speedscope.
#[derive(Args, Debug)]
#[command(mut_arg("rank", |ranks| ranks.visible_alias("ranks")))]
#[command(after_help = "Examples:
  ats export trace/traces.otf2 -o timeline.html
  ats export trace --sources ~/heat/src -o timeline.html
  ats export trace --causes -o causes.html
  ats export trace --explain -o problems.html
  ats export trace --from 1.2s --to 1.25s --ranks 0-15 -o moment.html
  ats export trace --as chrome -o trace.json
  ats export scorep/traces.otf2 --as speedscope -o profile.speedscope.json")]
pub(crate) struct Export {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; or a Paraver trace's .prv file.
    trace: PathBuf,
    /// The viewer: html is a page of its own, chrome is read by ui.perfetto.dev and chrome://tracing.
    #[arg(long = "as", value_enum, default_value_t = Viewer::Html)]
    viewer: Viewer,
    /// The file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    causes: CausesArgs,
    /// List the problems of the run beside the timeline, as `ats explain` does; implies --causes=all.
    #[arg(long, group = CausesArgs::FOUND)]
    explain: bool,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    sources: SourcesArgs,
    #[command(flatten)]
    reference: ReferenceArgs,
}

/// The folder of source files.
#[derive(Args, Debug)]
pub(crate) struct SourcesArgs {
    /// The folder that source files are shown from on a page, and that SARIF names them from; no file outside of it is
    /// read.
    #[arg(long = "sources", value_name = "DIR", default_value = SourcesArgs::HERE)]
    folder: PathBuf,
}

impl SourcesArgs {
    /// The default folder.
    pub(crate) const HERE: &str = ".";

    /// The folder, which has to be there.
    pub(crate) fn folder(&self) -> Result<&Path, Failure> {
        let missing = || {
            let folder = self.folder.display();
            Failure::Input(format!(
                "--sources {folder}: there is no such folder; name the one that source files are in"
            ))
        };
        self.folder.is_dir().then_some(&*self.folder).ok_or_else(missing)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Viewer {
    Html,
    Chrome,
    Speedscope,
}

impl Export {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let sources = self.sources.folder()?;
        if self.viewer == Viewer::Speedscope && self.causes.are_wanted() {
            return Err(Failure::Input("speedscope shows no causes; omit --causes".to_owned()));
        }
        if self.viewer != Viewer::Html && self.explain {
            return Err(Failure::Input(
                "only a page lists problems; omit --explain or use --as html".to_owned(),
            ));
        }
        if self.viewer != Viewer::Html && !self.part.is_whole() {
            return Err(Failure::Input(
                "--from, --to and --rank are for pages: other viewers get the whole run and zoom themselves"
                    .to_owned(),
            ));
        }
        let wanted = Wanted { options: self.causes.options()?, explanation: self.explain };
        let trace = Trace::given(&self.trace, Some(&self.output), &wanted)?;
        let page = match self.viewer {
            Viewer::Html => trace.page(sources, &self.part, self.reference.address())?,
            Viewer::Chrome | Viewer::Speedscope => String::new(),
        };
        let failed =
            |error: io::Error| Failure::Failed(format!("cannot write {}: {error}", self.output.display()));
        let mut file = BufWriter::new(File::create(&self.output).map_err(failed)?);
        match self.viewer {
            Viewer::Html => file.write_all(page.as_bytes()),
            Viewer::Chrome => chrome_trace(&trace.archive, Some(trace.found()), &mut file),
            Viewer::Speedscope => speedscope(&trace.archive, &trace.name, &mut file),
        }
        .and_then(|()| file.flush())
        .map_err(failed)?;
        output.written(vec![self.output.clone()])?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A trace with what the analyzer finds in it.
pub(crate) struct Trace {
    name: String,
    archive: ats_trace::Trace,
    analysis: Analysis,
    profile: Profile,
    waits: Vec<Wait>,
    explanation: Option<Explanation>,
}

/// The results that are wanted of a trace.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    options: Options,
    /// Whether its problems are wanted, too, which need the root causes of all waits.
    explanation: bool,
}

impl Trace {
    /// Reads and analyzes an archive, by its anchor or its folder, which `output` is not to be written over.
    pub(crate) fn given(path: &Path, output: Option<&Path>, wanted: &Wanted) -> Result<Self, Failure> {
        let anchor = trace_file(path).map_err(Failure::input)?;
        if let Some(output) = output {
            let files = Trace::files(&anchor);
            check_file(output, &files.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        }
        let trace = Trace::read(&anchor, wanted)?;
        for warning in &trace.analysis.warnings {
            remark(&format!("warning: {}: {warning}", trace.name));
        }
        Ok(trace)
    }

    /// Reads and analyzes an archive.
    pub(crate) fn read(anchor: &Path, wanted: &Wanted) -> Result<Self, Failure> {
        let archive = ats_trace::Trace::open(anchor).map_err(Failure::input)?;
        let name = anchor.display().to_string();
        let mut waits = Vec::new();
        let observe = &mut |wait| waits.push(wait);
        let Wanted { options, explanation } = wanted;
        let found = if *explanation {
            explain_trace(&archive, &name, options, ProblemLimits::default(), observe)
                .map(|Explained { analysis, profile, explanation }| (analysis, profile, Some(explanation)))
        } else {
            analyze_and_profile_with(&archive, &name, options, observe)
                .map(|(analysis, profile)| (analysis, profile, None))
        };
        let (analysis, mut profile, explanation) =
            found.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        if let Some(causes) = &analysis.causes {
            profile.add_causes(causes);
        }
        Ok(Trace { name, archive, analysis, profile, waits, explanation })
    }

    /// The anchor of an archive, and the files that lie beside it.
    pub(crate) fn files(anchor: &Path) -> Vec<PathBuf> {
        let mut files = ats_trace::Trace::files_beside(anchor);
        files.push(anchor.to_owned());
        files
    }

    /// By another name than its path.
    pub(crate) fn called(self, name: &str) -> Self {
        Trace { name: name.to_owned(), ..self }
    }

    fn found(&self) -> (&Analysis, &[Wait]) {
        (&self.analysis, &self.waits)
    }

    /// Its picture; what that leaves out is said.
    pub(crate) fn timeline(&self) -> Timeline {
        self.say_what_is_left_out(self.seen_through(&Window::default()))
    }

    /// The picture of a part.
    ///
    /// # Errors
    /// The trace does not have this part.
    pub(crate) fn timeline_of(&self, part: &PartArgs) -> Result<Timeline, Failure> {
        let timeline = self.seen_through(&part.window(self.archive.definitions())?);
        part.check(&timeline)?;
        Ok(self.say_what_is_left_out(timeline))
    }

    fn seen_through(&self, window: &Window) -> Timeline {
        timeline_of(&self.archive, Some(self.found()), &Limits::default(), window)
    }

    fn say_what_is_left_out(&self, timeline: Timeline) -> Timeline {
        for text in timeline.remarks() {
            remark(&format!("{}: {text}", self.name));
        }
        timeline
    }

    /// The profile of the trace.
    pub(crate) fn into_profile(self) -> Profile {
        self.profile
    }

    /// The program and its size, if the trace names the program; else the trace.
    fn title(&self, ranks: u32, threads: u32) -> String {
        let regions = &self.archive.definitions().regions;
        let program = regions.iter().find(|region| region.role == RegionRole::Artificial);
        let size = size_in_words(ranks as usize, threads as usize);
        program.map_or_else(|| self.name.clone(), |program| format!("{} on {size}", program.name))
    }

    fn page(&self, sources: &Path, part: &PartArgs, reference: Option<&str>) -> Result<String, Failure> {
        let timeline = self.timeline_of(part)?;
        let sources = Sources::read(&self.profile, sources);
        let communication = communication(&self.archive);
        let Analysis { findings, basis, not_analyzed, warnings, .. } = &self.analysis;
        let program = Program {
            name: &self.name,
            ranks: timeline.rows.iter().map(|row| row.rank + 1).max().unwrap_or(0),
            threads: timeline.rows.iter().map(|row| row.thread + 1).max().unwrap_or(0),
            found: vec![Found { tool: "ats", findings, basis: Some(basis), not_analyzed, warnings }],
            timeline: Some(&timeline),
            profile: Some(&self.profile),
            causes: self.analysis.causes.as_ref(),
            explanation: self.explanation.as_ref(),
            sources: Some(&sources),
            communication: Some(&communication),
            ..Program::default()
        };
        let title = self.title(program.ranks, program.threads);
        Ok(page(&Page { title: &title, programs: vec![program], reference, ..Page::default() }))
    }
}
