//! Who may ask: the names the server answers to, the pages that may speak to it, visitors and their tokens.
//!
//! A page of another site can make a browser send requests here, but it cannot read what is answered, set a header of its
//! own without asking first, or choose another `Origin`. So a request is refused if it names a host that is not this
//! server (a name that was turned to point here, DNS rebinding), if another origin made it, and, where it changes
//! something, if it lacks the token. The token belongs to one visitor and one start of the server.

use axum::http::{HeaderMap, Method, header};
use std::net::IpAddr;

/// The cookie a visitor is known by.
const COOKIE: &str = "harary";
/// A year: whoever comes back finds his runs.
const COOKIE_AGE: u32 = 31_536_000;
/// The header of the token.
pub const TOKEN: &str = "x-harary-token";

/// Random bytes as hexadecimal digits.
pub fn random<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    // Without random numbers there are no secrets, and the server must not go on.
    getrandom::fill(&mut bytes).expect("the system gives random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Somebody with a browser: whoever has the secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor(String);

impl Visitor {
    /// Somebody new.
    pub fn new() -> Visitor {
        Visitor(random::<16>())
    }

    /// The visitor of a request's cookie.
    pub fn of(headers: &HeaderMap) -> Option<Visitor> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let (_, secret) = pairs.find(|(name, _)| *name == COOKIE)?;
        let whole = secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
        whole.then(|| Visitor(secret.to_owned()))
    }

    /// The name his runs have; the secret does not follow from it.
    pub fn owner(&self) -> String {
        blake3::hash(self.0.as_bytes()).to_hex()[..32].to_owned()
    }

    /// The header that makes a browser keep the secret, from scripts too.
    pub fn cookie(&self) -> String {
        format!("{COOKIE}={}; Path=/; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Strict", self.0)
    }
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It names another host.
    Host,
    /// A page of another origin made it.
    Origin,
    /// It would change something and has no token, or another's.
    Token,
}

impl Refusal {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Refusal::Host => "this server has another name",
            Refusal::Origin => "another site may not ask here",
            Refusal::Token => "the token is missing or old; load the page again",
        }
    }
}

/// What a server answers to.
pub struct Guard {
    /// Told to serve others than this machine.
    pub open: bool,
    /// Names it has there.
    pub names: Vec<String>,
    /// New with every start.
    key: [u8; 32],
}

impl Guard {
    /// With a key of its own.
    pub fn new(open: bool, names: Vec<String>) -> Guard {
        let mut key = [0; 32];
        getrandom::fill(&mut key).expect("the system gives random numbers");
        Guard { open, names, key }
    }

    /// What a visitor has to show to change something.
    pub fn token(&self, visitor: &Visitor) -> String {
        blake3::keyed_hash(&self.key, visitor.0.as_bytes()).to_hex().to_string()
    }

    /// Whether a request may be answered at all.
    pub fn admit(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text("host").unwrap_or_default();
        if headers.get_all("host").iter().count() != 1 || !self.is_own(host) {
            return Err(Refusal::Host);
        }
        if text("origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Err(Refusal::Origin);
        }
        // Browsers say where a request comes from. A link on another site may lead to a page, and nothing else may.
        let navigates = *method == Method::GET && text("sec-fetch-mode") == Some("navigate");
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) if navigates => Ok(()),
            Some(_) => Err(Refusal::Origin),
        }
    }

    /// Whether a request may change something for a visitor.
    pub fn allow(&self, visitor: &Visitor, headers: &HeaderMap) -> Result<(), Refusal> {
        let shown = headers.get(TOKEN).and_then(|value| blake3::Hash::from_hex(value.as_bytes()).ok());
        // Hashes are compared in the same time whatever they are.
        let right = blake3::keyed_hash(&self.key, visitor.0.as_bytes());
        if shown.is_some_and(|shown| shown == right) { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Whether this is a name of the server: no name that somebody else can point here is.
    fn is_own(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        if let Ok(address) = bare.parse::<IpAddr>() {
            return self.open || address.is_loopback();
        }
        name.eq_ignore_ascii_case("localhost") || self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&str, &str)| {
            (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn hosts_and_origins_of_others_are_refused() {
        let (closed, open) = (Guard::new(false, vec![]), Guard::new(true, vec!["attic".to_owned()]));
        let host = |guard: &Guard, host: &str| guard.admit(&Method::GET, &headers(&[("host", host)])).is_ok();
        for name in ["127.0.0.1:8013", "localhost:8013", "[::1]:8013", "LOCALHOST", "127.0.0.1"] {
            assert!(host(&closed, name), "{name}");
        }
        for name in [
            "evil.example",
            "evil.example:8013",
            "",
            "localhost.evil.example",
            "192.168.1.7:8013",
            "attic",
            "127.0.0.1.evil.example",
        ] {
            assert!(!host(&closed, name), "{name}");
        }
        assert!(host(&open, "192.168.1.7:8013") && host(&open, "attic:80") && !host(&open, "evil.example"));
        assert_eq!(closed.admit(&Method::GET, &HeaderMap::new()), Err(Refusal::Host));
        let twice = headers(&[("host", "localhost")]);
        let mut both = twice.clone();
        both.append("host", HeaderValue::from_static("evil.example"));
        assert_eq!(closed.admit(&Method::GET, &both), Err(Refusal::Host));
        let with = |method: &Method, more: &[(&str, &str)]| {
            closed.admit(method, &headers(&[&[("host", "localhost:1")][..], more].concat()))
        };
        assert_eq!(with(&Method::POST, &[("origin", "http://localhost:1")]), Ok(()));
        for origin in ["http://localhost:2", "https://localhost:1", "null", "http://evil.example"] {
            assert_eq!(with(&Method::POST, &[("origin", origin)]), Err(Refusal::Origin), "{origin}");
        }
        let (site, mode) = ("sec-fetch-site", "sec-fetch-mode");
        assert_eq!(with(&Method::GET, &[(site, "cross-site"), (mode, "navigate")]), Ok(()));
        assert_eq!(with(&Method::GET, &[(site, "cross-site"), (mode, "no-cors")]), Err(Refusal::Origin));
        assert_eq!(with(&Method::POST, &[(site, "cross-site"), (mode, "navigate")]), Err(Refusal::Origin));
    }

    #[test]
    fn a_token_is_for_one_visitor_and_one_server() {
        let (guard, other) = (Guard::new(false, vec![]), Guard::new(false, vec![]));
        let (me, you) = (Visitor::new(), Visitor::new());
        let shown = headers(&[(TOKEN, &guard.token(&me))]);
        assert_eq!(guard.allow(&me, &shown), Ok(()));
        assert_eq!(guard.allow(&you, &shown), Err(Refusal::Token));
        assert_eq!(other.allow(&me, &shown), Err(Refusal::Token));
        assert_eq!(guard.allow(&me, &HeaderMap::new()), Err(Refusal::Token));
        let cookie = me.cookie();
        let back = headers(&[("cookie", &format!("a=b; {}", cookie.split(';').next().unwrap()))]);
        assert_eq!(Visitor::of(&back), Some(me.clone()));
        assert_ne!(me.owner(), you.owner());
        for cookie in ["harary=", "harary=xyz", "harary=../../../../../../../../../etc/passw", "other=1"] {
            assert_eq!(Visitor::of(&headers(&[("cookie", cookie)])), None, "{cookie}");
        }
    }
}
