//! Requests that the server of `navmap view` has to refuse, and connections that only take up room.

use navmap_testkit::served::{Served, status};
use navmap_testkit::temp::Temp;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

fn served() -> Served {
    Served::start(super::navmap().args(["view", "corpus/source/town.nav"]))
}

/// The methods that a refusal says are allowed.
fn allowed(answer: &[u8]) -> Option<&str> {
    let head = std::str::from_utf8(answer).unwrap();
    head.lines().find_map(|line| line.strip_prefix("Allow: "))
}

/// The user is served, and soon: in a tenth of a second alone, here beside other tests.
fn is_served(server: &Served) {
    let begun = Instant::now();
    assert_eq!(server.get("m/0/head").0, 200);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn requests_of_others_are_refused() {
    let server = served();
    let (port, token) = (server.port, server.token.clone());
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let own = format!("/{token}/m/0/head");
    // An answer is whole when the server closes, for which it would wait a second.
    let close = "Connection: close\r\n";
    let cases: [(&str, String, String, u16); 14] = [
        ("no token", "/".into(), host.clone(), 404),
        ("another token", format!("/{}/m/0/head", "0".repeat(32)), host.clone(), 404),
        ("half a token", format!("/{}/", &token[..16]), host.clone(), 404),
        ("a name that leads here", own.clone(), format!("Host: evil.example:{port}\r\n"), 421),
        ("another port", own.clone(), "Host: 127.0.0.1:1\r\n".into(), 421),
        ("no host", own.clone(), String::new(), 421),
        ("two hosts", own.clone(), format!("{host}{host}"), 421),
        ("another origin", own.clone(), format!("{host}Origin: https://evil.example\r\n"), 403),
        ("no origin", own.clone(), format!("{host}Origin: null\r\n"), 403),
        ("another site", own.clone(), format!("{host}Sec-Fetch-Site: cross-site\r\n"), 403),
        ("a body", own.clone(), format!("{host}Content-Length: 5\r\n"), 413),
        ("a body in pieces", own.clone(), format!("{host}Transfer-Encoding: chunked\r\n"), 413),
        ("a path", format!("/{token}/../../../etc/passwd"), host.clone(), 404),
        ("a path in disguise", format!("/{token}/%2e%2e/%2e%2e/etc/passwd"), host.clone(), 404),
    ];
    for (what, path, headers, wanted) in cases {
        let answer = server.send(format!("GET {path} HTTP/1.1\r\n{close}{headers}\r\n").as_bytes());
        assert_eq!(status(&answer), wanted, "{what}");
        assert!(!answer.windows(5).any(|five| five == b"nodes"), "{what}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"] {
        let answer = server.send(format!("{method} {own} HTTP/1.1\r\n{close}{host}\r\n").as_bytes());
        assert_eq!((status(&answer), allowed(&answer)), (405, Some("GET")), "{method}");
    }
    let long = format!("GET {own} HTTP/1.1\r\n{host}X: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(matches!(status(&server.send(long.as_bytes())), 0 | 431));
    is_served(&server);
}

#[test]
fn ten_thousand_mutated_requests_do_no_harm() {
    let server = served();
    let host = format!("127.0.0.1:{}", server.port);
    let sound = format!(
        "GET /{}/list/0 HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\r\n",
        server.token
    );
    mutated(&server, &sound);
}

#[test]
fn ten_thousand_mutated_picks_do_no_harm() {
    let server = served();
    for what in ["told/5", "tint/cost/5", "tint/sight/5", "thumbnail/light"] {
        assert_eq!(server.get(&format!("m/0/{what}")).0, 200, "{what}");
    }
    let host = format!("127.0.0.1:{}", server.port);
    let sound = format!(
        "GET /{}/m/0/tint/cost/17 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n",
        server.token
    );
    mutated(&server, &sound);
}

fn town() -> std::path::PathBuf {
    navmap_testkit::corpus::project().join("corpus/source/town.nav")
}

/// A server that changes a copy of a mesh, with a place of its own for journals.
fn editor(temp: &Temp) -> Served {
    let mesh = temp.join("town.nav");
    std::fs::copy(town(), &mesh).unwrap();
    let mut command = super::navmap();
    Served::start(command.env("XDG_STATE_HOME", temp.join("state")).args(["view", "--edit"]).arg(mesh))
}

fn posted(server: &Served, what: &str, body: &str) -> String {
    let host = format!("127.0.0.1:{}", server.port);
    let (token, long) = (&server.token, body.len());
    format!(
        "POST /{token}/m/0/{what} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {long}\r\n\
         Connection: close\r\n\r\n{body}"
    )
}

#[test]
fn ten_thousand_mutated_changes_do_no_harm() {
    let temp = Temp::new("served-changes");
    let server = editor(&temp);
    let body =
        r#"{"base":0,"script":"nav_delete #1; nav_split #5 x=-750; select box(0,0,0,9,9,9)","dry":true}"#;
    mutated(&server, &posted(&server, "run", body));
    let mesh = std::fs::read(temp.join("town.nav")).unwrap();
    assert_eq!(mesh, std::fs::read(town()).unwrap(), "nobody has saved it");
}

#[test]
fn changes_of_others_are_refused() {
    let temp = Temp::new("served-others");
    let server = editor(&temp);
    let body = r#"{"base":0,"script":"nav_delete #1"}"#;
    let sound = posted(&server, "run", body);
    let origin = format!("Origin: http://127.0.0.1:{}\r\n", server.port);
    let token = server.token.clone();
    let cases = [
        ("no origin", sound.replace(&origin, ""), 403),
        ("two origins", sound.replace(&origin, &format!("{origin}{origin}")), 403),
        ("another origin", sound.replace(&origin, "Origin: https://evil.example\r\n"), 403),
        ("no origin at all", sound.replace(&origin, "Origin: null\r\n"), 403),
        ("another site", sound.replace(&origin, &format!("{origin}Sec-Fetch-Site: cross-site\r\n")), 403),
        ("another token", sound.replace(&token, &"0".repeat(32)), 404),
        ("another host", sound.replace("Host: 127.0.0.1", "Host: evil.example"), 421),
        ("two lengths", sound.replace(&origin, &format!("{origin}Content-Length: 3\r\n")), 400),
        ("in pieces", sound.replace(&origin, &format!("{origin}Transfer-Encoding: chunked\r\n")), 413),
        ("too long", posted(&server, "run", "").replace("Content-Length: 0", "Content-Length: 1048577"), 413),
    ];
    for (what, request, wanted) in cases {
        assert_eq!(status(&server.send(request.as_bytes())), wanted, "{what}");
    }
    let methods = [
        ("another method", sound.replace("POST", "PUT"), "GET, POST"),
        ("a page", sound.replace("m/0/run", "index.html"), "GET"),
        ("another method of a page", sound.replace("POST", "PUT").replace("m/0/run", "index.html"), "GET"),
    ];
    for (what, request, wanted) in methods {
        let answer = server.send(request.as_bytes());
        assert_eq!((status(&answer), allowed(&answer)), (405, Some(wanted)), "{what}");
    }
    let (_, _, about) = server.get("m/0/edit");
    assert!(String::from_utf8_lossy(&about).contains("\"revision\":0"), "nothing was done");
    assert_eq!(status(&server.send(sound.as_bytes())), 200);
    // A body that never ends shuts nobody out.
    let idle: Vec<_> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            let _ = stream.write_all(
                posted(&server, "run", body).replace("Content-Length: 3", "Content-Length: 9").as_bytes(),
            );
            stream
        })
        .collect();
    is_served(&server);
    drop(idle);
}

/// Sends a request ten thousand times, each time a little wrong, and holds that the user is still served and no memory is lost.
fn mutated(server: &Served, sound: &str) {
    is_served(server);
    let before = server.resident();
    let mut seed = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for _ in 0..10_000 {
        let mut bytes = sound.as_bytes().to_vec();
        for _ in 0..=random(4) {
            if bytes.len() < 2 {
                break;
            }
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = random(256) as u8,
                1 => {
                    bytes.remove(at);
                }
                2 => bytes.insert(at, b"\r\n :/\0\xff"[random(7)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let mut stream = server.connect();
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = [0; 16];
        let _ = stream.read(&mut answer);
    }
    is_served(server);
    if let (Some(before), Some(after)) = (before, server.resident()) {
        assert!(after < before + (16 << 20), "{before} {after}");
    }
}

#[test]
fn slow_and_idle_connections_shut_nobody_out() {
    let server = served();
    is_served(&server);
    let before = server.resident();
    // Half of them say nothing, the others begin a request and never end it.
    let mut idle = Vec::new();
    for number in 0..500 {
        let mut stream = server.connect();
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET /");
        }
        idle.push(stream);
        if number % 64 == 0 {
            is_served(&server);
        }
    }
    is_served(&server);
    if let (Some(before), Some(after)) = (before, server.resident()) {
        assert!(after < before + (16 << 20), "{before} {after}");
    }
    // A stranger is gone after two seconds, whatever it sends meanwhile.
    let mut slow = server.connect();
    let begun = Instant::now();
    while slow.write_all(b"x").is_ok() && begun.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(begun.elapsed() < Duration::from_secs(15), "a slow stranger stays");
    drop(idle);
    is_served(&server);
}
