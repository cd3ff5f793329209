//! Programs in C and Fortran, built with `libats`.
//!
//! A program is put together as [`code::Code`], which either language can say; OpenMP properties come from the
//! catalogue as they are, in C with pragmas.

mod alike;
pub(crate) mod c;
mod code;
mod composition;
mod fit;
mod fortran;
pub(crate) mod layout;
mod marks;
mod property;

use ats_compose::{Composition, Subject};
use ats_props::{Needs, Property};
use minijinja::{Value, context};

use crate::files::Files;
use crate::template::{self, fill};
use crate::{GenerateError, Language, Options, names, readme};
use code::Code;
use fit::unfit;
use marks::marked;

const MAIN_C: &str = include_str!("../templates/native/main.c.j2");
const MAIN_F90: &str = include_str!("../templates/native/main.f90.j2");
const TEAMS: &str = include_str!("../templates/native/teams.c.j2");
const MAKEFILE: &str = include_str!("../templates/native/Makefile.j2");
const CMAKE: &str = include_str!("../templates/native/CMakeLists.txt.j2");
const MAKEFILE_OF_SET: &str = include_str!("../templates/native/set.mk.j2");
const CMAKE_OF_SET: &str = include_str!("../templates/native/set.cmake.j2");
const BUILD: &str = include_str!("../templates/native/build.md.j2");

/// The meaning of the marks in a source.
const MARKED: &str =
    "The ats_ calls beside pragmas, locks and MPI mark them for the witness of a run (--witness).";

/// A program of one property.
pub(crate) fn of_property(property: &'static Property, options: &Options) -> Result<Files, GenerateError> {
    let code = property::code(property, options.language)?;
    let program = Program {
        name: property.name,
        needs: property.needs,
        header: template::header(property, options.language).join("\n"),
        properties: vec![property],
        options,
    };
    let mut files = program.files(&code)?;
    let build = build(options, property.needs, property.name, &readme::example(property), 4, false);
    files.add("README.md", readme::of_property(property, options, Some(&build), true)?);
    Ok(files)
}

/// The program of a composition.
pub(crate) fn of_composition(composition: &Composition, options: &Options) -> Result<Files, GenerateError> {
    let (name, needs) = (composition.name(), composition.needs());
    let program = Program {
        name,
        needs,
        header: format!(
            "{name}: {}\n\nWritten by `ats generate FILE.toml --lang {}`; README.md says how to run it.",
            composition.description(),
            options.language.name()
        ),
        properties: Subject::from(composition).properties(),
        options,
    };
    let mut files = program.files(&composition::code(composition, options.language)?)?;
    let build = build(options, needs, name, "", composition.ranks(), true);
    files.add("README.md", readme::of_composition(composition, &build, "bin"));
    Ok(files)
}

/// The built files, which are ignored.
pub(crate) const IGNORED: &str = "/bin*/\n/build*/\n";

/// The build files of the programs of a folder, all at once.
pub(crate) fn of_set(names: Vec<String>, needs: Needs, options: &Options) -> Files {
    let values = context! { names, paradigm => needs.paradigm(), languages => languages(needs, options) };
    let mut files = Files::default();
    files.add("Makefile", fill(MAKEFILE_OF_SET, values.clone()));
    files.add("CMakeLists.txt", fill(CMAKE_OF_SET, values));
    files
}

/// The instructions in a README for building and starting a program.
fn build(options: &Options, needs: Needs, name: &str, example: &str, ranks: usize, fixed: bool) -> String {
    let values = context! {
        name,
        example,
        ranks,
        fixed,
        has_ranks => needs.ranks,
        has_team => needs.team,
        fortran => options.language == Language::Fortran,
        prefix => &options.prefix,
    };
    fill(BUILD, values).trim_end().to_owned()
}

/// The languages that CMake has to enable.
fn languages(needs: Needs, options: &Options) -> &'static str {
    match (options.language, needs.team) {
        (Language::Fortran, _) => "C Fortran",
        _ => "C",
    }
}

/// A program, as far as its files have it in common.
struct Program<'a> {
    name: &'a str,
    needs: Needs,
    /// The comment at its head.
    header: String,
    properties: Vec<&'a Property>,
    options: &'a Options,
}

impl Program<'_> {
    fn files(&self, code: &Code) -> Result<Files, GenerateError> {
        self.properties.iter().try_for_each(|property| names::check_native(property))?;
        let mut files = Files::default();
        let mut sources = Vec::new();
        let fortran = self.options.language == Language::Fortran;
        for &property in &self.properties {
            if property.needs.team {
                let name = format!("{}.c", property.name);
                files.add(&name, self.source(property)?);
                sources.push(name);
            }
        }
        if fortran && self.needs.team {
            let prototypes: Vec<_> = code.sources.iter().map(c::prototype).collect();
            files.add("teams.c", fill(TEAMS, context! { prototypes, functions => teams(code, "") }));
            sources.push("teams.c".to_owned());
        }
        let main = if fortran { "main.f90" } else { "main.c" };
        files.add(main, if fortran { self.fortran(code) } else { self.c(code) });
        let values = self.build_values(main, &sources);
        files.add("Makefile", fill(MAKEFILE, values.clone()));
        files.add("CMakeLists.txt", fill(CMAKE, values));
        Ok(files)
    }

    /// A property in C: its source, after a comment with its name, and behind it the function for Fortran.
    fn source(&self, property: &Property) -> Result<String, GenerateError> {
        let language = self.options.language;
        let source =
            property.c_source.ok_or_else(|| unfit(property, language, "it has no source in C beside it"))?;
        let head = format!("{}: {}\n\n{MARKED}", property.name, property.summary());
        let mut text = c::comment(&head, 0) + &marked(&fill(source, context! {}));
        if language == Language::Fortran {
            let prototypes = property::prototypes(property, language)?;
            prototypes.iter().filter_map(c::for_fortran).for_each(|more| text += &format!("\n{more}"));
        }
        Ok(text)
    }

    fn c(&self, code: &Code) -> String {
        let prototypes: Vec<_> = code.sources.iter().map(c::prototype).collect();
        let values = context! {
            header => c::comment(&self.header, 0),
            includes => c::includes(!code.teams.is_empty()),
            prototypes,
            teams => teams(code, "static "),
            body => c::statements(&code.main, 1),
        };
        fill(MAIN_C, values)
    }

    fn fortran(&self, code: &Code) -> String {
        let own = code.sources.iter().map(fortran::interface);
        let teams = code.teams.iter().map(fortran::interface_of_teams);
        let start = self.needs.team.then(fortran::interface_of_start);
        let values = context! {
            header => fortran::comment(&self.header, 0),
            has_ranks => self.needs.ranks,
            interfaces => own.chain(teams).chain(start).collect::<Vec<_>>(),
            declarations => fortran::declarations(&code.main),
            body => fortran::statements(&code.main, 1),
        };
        fill(MAIN_F90, values)
    }

    fn build_values(&self, main: &str, sources: &[String]) -> Value {
        context! {
            name => self.name,
            main,
            sources => sources.to_vec(),
            fortran => self.options.language == Language::Fortran,
            has_ranks => self.needs.ranks,
            has_team => self.needs.team,
            no_pie => self.options.no_pie,
            prefix => &self.options.prefix,
            languages => languages(self.needs, self.options),
        }
    }
}

fn teams(code: &Code, linkage: &str) -> Vec<String> {
    code.teams.iter().map(|teams| marked(&c::teams(teams, linkage))).collect()
}
