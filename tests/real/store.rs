//! The Claude Agent SDK's own conformance suite, against `store serve`.
#![allow(clippy::unwrap_used, reason = "test")]

use std::path::Path;
use std::process::Command;

use crate::parts::{Row, python, row};

pub(crate) const TESTS: &[Row] = &[row!(Sdk, the_sdks_own_suite_finds_every_contract_kept)];

async fn the_sdks_own_suite_finds_every_contract_kept() {
    let folder = tempfile::tempdir().unwrap();
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/conformance.py");
    let mut command = Command::new(python().unwrap());
    command
        .arg("-B")
        .arg(suite)
        .arg(env!("CARGO_BIN_EXE_fascicle"))
        .arg(folder.path());
    let run = tokio::task::spawn_blocking(move || command.output());
    let done = run.await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}{wrong}");
    assert_eq!(said.trim(), "14 contracts hold");
}
