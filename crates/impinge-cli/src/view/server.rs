//! A web server for one page on this machine.
//!
//! It listens on 127.0.0.1 only, answers GET and HEAD, and serves nothing without the token in the
//! address, which other users of the machine and other pages in the browser do not have. The Host
//! header must name this server, so that a foreign name that resolves to 127.0.0.1 does not help
//! either. Files are read within the folder only, links out of it are not followed.

use super::content::Content;
use super::pack::Precision;
use anyhow::Context;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The page, built from `viewer/` by `cargo xtask viewer`.
pub(super) const PAGE: &str = include_str!("page.html");

/// Longest request.
const MOST_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// Connections at a time.
const MOST_CONNECTIONS: usize = 64;

/// How long an idle connection stays open.
const IDLE: Duration = Duration::from_secs(30);

/// Timeout for a browser that accepts no data: drawing a large frame in software may block it for long.
const STALLED: Duration = Duration::from_secs(300);

/// Content security policy: the page may only run its own script and connect to this server.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
                      connect-src 'self'; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that is running in the background until the program ends.
pub(super) struct Server {
    address: SocketAddr,
    token: String,
}

impl Server {
    /// Starts serving; port 0 picks a free one.
    pub(super) fn start(content: Content, port: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("cannot listen on port {port}"))?;
        let server = Self {
            address: listener.local_addr()?,
            token: token(),
        };
        let site = Arc::new(Site {
            content,
            token: server.token.clone(),
            port: server.address.port(),
        });
        std::thread::Builder::new()
            .name("view".to_owned())
            .spawn(move || accept(&listener, &site))?;

        Ok(server)
    }

    /// Returns the address to open.
    pub(super) fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }
}

/// Returns 128 random bits in hexadecimal: two hashes with keys from the operating system.
fn token() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", part(), part())
}

fn accept(listener: &TcpListener, site: &Arc<Site>) {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    for stream in listener.incoming().flatten() {
        if OPEN.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            OPEN.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let site = Arc::clone(site);
        std::thread::spawn(move || {
            // A closed connection is not an error.
            let _ = converse(stream, &site);
            OPEN.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Answers the requests of one connection.
fn converse(mut stream: TcpStream, site: &Site) -> std::io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(STALLED))?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();

    while let Some(request) = Request::read(&mut stream, &mut buffer)? {
        let answer = site.answer(&request);
        let goes_on = request.is_sound;
        answer.write(&mut stream, request.method == "HEAD")?;
        if !goes_on {
            break;
        }
    }

    Ok(())
}

/// The parts of a request that matter.
#[derive(Debug, Default)]
struct Request {
    method: String,
    target: String,
    hosts: Vec<String>,
    range: Option<String>,
    /// Whether it could be parsed and had no body, so that another may follow.
    is_sound: bool,
}

impl Request {
    /// Reads the next request; `None` at the end of the connection.
    fn read(stream: &mut impl Read, buffer: &mut Vec<u8>) -> std::io::Result<Option<Self>> {
        loop {
            if !buffer.is_empty() {
                match Self::parse(buffer) {
                    Ok(Some((request, length))) => {
                        buffer.drain(..length);
                        return Ok(Some(request));
                    }
                    Ok(None) if buffer.len() < MOST_BYTES => {}
                    _ => return Ok(Some(Self::default())),
                }
            }

            let mut piece = [0; 4096];
            match stream.read(&mut piece) {
                Ok(0) => return Ok(None),
                Ok(count) => buffer.extend(&piece[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Parses a request with its length; `None` if it is not complete yet.
    fn parse(bytes: &[u8]) -> Result<Option<(Self, usize)>, httparse::Error> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(length) = parsed.parse(bytes)? else {
            return Ok(None);
        };

        let mut request = Self {
            method: parsed.method.unwrap_or_default().to_owned(),
            target: parsed.path.unwrap_or_default().to_owned(),
            is_sound: true,
            ..Self::default()
        };
        for header in parsed.headers.iter() {
            let value = String::from_utf8_lossy(header.value).trim().to_owned();
            match header.name.to_ascii_lowercase().as_str() {
                "host" => request.hosts.push(value),
                "range" => request.range = Some(value),
                "content-length" if value != "0" => request.is_sound = false,
                "transfer-encoding" => request.is_sound = false,
                "connection" if value.eq_ignore_ascii_case("close") => request.is_sound = false,
                _ => {}
            }
        }

        Ok(Some((request, length)))
    }
}

/// Routing and access control.
struct Site {
    content: Content,
    token: String,
    port: u16,
}

impl Site {
    fn answer(&self, request: &Request) -> Answer {
        if request.method.is_empty() {
            return Answer::text(400, "Malformed request.");
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Answer::text(405, "Only GET and HEAD are supported.")
                .with("Allow", "GET, HEAD");
        }
        if !self.is_own_name(&request.hosts) {
            return Answer::text(
                421,
                "This server accepts only 127.0.0.1 and localhost as host.",
            );
        }

        let path = request.target.split(['?', '#']).next().unwrap_or_default();
        let Some(path) = self.behind_token(path) else {
            return Answer::text(404, "Open the complete address that impinge printed.");
        };
        match path.split_once('/').unwrap_or((path, "")) {
            ("", _) => Answer::of("text/html; charset=utf-8", PAGE.as_bytes().to_vec())
                .with("Content-Security-Policy", POLICY),
            ("run.json", "") => self.manifest(),
            ("packed", path) => self.packed(path),
            ("files", path) => self.file(path, request.range.as_deref()),
            _ => Answer::text(404, "There is nothing here."),
        }
    }

    /// Whether the request was meant for this server.
    fn is_own_name(&self, hosts: &[String]) -> bool {
        let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        matches!(hosts, [host] if own.iter().any(|name| name.eq_ignore_ascii_case(host)))
    }

    /// Returns the rest of a path that begins with the token. The comparison takes as long for every wrong token.
    fn behind_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (given, rest) = path.strip_prefix('/')?.split_once('/')?;
        let difference = given
            .bytes()
            .zip(self.token.bytes())
            .fold(0, |all, (a, b)| all | (a ^ b));
        (given.len() == self.token.len() && difference == 0).then_some(rest)
    }

    fn manifest(&self) -> Answer {
        match serde_json::to_vec(&self.content.manifest()) {
            Ok(json) => Answer::of("application/json", json),
            Err(error) => Answer::text(500, &format!("The run cannot be described: {error}")),
        }
    }

    fn packed(&self, path: &str) -> Answer {
        let Some(path) = decoded(path) else {
            return Answer::text(404, "There is no such frame.");
        };
        if let Some(folder) = self.content.folder()
            && let Err(answer) = within(folder, &path)
        {
            return answer;
        }

        let bytes = self
            .content
            .packed(&path, Precision::Single)
            .and_then(|packed| Ok(packed.to_bytes()?));
        match bytes {
            Ok(bytes) => Answer::of("application/octet-stream", bytes),
            Err(error) => Answer::text(422, &format!("{error:#}")),
        }
    }

    fn file(&self, path: &str, range: Option<&str>) -> Answer {
        let found = self.content.folder().zip(decoded(path));
        let Some((folder, path)) = found else {
            return Answer::text(404, "There is no such file.");
        };
        let path = match within(folder, &path) {
            Ok(path) => path,
            Err(answer) => return answer,
        };
        open_range(&path, range).unwrap_or_else(|error| Answer::text(404, &error.to_string()))
    }
}

/// Returns the real path of a file within a folder, or the reason why it is not served.
fn within(folder: &Path, path: &str) -> Result<PathBuf, Answer> {
    let path = Path::new(path);
    let is_plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let missing = || Answer::text(404, &format!("{}: there is no such file", path.display()));
    if !is_plain || path.as_os_str().is_empty() {
        return Err(Answer::text(403, "Only files of the run are served."));
    }

    let root = folder.canonicalize().map_err(|_| missing())?;
    let real = root.join(path).canonicalize().map_err(|_| missing())?;
    if !real.starts_with(&root) {
        return Err(Answer::text(403, "Only files of the run are served."));
    }
    if !real.is_file() {
        return Err(missing());
    }
    Ok(real)
}

/// Decodes %41 and the like; `None` if it is not text then.
fn decoded(path: &str) -> Option<String> {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = (bytes[i] == b'%').then(|| path.get(i + 1..i + 3)).flatten();
        match code {
            Some(code) if code.bytes().all(|b| b.is_ascii_hexdigit()) => {
                out.push(u8::from_str_radix(code, 16).ok()?);
                i += 3;
            }
            _ if bytes[i] == b'%' => return None,
            _ => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }

    String::from_utf8(out)
        .ok()
        .filter(|text| !text.contains('\0'))
}

/// Opens a file, or the requested range of it.
fn open_range(path: &Path, range: Option<&str>) -> std::io::Result<Answer> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let (status, from, length) = match range.map(|range| parse_range(range, size)) {
        // A range of another form may be ignored [RFC 9110, section 14.2].
        None | Some(Range::Unknown) => (200, 0, size),
        Some(Range::Part(from, length)) => (206, from, length),
        Some(Range::Outside) => {
            let answer = Answer::text(416, "The file is shorter.");
            return Ok(answer.with("Content-Range", &format!("bytes */{size}")));
        }
    };

    file.seek(SeekFrom::Start(from))?;
    let mut answer = Answer {
        status,
        headers: Vec::new(),
        kind: "application/octet-stream",
        body: Body::File(file, length),
    }
    .with("Accept-Ranges", "bytes");
    if status == 206 {
        let last = from + length - 1;
        answer = answer.with("Content-Range", &format!("bytes {from}-{last}/{size}"));
    }
    Ok(answer)
}

#[derive(Debug, PartialEq, Eq)]
enum Range {
    /// First byte and length.
    Part(u64, u64),
    Outside,
    Unknown,
}

/// Parses one range of bytes; several at once are not answered.
fn parse_range(text: &str, size: u64) -> Range {
    let Some((first, last)) = text
        .strip_prefix("bytes=")
        .and_then(|range| range.split_once('-'))
    else {
        return Range::Unknown;
    };

    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= size => Range::Outside,
        (Ok(first), Ok(last)) if last >= first => {
            Range::Part(first, last.min(size - 1) - first + 1)
        }
        (Ok(first), Err(_)) if last.is_empty() => Range::Part(first, size - first),
        (Err(_), Ok(count)) if first.is_empty() && count > 0 && size > 0 => {
            let count = count.min(size);
            Range::Part(size - count, count)
        }
        (Err(_), Ok(_)) if first.is_empty() => Range::Outside,
        _ => Range::Unknown,
    }
}

/// A response.
struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    kind: &'static str,
    body: Body,
}

enum Body {
    Bytes(Vec<u8>),
    File(File, u64),
}

impl Answer {
    fn of(kind: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            kind,
            body: Body::Bytes(bytes),
        }
    }

    /// A sentence for the reader of the page.
    fn text(status: u16, sentence: &str) -> Self {
        Self {
            status,
            ..Self::of("text/plain; charset=utf-8", sentence.as_bytes().to_vec())
        }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn write(self, stream: &mut impl Write, is_head: bool) -> std::io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            206 => "Partial Content",
            400 => "Bad Request",
            403 => "Forbidden",
            405 => "Method Not Allowed",
            416 => "Range Not Satisfiable",
            421 => "Misdirected Request",
            422 => "Unprocessable Content",
            500 => "Internal Server Error",
            _ => "Not Found",
        };
        let length = match &self.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::File(_, length) => *length,
        };

        let mut head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n",
            self.status, self.kind
        );
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes())?;

        if !is_head {
            match self.body {
                Body::Bytes(bytes) => stream.write_all(&bytes)?,
                Body::File(file, length) => {
                    std::io::copy(&mut file.take(length), stream)?;
                }
            }
        }
        stream.flush()
    }
}

#[cfg(test)]
mod tests;
