//! `host`.

use clap::{Args, Subcommand};

/// `host`.
#[derive(Args, Debug)]
pub struct Host {
    /// What to do.
    #[command(subcommand)]
    pub verb: HostVerb,
}

/// What can be done with the host.
#[derive(Subcommand, Debug)]
pub enum HostVerb {
    /// Say whether one runs, since when, and what it is doing
    Status,
    /// Be the host, in this process: for service managers; windows start one by themselves
    Run,
    /// Write here from now on, where another machine has left without a word
    Take,
    /// End it when its turns have ended
    Stop {
        /// Stop running turns first; what they wrote is kept
        #[arg(long)]
        now: bool,
    },
}
