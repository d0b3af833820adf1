//! `serve`: the web server and its page.

use std::io::{IsTerminal as _, stderr};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Duration;

use sandtable_server::{Access, Config, InvalidStoreUrl, PublicUrl, Stopped, StoreUrl};
use serde_json::json;
use tracing_subscriber::EnvFilter;

use super::data_directory;
use crate::args::Serve;
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::read_network;

pub(crate) fn run(args: &Serve, out: &mut Output) -> Result<(), Failure> {
    let data = data_directory(args.data.as_ref())?;
    start_log(&args.log, out.json)?;
    let mut config = Config::new(data);
    config.listen = SocketAddr::new(args.listen, args.port);
    config.allowed_hosts.clone_from(&args.allow_host);
    config.public_url.clone_from(&args.public_url);
    config.trusted_proxies.clone_from(&args.trust_proxy);
    config.metrics_listen = args.metrics_listen;
    if let Some(url) = args.store.clone().or_else(|| std::env::var("SANDTABLE_STORE").ok()) {
        let url: StoreUrl = url.parse().map_err(|e: InvalidStoreUrl| Failure::Usage(e.to_string()))?;
        config.store = Some(url);
    }
    config.limits.abandon_after = Duration::from_secs(args.abandon_after.into());
    config.limits.analysis_time = args.analysis_time;
    config.limits.engine_threads = args.engine_threads.into();
    config.limits.reply_delay = Duration::from_millis(args.reply_delay.into());
    for file in &args.net {
        let engine = read_network(file).map_err(Failure::Usage)?;
        let (game, rules) = (engine.network().game(), engine.network().rules());
        if config.networks.iter().any(|known| known.is_for(game, Some(rules))) {
            return Err(Failure::Usage(format!(
                "{}: there is another network for {game} with the rules `{rules}`: use one --net for each game",
                file.display()
            )));
        }
        config.networks.push(engine);
    }
    if args.seats {
        config.access = Access::Seats;
    }
    let mut announced = Ok(());
    let ran = sandtable_server::run(config, |address| {
        let url = page_address(address);
        announced = if out.json {
            out.object(&json!({ "url": url, "public_url": args.public_url.as_ref().map(PublicUrl::origin) }))
        } else if let Some(public) = &args.public_url {
            out.text(format_args!("Listening on {url} as {public} (press Ctrl-C to stop)\n"))
        } else {
            out.text(format_args!("Listening on {url} (press Ctrl-C to stop)\n"))
        };
        if args.open {
            open(&url);
        }
    });
    announced?;
    match ran {
        Ok(Stopped::Gracefully) => Ok(()),
        Ok(Stopped::AtOnce) => Err(Failure::Interrupted),
        Err(e) => Err(Failure::Usage(e.to_string())),
    }
}

/// Logs to standard error, one line per event.
fn start_log(filter: &str, json: bool) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|e| Failure::Usage(format!("invalid log filter `{filter}`: {e}")))?;
    // Reporting that standard error is closed would need standard error, and panic.
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).log_internal_errors(false);
    if json {
        log.json().init();
    } else {
        log.with_ansi(stderr().is_terminal()).with_target(false).init();
    }
    Ok(())
}

/// The URL of the page for a browser on this machine.
fn page_address(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    }
}

/// Opens the page in the default browser.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let opened = Command::new(program).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if opened.is_err() {
        anstream::eprintln!("cannot run {program}: open {url} in a browser");
    }
}
