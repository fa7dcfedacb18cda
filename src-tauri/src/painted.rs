//! Tells whoever started the app that its first content is on the screen: the launcher waits for it before it takes a
//! picture, the benchmark stops its clock.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// Requests `PAINTED_URL`, if it is set and on this machine.
pub(crate) fn tell() {
    log::info!("the window has painted");
    let Ok(url) = std::env::var("PAINTED_URL") else { return };
    match loopback(&url) {
        Some((port, path)) => {
            if let Err(error) = request(port, path) {
                log::warn!("nobody listens at PAINTED_URL: {error}");
            }
        }
        None => log::warn!("PAINTED_URL is ignored: only http://127.0.0.1:PORT/PATH is called"),
    }
}

fn loopback(url: &str) -> Option<(u16, &str)> {
    let rest = url.strip_prefix("http://127.0.0.1:")?;
    let (port, path) = rest.split_at(rest.find('/')?);
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic());
    plain.then_some((port.parse().ok()?, path))
}

fn request(port: u16, path: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n")?;
    stream.read_to_end(&mut Vec::new()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::loopback;

    #[test]
    fn only_this_machine_is_called() {
        assert_eq!(loopback("http://127.0.0.1:8080/painted"), Some((8080, "/painted")));
        assert_eq!(loopback("http://127.0.0.1:8080"), None);
        assert_eq!(loopback("http://127.0.0.1.example.org:80/"), None);
        assert_eq!(loopback("http://example.org:80/"), None);
        assert_eq!(loopback("http://127.0.0.1:80/ HTTP/1.1\r\nX: y"), None);
    }
}
