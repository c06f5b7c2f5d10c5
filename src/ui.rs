//! The window: a model that takes inputs and gives effects, drawn by a thin loop. The only room that
//! names ratatui or crossterm.

pub mod app;
pub mod asks;
pub mod attention;
pub mod brief;
pub mod commands;
pub mod compare;
pub mod composer;
pub mod desk;
pub mod doorstep;
pub mod draft;
pub mod errand;
pub mod farewell;
pub mod focus;
pub mod ground;
pub mod input;
pub mod keymap;
pub mod layers;
pub mod layout;
pub mod links;
pub mod memory;
pub mod panes;
pub mod place;
pub mod questions;
pub mod rows;
pub mod run;
pub mod settings;
pub mod shelf;
pub mod sleeps;
pub mod spent;
pub mod terminal;
pub mod theme;
pub mod timeline;
pub mod transcript;
pub mod voice;

pub use app::App;
pub use errand::{Brought, Errand, First};
pub use farewell::Farewell;
pub use input::{Answer, Effect, Input, Moment};
pub use place::Place;
pub use run::{Wires, run};
pub use settings::{Agents, Choice, Means, Recipes, Settings};
