//! No files that need each other: within a crate, too, a reader can begin at one end.
//!
//! A room and the files of its folder are one: names of them without `self` do not count, and rooms side by side do not need
//! each other either.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ats_testing::{program, sources, suite};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::rules::members;

/// The path of a module, without `crate`.
pub(crate) type Module = Vec<String>;

/// The module that a file of `src` is.
fn module(src: &Path, file: &Path) -> Module {
    let relative = file.strip_prefix(src).unwrap().with_extension("");
    let mut parts: Module = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("lib" | "main" | "mod")) {
        parts.pop();
    }
    parts
}

/// The paths into the own crate that a source names, and those among them that it hands on with `pub use`.
#[derive(Default)]
struct Paths {
    used: Vec<Module>,
    handed_on: Vec<Module>,
}

/// Collects the paths of `tokens`, a part of `module`; code for tests is skipped.
fn collect(tokens: TokenStream, module: &Module, paths: &mut Paths) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    let mut is_handed_on = false;
    while at < tokens.len() {
        if is_for_tests(&tokens[at..]) {
            at = end_of_item(&tokens, at + 2);
            continue;
        }
        match &tokens[at] {
            TokenTree::Ident(word) if word == "use" => {
                is_handed_on = at > 0 && is_visibility(&tokens[..at]);
                let is_root = |token: &TokenTree| is_root(&token.to_string());
                let is_of_folder = !tokens.get(at + 1).is_some_and(is_root);
                if is_handed_on && is_of_folder {
                    at = follow(&tokens, at + 1, module.clone(), &mut paths.handed_on);
                    continue;
                }
            }
            TokenTree::Punct(end) if end.as_char() == ';' => is_handed_on = false,
            TokenTree::Ident(word) if is_root(&word.to_string()) && is_joined(&tokens, at + 1) => {
                let start = match word.to_string().as_str() {
                    "super" => module[..module.len().saturating_sub(1)].to_vec(),
                    "self" => module.clone(),
                    _ => Module::new(),
                };
                let into = if is_handed_on { &mut paths.handed_on } else { &mut paths.used };
                at = follow(&tokens, at + 3, start, into);
                continue;
            }
            TokenTree::Group(group) => collect(group.stream(), module, paths),
            _ => {}
        }
        at += 1;
    }
}

fn is_root(word: &str) -> bool {
    matches!(word, "crate" | "super" | "self")
}

fn is_joined(tokens: &[TokenTree], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.to_string() == ":")
        && tokens.get(at + 1).is_some_and(|token| token.to_string() == ":")
}

fn is_visibility(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(word)] => word == "pub",
        [.., TokenTree::Ident(word), TokenTree::Group(_)] => word == "pub",
        _ => false,
    }
}

fn is_for_tests(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = tokens else { return false };
    hash.as_char() == '#' && attribute.to_string().replace(' ', "").starts_with("[cfg(test")
}

/// Behind the item that begins at `at`.
fn end_of_item(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(end) => end.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens[at..].iter().position(ends).map_or(tokens.len(), |length| at + length + 1)
}

/// Follows a path from the token behind its first `::`, also into groups; returns where it ends.
fn follow(tokens: &[TokenTree], mut at: usize, mut path: Module, into: &mut Vec<Module>) -> usize {
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) if word == "super" => drop(path.pop()),
            Some(TokenTree::Ident(word)) => path.push(word.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut start = 0;
                while start < inner.len() {
                    start = follow(&inner, start, path.clone(), into);
                    let comma = |token: &TokenTree| token.to_string() == ",";
                    start += inner[start..].iter().position(comma).map_or(inner.len(), |length| length + 1);
                }
                return at + 1;
            }
            _ => break,
        }
        at += 1;
        if !is_joined(tokens, at) {
            break;
        }
        at += 2;
    }
    into.push(path);
    at
}

/// The paths of each file of a crate.
fn files(src: &Path) -> BTreeMap<Module, Paths> {
    let mut files = BTreeMap::new();
    for file in sources(src) {
        let module = module(src, &file);
        let tokens: TokenStream =
            program(&file).parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut paths = Paths::default();
        collect(tokens, &module, &mut paths);
        files.insert(module, paths);
    }
    files
}

/// The files that each file names, other than itself.
fn owners<'a, I: Iterator<Item = &'a Module>>(
    files: &'a BTreeMap<Module, Paths>,
    named: impl Fn(&'a Paths) -> I,
) -> BTreeMap<Module, BTreeSet<Module>> {
    let of_file = |(module, paths): (&Module, &'a Paths)| {
        let others = named(paths).filter_map(|path| owner(files, path, 0)).filter(|other| other != module);
        (module.clone(), others.collect())
    };
    files.iter().map(of_file).collect()
}

/// The files of its crate that each file needs.
fn needs(src: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    owners(&files(src), |paths| paths.used.iter())
}

/// The files of its crate that each file imports, also those whose items it only hands on.
pub(crate) fn imports(src: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    owners(&files(src), |paths| paths.used.iter().chain(&paths.handed_on))
}

/// The file that defines the item of a path, behind all that hand it on.
fn owner(files: &BTreeMap<Module, Paths>, path: &Module, depth: usize) -> Option<Module> {
    let file = (0..=path.len()).rev().map(|length| &path[..length]).find(|part| files.contains_key(*part))?;
    let item = path.get(file.len());
    let handed_on = files[file].handed_on.iter().find(|other| item.is_some() && other.last() == item);
    match handed_on {
        Some(other) if depth < 4 => owner(files, other, depth + 1),
        _ => Some(file.to_vec()),
    }
}

/// The same of the rooms side by side in a folder, by their paths: each is a file with all that is below it.
fn rooms(needs: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut rooms: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, others) in needs {
        for length in 1..=from.len() {
            rooms.entry(from[..length].to_vec()).or_default();
        }
        for to in others {
            let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            if let (Some(room), Some(other)) = (from.get(..=common), to.get(..=common)) {
                rooms.entry(room.to_vec()).or_default().insert(other.to_vec());
            }
        }
    }
    rooms
}

/// The files that can be reached from one.
fn reached(needs: &BTreeMap<Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(next) = open.pop() {
        for other in &needs[&next] {
            if reached.insert(other.clone()) {
                open.push(other.clone());
            }
        }
    }
    reached
}

/// The groups of modules that need each other.
fn circles(needs: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<_, _> = needs.keys().map(|module| (module, reached(needs, module))).collect();
    let with_way_back = reached.iter().filter(|(module, behind)| behind.contains(**module));
    let group = |(module, behind): (&&Module, &BTreeSet<Module>)| {
        behind.iter().filter(|other| reached[other].contains(*module)).map(|other| other.join("/")).collect()
    };
    with_way_back.map(group).collect()
}

#[test]
fn neither_files_nor_rooms_need_each_other() {
    let mut found = Vec::new();
    for member in members() {
        let src = suite().join(&member).join("src");
        if src.exists() {
            let needs = needs(&src);
            let of_crate = circles(&needs).into_iter().chain(circles(&rooms(&needs)));
            found.extend(of_crate.map(|circle| format!("{member}: {}", circle.join(", "))));
        }
    }
    assert_eq!(found, Vec::<String>::new(), "modules that need each other");
}

#[test]
fn a_circle_through_a_file_of_a_room_is_found() {
    let file = |path: &str| -> Module { path.split('/').map(str::to_owned).collect() };
    let needs = |to: &[&str]| to.iter().map(|path| file(path)).collect::<BTreeSet<_>>();
    let files: BTreeMap<Module, BTreeSet<Module>> = [
        (file("rules"), needs(&[])),
        (file("rules/hub"), needs(&["wording"])),
        (file("wording"), needs(&["rules"])),
    ]
    .into();
    assert!(circles(&files).is_empty());
    assert_eq!(circles(&rooms(&files)), [vec!["rules".to_owned(), "wording".to_owned()]].into());
}
