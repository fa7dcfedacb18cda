//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  countersign list                       what needs you, then everything else
  countersign list --folder stalled      one folder
  countersign show 4f2a                  one negotiation, turn by turn (any unique beginning or end of its id)
  countersign why 4f2a                   why it stalled or was rejected, and what would have changed it
  countersign decide 4f2a accept         asks first, and binds to exactly what was shown
  countersign mode stop                  nothing is said and nothing is taken in until you switch it on
  countersign export 4f2a --redacted > copy.json
  countersign verify copy.json

Exit codes:
  0  done          3  there is no such negotiation
  1  went wrong    4  not as it was written: changed, cut off or forged
  2  bad usage     5  refused: the rules, the mandate or a policy do not allow it, or it changed meanwhile
                   6  another Countersign has the data folder open";

/// Your agent negotiates for you. Nothing binds until you countersign.
#[derive(Debug, Parser)]
#[command(name = "countersign", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Where your data is (default: the same folder as the app's)
    #[arg(long, global = true, env = "COUNTERSIGN_HOME", value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON, for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List opportunities: what needs you first
    List {
        /// One folder only: needs-you, live, accepted, stalled, rejected, closed
        #[arg(long)]
        folder: Option<String>,
        /// All of them, not only the first hundred of each folder
        #[arg(long)]
        all: bool,
    },
    /// Show one negotiation, turn by turn
    Show {
        /// Its id, or any unique beginning or end of it
        id: String,
    },
    /// Say why a negotiation ended, and what would have changed it
    Why {
        /// Its id, or any unique beginning or end of it
        id: String,
    },
    /// Follow everything that happens from now on, until interrupted
    Watch {
        /// Begin after this place instead; 0 is the very beginning
        #[arg(long)]
        after: Option<u64>,
    },
    /// Decide on what waits for you
    Decide {
        /// Its id, or any unique beginning or end of it
        id: String,
        /// What
        what: Decision,
        /// In your words; for `guide`, what your agent is to mind
        #[arg(long, short)]
        message: Option<String>,
        /// Without asking; needs --digest for accept and decline
        #[arg(long)]
        yes: bool,
        /// The digest that `show` printed: what you decide on
        #[arg(long)]
        digest: Option<String>,
    },
    /// Switch negotiation on or off, or stop everything; without an argument, say how it is
    Mode {
        /// What
        mode: Option<ModeArg>,
        /// For one agent only
        #[arg(long)]
        agent: Option<String>,
    },
    /// Give your agent a mandate from a JSON file; without one, print the one in force
    Mandate {
        /// The file
        file: Option<PathBuf>,
    },
    /// Put policies from a Cedar file in force; without one, print those in force
    Policies {
        /// The file
        file: Option<PathBuf>,
    },
    /// Check that the journal, one negotiation or an exported file is as it was written
    Verify {
        /// An exported file, or a negotiation's id; the whole journal when left out
        what: Option<String>,
    },
    /// Write a copy of one negotiation that others can verify
    Export {
        /// Its id, or any unique beginning or end of it
        id: String,
        /// Leave out names, contacts, numbers and what you marked as private
        #[arg(long)]
        redacted: bool,
        /// For machines or for people
        #[arg(long, value_enum, default_value_t = Format::Json)]
        format: Format,
        /// Where to; to the terminal when left out
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Sum up the last seven days
    Digest,
    /// Open opportunities with sample counterparts and follow them until they need you
    Sample {
        /// How many
        #[arg(long, default_value_t = 1)]
        count: u32,
        /// Milliseconds between turns
        #[arg(long, default_value_t = 0)]
        pace: u64,
    },
    /// Write a verified copy of the whole journal, also while the app is open
    Backup {
        /// Where to
        file: PathBuf,
    },
    /// Put a copy in the journal's place, if it verifies; what was there is kept beside it
    Restore {
        /// Where from
        file: PathBuf,
        /// Without asking
        #[arg(long)]
        yes: bool,
    },
    /// Make lists and due times anew from the journal's entries
    Rebuild,
    /// Check everything: the folder, the key, the journal, the lists
    Doctor,
    /// Print a completion script for your shell
    Completions {
        /// Which
        shell: Shell,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Decision {
    /// Take it on, exactly as shown
    Accept,
    /// Close it
    Decline,
    /// Say yes to what your agent asks; what it was about to say is sent
    Approve,
    /// Say no to what your agent asks
    Deny,
    /// Tell your agent what to mind, and let it go on
    Guide,
    /// Let everything wait
    Hold,
    /// Let it go on
    Resume,
    /// Send at once what your agent is about to say
    Send,
    /// Take it back before anything is agreed
    Withdraw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Your agent takes its turns
    On,
    /// Your agent takes no turn; what waits, waits
    Off,
    /// Nothing is said and nothing is taken in
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Verifiable
    Json,
    /// Readable
    Html,
}
