//! Places of calls in tables, which have little room.

use std::collections::{BTreeMap, BTreeSet};

use ats_model::CallSite;
use ats_model::signature::short;

/// A call: its line in the source, and then the function that has it, since the name of that may be long. Signatures are cut.
pub(crate) fn call(name: &str, site: Option<&CallSite>) -> String {
    with_line(name, site) + &site.map_or_else(String::new, |site| format!(" in {}", short(&site.function)))
}

/// Calls at the ends of their call paths, each as far as that fits into this number of characters: the outermost regions are
/// left out first. The calling function is not repeated. Paths that would read the same show the region in which they differ:
/// `…/compute/…/MPI_Recv (heat.c:12)`.
pub(crate) fn paths(calls: &[(&[String], Option<&CallSite>)], room: usize) -> Vec<String> {
    let mut paths: Vec<Path> = calls.iter().map(|&(names, site)| Path::new(names, site, room)).collect();
    loop {
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        paths.iter().enumerate().for_each(|(at, path)| alike.entry(path.text()).or_default().push(at));
        let mut is_told = true;
        for group in alike.into_values().filter(|group| group.len() > 1) {
            let first = &paths[group[0]];
            let same = |depth| group.iter().all(|&at| paths[at].outer.get(depth) == first.outer.get(depth));
            let most = group.iter().map(|&at| paths[at].outer.len()).max().unwrap_or(0);
            let Some(differs) = (0..most).find(|&depth| !same(depth)) else { continue };
            for at in group {
                is_told &= !paths[at].show(differs);
            }
        }
        if is_told {
            return paths.iter().map(Path::text).collect();
        }
    }
}

/// The width of a call path in a table that has few other columns.
const ROOM: usize = 80;

/// The same in a table with few other columns; a path outside of all regions is told as such.
pub(crate) fn paths_or_outside(calls: &[(&[String], Option<&CallSite>)]) -> Vec<String> {
    let mut paths = paths(calls, ROOM);
    let outside = calls.iter().zip(&mut paths).filter(|((names, _), _)| names.is_empty());
    outside.for_each(|(_, path)| *path = "outside all regions".to_owned());
    paths
}

/// A call path in a table.
struct Path {
    /// The regions around the call, from it outwards.
    outer: Vec<String>,
    call: String,
    /// The depths of those that are shown.
    shown: BTreeSet<usize>,
}

impl Path {
    fn new(names: &[String], site: Option<&CallSite>, room: usize) -> Self {
        let Some((last, outer)) = names.split_last() else {
            return Path { outer: Vec::new(), call: String::new(), shown: BTreeSet::new() };
        };
        let is_named = |site: &CallSite| outer.last().is_some_and(|caller| *caller == site.function);
        let call = if site.is_some_and(is_named) { with_line(last, site) } else { call(last, site) };
        let outer: Vec<String> = outer.iter().rev().map(|name| function(name)).collect();
        let mut length = call.chars().count();
        let fits = |(depth, name): &(usize, &String)| {
            length += name.chars().count() + 1;
            length + if depth + 1 < outer.len() { 2 } else { 0 } <= room
        };
        let shown = outer.iter().enumerate().take_while(fits).map(|(depth, _)| depth).collect();
        Path { call, shown, outer }
    }

    /// Shows one region more; whether there is one that was not shown.
    fn show(&mut self, depth: usize) -> bool {
        depth < self.outer.len() && self.shown.insert(depth)
    }

    fn text(&self) -> String {
        let (mut text, mut inner) = (self.call.clone(), 0);
        for &depth in &self.shown {
            let left_out = if depth > inner { "…/" } else { "" };
            text = format!("{}/{left_out}{text}", self.outer[depth]);
            inner = depth + 1;
        }
        if inner < self.outer.len() { format!("…/{text}") } else { text }
    }
}

/// A function around a call, without its arguments: the call's line says which of several it is.
fn function(name: &str) -> String {
    let name = short(name);
    let name = name.strip_suffix("(…)").unwrap_or(&name);
    name.strip_suffix("<…>").unwrap_or(name).to_owned()
}

fn with_line(name: &str, site: Option<&CallSite>) -> String {
    let line = site.filter(|site| site.line > 0).map_or_else(String::new, |site| {
        format!(" ({}:{})", site.file.rsplit('/').next().unwrap_or_default(), site.line)
    });
    format!("{}{line}", short(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(names: &[String], site: Option<&CallSite>, room: usize) -> String {
        paths(&[(names, site)], room).remove(0)
    }

    #[test]
    fn the_line_is_before_the_function_and_the_inside_of_a_path_stays() {
        let site =
            CallSite { function: "void halo<int>(A<int>&)".into(), file: "src/heat.c".into(), line: 12 };
        assert_eq!(call("MPI_Recv", Some(&site)), "MPI_Recv (heat.c:12) in halo<…>(…)");
        assert_eq!(call("MPI_Recv", Some(&CallSite { line: 0, ..site.clone() })), "MPI_Recv in halo<…>(…)");
        assert_eq!(call("MPI_Recv", None), "MPI_Recv");
        let names = ["main", "solve(int)", "void halo<int>(A<int>&)", "MPI_Recv"].map(str::to_owned);
        let whole = "main/solve/halo/MPI_Recv (heat.c:12)";
        assert_eq!(path(&names, Some(&site), whole.chars().count()), whole);
        for (room, words) in [
            (whole.chars().count() - 1, "…/solve/halo/MPI_Recv (heat.c:12)"),
            (30, "…/halo/MPI_Recv (heat.c:12)"),
            (0, "…/MPI_Recv (heat.c:12)"),
        ] {
            assert_eq!(path(&names, Some(&site), room), words);
        }
        let elsewhere = CallSite { function: "other".into(), ..site };
        assert_eq!(path(&names[2..], Some(&elsewhere), 99), "halo/MPI_Recv (heat.c:12) in other");
        assert_eq!(path(&[], None, 99), "");
    }

    #[test]
    fn paths_that_would_read_the_same_show_where_they_differ() {
        let names = |path: &str| -> Vec<String> { path.split('/').map(str::to_owned).collect() };
        let all = [
            "main/force/eam/halo/MPI_Recv",
            "main/move/halo/MPI_Recv",
            "main/force/pair/halo/MPI_Recv",
            "halo/MPI_Recv",
        ]
        .map(names);
        let calls: Vec<(&[String], Option<&CallSite>)> = all.iter().map(|path| (&path[..], None)).collect();
        assert_eq!(
            paths(&calls, 10),
            ["…/eam/…/MPI_Recv", "…/move/…/MPI_Recv", "…/pair/…/MPI_Recv", "…/MPI_Recv"]
        );
        let all = ["main/a/f/halo/MPI_Recv", "main/b/f/halo/MPI_Recv", "main/b/g/halo/MPI_Recv"].map(names);
        let calls: Vec<(&[String], Option<&CallSite>)> = all.iter().map(|path| (&path[..], None)).collect();
        assert_eq!(paths(&calls, 10), ["…/a/f/…/MPI_Recv", "…/b/f/…/MPI_Recv", "…/g/…/MPI_Recv"]);
        assert_eq!(paths(&calls[..1], 10), ["…/MPI_Recv"]);
        assert_eq!(paths(&[calls[0], calls[0]], 10), ["…/MPI_Recv", "…/MPI_Recv"]);
    }
}
