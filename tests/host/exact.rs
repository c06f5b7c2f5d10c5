//! Windows that come and go while a turn streams: each is told everything once, in order.

use fascicle::client::Client;
use fascicle::domain::notice::{After, Notice, Scope};
use fascicle::domain::{Event, Seq, SessionId};
use tokio::sync::watch;

use crate::bench::{Bench, is_end, next, numbered, numbered_words, words};

/// A stream of numbers that look like chance and are the same in each run (xorshift64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn after(last: Option<Seq>) -> After {
    last.map_or(After::Start, After::Seq)
}

/// Attaches again and again, each time behind what it has, until it has the end of the turn.
async fn comes_and_goes(client: Client, session: SessionId, seed: u64, most: u64) -> Vec<Event> {
    let mut chance = Chance(seed);
    let mut heard: Vec<Event> = Vec::new();
    loop {
        let after = after(heard.last().map(|e| e.seq));
        let mut notices = client.attach(Scope::Session { session, after });
        for _ in 0..=chance.below(most) {
            if let Notice::Event(event) = next(&mut notices, "the next event").await {
                let done = is_end(&event);
                heard.push(event);
                if done {
                    return heard;
                }
            }
        }
    }
}

/// Stays attached and reads an event only when another window is well ahead.
async fn lags(client: Client, session: SessionId, mut ahead: watch::Receiver<Seq>) -> Vec<Event> {
    let after = After::Start;
    let mut notices = client.attach(Scope::Session { session, after });
    let mut heard = Vec::new();
    let mut wanted = 0;
    loop {
        wanted += 7;
        // Without the one ahead there is nothing to lag behind.
        drop(ahead.wait_for(|seq| *seq >= wanted).await);
        if let Notice::Event(event) = next(&mut notices, "the next event").await {
            let done = is_end(&event);
            heard.push(event);
            if done {
                return heard;
            }
        }
    }
}

/// Follows, and tells how far it is.
async fn leads(client: Client, session: SessionId, tell: watch::Sender<Seq>) -> Vec<Event> {
    let after = After::Start;
    let mut notices = client.attach(Scope::Session { session, after });
    let mut heard = Vec::new();
    loop {
        if let Notice::Event(event) = next(&mut notices, "the next event").await {
            let done = is_end(&event);
            tell.send_replace(event.seq);
            heard.push(event);
            if done {
                return heard;
            }
        }
    }
}

fn assert_exact(heard: &[Event], n: u64, who: &str) {
    for pair in heard.windows(2) {
        assert_eq!(pair[1].seq, pair[0].seq + 1, "{who}");
    }
    assert_eq!(words(heard), numbered_words(n), "{who}");
}

async fn all_are_told_the_same(n: u64, ms: u64, most: u64) {
    let bench = Bench::new(&numbered(n, ms), "");
    let session = bench.new_session("Numbers").await;
    let (tell, ahead) = watch::channel(0);
    let mut windows = tokio::task::JoinSet::new();
    windows.spawn(leads(bench.client.clone(), session, tell));
    windows.spawn(lags(bench.client.clone(), session, ahead));
    for seed in [3, 0x9e37_79b9_7f4a_7c15] {
        windows.spawn(comes_and_goes(bench.client.clone(), session, seed, most));
    }
    bench.send(session, "Begin.").await;
    let told = windows.join_all().await;
    for (who, heard) in told.iter().enumerate() {
        assert_exact(
            heard,
            n,
            &format!("window {who} of {n} numbers, {ms} ms apart"),
        );
        assert_eq!(heard.first(), told[0].first());
        assert_eq!(heard.len(), told[0].len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_that_come_and_go_miss_nothing_of_a_slow_stream() {
    all_are_told_the_same(400, 5, 40).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_that_come_and_go_miss_nothing_of_a_stream_as_fast_as_can_be() {
    all_are_told_the_same(20_000, 0, 900).await;
}
