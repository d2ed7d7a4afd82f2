use super::*;
use crate::view::exhibit::Exhibit;
use crate::view::manifest::Role;
use crate::view::run_folder::RunFolder;
use impinge::shape::generate;
use impinge_io::Dataset;
use std::io::BufReader;

fn of_run(folder: &Path) -> Server {
    Server::start(Content::Run(RunFolder::new(folder)), 0).expect("a port")
}

/// Sends bytes and returns the status, the head and the body of the answer.
fn send(server: &Server, request: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.address).expect("connects");
    stream.write_all(request.as_bytes()).expect("sends");
    stream
        .shutdown(std::net::Shutdown::Write)
        .expect("half closed");
    let mut bytes = Vec::new();
    BufReader::new(stream)
        .read_to_end(&mut bytes)
        .expect("an answer");
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).expect("text");
    let status = head[9..12].parse().expect("a status");
    (status, head, bytes[end + 4..].to_vec())
}

fn get(server: &Server, path: &str, more: &str) -> (u16, String, Vec<u8>) {
    let (address, token) = (server.address, &server.token);
    send(
        server,
        &format!("GET /{token}/{path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n"),
    )
}

fn folder() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a temporary folder");
    let run = place.path().join("run");
    std::fs::create_dir(&run).expect("a folder");
    std::fs::write(run.join("history.csv"), "step,time\n0,0.0\n").expect("writes");
    std::fs::write(place.path().join("secret.txt"), "secret").expect("writes");
    place
}

#[test]
fn nothing_is_given_out_without_the_token_or_to_another_name() {
    let place = folder();
    let server = of_run(&place.path().join("run"));
    let (address, token) = (server.address, server.token.clone());
    assert_eq!(get(&server, "", "").0, 200);

    let status = |request: String| send(&server, &request).0;
    assert_eq!(
        status(format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n")),
        404
    );
    let wrong = "0".repeat(token.len());
    assert_eq!(
        status(format!("GET /{wrong}/ HTTP/1.1\r\nHost: {address}\r\n\r\n")),
        404
    );
    for host in ["evil.example:80", "127.0.0.1", "127.0.0.1:1"] {
        let request = format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\n\r\n");
        assert_eq!(status(request), 421, "{host}");
    }
    assert_eq!(status(format!("GET /{token}/ HTTP/1.1\r\n\r\n")), 421);
    assert_eq!(
        status(format!(
            "POST /{token}/ HTTP/1.1\r\nHost: {address}\r\n\r\n"
        )),
        405
    );
    assert_eq!(status("nonsense\r\n\r\n".into()), 400);
    assert_ne!(token, of_run(&place.path().join("run")).token);
}

#[test]
fn files_outside_the_folder_are_refused_whatever_the_path_looks_like() {
    let place = folder();
    let run = place.path().join("run");
    #[cfg(unix)]
    {
        let secret = place.path().join("secret.txt");
        std::os::unix::fs::symlink(secret, run.join("link.txt")).expect("a link");
        std::os::unix::fs::symlink(run.join("history.csv"), run.join("own.csv")).expect("a link");
    }
    let server = of_run(&run);
    let outside = [
        "files/../secret.txt",
        "files/%2e%2e/secret.txt",
        "files/..%2fsecret.txt",
        "files//etc/passwd",
        "files/%2fetc%2fpasswd",
        "files/link.txt",
        "files/%00",
        "files/%zz",
        "files/",
        "files/missing.csv",
        "packed/../secret.txt",
        "packed/link.txt",
    ];

    for path in outside {
        let (status, _, body) = get(&server, path, "");
        assert!(matches!(status, 403 | 404), "{path}: {status}");
        assert!(
            !String::from_utf8_lossy(&body).contains("secret\n"),
            "{path}"
        );
    }
    assert_eq!(
        get(&server, "files/history.csv", "").2,
        b"step,time\n0,0.0\n"
    );
    #[cfg(unix)]
    assert_eq!(get(&server, "files/own.csv", "").0, 200);
}

#[test]
fn a_range_of_a_file_is_exactly_that() {
    let place = folder();
    let server = of_run(&place.path().join("run"));
    let (status, head, body) = get(&server, "files/history.csv", "Range: bytes=10-\r\n");
    assert_eq!((status, body.as_slice()), (206, b"0,0.0\n".as_slice()));
    assert!(head.contains("Content-Range: bytes 10-15/16"));
    assert_eq!(
        get(&server, "files/history.csv", "Range: bytes=16-\r\n").0,
        416
    );

    let parsed = [
        "bytes=0-3",
        "bytes=-4",
        "bytes=2-99",
        "bytes=5-2",
        "bytes=0-1,3-4",
        "lines=1-2",
    ];
    let expected = [
        Range::Part(0, 4),
        Range::Part(12, 4),
        Range::Part(2, 14),
        Range::Unknown,
        Range::Unknown,
        Range::Unknown,
    ];
    assert_eq!(parsed.map(|text| parse_range(text, 16)), expected);
    assert_eq!(parse_range("bytes=0-", 0), Range::Outside);
}

#[test]
fn head_has_the_length_and_no_body_and_two_requests_share_a_connection() {
    let place = folder();
    let server = of_run(&place.path().join("run"));
    let (address, token) = (server.address, &server.token);
    let request = format!("HEAD /{token}/files/history.csv HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let (status, head, body) = send(&server, &request);
    assert_eq!((status, body.len()), (200, 0));
    assert!(head.contains("Content-Length: 16"));

    let twice = format!("{request}{request}");
    let (_, _, rest) = send(&server, &twice);
    assert!(rest.starts_with(b"HTTP/1.1 200"));
}

#[test]
fn an_exhibit_is_served_from_memory_and_has_no_files() {
    let foam = generate::foam(5000, 1).expect("a foam");
    let dataset = Dataset::from(foam.to_mesh());
    let exhibit = Exhibit::new("foam").with("mesh", "triangles", Role::Matter, dataset);
    let server = Server::start(Content::Exhibit(exhibit), 0).expect("a port");
    let (status, _, json) = get(&server, "run.json", "");
    let manifest: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!((status, &manifest["state"]), (200, &"still".into()));

    let path = manifest["series"][0]["frames"][0]["path"]
        .as_str()
        .expect("a path");
    assert!(
        get(&server, &format!("packed/{path}"), "")
            .2
            .starts_with(b"IMPV")
    );
    assert_eq!(get(&server, "packed/mesh/1", "").0, 422);
    assert_eq!(get(&server, "files/Cargo.toml", "").0, 404);
}

#[test]
fn a_folder_without_a_run_is_described_in_a_sentence() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let (_, _, json) = get(&of_run(place.path()), "run.json", "");
    let manifest: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let problem = manifest["problem"].as_str().expect("a sentence");
    assert!(problem.starts_with("There is no run in"));
}
