//! Decides who may ask: the page of this server, and nobody else on this computer or in its browsers.
//!
//! A site that somebody visits can send requests to servers on the same computer. It cannot choose `Host` (a name of its own that
//! it points here gives itself away), nor leave out `Origin` and `Sec-Fetch-Site`, nor guess the token. All of it is tested before
//! anything is looked up.

use super::http::{LONGEST_BODY, Request};

/// What admits requests.
#[derive(Debug)]
pub(super) struct Guard {
    port: u16,
    token: String,
    /// Whether meshes may be changed.
    edits: bool,
}

impl Guard {
    pub(super) fn new(port: u16, token: String, edits: bool) -> Self {
        Self { port, token, edits }
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// The methods that are allowed for a target.
    pub(super) fn methods(&self, target: &str) -> &'static str {
        // Only what is asked of a mesh, `/TOKEN/m/0/run`, may be a change.
        let steps: Vec<&str> = target.split('/').collect();
        let is_of_mesh = matches!(steps[..], ["", _, "m", _, _]);
        if self.edits && is_of_mesh { "GET, POST" } else { "GET" }
    }

    /// What an admitted request asks for, below the token.
    ///
    /// # Errors
    /// The status of the refusal.
    pub(super) fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, u16> {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let [host] = &request.hosts[..] else { return Err(421) };
        if !hosts.iter().any(|known| known.as_bytes() == host) {
            return Err(421);
        }
        let own = [&b"http://"[..], &host[..]].concat();
        if !request.origins.iter().all(|origin| *origin == own) {
            return Err(403);
        }
        let near = |site: &Vec<u8>| matches!(&site[..], b"same-origin" | b"none");
        if !request.sites.iter().all(near) {
            return Err(403);
        }
        let steps = request.target.strip_prefix('/').and_then(|path| path.split_once('/'));
        let (token, below) = steps.ok_or(404u16)?;
        if !same(token.as_bytes(), self.token.as_bytes()) {
            return Err(404);
        }
        match request.method.as_str() {
            "GET" if request.length.is_some_and(|length| length > 0) || request.in_pieces => Err(413),
            "GET" => Ok(below),
            "POST" if !self.edits => Err(405),
            // Every browser says where a request with a body comes from.
            "POST" if request.origins.len() != 1 => Err(403),
            "POST" if request.length.is_some_and(|length| length > LONGEST_BODY) || request.in_pieces => {
                Err(413)
            }
            "POST" => Ok(below),
            _ => Err(405),
        }
    }
}

/// Whether two texts are the same, in a time that does not tell how much of them is.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(change: impl FnOnce(&mut Request)) -> Result<String, u16> {
        asked_of(&Guard::new(8000, "secret".into(), false), change)
    }

    fn asked_of(guard: &Guard, change: impl FnOnce(&mut Request)) -> Result<String, u16> {
        let mut request = Request {
            method: "GET".into(),
            target: "/secret/m/0/head".into(),
            hosts: vec![b"127.0.0.1:8000".to_vec()],
            ..Request::default()
        };
        change(&mut request);
        guard.admit(&request).map(str::to_owned)
    }

    #[test]
    fn only_the_page_of_this_server_is_admitted() {
        assert_eq!(asked(|_| {}), Ok("m/0/head".into()));
        assert_eq!(asked(|r| r.target = "/secret/".into()), Ok(String::new()));
        assert_eq!(asked(|r| r.hosts = vec![b"localhost:8000".to_vec()]), Ok("m/0/head".into()));
        assert_eq!(asked(|r| r.origins = vec![b"http://127.0.0.1:8000".to_vec()]), Ok("m/0/head".into()));
        assert_eq!(asked(|r| r.sites = vec![b"same-origin".to_vec()]), Ok("m/0/head".into()));
    }

    #[test]
    fn others_are_refused_before_anything_is_looked_up() {
        for host in
            ["evil.example:8000", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:80000", " 127.0.0.1:8000", ""]
        {
            assert_eq!(asked(|r| r.hosts = vec![host.into()]), Err(421), "{host}");
        }
        assert_eq!(asked(|r| r.hosts.clear()), Err(421));
        assert_eq!(asked(|r| r.hosts.push(b"127.0.0.1:8000".to_vec())), Err(421));
        for origin in [
            "null",
            "http://evil.example",
            "https://127.0.0.1:8000",
            "http://localhost:8000",
            "http://127.0.0.1:8001",
        ] {
            assert_eq!(asked(|r| r.origins = vec![origin.into()]), Err(403), "{origin}");
        }
        for site in ["cross-site", "same-site", ""] {
            assert_eq!(asked(|r| r.sites = vec![site.into()]), Err(403), "{site}");
        }
        for target in [
            "/",
            "/secret",
            "/secre/",
            "/secrets/",
            "/Secret/",
            "//secret/",
            "*",
            "http://127.0.0.1:8000/secret/",
        ] {
            assert_eq!(asked(|r| r.target = target.into()), Err(404), "{target}");
        }
        assert_eq!(asked(|r| r.method = "POST".into()), Err(405));
        assert_eq!(asked(|r| r.length = Some(1)), Err(413));
        assert_eq!(asked(|r| r.in_pieces = true), Err(413));
    }

    #[test]
    fn a_change_says_where_it_comes_from() {
        let guard = Guard::new(8000, "secret".into(), true);
        let own = || vec![b"http://127.0.0.1:8000".to_vec()];
        let post = |change: &dyn Fn(&mut Request)| {
            asked_of(&guard, |r| {
                (r.method, r.target, r.length) = ("POST".into(), "/secret/m/0/run".into(), Some(9));
                r.origins = own();
                change(r);
            })
        };
        assert_eq!(post(&|_| {}), Ok("m/0/run".into()));
        assert_eq!(post(&|r| r.origins.clear()), Err(403));
        assert_eq!(post(&|r| r.origins.extend(own())), Err(403));
        assert_eq!(post(&|r| r.origins = vec![b"http://localhost:8000".to_vec()]), Err(403));
        assert_eq!(post(&|r| r.sites = vec![b"cross-site".to_vec()]), Err(403));
        assert_eq!(post(&|r| r.target = "/other/m/0/run".into()), Err(404));
        assert_eq!(post(&|r| r.length = Some(LONGEST_BODY + 1)), Err(413));
        assert_eq!(post(&|r| r.in_pieces = true), Err(413));
        assert_eq!(post(&|r| r.method = "PUT".into()), Err(405));
        assert_eq!(guard.methods("/secret/m/0/run"), "GET, POST");
        for target in ["/secret/", "/secret/list/0", "/secret/m/0/told/5", "*"] {
            assert_eq!(guard.methods(target), "GET", "{target}");
        }
        assert_eq!(Guard::new(8000, "secret".into(), false).methods("/secret/m/0/run"), "GET");
    }
}
