//! Pictures of traces, and traces for other viewers.

use std::collections::BTreeMap;

use ats_model::event::CollectiveOperation;
use ats_presentation::{Kind, Limits, Message, Window, chrome_trace, speedscope, timeline, timeline_of};
use ats_testing::peer;
use serde_json::Value;

use crate::common::{Analyzed, TWO_CALL_SITES, TWO_PROPERTIES, analyzed, causes};

#[test]
fn a_picture_has_rows_bars_lines_and_waits() {
    let of = analyzed(TWO_PROPERTIES);
    let picture = timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default());
    assert_eq!((picture.begin, picture.end, picture.measured), (0, 30, Some((0, 30))));
    let bars = |row: usize| {
        let bar = |bar: &ats_presentation::Bar| {
            format!("{} {} {}..{}", bar.level, picture.regions[bar.region as usize].name, bar.begin, bar.end)
        };
        picture.rows[row].bars.iter().map(bar).collect::<Vec<_>>()
    };
    assert_eq!(
        bars(0),
        [
            "0 ats_measured 0..30",
            "1 late_sender 0..9",
            "1 at_barrier 9..30",
            "2 work 0..5",
            "2 MPI_Send 5..9",
            "2 MPI_Barrier 9..30"
        ]
    );
    assert_eq!(picture.messages, [Message { from: 0, sent: 5, to: 1, received: 9, bytes: 64, tag: 7 }]);
    let [barrier] = &picture.collectives[..] else { panic!("{:?}", picture.collectives) };
    assert_eq!(barrier.operation, CollectiveOperation::Barrier);
    assert_eq!(
        barrier.parts.iter().map(|part| (part.row, part.begin, part.end)).collect::<Vec<_>>(),
        [(0, 9, 30), (1, 29, 30)]
    );
    let waits: Vec<_> = picture
        .waits
        .iter()
        .map(|wait| {
            (picture.findings[wait.finding].split('@').next().unwrap(), wait.row, wait.begin, wait.end)
        })
        .collect();
    assert_eq!(waits, [("wait_at_barrier", 0, 9, 29), ("late_sender", 1, 2, 5)]);
    assert_eq!(picture.remarks(), [] as [String; 0]);
    let kind = |name: &str| picture.regions.iter().find(|region| region.name == name).unwrap().kind;
    assert_eq!(kind("work"), Kind::User);
    assert_ne!(kind("MPI_Barrier"), Kind::User);
}

/// When each message is sent and received, and when each collective operation begins, as drawn; and how many are not.
fn lines(text: &str) -> (Vec<(u64, u64)>, Vec<u64>, u64) {
    let of = analyzed(text);
    let picture = timeline(&of.trace, None, &Limits::default());
    let messages = picture.messages.iter().map(|message| (message.sent, message.received)).collect();
    let collectives = picture.collectives.iter().map(|collective| collective.parts[0].begin).collect();
    assert_eq!(picture.remarks().len(), usize::from(picture.detail.doubtful > 0));
    (messages, collectives, picture.detail.doubtful)
}

#[test]
fn no_doubtful_line_is_drawn_while_recording_is_off() {
    let sender =
        "0: 1..2 MPI_Send send 1; 3..4 MPI_Send send 1; 5..6 MPI_Send send 1; 7..8 MPI_Barrier barrier";
    // The second message is not received as far as is recorded: the third receive would be that of the second send.
    let receiver = "1: 1..2 MPI_Recv recv 0; 3 off; 4 on; 5..6 MPI_Recv recv 0; 7..8 MPI_Barrier barrier";
    assert_eq!(lines(&format!("{sender}\n{receiver}")), (vec![(1, 2)], vec![7], 1));
    // Both have all of them.
    let both = receiver.replace("3 off; 4 on", "3 off; 4 on; 4..5 MPI_Recv recv 0");
    assert_eq!(lines(&format!("{sender}\n{both}")), (vec![(1, 2), (3, 5), (5, 6)], vec![7], 0));
    // A receive that is posted before may be complete meanwhile.
    let posted = receiver.replace("1..2 MPI_Recv recv 0", "0..1 MPI_Irecv post 9; 1..2 MPI_Recv recv 0");
    assert_eq!(lines(&format!("{sender}\n{posted}")), (vec![], vec![7], 2));
    // Both stop, and each may have lost another one.
    let stops = sender.replace("3..4 MPI_Send send 1", "3 off; 4 on");
    assert_eq!(lines(&format!("{stops}\n{receiver}")), (vec![(1, 2)], vec![], 2));
    // A recorder may say that it begins.
    let begins = |text: &str| text.replace(": 1..2", ": 0 on; 1..2");
    let (sends, receives) = (begins(sender), begins(&both).replace("3 off; 4 on; ", ""));
    assert_eq!(lines(&format!("{sends}\n{receives}")), (vec![(1, 2), (3, 5), (5, 6)], vec![7], 0));

    let of = analyzed(&format!("{sender}\n{receiver}"));
    let mut json = Vec::new();
    chrome_trace(&of.trace, None, &mut json).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let ends: Vec<_> =
        json["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "f").collect();
    assert_eq!(ends.len(), 1, "the others would end at the wrong receive: {ends:?}");
}

#[test]
fn messages_belong_together_in_the_order_in_which_receives_were_posted() {
    let of = analyzed(
        "0: 0..1 MPI_Send send 1 bytes 10; 2..3 MPI_Send send 1 bytes 20; 4..5 MPI_Send send 1 tag 1 bytes 30
         1: 0..1 MPI_Irecv post 1; 1..2 MPI_Irecv post 2; 6..7 MPI_Wait irecv 0 request 2; 8..9 MPI_Wait irecv 0 request 1
         1: 10..11 MPI_Recv recv 0 tag 1",
    );
    let picture = timeline(&of.trace, None, &Limits::default());
    let lines: Vec<_> =
        picture.messages.iter().map(|message| (message.bytes, message.sent, message.received)).collect();
    assert_eq!(lines, [(10, 0, 9), (20, 2, 7), (30, 4, 11)]);
}

#[test]
fn no_message_goes_to_a_rank_that_its_communicator_does_not_have() {
    let of = analyzed(
        "0: 0..1 MPI_Send send 1 on self; 2..3 MPI_Send send 0 on self bytes 10; 3..4 MPI_Recv recv 0 on self
         1: 0..5 MPI_Recv recv 0 on self",
    );
    let picture = timeline(&of.trace, None, &Limits::default());
    assert_eq!(picture.messages, [Message { from: 0, sent: 2, to: 0, received: 4, bytes: 10, tag: 0 }]);
}

/// A window shows the same as the whole picture there: no call, message or wait is cut or missing.
#[test]
fn a_window_has_all_of_its_calls_messages_and_waits() {
    let of = analyzed(TWO_PROPERTIES);
    let picture =
        |window: &Window| timeline_of(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default(), window);
    let whole = picture(&Window::default());
    let windows = (0..30).flat_map(|from| (from + 1..=30).map(move |to| (from, to)));
    for (from, to) in windows {
        let window = Window { from: Some(from as f64), to: Some(to as f64), ranks: None };
        let shown = picture(&window);
        let is_seen = |begin: u64, end: u64| end >= from && begin <= to;
        for (row, all) in shown.rows.iter().zip(&whole.rows) {
            let mut all = all.clone();
            all.bars.retain(|bar| is_seen(bar.begin, bar.end));
            assert_eq!(*row, all, "{from} to {to}");
        }
        let mut messages = whole.messages.clone();
        messages.retain(|message| is_seen(message.sent, message.received));
        let mut waits = whole.waits.clone();
        waits.retain(|wait| is_seen(wait.begin, wait.end));
        assert_eq!((shown.messages, shown.waits), (messages, waits), "{from} to {to}");
        assert_eq!((shown.begin, shown.end, shown.window), (0, 30, Some((from, to))));
    }
    let one = picture(&Window { ranks: Some([1].into()), ..Window::default() });
    assert_eq!((one.rows.len(), one.rows[0].rank, one.window), (1, 1, None));
    assert_eq!(one.remarks(), ["The timeline shows ranks 1 alone; all else is of the whole run."]);
    let late = picture(&Window { from: Some(29.5), ..Window::default() });
    assert_eq!(
        late.remarks(),
        ["The timeline shows 30.000000 s to 30.000000 s alone; all else is of the whole run."],
        "of a clock that counts seconds"
    );
}

#[test]
fn a_small_picture_of_a_large_trace_says_what_it_leaves_out() {
    let rank = |rank: u32| {
        let calls = (0..500).map(|call| {
            let begin = call * 10;
            let other = rank ^ 1;
            match rank % 2 {
                0 => format!("{}..{} MPI_Send send {other}", begin + 5, begin + 6),
                _ => format!("{}..{} MPI_Recv recv {other}", begin, begin + 6),
            }
        });
        format!("{rank}: {}\n", calls.collect::<Vec<_>>().join("; "))
    };
    let of = analyzed(&(0..20).map(rank).collect::<String>());
    let limits = Limits { rows: 8, bars: 80, messages: 30, collectives: 1, waits: 10 };
    let picture = timeline(&of.trace, Some((&of.analysis, &of.waits)), &limits);
    assert_eq!((picture.rows.len(), picture.messages.len()), (8, 30));
    assert!(picture.waits.len() <= 10);
    let shown: u64 = picture.waits.iter().map(|wait| wait.waited).sum();
    assert_eq!(shown, 4 * 500 * 5, "marks share, they do not hide");
    let bars = picture.rows.iter().map(|row| row.bars.len()).sum::<usize>();
    assert!(bars <= 80, "{bars}");
    let calls = picture.rows.iter().flat_map(|row| &row.bars).map(|bar| bar.calls).sum::<u64>();
    assert_eq!(calls, 8 * 500);
    assert_eq!(picture.detail.merged, calls - bars as u64);
    let remarks = picture.remarks().join("\n");
    for said in
        ["8 of 20 locations", "short calls share a bar", "messages are not drawn", "waits share a mark"]
    {
        assert!(remarks.contains(said), "{remarks}");
    }
}

#[test]
fn a_trace_that_does_not_fit_together_is_drawn_as_far_as_it_does() {
    let of = analyzed(
        "0: 0 enter outer; 1 enter inner; 2 leave outer; 3 leave inner; 4..5 MPI_Recv recv 1\n1: 0..1 work",
    );
    let picture = timeline(&of.trace, None, &Limits::default());
    assert_eq!(picture.messages, []);
    let ends: Vec<_> = picture.rows[0].bars.iter().map(|bar| (bar.level, bar.begin, bar.end)).collect();
    assert_eq!(ends, [(0, 0, 2), (0, 4, 5), (1, 1, 2)]);
}

/// The slices of every track, as a viewer puts them together: in the order of their times, else of the file.
fn nested(events: &[Value]) -> BTreeMap<(u64, u64), Vec<String>> {
    let time = |event: &Value| event["ts"].as_f64().unwrap();
    let mut slices: Vec<_> = events.iter().filter(|event| event["ph"] == "B" || event["ph"] == "E").collect();
    slices.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let (mut open, mut tracks) = (BTreeMap::<_, Vec<&str>>::new(), BTreeMap::<_, Vec<String>>::new());
    for event in slices {
        let track = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
        let stack = open.entry(track).or_default();
        match event["name"].as_str() {
            Some(name) => {
                stack.push(name);
                tracks.entry(track).or_default().push(format!("{}: {}", time(event) / 1e6, stack.join("/")));
            }
            None => assert!(stack.pop().is_some(), "nothing to end at {}", time(event)),
        }
    }
    assert!(open.values().all(Vec::is_empty), "what is open at the end: {open:?}");
    tracks
}

#[test]
fn calls_of_no_length_keep_their_places() {
    let of = analyzed(
        "0: 0 enter outer; 0 enter a; 0 enter b; 0..0 MPI_Send send 1; 0 leave; 0 leave; 0..0 a; 0 leave; 0..3 after
         1: 0..0 MPI_Recv recv 0; 0..1 work",
    );
    let mut file = Vec::new();
    chrome_trace(&of.trace, None, &mut file).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let events = file["traceEvents"].as_array().unwrap();
    let expected = ["outer", "outer/a", "outer/a/b", "outer/a/b/MPI_Send", "outer/a", "after"];
    assert_eq!(nested(events)[&(0, 0)], expected.map(|path| format!("0: {path}")));
    // Both ends of the message are inside of its calls.
    for (phase, call) in [("s", "MPI_Send"), ("f", "MPI_Recv")] {
        let at = events.iter().position(|event| event["ph"] == phase).unwrap();
        assert_eq!((&events[at - 1]["name"], &events[at + 1]["ph"]), (&call.into(), &"E".into()));
    }
}

#[test]
fn chrome_gets_nested_slices_flows_with_two_ends_and_waits() {
    let of = analyzed(TWO_PROPERTIES);
    let mut file = Vec::new();
    chrome_trace(&of.trace, Some((&of.analysis, &of.waits)), &mut file).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let events = file["traceEvents"].as_array().unwrap();
    let of_phase = |phase: &str| events.iter().filter(|event| event["ph"] == phase).collect::<Vec<_>>();
    let tracks = nested(events);
    assert_eq!(
        tracks[&(0, 0)],
        [
            "0: ats_measured",
            "0: ats_measured/late_sender",
            "0: ats_measured/late_sender/work",
            "5: ats_measured/late_sender/MPI_Send",
            "9: ats_measured/at_barrier",
            "9: ats_measured/at_barrier/MPI_Barrier"
        ]
    );
    assert_eq!(tracks[&(1, 0)].len(), 6);
    let ([start], [finish]) = (&of_phase("s")[..], &of_phase("f")[..]) else { panic!("one message") };
    assert_eq!((start["id"].clone(), start["pid"].as_u64()), (finish["id"].clone(), Some(0)));
    assert_eq!((start["ts"].as_f64(), finish["ts"].as_f64()), (Some(5e6), Some(9e6)));
    let waits: Vec<_> = of_phase("b").iter().map(|event| event["name"].as_str().unwrap()).collect();
    assert_eq!((waits.len(), of_phase("e").len()), (2, 2));
    assert!(waits.contains(&"Late sender") && waits.contains(&"Wait at barrier"));
}

#[test]
fn chrome_gets_arrows_from_causes_and_the_critical_path() {
    let mut of = analyzed(TWO_PROPERTIES);
    let written = |of: &Analyzed| -> Vec<Value> {
        let mut file = Vec::new();
        chrome_trace(&of.trace, Some((&of.analysis, &of.waits)), &mut file).unwrap();
        let file: Value = serde_json::from_slice(&file).unwrap();
        file["traceEvents"].as_array().unwrap().clone()
    };
    let without = written(&of);
    of.analysis.causes = Some(causes(&of.analysis));
    let with = written(&of);
    assert_eq!(with[..without.len()], without, "everything else stays");
    let added = &with[without.len()..];
    let flow = |event: &Value| {
        let number = |key: &str| event[key].as_f64().unwrap();
        (event["ph"].as_str().unwrap().to_owned(), number("pid"), number("ts") / 1e6)
    };
    let mut flows: Vec<_> = added.iter().filter(|event| event["cat"] == "cause").map(flow).collect();
    flows.sort_by(|one, other| one.2.total_cmp(&other.2));
    let ends = |from, to, at| [("s".to_owned(), from, at), ("f".to_owned(), to, at)];
    // The late sender on rank 0 sends at 5 s, rank 1 comes to the barrier at 29 s.
    assert_eq!(flows, [ends(0.0, 1.0, 5.0), ends(1.0, 0.0, 29.0)].concat());
    let slice = |event: &Value| {
        let at = |key: &str| event[key].as_f64().unwrap() / 1e6;
        (event["name"].as_str().unwrap().to_owned(), at("ts"), at("dur"), event["pid"].as_u64())
    };
    let path: Vec<_> = added.iter().filter(|event| event["ph"] == "X").map(slice).collect();
    let expected = [("rank 0".to_owned(), 0.0, 9.0, Some(2)), ("rank 1".to_owned(), 9.0, 21.0, Some(2))];
    assert_eq!(path, expected);
    assert_eq!(added.len(), 4 + 2 + 2, "{added:#?}");
}

#[test]
fn speedscope_gets_balanced_events_in_order() {
    let of = analyzed(TWO_PROPERTIES);
    let mut file = Vec::new();
    speedscope(&of.trace, "two \"properties\"", &mut file).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(file["name"], "two \"properties\"");
    let frames = file["shared"]["frames"].as_array().unwrap();
    for profile in file["profiles"].as_array().unwrap() {
        let (mut open, mut last) = (Vec::new(), profile["startValue"].as_f64().unwrap());
        for event in profile["events"].as_array().unwrap() {
            let (frame, at) = (event["frame"].as_u64().unwrap(), event["at"].as_f64().unwrap());
            assert!(at >= last && (frame as usize) < frames.len());
            last = at;
            match event["type"].as_str() {
                Some("O") => open.push(frame),
                _ => assert_eq!(open.pop(), Some(frame)),
            }
        }
        assert_eq!((open.len(), Some(last)), (0, profile["endValue"].as_f64()));
    }
}

#[test]
fn a_recorded_trace_is_shown_with_every_message_and_every_wait() {
    let trace = ats_trace::Archive::open(&peer("scorep-7props-4ranks/traces.otf2")).unwrap();
    let mut waits = Vec::new();
    let observe = &mut |wait| waits.push(wait);
    let analysis = ats_analyzer::analyze_with(&trace, "Score-P", &Default::default(), observe).unwrap();
    let picture = timeline(&trace, Some((&analysis, &waits)), &Limits::default());
    assert_eq!(picture.remarks(), [] as [String; 0]);
    assert_eq!(picture.rows.len(), 4);

    let resolution = picture.resolution as f64;
    for (index, finding) in analysis.findings.iter().enumerate() {
        let marked = picture.waits.iter().filter(|wait| wait.finding == index);
        let seconds = marked.map(|wait| (wait.end - wait.begin) as f64 / resolution).sum::<f64>();
        assert!((seconds - finding.waiting_time).abs() < 1e-6, "{}: {seconds} s marked", finding.id);
    }
    let sends: u64 = ["MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Issend", "MPI_Sendrecv"]
        .iter()
        .filter_map(|call| analysis.counts.get(*call))
        .sum();
    assert_eq!(picture.messages.len() as u64, sends);
    assert!(sends > 0 && picture.messages.iter().all(|message| message.sent < message.received));
    // Who waits is in a call of MPI then.
    for wait in &picture.waits {
        let bars = &picture.rows[wait.row].bars;
        let around = bars.iter().filter(|bar| bar.begin <= wait.begin && wait.end <= bar.end);
        let innermost = around.max_by_key(|bar| bar.level).unwrap();
        assert_ne!(picture.regions[innermost.region as usize].kind, Kind::User);
    }
}

#[test]
fn pictures_have_the_derived_times_if_clocks_differ() {
    let mut of = analyzed(
        "0: 0..5 work; 5..9 MPI_Send send 1; 9..12 MPI_Recv recv 1
         1: 2..9 MPI_Recv recv 0; 9..12 MPI_Send send 0",
    );
    let as_it_was = timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default());
    // The clock of rank 1 is 2 s behind.
    for (time, _) in &mut of.trace.events[1] {
        *time -= 2;
    }
    let clock = |rank, offset| serde_json::json!({ "rank": rank, "offset": offset, "drift": 0.0, "evidence": "both_sides" });
    let violations = serde_json::json!({ "checked": 2, "violated": 1, "worst": 2.0, "total": 2.0 });
    let correction = serde_json::json!({
        "method": "derived", "before": violations, "after": violations, "processes": [clock(0, 0.0), clock(1, 2.0)],
    });
    of.analysis.clock_correction = Some(serde_json::from_value(correction).unwrap());
    for wait in of.waits.iter_mut().filter(|wait| wait.location == 1) {
        (wait.begin, wait.end) = (wait.begin - 2, wait.end - 2);
    }
    let corrected = timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default());
    assert_eq!(corrected.remarks().len(), 1);
    assert_eq!(
        (corrected.rows, corrected.messages, corrected.waits),
        (as_it_was.rows, as_it_was.messages, as_it_was.waits)
    );
}

#[test]
fn a_trace_whose_recorder_did_not_align_clocks_is_shown_with_messages_that_go_forwards() {
    let trace = ats_trace::Archive::open(&peer("eztrace-7props-4ranks/eztrace_log.otf2")).unwrap();
    let mut waits = Vec::new();
    let observe = &mut |wait| waits.push(wait);
    let analysis = ats_analyzer::analyze_with(&trace, "EZTrace", &Default::default(), observe).unwrap();
    let picture = timeline(&trace, Some((&analysis, &waits)), &Limits::default());
    assert!(picture.remarks().iter().any(|remark| remark.contains("clocks of the processes differ")));
    // To ten microseconds: what a clock without measurement can be derived to.
    let slack = picture.resolution / 100_000;
    assert!(!picture.messages.is_empty() && !picture.waits.is_empty());
    let kind =
        |name: &str| picture.regions.iter().find(|region| region.name == name).map(|region| region.kind);
    assert_eq!((kind("MPI_Recv"), kind("MPI_Bcast")), (Some(Kind::PointToPoint), Some(Kind::Collective)));
    for message in &picture.messages {
        assert!(message.sent <= message.received + slack, "{message:?}");
    }
    for wait in &picture.waits {
        let around =
            |bar: &&ats_presentation::Bar| bar.begin <= wait.begin + slack && wait.end <= bar.end + slack;
        let innermost =
            picture.rows[wait.row].bars.iter().filter(around).max_by_key(|bar| bar.level).unwrap();
        let kind = picture.regions[innermost.region as usize].kind;
        assert!(matches!(kind, Kind::PointToPoint | Kind::Collective | Kind::Mpi), "{wait:?}");
    }
}

#[test]
fn the_page_of_a_million_events_is_small() {
    let large = crate::large::Large::new();
    let (html, events) = (large.page(&large.timeline()), large.events());
    assert!(events >= 1_000_000, "{events}");
    // With less it would not show 64 locations.
    assert!((500_000..2_000_000).contains(&html.len()), "{} bytes", html.len());
}

#[test]
fn viewers_tell_call_sites_apart() {
    let of = analyzed(TWO_CALL_SITES);
    let (mut chrome, mut scope) = (Vec::new(), Vec::new());
    chrome_trace(&of.trace, Some((&of.analysis, &of.waits)), &mut chrome).unwrap();
    let chrome: Value = serde_json::from_slice(&chrome).unwrap();
    let events = chrome["traceEvents"].as_array().unwrap();
    let receives = ["MPI_Recv in setup (two.c:10)", "MPI_Recv in halo (two.c:22)"];
    assert_eq!(nested(events)[&(1, 0)], [format!("0: {}", receives[0]), format!("6: {}", receives[1])]);
    let waits = events.iter().filter(|event| event["ph"] == "b");
    assert_eq!(waits.map(|event| &event["args"]["call_path"]).collect::<Vec<_>>(), receives);

    speedscope(&of.trace, "two call sites", &mut scope).unwrap();
    let scope: Value = serde_json::from_slice(&scope).unwrap();
    let frames = scope["shared"]["frames"].as_array().unwrap();
    for (name, line) in receives.into_iter().zip([10, 22]) {
        let frame = serde_json::json!({ "name": name, "file": "src/two.c", "line": line });
        assert_eq!(frames.iter().filter(|one| **one == frame).count(), 1, "{frames:?}");
    }
}
