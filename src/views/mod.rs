//! What is proved, to look at: pictures, trees, pages, sites.

mod drawing;
pub mod explain;
mod figure;
pub mod hex;
pub mod layout;
mod marks;
pub mod page;
pub mod picture;
pub mod plan;
pub mod plot;
pub mod site;
mod svg;
mod tikz;
pub mod tree;
