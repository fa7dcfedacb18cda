//! A private screen: an X server, a window manager and a message bus of its own, gone when dropped.
//!
//! Tests get one each, so that no two of them share a window, a focus or an app instance; the launcher and the
//! benchmark use the same where there is no display. Nothing here knows WebDriver or Countersign.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, ImageFormat,
};
use x11rb::rust_connection::RustConnection;

/// The screen's size in pixels.
pub const SIZE: (u16, u16) = (1280, 800);

/// A running private screen.
pub struct Screen {
    display: String,
    bus: String,
    // In the order in which they end: clients before the server.
    _bus: Ending,
    _manager: Ending,
    _server: Ending,
}

impl Screen {
    /// Starts everything and returns when it can be used.
    pub fn open() -> Result<Self> {
        let size = format!("{}x{}x24", SIZE.0, SIZE.1);
        let mut server = Ending::new(
            Command::new("Xvfb")
                .args(["-displayfd", "1", "-screen", "0", &size, "-nolisten", "tcp", "-noreset"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        )?;
        let display = format!(":{}", server.first_line()?);
        let mut bus = Ending::new(
            Command::new("dbus-daemon")
                .args(["--session", "--nofork", "--print-address"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        )?;
        let address = bus.first_line()?;
        let manager =
            Ending::new(Command::new("openbox").env("DISPLAY", &display).stdout(Stdio::null()).stderr(Stdio::null()))?;
        Ok(Self { display, bus: address, _bus: bus, _manager: manager, _server: server })
    }

    /// Makes a command run on this screen.
    pub fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("GDK_BACKEND", "x11")
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY")
    }

    /// Saves what is on the screen as a PNG.
    pub fn picture(&self, file: &Path) -> Result<()> {
        let (x, root) = self.connect()?;
        let (width, height) = SIZE;
        let image = x.get_image(ImageFormat::Z_PIXMAP, root, 0, 0, width, height, !0)?.reply()?;
        ensure!(image.data.len() == usize::from(width) * usize::from(height) * 4, "the screen is not 32 bits deep");
        // The server sends blue, green, red, unused.
        let rgb: Vec<u8> = image.data.chunks_exact(4).flat_map(|p| p.iter().take(3).rev().copied()).collect();
        let out = File::create(file).with_context(|| format!("cannot write `{}`", file.display()))?;
        let mut png = png::Encoder::new(BufWriter::new(out), u32::from(width), u32::from(height));
        png.set_color(png::ColorType::Rgb);
        png.set_depth(png::BitDepth::Eight);
        png.write_header()?.write_image_data(&rgb)?;
        Ok(())
    }

    /// The title of the window that has the focus, if one has.
    pub fn focused(&self) -> Result<Option<String>> {
        let (x, root) = self.connect()?;
        let Some(window) = active(&x, root)? else { return Ok(None) };
        let (property, text) = (atom(&x, b"_NET_WM_NAME")?, atom(&x, b"UTF8_STRING")?);
        let name = x.get_property(false, window, property, text, 0, 1024)?.reply()?;
        Ok(Some(String::from_utf8_lossy(&name.value).into_owned()))
    }

    /// Minimizes the window that has the focus, as its minimize button would.
    pub fn minimize(&self) -> Result<()> {
        const ICONIC: u32 = 3;
        self.ask(b"WM_CHANGE_STATE", ICONIC)
    }

    /// Closes the window that has the focus, as its close button would.
    pub fn close(&self) -> Result<()> {
        self.ask(b"_NET_CLOSE_WINDOW", 0)
    }

    /// Asks the window manager something about the window that has the focus.
    fn ask(&self, message: &[u8], value: u32) -> Result<()> {
        let (x, root) = self.connect()?;
        let window = active(&x, root)?.context("no window has the focus")?;
        let ask = ClientMessageEvent::new(32, window, atom(&x, message)?, [value, 0, 0, 0, 0]);
        let managers = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        x.send_event(false, root, managers, ask)?.check()?;
        Ok(())
    }

    /// Gives the window that has the focus another size.
    pub fn resize(&self, width: u32, height: u32) -> Result<()> {
        let (x, root) = self.connect()?;
        let window = active(&x, root)?.context("no window has the focus")?;
        x.configure_window(window, &ConfigureWindowAux::new().width(width).height(height))?.check()?;
        Ok(())
    }

    fn connect(&self) -> Result<(RustConnection, u32)> {
        let (x, screen) = RustConnection::connect(Some(&self.display)).context("cannot reach the private screen")?;
        let root = x.setup().roots.get(screen).context("the private screen has no root window")?.root;
        Ok((x, root))
    }
}

fn active(x: &RustConnection, root: u32) -> Result<Option<u32>> {
    let property = atom(x, b"_NET_ACTIVE_WINDOW")?;
    let active = x.get_property(false, root, property, AtomEnum::WINDOW, 0, 1)?.reply()?;
    Ok(active.value32().and_then(|mut ids| ids.next()).filter(|id| *id != 0))
}

fn atom(x: &RustConnection, name: &[u8]) -> Result<u32> {
    Ok(x.intern_atom(false, name)?.reply()?.atom)
}

/// A process that ends with its owner: asked first, so that it can end its own children.
pub struct Ending(Child);

impl Ending {
    /// Starts it.
    pub fn new(command: &mut Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.spawn().map(Self).with_context(|| format!("cannot start `{program}`; cargo xtask install gets it"))
    }

    /// The process.
    pub fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    fn first_line(&mut self) -> Result<String> {
        let out = self.0.stdout.take().context("no output to read")?;
        let mut line = String::new();
        let mut reader = BufReader::new(out);
        reader.read_line(&mut line)?;
        ensure!(!line.trim().is_empty(), "it ended before it was ready");
        // Read on, so that it never blocks on a full pipe.
        std::thread::spawn(move || reader.read_to_end(&mut Vec::new()));
        Ok(line.trim().to_owned())
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let asked = Command::new("kill").arg(self.0.id().to_string()).stderr(Stdio::null()).status();
        for _ in 0..100 {
            if asked.is_err() || !matches!(self.0.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // It may be gone already, which is what we want.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
