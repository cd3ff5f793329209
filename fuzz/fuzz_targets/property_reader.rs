//! A property file, of any bytes, is read or refused with the place of each mistake; severities are from 0 to 1, and units that
//! are evaluated together have the results of units that are evaluated one by one.
#![no_main]

use std::sync::LazyLock;

use ats_diagnosis::properties::{Properties, Selection, diagnose};
use ats_documents::Experiment;
use ats_documents::experiment::Listed;
use ats_experiment::{Given, parse_table};
use libfuzzer_sys::fuzz_target;

/// Runs of several sizes with all kinds of amounts: of each unit, of one that stands for all, 0 for some, or missing.
const TABLE: &[u8] = b"application,version,experiment,region,unit,metric,value\n\
    a,1,a-sequential,f,s,time,8\n\
    a,1,a-sequential,g,s,time,2\n\
    a,1,b.second_level_miss_ns25,f,s,time,5\na,1,b.second_level_miss_ns25,f,occ,cache_misses(2),80\n\
    a,1,a.ranks2,f,0,time,5\na,1,a.ranks2,f,1,time,4\n\
    a,1,a.ranks2,f,0,communication,2\na,1,a.ranks2,f,1,communication,0\n\
    a,1,a.ranks2,f,0,synchronisation,0\na,1,a.ranks2,f,1,synchronisation,0\n\
    a,1,a.ranks2,f,0,control,0.5\na,1,a.ranks2,f,1,control,0.25\n\
    a,1,a.ranks2,f,0,cache_misses(2),100\na,1,a.ranks2,f,1,cache_misses(2),0\n\
    a,1,a.ranks2,f,0,cache_accesses(2),0\na,1,a.ranks2,f,1,cache_accesses(2),50\n\
    a,1,a.ranks2,f,0,late_sender,1\na,1,a.ranks2,f,0,receive,1\na,1,a.ranks2,f,1,receive,0\n\
    a,1,a.ranks2,g,1,time,1\n\
    a,1,a.ranks4,f,s,time,4\na,1,a.ranks4,f,occ,instructions,1000\na,1,a.ranks4,f,s,loss,1\na,1,a.ranks4,g,s,time,1\n";

static EXPERIMENTS: LazyLock<Vec<Experiment>> =
    LazyLock::new(|| parse_table("t.csv".as_ref(), TABLE, &Given::default()).expect("the table is right"));

fuzz_target!(|input: &str| match Properties::parse([("p.toml".to_owned(), input.to_owned())]) {
    Ok(properties) => {
        let listed: Vec<Listed> =
            EXPERIMENTS.iter().enumerate().map(|(at, one)| one.listed(&at.to_string())).collect();
        let read = |one: &Listed| Ok(EXPERIMENTS[one.id.parse::<usize>().expect("a number")].clone());
        let of = |properties: &Properties| {
            diagnose(properties, listed.clone(), read, Selection::default()).expect("all can be read")
        };
        let diagnosis = of(&properties);
        for one in &diagnosis.instances {
            assert_eq!(one.holds, one.severity.is_some() && one.confidence.is_some());
            let numbers = one.severity.into_iter().chain(one.confidence);
            assert!(numbers.into_iter().all(|number| (0.0..=1.0).contains(&number)), "{one:?}");
        }
        assert_eq!(diagnosis, of(&properties.one_by_one()));
    }
    Err(mistakes) => assert!(mistakes.to_string().contains(".toml:"), "{mistakes}"),
});
