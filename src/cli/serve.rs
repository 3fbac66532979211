//! `harary serve`: the studio in a browser.

use super::arguments::parse_time;
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError, report};
use super::interrupt;
use super::search_arguments::parse_memory;
use super::strategy;
use crate::serve::asked::Effort;
use crate::serve::{Config, ServeError, Server};
use clap::Args;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Opens the studio: draw a shape in a browser, settle the game, play against the proof
///
/// The engine runs in this process. Only this machine is served unless --listen says otherwise; runs are kept and can be
/// come back to. docs/studio.md tells the rest.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary serve --open\n  harary serve --port 8080 --cores 2 --time 10m\n  \
    harary serve --data ~/runs\n  harary serve --listen 192.168.1.7 --name attic\n\n\
    Ctrl-C ends it; what was under way is kept with what it had found. Exit codes: 0 ended, 2 wrong usage, 1 a failure.")]
pub struct Serve {
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 8013)]
    port: u16,
    /// Open it in the browser
    #[arg(long)]
    open: bool,
    /// Serve others too, on this address: whoever reaches it may have games settled
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// A name this machine has for them, with --listen; may be given several times
    #[arg(long, value_name = "HOST", requires = "listen")]
    name: Vec<String>,
    /// The folder of the runs [default: harary/studio in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The most threads a run may use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    cores: Option<u16>,
    /// The most memory for the tables of a run
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = parse_memory)]
    memory: usize,
    /// The longest time of a run
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_time)]
    time: Duration,
    /// How many runs are settled side by side; the others wait
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    at_once: u16,
}

impl Serve {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let address = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let most = Effort {
            cores: self.cores.map_or(all, usize::from),
            memory: (self.memory >> 20).max(1),
            seconds: self.time.as_secs().max(1),
        };
        let config = Config {
            listen: SocketAddr::new(address, self.port),
            open: self.listen.is_some_and(|address| !address.is_loopback()),
            names: self.name,
            data: self.data.map_or_else(data_folder, Ok)?,
            most,
            at_once: usize::from(self.at_once),
            tree_json: strategy::of_file,
        };
        let stop = interrupt::flag()?;
        let server = match Server::open(config) {
            Err(error @ (ServeError::Store(_) | ServeError::Listen(..))) => return Err(error).usage(),
            server => server?,
        };
        server.complaints().iter().for_each(|complaint| report(complaint));
        let address = server.address()?;
        writeln!(console, "The studio is at http://{address}/")?;
        if !address.ip().is_loopback() {
            writeln!(console, "Whoever reaches this address may have games settled on this machine.")?;
        }
        writeln!(console, "Ctrl-C ends it.")?;
        console.flush()?;
        if self.open {
            show(&format!("http://{address}/"));
        }
        server.run(&stop)?;
        writeln!(console, "Ended; the runs are kept.")?;
        Ok(Outcome::Done)
    }
}

/// Where the runs of a user lie.
fn data_folder() -> anyhow::Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let below_home = || variable("HOME").map(|home| home.join(".local/share"));
    let folder = variable("XDG_DATA_HOME").filter(|path| path.is_absolute()).or_else(below_home);
    let Some(folder) = folder else {
        return Err(UsageError("there is no home folder for the runs; name one with --data".to_owned()).into());
    };
    Ok(folder.join("harary/studio"))
}

/// Opens an address in the user's browser. If that does not work he has the address.
fn show(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || std::process::Stdio::null();
    if std::process::Command::new(opener).arg(address).stdout(quiet()).stderr(quiet()).spawn().is_err() {
        report(&format!("{opener} does not start; open {address} yourself"));
    }
}
