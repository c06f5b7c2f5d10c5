//! Backends at their seam: real drivers against stand-ins for programs and servers.

#[path = "agents/claude.rs"]
mod claude;
#[path = "agents/editor.rs"]
mod editor;
#[path = "agents/openai.rs"]
mod openai;
#[path = "agents/scripted.rs"]
mod scripted;
#[path = "support/all.rs"]
mod support;
