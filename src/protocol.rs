//! Between windows and host: JSON lines over any byte stream (`docs/format.md`).
//!
//! One connection for each attach and one for `ask`, so that a slow stream never delays a *stop*.

pub(crate) mod asks;
mod lanes;
pub mod lines;
pub mod listen;
pub mod serve;
pub mod wire;
