//! The command line: one file per subcommand.
//!
//! A subcommand is a struct of arguments with a method `run(self, &mut Console) -> anyhow::Result<Outcome>`. It writes
//! to the console and never to standard output directly, so that a closed pipe (`harary shapes | head`) ends the
//! program quietly. A mistake of the user's is a [`UsageError`].

mod answer;
mod arguments;
mod atlas;
mod atlas_add;
mod atlas_laws;
mod atlas_run;
mod atlas_site;
mod avoid;
mod batch;
mod bench;
mod cards;
mod check;
mod completions;
mod console;
mod crosscheck;
mod crosscheck_report;
mod deepen;
mod encode;
mod ending;
mod facts;
mod farm;
mod files;
mod game_list;
mod game_set;
mod interrupt;
mod json;
mod known_answer;
mod law_answer;
mod lookup;
mod man;
mod matches;
mod neighbours;
mod oeis;
mod pattern;
mod pattern_compare;
mod pave;
mod play;
mod progress;
mod puzzles;
mod qbf_answer;
mod restricted_answer;
mod search_arguments;
#[cfg(feature = "serve")]
mod serve;
mod shapes;
mod show;
mod smallest;
mod solve;
mod solver_arguments;
mod source;
mod sources;
mod start;
mod strategy;
mod table;
mod tablebase;
mod target;
mod trial;
mod typed;
mod verify;
mod view;
mod words;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use console::{Color, Console};
use ending::{Outcome, UsageError, complaint, report};
use std::io::{self, Write};
use std::process::ExitCode;

/// Settles Harary's generalised tic-tac-toe and proves it.
#[derive(Parser, Debug)]
#[command(
    name = "harary",
    version = env!("HARARY_VERSION"),
    propagate_version = true,
    arg_required_else_help = true,
    color = ColorChoice::Never,
    after_help = "Examples:\n  harary solve el 3x3\n  harary play skinny 7x7\n\n\
        Exit codes: 0 done or settled; 1 refused or a failure; 2 wrong usage; 3 not settled"
)]
pub struct Cli {
    /// When to use colour
    #[arg(long, value_enum, global = true, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Atlas(atlas::Atlas),
    Avoid(avoid::Avoid),
    Bench(bench::Bench),
    Cards(cards::Cards),
    Check(check::Check),
    Completions(completions::Completions),
    Crosscheck(crosscheck::Crosscheck),
    Deepen(deepen::Deepen),
    Encode(encode::Encode),
    Errata(table::Errata),
    Facts(facts::Facts),
    Farm(farm::Farm),
    Lookup(lookup::Lookup),
    Man(man::Man),
    Match(matches::Match),
    Neighbours(neighbours::Neighbours),
    Oeis(oeis::Oeis),
    Pattern(pattern::Pattern),
    Pave(pave::Pave),
    Play(play::Play),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Shapes(shapes::Shapes),
    Show(show::Show),
    Smallest(smallest::Smallest),
    Solve(solve::Solve),
    Sources(sources::Sources),
    Strategy(strategy::Strategy),
    Table(table::Table),
    Tablebase(tablebase::TablebaseCommand),
    Verify(verify::Verify),
    View(view::View),
}

impl Command {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self {
            Command::Atlas(command) => command.run(console),
            Command::Avoid(command) => command.run(console),
            Command::Bench(command) => command.run(console),
            Command::Cards(command) => command.run(console),
            Command::Check(command) => command.run(console),
            Command::Completions(command) => command.run(Cli::command(), console),
            Command::Crosscheck(command) => command.run(console),
            Command::Deepen(command) => command.run(console),
            Command::Encode(command) => command.run(console),
            Command::Errata(command) => command.run(console),
            Command::Facts(command) => command.run(console),
            Command::Farm(command) => command.run(console),
            Command::Lookup(command) => command.run(console),
            Command::Man(command) => command.run(Cli::command(), console),
            Command::Match(command) => command.run(console),
            Command::Neighbours(command) => command.run(console),
            Command::Oeis(command) => command.run(console),
            Command::Pattern(command) => command.run(console),
            Command::Pave(command) => command.run(console),
            Command::Play(command) => command.run(console),
            #[cfg(feature = "serve")]
            Command::Serve(command) => command.run(console),
            Command::Shapes(command) => command.run(console),
            Command::Show(command) => command.run(console),
            Command::Smallest(command) => command.run(console),
            Command::Solve(command) => batch::run(command, console),
            Command::Sources(command) => command.run(console),
            Command::Strategy(command) => command.run(console),
            Command::Table(command) => command.run(console),
            Command::Tablebase(command) => command.run(console),
            Command::Verify(command) => command.run(console),
            Command::View(command) => command.run(console),
        }
    }
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse_from(avoid::spelled_out(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return refuse_arguments(&error),
    };
    let mut console = Console::new(cli.color);
    let result = cli.command.run(&mut console).and_then(|outcome| {
        console.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was written before the mistake was found is still worth reading; a closed pipe changes nothing now.
            let _ = console.flush();
            report(&format!("{error:#}"));
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

/// Whether the reader of our output went away, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Shows help and version as clap does, and its complaints as one line.
fn refuse_arguments(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = write!(io::stderr(), "{text}");
        return ExitCode::from(2);
    }
    report(&format!("{} (see --help)", complaint(error)));
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_subcommand_shows_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.clone().render_long_help().to_string();
            assert!(help.contains(&format!("\n  harary {}", command.get_name())), "{}", command.get_name());
        }
    }
}
