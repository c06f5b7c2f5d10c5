//! A host that is killed while it makes an older version the draft: the log and the file say the same afterwards.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use crate::bench::{PATIENCE, until};
use crate::desk::Desk;
use crate::play;

/// The moments in which the host is killed: from the command's start to its end.
const MOMENTS: [&str; 5] = ["at once", "settled", "logged", "written", "done"];

const TEXTS: [&str; 2] = ["One.\n", "Two.\n"];

/// The versions in a log, oldest first.
fn versions(log: &Path) -> Vec<Value> {
    let all = play::lines(log).into_iter();
    all.filter(|e| e["kind"] == "draft.saved").collect()
}

/// Waits for a moment of a restore, looking as often as can be; or for the end of the command.
fn comes(moment: &str, mut is_there: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_there() {
        assert!(Instant::now() < end, "waited for {moment}");
        std::thread::yield_now();
    }
}

/// The host that opened a log last.
fn host(log: &Path) -> Option<u32> {
    let all = play::lines(log);
    let newest = all.iter().rfind(|e| e["kind"] == "opened")?;
    newest["pid"].as_u64()?.try_into().ok()
}

fn kill(pid: u32) {
    let process = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
    // It may have ended by itself.
    let _gone = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    until("its end", || play::is_gone(pid));
}

/// A session with two versions, the numbers of which are told.
fn begun(desk: &Desk) -> (String, [u64; 2]) {
    let id = desk.ok(&["new", "Piece"]);
    let folder = play::row(desk, &id)["folder"].as_str().unwrap().to_owned();
    let log = play::log(desk, &id);
    for (n, text) in TEXTS.iter().enumerate() {
        std::fs::write(desk.workspace().join(&folder).join("draft.md"), text).unwrap();
        desk.ok(&["draft", &id]);
        until("its version", || versions(&log).len() > n);
    }
    let seqs = versions(&log);
    let seq = |n: usize| seqs[n]["seq"].as_u64().unwrap();
    (id, [seq(0), seq(1)])
}

#[test]
fn a_host_that_is_killed_anywhere_in_a_restore_leaves_it_done_or_not_begun_and_the_file_as_the_log()
{
    let desk = play::desk(&[play::delta("Words.")]);
    let (id, seqs) = begun(&desk);
    let log = play::log(&desk, &id);
    let folder = desk.workspace().join("inbox/piece");
    let file = || std::fs::read_to_string(folder.join("draft.md")).unwrap_or_default();
    let mut done = 0;
    for (n, moment) in MOMENTS.iter().cycle().take(15).enumerate() {
        let was = file();
        let to = usize::from(was == TEXTS[0]);
        let before = versions(&log).len();
        let opened = play::count(&log, "opened");
        desk.kill_host();
        let mut asks = desk.start(&["draft", &id, "--restore", &seqs[to].to_string()]);
        comes(moment, || {
            let is_there = match *moment {
                "at once" => true,
                "settled" => play::count(&log, "opened") > opened,
                "logged" => versions(&log).len() > before,
                "written" => file() == TEXTS[to],
                _ => false,
            };
            is_there || asks.try_wait().unwrap().is_some()
        });
        // By what its log says: to ask for it would take longer than the restore.
        match host(&log).filter(|_| play::count(&log, "opened") > opened) {
            Some(pid) => kill(pid),
            None => desk.host().map_or((), kill),
        }
        let _killed = asks.wait();
        // Whoever does something next starts the host that finishes it.
        desk.ok(&["tag", &id, &format!("t{n}")]);
        let now = versions(&log);
        let is_done = now.len() > before;
        assert!(now.len() <= before + 1, "{moment}: {now:?}");
        let wanted = if is_done { TEXTS[to] } else { was.as_str() };
        until("the file as the log says", || file() == wanted);
        if is_done {
            done += 1;
            let last = now.last().unwrap();
            assert_eq!(
                (&last["by"], &last["from"]["seq"]),
                (&"restore".into(), &seqs[to].into())
            );
        }
        assert_eq!(desk.ok(&["draft", &id]), wanted.trim_end(), "{moment}");
        until("nothing is left of it", || {
            let names = std::fs::read_dir(&folder)
                .unwrap()
                .map(|e| e.unwrap().file_name());
            names.filter(|name| name != ".session").count() == 1
        });
        let report = desk.json(&["verify", "--json"]);
        assert_eq!(report["damaged"], serde_json::json!([]), "{moment}");
    }
    assert!(done > 0, "none was ever done");
    // An undo goes back over what was done, as ever.
    let listed = desk.json(&["draft", &id, "--versions", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), versions(&log).len());
}
