//! What is proved, to look at: pictures, trees, pages, sites.

pub mod page;
pub mod picture;
pub mod site;
pub mod tree;
