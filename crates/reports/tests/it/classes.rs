//! The classes of calls and constructs, against Scalasca 2.6's own definition, the file that it also puts into its reports.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Profile;
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_model::definitions::{Paradigm, RegionRole};
use ats_reports::Stored;
use ats_testing::peer;
use regex::Regex;

use crate::cubex::{entry, metrics, stored, written};

/// The masks of Scalasca that are called otherwise than their metrics.
const MASKS: [(&str, &str); 5] = [
    ("mpi_mgmt_startup", "mpi_init_exit"),
    ("mpi_sync_rma_active", "mpi_rma_sync_active"),
    ("mpi_sync_rma_passive", "mpi_rma_sync_passive"),
    ("mpi_file_individual", "mpi_io_individual"),
    ("mpi_file_collective", "mpi_io_collective"),
];

fn named(name: &str, paradigm: Paradigm, role: RegionRole) -> ProfiledRegion {
    ProfiledRegion { name: name.to_owned(), paradigm, role, ..ProfiledRegion::default() }
}

/// The smallest class that each region's time is written in.
fn classes(regions: &[ProfiledRegion]) -> Vec<String> {
    let mut profile = Profile::new("traces.otf2");
    profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
    profile.metrics = vec![Metric::new(Profile::TIME, "s", Origin::Measured, Combine::Sum)];
    for (id, region) in (0..).zip(regions) {
        profile.regions.push(ProfiledRegion { id, ..region.clone() });
        profile.call_tree.push(CallNode { id, parent: None, region: id });
    }
    let time: Vec<_> = profile.call_tree.iter().map(|node| (node.id, 0, 1.0)).collect();
    profile.values.insert(Profile::TIME.to_owned(), time.into());
    let archive = written(&profile, Stored::Plain);
    let anchor = String::from_utf8(entry(&archive, "anchor.xml")).unwrap();
    let callees = anchor.split("<cnode ").skip(1).map(|node| {
        let callee = node.split_once("calleeId=\"").unwrap().1;
        callee.split_once('"').unwrap().0.parse::<usize>().unwrap()
    });
    let callees: Vec<usize> = callees.collect();
    let mut classes = vec![String::new(); regions.len()];
    // Inner metrics come behind those that they are parts of.
    let metrics = metrics(&archive);
    assert_eq!(metrics.iter().collect::<BTreeSet<_>>().len(), metrics.len());
    for (metric, _) in metrics {
        for (row, seconds) in stored(&archive, &metric) {
            if let Some(class) = classes.get_mut(callees[row as usize]).filter(|_| seconds == 1.0) {
                class.clone_from(&metric);
            }
        }
    }
    classes
}

/// The metric of a function by its role, as Scalasca has it.
fn by_role(role: &str, name: &str) -> &'static str {
    let completes = Regex::new("^MPI_(Test|Wait)(all|any|some){0,1}$").unwrap();
    match role {
        "barrier" => "mpi_sync_collective",
        "point2point" => "mpi_point2point",
        "one2all" | "all2one" | "all2all" | "other collective" => "mpi_collective",
        "rma" | "atomic" => "mpi_rma_communication",
        _ if completes.is_match(name) => "mpi_point2point",
        _ => "mpi",
    }
}

#[test]
fn functions_are_in_the_classes_that_scalasca_puts_them_in() {
    let report = std::fs::read(peer("scorep-hybrid-2x2/scout.cubex")).unwrap();
    let text = |name: &str| String::from_utf8(entry(&report, name)).unwrap();
    let rules = Regex::new(r"region::name\}.*? =~ /(\^.*?\$)/ \)\s*\{\s*\$\{(mpi_\w+)\}").unwrap();
    let spec = text("remapping.spec");
    let rules: BTreeMap<&str, Regex> = rules
        .captures_iter(&spec)
        .map(|rule| (rule.get(2).unwrap().as_str(), Regex::new(&rule[1]).unwrap()))
        .filter(|(mask, _)| !mask.starts_with("mpi_comm_rma_"))
        .collect();
    assert!(rules.len() >= 8, "{rules:?}");
    let regions = Regex::new(
        r"(?s)<region [^>]*>\s*<name>([^<]*)</name>.*?<paradigm>mpi</paradigm>\s*<role>([^<]*)</role>",
    );
    let anchor = text("anchor.xml");
    let mut known = Vec::new();
    for region in anchor.split_inclusive("</region>") {
        let Some(region) = regions.as_ref().unwrap().captures(region) else { continue };
        let (name, role) = (&region[1], &region[2]);
        let mask = rules.iter().find(|(_, rule)| rule.is_match(name)).map(|(mask, _)| *mask);
        let renamed = |mask| MASKS.iter().find(|(old, _)| *old == mask).map_or(mask, |(_, metric)| *metric);
        let theirs = mask.map_or_else(|| by_role(role, name), renamed);
        if name == "PARALLEL" {
            continue;
        }
        known.push((named(name, Paradigm::Mpi, RegionRole::Unknown), theirs));
    }
    assert!(known.len() > 200, "{}", known.len());
    let (functions, theirs): (Vec<_>, Vec<_>) = known.into_iter().unzip();
    for ((function, ours), theirs) in functions.iter().zip(classes(&functions)).zip(theirs) {
        assert_eq!(ours, theirs, "{}", function.name);
    }
}

#[test]
fn constructs_are_in_the_classes_of_their_roles() {
    let openmp = |name: &str, role| named(name, Paradigm::OpenMp, role);
    let (regions, known): (Vec<_>, Vec<_>) = [
        (openmp("!$omp barrier @a.c:3", RegionRole::Barrier), "omp_ebarrier"),
        (openmp("!$omp implicit barrier @a.c:3", RegionRole::ImplicitBarrier), "omp_ibarrier"),
        (openmp("!$omp critical @a.c:3", RegionRole::Critical), "omp_critical"),
        (openmp("omp_set_nest_lock", RegionRole::Wrapper), "omp_lock_api"),
        (openmp("!$omp parallel @a.c:3", RegionRole::Parallel), "comp"),
        (named("solve", Paradigm::User, RegionRole::Function), "comp"),
        (named("TRACE BUFFER FLUSH", Paradigm::Other, RegionRole::Artificial), "overhead"),
    ]
    .into_iter()
    .unzip();
    assert_eq!(classes(&regions), known);
}
