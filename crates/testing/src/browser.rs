//! Pages in headless Chromium.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::find_any;

/// Fails if two elements of a page have one id: scripts and links find the first alone.
///
/// # Panics
/// Two elements have one id, or none has any.
#[track_caller]
pub fn assert_ids_are_unique(html: &str) {
    // What scripts hold is no element.
    let elements = html.split("<script").map(|part| part.split_once("</script>").map_or(part, |of| of.1));
    let ids =
        elements.flat_map(|part| part.split(" id=\"").skip(1)).filter_map(|rest| rest.split('"').next());
    let mut seen = BTreeSet::new();
    ids.for_each(|id| assert!(seen.insert(id), "two elements have the id `{id}`"));
    assert!(!seen.is_empty(), "no element has an id");
}

/// Opens `html` in a frame of this width, at `fragment`, runs `script` in it and hands back the object that it returns.
/// Errors and requests of the page, and ids of several elements, make it fail. `None` without a browser.
///
/// # Panics
/// The page is wrong, or the browser cannot show it.
#[must_use]
pub fn use_page(html: &str, width: u32, fragment: &str, script: &str) -> Option<Value> {
    assert_ids_are_unique(html);
    let chromium = find_any(&["chromium", "chromium-browser", "google-chrome", "chrome"])?;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.html");
    // The frame is narrower than any window can be. Its script reports to the document around it.
    let watch = "<script>window.problems = [];
        addEventListener('error', (event) => problems.push(String(event.message)));
        addEventListener('unhandledrejection', (event) => problems.push(String(event.reason)));
        addEventListener('securitypolicyviolation', (event) => problems.push('request of ' + event.blockedURI));
        // Frames come by the virtual clock, as all else does here.
        window.requestAnimationFrame = (paint) => setTimeout(() => paint(performance.now()), 16);
        for (const kind of ['log', 'info', 'debug', 'warn', 'error', 'assert', 'trace', 'table'])
            console[kind] = (...words) => problems.push('console: ' + words.join(' '));</script>";
    let run = format!(
        "<script>addEventListener('load', async () => {{
            location.hash = {fragment};
            const wait = () => new Promise((done) => setTimeout(done, 60));
            const one = (selector) => document.querySelector(selector);
            const all = (selector) => [...document.querySelectorAll(selector)];
            const row = (pane, name) => all('#' + pane + ' .row').find((row) => row.querySelector('.label').textContent.includes(name));
            const names = (pane) => all('#' + pane + ' .row .label').map((label) => label.title);
            await wait();
            let seen;
            try {{ seen = await (async () => {{ {script} }})(); }} catch (error) {{ seen = {{ thrown: String(error.stack) }}; }}
            const requests = performance.getEntriesByType('resource').map((entry) => entry.name);
            parent.document.getElementById('seen').textContent = JSON.stringify({{
                seen, requests, problems, overflow: document.documentElement.scrollWidth - innerWidth, width: innerWidth,
            }});
        }});</script>",
        fragment = Value::from(fragment)
    );
    let html = html.replacen("<head>", &format!("<head>{watch}"), 1);
    let end = html.rfind("</body>").unwrap();
    let html = format!("{}{run}{}", &html[..end], &html[end..]);
    let quoted = html.replace('&', "&amp;").replace('"', "&quot;");
    let frame = format!("<iframe srcdoc=\"{quoted}\" width={width} height=844 style=\"border:0\"></iframe>");
    let document =
        format!("<!doctype html><meta charset=utf-8><body style=\"margin:0\"><pre id=seen></pre>{frame}");
    std::fs::write(&file, document).unwrap();
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--window-size=1300,900", "--virtual-time-budget=100000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let seen = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.unwrap_or_else(|| panic!("no page: {}", String::from_utf8_lossy(&output.stderr)));
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let seen: Value = serde_json::from_str(&seen).unwrap_or_else(|error| panic!("{error}: {seen:?}"));
    assert_eq!(seen["problems"], serde_json::json!([]));
    assert_eq!(seen["requests"], serde_json::json!([]));
    assert_eq!(seen["width"], width);
    assert!(seen["overflow"].as_i64().unwrap() <= 0, "{} px too wide at {width} px", seen["overflow"]);
    assert!(seen["seen"]["thrown"].is_null(), "{}", seen["seen"]["thrown"]);
    Some(seen["seen"].clone())
}

/// Presses all buttons that are to be seen in all views of a page, one after the other, on a telephone and on a screen, in
/// light and in dark; returns how many. As [`use_page`], it fails if one ends in an error, in a message of the console, or
/// in a page that is too wide.
///
/// # Panics
/// As [`use_page`].
#[must_use]
pub fn press_all(html: &str) -> Option<u64> {
    let script = "
        let number = 0;
        const views = new Set(['', ...all('a[href^=\"#\"]').map((link) => link.getAttribute('href'))]);
        for (const theme of ['light', 'dark']) {
            while (document.documentElement.dataset.theme !== theme) one('#theme').click();
            for (const view of views) {
                location.hash = view;
                await wait();
                for (const button of all('button:not(#theme)')) {
                    if (!button.offsetParent) continue;
                    button.click();
                    number += 1;
                    await wait();
                }
                const over = document.documentElement.scrollWidth - innerWidth;
                if (over > 0) throw new Error(`${view} is ${over} px too wide at ${innerWidth} px`);
            }
        }
        return { number };";
    let pressed = |width| use_page(html, width, "", script)?["number"].as_u64();
    Some(pressed(400)? + pressed(1280)?)
}
