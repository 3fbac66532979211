//! Cards: wins of the weak game that hold wherever they fit ([lemma 8](../../../docs/game.md#lemma-8-cards)).
//!
//! A [`pool::Pool`] has the cards of one shape and is kept in a [`mod@file`]; [`import`] reads those that others publish. On a
//! board a [`deck::Deck`] puts them in all their places, and a [`search::Search`] looks for more. How it all works, and
//! what was measured, is docs/cards.md.

pub mod deck;
pub mod export;
pub mod file;
pub mod import;
pub mod plane;
pub mod pool;
pub mod search;
pub mod spread;
