//! The command line: the same verbs as the window, for scripts and for people at a prompt.
//!
//! The composition root: the only room that may use every other one, and the only one that prints.

mod adopt;
pub mod args;
mod arrive;
mod brief;
mod choice;
mod compact;
mod compare;
mod connect;
mod context;
mod deeds;
mod doctor;
mod draft;
mod drawer;
mod errand;
mod error;
mod export;
mod find;
mod follow;
mod fork;
mod host;
mod import;
mod keys;
mod list;
mod markdown;
mod memory;
mod open;
mod out;
mod piece;
mod queue;
mod recipe;
mod sample;
mod search;
mod send;
mod shelf;
mod shell;
mod show;
mod store;
mod stream;
mod table;
mod take;
mod trace;
mod undo;
mod verify;
mod window;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use tokio::runtime::Runtime;

use args::{AboutVerb, Cli, HostVerb, ReadVerb, Verb, WriteVerb};
use context::Cx;
use error::CliError;

/// How long work that waits for a disk may hold the end of the program.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// How long a thread for what takes long waits for its next work. The end of one costs a millisecond or more: a program
/// at rest is not to spend it soon after.
const THREAD_REST: Duration = Duration::from_secs(600);

/// Runs one command line and says how it ended: 0 done, 1 not done, 2 a mistake in the command line, 70 a bug.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(e) => return parse_failed(&e),
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| begin(cli)))
        .unwrap_or_else(|_| Err(CliError::Bug("it stopped where it never should".to_owned())));
    match outcome {
        Err(e) if !e.is_closed_pipe() => {
            out::fail(&e);
            ExitCode::from(e.code())
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Help and version are answers, everything else a mistake in the command line.
fn parse_failed(error: &clap::Error) -> ExitCode {
    // A closed pipe is the reader's own wish.
    drop(error.print());
    if error.use_stderr() {
        ExitCode::from(error::USAGE)
    } else {
        ExitCode::SUCCESS
    }
}

fn begin(cli: Cli) -> Result<(), CliError> {
    if is_host(&cli) {
        host::let_go();
    }
    // One thread for all that waits: handing a notice from one to the next would cost more than what is done with it.
    // What takes long (disks, hashes, drawing) has threads of its own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_keep_alive(THREAD_REST)
        .build()
        .map_err(|e| CliError::Bug(format!("no runtime could be started ({e})")))?;
    outlive_file_limits(&runtime)?;
    // These need no workspace, no configuration and no home.
    match &cli.verb {
        Some(Verb::About(AboutVerb::Man)) => return shell::man(),
        #[cfg(feature = "grammar")]
        Some(Verb::About(AboutVerb::Grammar)) => return grammar(),
        Some(Verb::About(AboutVerb::Completions(c))) => return shell::completions(c.shell),
        Some(Verb::About(AboutVerb::Store(asked))) => return store::run(asked),
        _ => {}
    }
    let cx = Cx::of(&cli)?;
    let _guard = if is_host(&cli) {
        trace::start_host(&cx.places, &cx.workspace)
    } else {
        trace::start(&cx.places)
    };
    let outcome = runtime.block_on(act(&cx, cli.verb));
    // A disk that hangs must not hold the end of the program: what it was asked is in nobody's hands any more.
    runtime.shutdown_timeout(LAST_WAIT);
    outcome
}

/// The editor's child: a text comes in, places go out.
#[cfg(feature = "grammar")]
fn grammar() -> Result<(), CliError> {
    let served =
        crate::agents::editor::grammar::serve(std::io::stdin().lock(), std::io::stdout().lock());
    served.map_err(|e| CliError::Bug(format!("the text could not be looked at ({e})")))
}

/// Whether this process is to be a host and nothing else.
fn is_host(cli: &Cli) -> bool {
    matches!(&cli.verb, Some(Verb::Read(ReadVerb::Host(host))) if matches!(host.verb, HostVerb::Run))
}

/// Makes a limit on the size of files come back as an error of the write: unhandled, its signal would end
/// the process and every turn with it. The handler stays when what it returns is dropped (`tokio::signal`),
/// and programs started from here are born without it.
fn outlive_file_limits(runtime: &Runtime) -> Result<(), CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let _inside = runtime.enter();
    let limit = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    drop(signal(limit).map_err(|e| CliError::Bug(format!("no signal could be handled ({e})")))?);
    Ok(())
}

async fn act(cx: &Cx, verb: Option<Verb>) -> Result<(), CliError> {
    match verb {
        None => open::window(cx, None).await,
        Some(Verb::Write(verb)) => write(cx, verb).await,
        Some(Verb::Read(verb)) => {
            cx.say_problems();
            read(cx, verb).await
        }
        Some(Verb::About(verb)) => about(cx, verb).await,
    }
}

async fn write(cx: &Cx, verb: WriteVerb) -> Result<(), CliError> {
    match verb {
        WriteVerb::New(new) => send::new(cx, new).await,
        WriteVerb::Send(send) => send::send(cx, send).await,
        WriteVerb::Fork(asked) => fork::run(cx, asked).await,
        WriteVerb::Adopt(asked) => adopt::run(cx, &asked).await,
        WriteVerb::Import(asked) => import::run(cx, asked).await,
        WriteVerb::Undo(asked) => undo::run(cx, &asked, false).await,
        WriteVerb::Redo(asked) => undo::run(cx, &asked, true).await,
        WriteVerb::Continue => open::newest(cx).await,
        WriteVerb::Resume(one) => open::session(cx, &one.id).await,
        WriteVerb::Stage(asked) => drawer::stage(cx, &asked).await,
        WriteVerb::Move(asked) => drawer::move_to(cx, &asked).await,
        WriteVerb::Collection(c) => drawer::run(cx, c.verb).await,
        WriteVerb::Stop(one) => deeds::stop(cx, &one.id).await,
        WriteVerb::Again(one) => queue::again(cx, &one.id).await,
        WriteVerb::Queue(asked) => queue::run(cx, asked).await,
        WriteVerb::Recipe(recipe) => recipe::run(cx, recipe.verb).await,
        WriteVerb::Memory(asked) => memory::run(cx, asked).await,
        WriteVerb::Compact(asked) => compact::run(cx, asked).await,
        WriteVerb::Take(taken) => take::run(cx, &taken).await,
        WriteVerb::Answer(answer) => deeds::answer(cx, &answer).await,
        deed => deeds::run(cx, deed).await,
    }
}

async fn read(cx: &Cx, verb: ReadVerb) -> Result<(), CliError> {
    match verb {
        ReadVerb::List(list) => list::list(cx, &list).await,
        ReadVerb::Trash(_) => list::trash(cx).await,
        ReadVerb::Show(show) => show::run(cx, &show).await,
        ReadVerb::Draft(draft) => draft::run(cx, &draft).await,
        ReadVerb::Brief(asked) => brief::run(cx, &asked),
        ReadVerb::Search(asked) => search::run(cx, &asked),
        ReadVerb::Export(asked) => export::run(cx, &asked).await,
        ReadVerb::Compare(two) => compare::run(cx, &two).await,
        ReadVerb::Verify(verify) => verify::verify(cx, &verify),
        ReadVerb::Rebuild => verify::rebuild(cx),
        ReadVerb::Host(host) => host::run(cx, &host.verb).await,
    }
}

async fn about(cx: &Cx, verb: AboutVerb) -> Result<(), CliError> {
    match verb {
        AboutVerb::Doctor => doctor::doctor(cx).await,
        AboutVerb::Agents => {
            cx.say_problems();
            doctor::agents(cx)
        }
        AboutVerb::Store(asked) => store::run(&asked),
        AboutVerb::Keys => keys::run(cx),
        AboutVerb::Completions(c) => shell::completions(c.shell),
        #[cfg(feature = "grammar")]
        AboutVerb::Grammar => grammar(),
        AboutVerb::Man => shell::man(),
    }
}
