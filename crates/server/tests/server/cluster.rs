//! A throw-away `PostgreSQL` cluster for tests.
//!
//! Every test process has its own cluster in a temporary folder, on a Unix socket, and every test its own database. A
//! guardian process stops the cluster and removes the folder when the test process ends, however it ends: it waits for the
//! end of a pipe that only the test process holds open.

use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Whether a cluster survives a crash of the operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Nothing is flushed to disk: for tests that do not crash the cluster.
    Volatile,
    /// The settings of production.
    Durable,
}

/// A running cluster.
pub(crate) struct Cluster {
    folder: PathBuf,
    programs: Programs,
    durability: Durability,
    databases: AtomicU32,
    /// Keeps the guardian waiting. Closing it stops the cluster.
    _guardian: (Child, ChildStdin),
}

/// The programs of `PostgreSQL`, and the user that runs them.
struct Programs {
    folder: PathBuf,
    /// Whether we are root, which the programs refuse to run as.
    is_root: bool,
}

impl Programs {
    fn find() -> Option<Self> {
        let configured = output(Command::new("pg_config").arg("--bindir"));
        let mut folders: Vec<_> = configured.iter().map(|folder| PathBuf::from(folder.trim())).collect();
        let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        folders.extend(debian.map(|version| version.path().join("bin")));
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let folder = folders.into_iter().find(|folder| folder.join("initdb").exists())?;
        let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
        Some(Self { folder, is_root })
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = if self.is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    fn run(&self, program: &str, args: &[&str]) {
        let mut command = self.command(&self.folder.join(program));
        let status = command.args(args).stdout(Stdio::null()).status().expect("the program starts");
        assert!(status.success(), "{command:?} failed");
    }
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

impl Cluster {
    /// The cluster that the tests of this process share; `None`, with a message, if `PostgreSQL` is not installed.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(Durability::Volatile)).as_ref()
    }

    /// A new cluster; `None`, with a message, if `PostgreSQL` is not installed.
    pub(crate) fn start(durability: Durability) -> Option<Self> {
        let Some(programs) = Programs::find() else {
            eprintln!("SKIPPED: PostgreSQL is not installed");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("sandtable-pg-").tempdir().expect("a folder").keep();
        if programs.is_root {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            assert!(owned.expect("chown starts").success(), "chown failed");
        }
        let data = folder.join("data");
        let data_text = data.to_str().expect("UTF-8");
        let settings = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--username=postgres"];
        programs.run("initdb", &[&["-D", data_text][..], &settings].concat());
        let mut guardian = programs.command(Path::new("sh"));
        let script = r#"cat > /dev/null; "$1/pg_ctl" -D "$2/data" -m immediate -w stop; rm -rf "$2""#;
        guardian.args(["-c", script, "guardian"]).arg(&programs.folder).arg(&folder);
        guardian.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut guardian = guardian.spawn().expect("the guardian starts");
        let pipe = guardian.stdin.take().expect("a pipe");
        let databases = AtomicU32::new(0);
        let cluster = Self { folder, programs, durability, databases, _guardian: (guardian, pipe) };
        cluster.start_server();
        Some(cluster)
    }

    /// Starts the server again after [`Self::stop_server`].
    pub(crate) fn start_server(&self) {
        let fast = match self.durability {
            Durability::Volatile => "-c fsync=off -c full_page_writes=off",
            Durability::Durable => "",
        };
        let folder = self.folder.display();
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{folder}' -c shared_buffers=32MB \
             -c max_connections=60 {fast}"
        );
        let log = format!("{folder}/log");
        self.control(&["-l", &log, "-o", &options, "start"]);
    }

    /// Kills the server without a shutdown, as a crash would.
    pub(crate) fn stop_server(&self) {
        self.control(&["-m", "immediate", "stop"]);
    }

    fn control(&self, args: &[&str]) {
        let data = self.folder.join("data");
        let fixed = ["-D", data.to_str().expect("UTF-8"), "-w", "-t", "60"];
        self.programs.run("pg_ctl", &[&fixed[..], args].concat());
    }

    /// Creates an empty database and returns its URL.
    pub(crate) fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let folder = self.folder.to_str().expect("UTF-8");
        self.programs.run("createdb", &["-h", folder, "-U", "postgres", &name]);
        self.url(&name)
    }

    fn url(&self, database: &str) -> String {
        let folder = self.folder.to_str().expect("UTF-8").replace('/', "%2F");
        format!("postgres://postgres@{folder}/{database}")
    }
}
