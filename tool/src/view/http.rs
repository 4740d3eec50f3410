//! The little of HTTP/1.1 that a page on the same computer needs: requests with a body of a known length or none, and such answers.

use super::load::Shown;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

/// The longest head of a request.
const LONGEST_HEAD: usize = 16 << 10;
/// The most headers of a request.
const MOST_HEADERS: usize = 64;
/// The longest body of a request.
pub(super) const LONGEST_BODY: usize = 1 << 20;
/// How much of a picture is sent at once.
const PIECE: usize = 64 << 10;
/// The media type of JSON.
pub(super) const JSON: &str = "application/json";

/// What a request says, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    /// Each value of a header that decides who asks.
    pub(super) hosts: Vec<Vec<u8>>,
    pub(super) origins: Vec<Vec<u8>>,
    pub(super) sites: Vec<Vec<u8>>,
    /// The bytes of the body that follows, if it says so.
    pub(super) length: Option<usize>,
    /// Whether a body comes in pieces of unknown length, which is not read.
    pub(super) in_pieces: bool,
    /// Whether the connection ends with the answer.
    pub(super) last: bool,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The connection has ended, or took too long.
    Gone,
    /// The head is longer than allowed.
    Long,
    /// It is no HTTP.
    Malformed,
}

/// Waits for more bytes, until then.
fn more(stream: &mut TcpStream, buffer: &mut Vec<u8>, until: Instant) -> Result<(), Unread> {
    let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
    stream.set_read_timeout(Some(left.ok_or(Unread::Gone)?)).map_err(|_| Unread::Gone)?;
    let mut piece = [0; 2048];
    match stream.read(&mut piece) {
        Ok(0) | Err(_) => Err(Unread::Gone),
        Ok(read) => {
            buffer.extend_from_slice(&piece[..read]);
            Ok(())
        }
    }
}

/// Reads the body of a request that was admitted.
pub(super) fn read_body(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
    length: usize,
    until: Instant,
) -> Result<Vec<u8>, Unread> {
    if length > LONGEST_BODY {
        return Err(Unread::Long);
    }
    while buffer.len() < length {
        more(stream, buffer, until)?;
    }
    Ok(buffer.drain(..length).collect())
}

/// Reads one request. What was read beyond its head stays in `buffer`.
pub(super) fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>, until: Instant) -> Result<Request, Unread> {
    loop {
        if let Some((request, used)) = parse(buffer)? {
            buffer.drain(..used);
            return Ok(request);
        }
        more(stream, buffer, until)?;
    }
}

/// The request at the start of these bytes, and the length of its head; `None` if it is not complete.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, Unread> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let used = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(used)) if used <= LONGEST_HEAD => used,
        Ok(httparse::Status::Partial) if bytes.len() <= LONGEST_HEAD => return Ok(None),
        Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(Unread::Long),
        Err(_) => return Err(Unread::Malformed),
    };
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        last: parsed.version != Some(1),
        ..Request::default()
    };
    for header in parsed.headers.iter() {
        let is = |name: &str| header.name.eq_ignore_ascii_case(name);
        let value = || header.value.to_vec();
        if is("host") {
            request.hosts.push(value());
        } else if is("origin") {
            request.origins.push(value());
        } else if is("sec-fetch-site") {
            request.sites.push(value());
        } else if is("transfer-encoding") {
            request.in_pieces = true;
        } else if is("content-length") {
            request.length = Some(length(header.value, request.length)?);
        } else if is("connection") {
            request.last |= header.value.eq_ignore_ascii_case(b"close");
        }
    }
    Ok(Some((request, used)))
}

/// A length as a header gives it. Two that differ would let somebody hide a request in the body of another.
fn length(value: &[u8], before: Option<usize>) -> Result<usize, Unread> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let length: usize = text.and_then(|text| text.parse().ok()).ok_or(Unread::Malformed)?;
    if before.is_none_or(|before| before == length) { Ok(length) } else { Err(Unread::Malformed) }
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    status: u16,
    kind: &'static str,
    body: Body,
    /// Which state of the mesh it is of.
    revision: Option<u64>,
    /// The methods that are allowed, if that of the request is not.
    allow: Option<&'static str>,
}

/// What an answer holds. Parts of a mesh are not copied for it.
#[derive(Debug)]
pub(super) enum Body {
    Page(&'static str),
    Text(String),
    Bytes(Vec<u8>),
    Part(Arc<Shown>, usize),
    /// The picture of a mesh, which may be as long as ten of them. It is drawn twice: to count its bytes, and to send them.
    Picture(Arc<Shown>),
}

impl Body {
    /// Its bytes; none of a picture.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Page(text) => text.as_bytes(),
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
            Self::Part(shown, part) => shown.scene.parts().get(*part).map_or(&[], |(_, part)| part.bytes()),
            Self::Picture(_) => &[],
        }
    }
}

/// Counts what is written.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What holds for every answer: nothing of it is run, framed, kept or read by another site.
const ALWAYS: &str = "Content-Security-Policy: default-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'\r\n\
     X-Content-Type-Options: nosniff\r\n\
     Cross-Origin-Resource-Policy: same-origin\r\n\
     Cross-Origin-Opener-Policy: same-origin\r\n\
     Referrer-Policy: no-referrer\r\n\
     Cache-Control: no-store\r\n";

impl Answer {
    /// What was asked for, and which state of the mesh it is of.
    pub(super) fn new(kind: &'static str, body: Body, revision: Option<u64>) -> Self {
        Self { status: 200, kind, body, revision, allow: None }
    }

    /// An answer without what was asked for: the reason, in the words of HTTP.
    pub(super) fn refusal(status: u16) -> Self {
        Self::text(status, format!("{}\n", reason(status)))
    }

    /// Refuses the method of a request, and says which ones are allowed.
    pub(super) fn not_allowed(allow: &'static str) -> Self {
        Self { allow: Some(allow), ..Self::refusal(405) }
    }

    /// An answer in words.
    pub(super) fn text(status: u16, text: String) -> Self {
        Self { status, ..Self::new("text/plain; charset=utf-8", Body::Text(text), None) }
    }

    /// An answer in JSON.
    pub(super) fn json(status: u16, value: &serde_json::Value) -> Self {
        Self { status, ..Self::new(JSON, Body::Text(value.to_string()), None) }
    }

    /// Writes the answer.
    pub(super) fn write(&self, stream: &mut TcpStream, last: bool) -> io::Result<()> {
        let body = self.body.bytes();
        let picture = match &self.body {
            Body::Picture(shown) => Some(shown.picture()),
            _ => None,
        };
        let mut length = Length(body.len());
        picture.iter().try_for_each(|picture| picture.write_svg(&mut length))?;
        let (status, reason, kind, length) = (self.status, reason(self.status), self.kind, length.0);
        let allow = self.allow.map(|allow| format!("Allow: {allow}\r\n")).unwrap_or_default();
        let revision =
            self.revision.map(|revision| format!("Navmap-Revision: {revision}\r\n")).unwrap_or_default();
        let connection = if last { "Connection: close\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{ALWAYS}{allow}{revision}{connection}\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)?;
        let Some(picture) = picture else { return Ok(()) };
        let mut out = io::BufWriter::with_capacity(PIECE, stream);
        picture.write_svg(&mut out)?;
        out.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_once_its_head_is_complete() {
        let text = b"GET /a HTTP/1.1\r\nHost: x:1\r\nhost: y\r\nSec-Fetch-Site: none\r\n\r\nGET";
        for cut in 0..text.len() - 3 {
            assert_eq!(parse(&text[..cut]), Ok(None), "{cut}");
        }
        let (request, used) = parse(text).unwrap().unwrap();
        assert_eq!((request.target.as_str(), used), ("/a", text.len() - 3));
        assert_eq!(request.hosts, [b"x:1".to_vec(), b"y".to_vec()]);
        assert!(request.length.is_none() && !request.in_pieces && !request.last);
    }

    #[test]
    fn heads_are_bounded() {
        let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(LONGEST_HEAD));
        assert_eq!(parse(long.as_bytes()), Err(Unread::Long));
        assert_eq!(parse(&long.as_bytes()[..LONGEST_HEAD + 1]), Err(Unread::Long));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MOST_HEADERS + 1));
        assert_eq!(parse(many.as_bytes()), Err(Unread::Long));
        assert_eq!(parse(b"\x16\x03\x01 hello"), Err(Unread::Malformed));
    }

    #[test]
    fn a_body_has_one_length() {
        let asked = |headers: &str| {
            let text = format!("POST / HTTP/1.1\r\n{headers}\r\n");
            parse(text.as_bytes())
                .map(|parsed| parsed.map(|(request, _)| (request.length, request.in_pieces)))
        };
        assert_eq!(asked("Content-Length: 17\r\n"), Ok(Some((Some(17), false))));
        assert_eq!(asked("Content-Length: 17\r\nContent-Length: 17\r\n"), Ok(Some((Some(17), false))));
        assert_eq!(asked("Transfer-Encoding: chunked\r\n"), Ok(Some((None, true))));
        for wrong in [
            "17\r\nContent-Length: 18",
            "0\r\nContent-Length: 18",
            "-1",
            "+1",
            "1e3",
            "",
            "0x11",
            "99999999999999999999999",
        ] {
            let answer = asked(&format!("Content-Length: {wrong}\r\n"));
            assert_eq!(answer, Err(Unread::Malformed), "{wrong}");
        }
    }
}
