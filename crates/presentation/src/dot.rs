//! Call graphs of regions as `dot` of Graphviz draws them.

use std::fmt::Write;

use ats_documents::region_graph::{GraphEdge, GraphNode, RegionGraph, RegionGraphs};

/// The graphs in the language of Graphviz, each process and thread in a box of its own.
///
/// ```
/// use ats_documents::RegionGraphs;
/// assert!(ats_presentation::dot(&RegionGraphs::default()).starts_with("digraph regions {\n"));
/// ```
pub fn dot(graphs: &RegionGraphs) -> String {
    let mut text = "digraph regions {\n  node [shape=box];\n".to_owned();
    for (number, graph) in graphs.graphs.iter().enumerate() {
        let title = title(graph);
        if let Some(title) = &title {
            let _ = writeln!(text, "  subgraph cluster_{number} {{\n  label=\"{title}\";");
        }
        for node in &graph.nodes {
            let label = label(&graphs.label(node.region), node);
            let _ = writeln!(text, "  r{number}_{} [label=\"{label}\"];", node.region);
        }
        for GraphEdge { from, to, calls, time } in &graph.edges {
            let label = in_seconds(*calls, *time);
            let _ = writeln!(text, "  r{number}_{from} -> r{number}_{to} [label=\"{label}\"];");
        }
        if title.is_some() {
            text += "  }\n";
        }
    }
    text + "}\n"
}

/// The process or thread of a graph; `None` for the graph of the program.
fn title(graph: &RegionGraph) -> Option<String> {
    let rank = graph.rank?;
    Some(
        graph.thread.map_or_else(|| format!("rank {rank}"), |thread| format!("rank {rank}, thread {thread}")),
    )
}

fn label(name: &str, node: &GraphNode) -> String {
    let mut label = format!("{}\\n{}", escaped(name), in_seconds(node.calls, node.time));
    for (part, seconds) in [("start", node.start), ("end", node.end), ("rest", node.rest)] {
        if seconds > 0.0 {
            let _ = write!(label, "\\n{part} {seconds:.6} s");
        }
    }
    label
}

fn in_seconds(calls: Option<u64>, seconds: f64) -> String {
    match calls {
        Some(1) => format!("1 call, {seconds:.6} s"),
        Some(calls) => format!("{calls} calls, {seconds:.6} s"),
        None => format!("{seconds:.6} s"),
    }
}

/// Between quotation marks.
fn escaped(name: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    name.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_documents::profile::ProfiledRegion;
    use ats_model::CallSite;

    #[test]
    fn names_are_quoted_and_processes_have_boxes() {
        let region =
            |id, name: &str| ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() };
        let node =
            |region, time, rest| GraphNode { region, calls: Some(1), time, rest, ..GraphNode::default() };
        let graph = RegionGraph {
            rank: Some(3),
            thread: None,
            nodes: vec![
                node(0, 1.5, 1.0),
                GraphNode { calls: None, ..node(1, 0.5, 0.0) },
                node(2, 0.25, 0.25),
                node(3, 0.5, 0.5),
            ],
            edges: vec![GraphEdge { from: 0, to: 1, calls: Some(2), time: 0.5 }],
        };
        let recv = |id, function: &str, line| {
            let site = CallSite { function: function.to_owned(), file: "src/heat.c".to_owned(), line };
            ProfiledRegion { call_site: Some(site), ..region(id, "MPI_Recv") }
        };
        let regions =
            vec![region(0, "main"), region(1, "say \"a\\b\"\n"), recv(2, "setup", 3), recv(3, "halo", 12)];
        let graphs = RegionGraphs { regions, graphs: vec![graph], ..RegionGraphs::default() };
        let expected = r#"digraph regions {
  node [shape=box];
  subgraph cluster_0 {
  label="rank 3";
  r0_0 [label="main\n1 call, 1.500000 s\nrest 1.000000 s"];
  r0_1 [label="say \"a\\b\" \n0.500000 s"];
  r0_2 [label="MPI_Recv in setup (heat.c:3)\n1 call, 0.250000 s\nrest 0.250000 s"];
  r0_3 [label="MPI_Recv in halo (heat.c:12)\n1 call, 0.500000 s\nrest 0.500000 s"];
  r0_0 -> r0_1 [label="2 calls, 0.500000 s"];
  }
}
"#;
        assert_eq!(dot(&graphs), expected);
    }
}
