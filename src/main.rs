//! The program `harary`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    harary::cli::run()
}
