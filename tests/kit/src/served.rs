//! A program that serves a page, and requests to it as anybody on the same computer could make them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server, which ends with this value.
#[derive(Debug)]
pub struct Served {
    /// The process.
    pub child: Child,
    /// Its port.
    pub port: u16,
    /// The first step of every path.
    pub token: String,
}

impl Served {
    /// Starts the program and reads its address from the first line that it prints.
    ///
    /// # Panics
    /// If it prints none.
    pub fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://127.0.0.1:").expect(&line).to_owned();
        let mut steps = address.split('/');
        let port = steps.next().unwrap().parse().unwrap();
        let token = steps.next().unwrap().to_owned();
        assert_eq!(steps.next(), Some(""), "{line}");
        let server = Self { child, port, token };
        // The address is printed before the meshes are listed.
        while !String::from_utf8_lossy(&server.get("list/0").2).contains("\"done\":true") {
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends these bytes, and reads until the other side closes.
    pub fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        let mut answer = Vec::new();
        // Who refuses may close before everything is sent.
        let _ = stream.write_all(bytes);
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// A request as the page makes it: status, head and body.
    pub fn get(&self, below: &str) -> (u16, String, Vec<u8>) {
        let Self { port, token, .. } = self;
        let head =
            format!("GET /{token}/{below} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        self.answered(head.as_bytes())
    }

    /// A request with a body, as the page makes it: status, head and body.
    pub fn post(&self, below: &str, body: &str) -> (u16, String, Vec<u8>) {
        let Self { port, token, .. } = self;
        let head = format!(
            "POST /{token}/{below} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Sec-Fetch-Site: same-origin\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        self.answered(head.as_bytes())
    }

    fn answered(&self, request: &[u8]) -> (u16, String, Vec<u8>) {
        let answer = self.send(request);
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        (status(&answer), head, answer[end..].to_vec())
    }

    /// The memory that it has in use, in bytes; `None` where the system does not say.
    pub fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The status of an answer; 0 if there is none.
pub fn status(answer: &[u8]) -> u16 {
    let line = answer.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3));
    line.and_then(|digits| std::str::from_utf8(digits).ok())
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0)
}
