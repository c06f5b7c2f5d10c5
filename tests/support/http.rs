//! A loopback server that answers each request by a script and keeps what it was sent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use axum::serve::ListenerExt;
use futures_util::stream;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
    /// Counted pieces sent in answer so far.
    pub sent: usize,
    /// Whether the whole answer was sent.
    pub whole: bool,
}

/// A piece of an answer.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Time before it.
    pub wait: Duration,
    /// None breaks the connection.
    pub bytes: Option<String>,
    /// Whether it is a delta.
    pub counts: bool,
    /// It is not sent before this is true.
    pub gate: Option<watch::Receiver<bool>>,
}

impl Frame {
    pub fn new(bytes: impl Into<String>) -> Self {
        Self {
            wait: Duration::ZERO,
            bytes: Some(bytes.into()),
            counts: false,
            gate: None,
        }
    }

    pub fn delta(bytes: impl Into<String>, ms: u64) -> Self {
        Self {
            wait: Duration::from_millis(ms),
            bytes: Some(bytes.into()),
            counts: true,
            gate: None,
        }
    }

    /// Breaks the connection, a moment after what was sent before has left.
    pub fn cut() -> Self {
        Self {
            wait: Duration::from_millis(50),
            bytes: None,
            counts: false,
            gate: None,
        }
    }
}

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub frames: Vec<Frame>,
}

impl Answer {
    pub fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".into())],
            frames: vec![Frame::new(body.to_string())],
        }
    }

    pub fn events(frames: Vec<Frame>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "text/event-stream".into())],
            frames,
        }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: u32) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }
}

type Requests = Arc<Mutex<Vec<Request>>>;

/// The server; it ends when dropped.
#[derive(Debug)]
pub struct Server {
    pub address: SocketAddr,
    requests: Requests,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Answers as `script` says; it gets the request and its number, from 0.
    pub async fn start(script: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> Self {
        let requests = Requests::default();
        let script = Arc::new(script);
        let kept = Arc::clone(&requests);
        let app = Router::new().fallback(move |method, uri, headers, body| {
            let (script, kept) = (Arc::clone(&script), Arc::clone(&kept));
            async move { answer(&*script, &kept, method, &uri, headers, &body) }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // A small piece is on its way at once: else each answer waits for the other end to acknowledge its beginning.
        let listener = listener.tap_io(|io| io.set_nodelay(true).unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self {
            address,
            requests,
            task,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that came so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Bodies of the requests to paths that end so.
    pub fn bodies(&self, end: &str) -> Vec<Value> {
        let all = self
            .requests()
            .into_iter()
            .filter(|r| r.path.ends_with(end));
        all.map(|r| r.body).collect()
    }
}

fn answer(
    script: &(dyn Fn(&Request, usize) -> Answer + Send + Sync),
    kept: &Requests,
    method: Method,
    uri: &Uri,
    headers: HeaderMap,
    body: &Bytes,
) -> Response<Body> {
    let request = Request {
        method,
        path: uri.path().to_owned(),
        headers,
        body: serde_json::from_slice(body).unwrap_or(Value::Null),
        sent: 0,
        whole: false,
    };
    let number = {
        let mut kept = kept.lock().unwrap();
        kept.push(request.clone());
        kept.len() - 1
    };
    let answer = script(&request, number);
    let mut response = Response::builder().status(StatusCode::from_u16(answer.status).unwrap());
    for (name, value) in &answer.headers {
        response = response.header(*name, value);
    }
    let body = play(answer.frames, Arc::clone(kept), number);
    response.body(body).unwrap()
}

fn play(frames: Vec<Frame>, kept: Requests, number: usize) -> Body {
    let frames = frames.into_iter();
    Body::from_stream(stream::unfold(
        (frames, kept),
        move |(mut frames, kept)| async move {
            let Some(frame) = frames.next() else {
                kept.lock().unwrap()[number].whole = true;
                return None;
            };
            if let Some(mut gate) = frame.gate {
                // One whose other end is gone is open.
                drop(gate.wait_for(|open| *open).await);
            }
            if !frame.wait.is_zero() {
                tokio::time::sleep(frame.wait).await;
            }
            kept.lock().unwrap()[number].sent += usize::from(frame.counts);
            let piece = frame
                .bytes
                .ok_or_else(|| std::io::Error::other("cut by the script"));
            Some((piece, (frames, kept)))
        },
    ))
}
