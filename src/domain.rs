//! Pure types: ids, events, the one fold, and what windows ask and are told.
//!
//! Nothing here reads a clock, a file or a socket; ids and times are passed in.

pub mod agent;
pub mod ask;
pub mod body;
pub mod brief;
pub mod change;
pub mod compact;
pub mod damage;
pub mod drawer;
pub mod event;
pub mod head;
pub mod id;
pub mod kin;
pub mod message;
pub mod notice;
pub mod piece;
pub mod recipe;
pub mod row;
pub mod search;
pub mod session;
pub mod spent;
pub mod splice;
pub mod stage;
pub mod state;
pub mod text;
pub mod tool;
pub mod versions;
pub mod written;

pub use agent::{AgentKind, AgentSpec};
pub use ask::{Reply, Request};
pub use change::Change;
pub use event::{Event, Kind, Seq, TurnNo};
pub use head::Head;
pub use id::{CollectionId, SessionId, WindowId};
pub use kin::Kin;
pub use message::{Exchanges, History, Message};
pub use notice::{After, Notice, Scope};
pub use piece::Piece;
pub use recipe::{Limits, Recipe, Step};
pub use row::{CollectionRow, RecipeRow, Row};
pub use session::Session;
pub use spent::{Money, Spent};
pub use splice::Splice;
pub use stage::Stage;
pub use state::State;
pub use text::Text;
pub use written::{Came, Moment, Written};

/// Whether a number is none: such a one is not written. In the form that serde asks for.
fn is_zero<T: Default + PartialEq>(n: &T) -> bool {
    *n == T::default()
}
