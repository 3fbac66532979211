//! The transcripts of the README are true.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("README.md");
}
