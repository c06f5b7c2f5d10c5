//! A host that is killed around a summary: it was made or it was not, that is said, and the session goes on.

use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::desk::Desk;
use crate::play::{self, count, ended, lines, log, logged};
use crate::support::chat_api::{self, stream, words};
use crate::support::http::{Answer, Server};

fn last(request: &Value) -> &str {
    let messages = request["messages"].as_array().unwrap();
    messages.last().unwrap()["content"].as_str().unwrap()
}

fn is_summary(request: &Value) -> bool {
    last(request).contains("[What was said:]")
}

/// A desk whose agent's server stands still in the middle of what `holds` says until the gate is open.
struct Stand {
    desk: Desk,
    server: Server,
    open: watch::Sender<bool>,
    id: String,
    _runs: Runtime,
}

impl Stand {
    fn new(holds: fn(&Value) -> bool) -> Self {
        let runs = Runtime::new().unwrap();
        let (open, gate) = watch::channel(false);
        let server = runs.block_on(chat_api::start(&["m"], move |request, _| {
            let said = if is_summary(request) {
                "They spoke of the ferry."
            } else {
                "The river is slow."
            };
            let mut answer: Answer = stream(vec![words(said)], "stop");
            if holds(request) {
                answer.frames[2].gate = Some(gate.clone());
            }
            answer
        }));
        let desk = Desk::with(&format!(
            "default_agent = \"local\"\n[agents.local]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"m\"\n",
            server.url()
        ));
        std::fs::write(desk.workspace().join("CLAUDE.md"), "Never write suddenly.").unwrap();
        let id = desk.ok(&["new", "Letter"]);
        for prompt in ["One.", "Two."] {
            desk.ok(&["send", &id, prompt, "--wait"]);
        }
        Self {
            desk,
            server,
            open,
            id,
            _runs: runs,
        }
    }

    fn log(&self) -> std::path::PathBuf {
        log(&self.desk, &self.id)
    }

    /// Kills the host, and opens the gate for whoever comes next.
    fn kill(&self) {
        self.desk.kill_host();
        self.open.send(true).unwrap();
        let state = play::state(&self.desk, &self.id);
        assert_eq!(state, "lost", "without a host");
    }

    /// What is sent with the next prompt, behind the brief.
    fn next(&self) -> Vec<String> {
        self.desk.ok(&["send", &self.id, "And now?", "--wait"]);
        let all = self.server.bodies("completions");
        let sent = all.iter().rev().find(|r| last(r) == "And now?").unwrap();
        let all = sent["messages"].as_array().unwrap();
        assert!(all[0]["content"].as_str().unwrap().contains("suddenly"));
        all[1..]
            .iter()
            .map(|m| m["content"].as_str().unwrap().to_owned())
            .collect()
    }

    fn whole(&self) {
        crate::bench::once(&lines(&self.log()));
        self.desk.ok(&["verify"]);
    }
}

#[test]
fn a_host_killed_in_the_middle_of_a_summary_has_made_none_and_the_next_turn_has_every_word() {
    let stand = Stand::new(is_summary);
    stand.desk.ok(&["compact", &stand.id]);
    logged(&stand.log(), "the summary", |e| e["kind"] == "thinking");
    stand.kill();
    let sent = stand.next();
    assert_eq!(ended(&stand.log(), 3), "lost");
    assert_eq!(count(&stand.log(), "compacted"), 0);
    assert_eq!(sent[0], "One.");
    assert!(!sent.iter().any(|said| said.contains("ferry")), "{sent:?}");
    stand.whole();
    stand.desk.ok(&["compact", &stand.id, "--wait"]);
    assert_eq!(count(&stand.log(), "compacted"), 1);
    assert!(stand.next()[0].contains("They spoke of the ferry."));
    stand.whole();
}

#[test]
fn a_host_killed_behind_a_summary_has_made_it_and_the_cut_turn_is_part_of_what_goes_on() {
    let stand = Stand::new(|request| last(request) == "Three.");
    let config = stand.desk.home().join("config/fascicle/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    // A window so small that the next turn begins with a summary.
    let small = text + "context = 4000\ncompact_at = 20\n";
    std::fs::write(&config, small).unwrap();
    stand.desk.ok(&["send", &stand.id, "Three."]);
    logged(&stand.log(), "the summary", |e| e["kind"] == "compacted");
    logged(&stand.log(), "a word of the answer", |e| {
        e["kind"] == "delta" && e["turn"] == 3
    });
    stand.kill();
    std::fs::write(
        &config,
        std::fs::read_to_string(&config)
            .unwrap()
            .replace("context = 4000\ncompact_at = 20\n", ""),
    )
    .unwrap();
    let sent = stand.next();
    assert_eq!(ended(&stand.log(), 3), "lost");
    assert_eq!(count(&stand.log(), "compacted"), 1);
    assert!(sent[0].ends_with("They spoke of the ferry."), "{sent:?}");
    let cut = sent.iter().position(|said| said == "Three.").unwrap();
    assert!(sent[cut + 1].starts_with("The "), "{sent:?}");
    stand.whole();
}
