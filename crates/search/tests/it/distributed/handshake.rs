//! How processes come together, and when they do not.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use pins::System;
use pins::toy::{counters, philosophers};
use search::distributed::{self, Secret, Team, Waiting};

use super::{all, together};

const PATIENCE: Duration = Duration::from_millis(400);

/// Why a team does not come together.
fn refusal(addresses: &[String], secret: &Secret) -> String {
    let begun = Instant::now();
    let refused = Team::lead(addresses, secret, PATIENCE, |_| false).err();
    assert!(begun.elapsed() < Duration::from_secs(8));
    refused.expect("it is refused").to_string()
}

#[test]
fn an_address_where_nobody_answers_is_named() {
    let free = Waiting::listen("127.0.0.1:0").unwrap().address();
    let why = refusal(&[free.to_string()], &Secret::new("s"));
    assert!(why.contains(&free.to_string()), "{why}");
    assert!(why.contains("no worker answers"), "{why}");
}

#[test]
fn an_address_without_a_port_is_none() {
    let why = refusal(&["127.0.0.1".to_string()], &Secret::new("s"));
    assert!(why.contains("HOST:PORT"), "{why}");
}

#[test]
fn another_version_is_told_from_a_stranger() {
    let odd = [
        (&b"burnside team 0\n"[..], "another version"),
        (&b"somebody else 0\n"[..], "no worker"),
    ];
    for (greeting, expected) in odd {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (mut socket, _) = listener.accept().unwrap();
                socket.write_all(greeting).unwrap();
                socket.write_all(&[0; 48]).unwrap();
                // The other end may hang up at any byte.
                let _ = socket.read_to_end(&mut Vec::new());
            });
            let why = refusal(&[address], &Secret::new("s"));
            assert!(why.contains(expected), "{why}");
        });
    }
}

#[test]
fn an_address_is_listened_on_once() {
    let first = Waiting::listen("127.0.0.1:0").unwrap();
    let again = Waiting::listen(&first.address().to_string()).err().unwrap();
    assert!(again.to_string().contains("another run"), "{again}");
}

#[test]
fn another_secret_is_no_secret() {
    let waiting = Waiting::listen("127.0.0.1:0").unwrap();
    let address = waiting.address().to_string();
    let begun = Instant::now();
    let is_over = || begun.elapsed() > Duration::from_secs(2);
    std::thread::scope(|scope| {
        let joined = scope.spawn(|| waiting.join(&Secret::new("one"), &is_over));
        let why = refusal(&[address], &Secret::new("another"));
        assert!(why.contains("same secret"), "{why}");
        assert!(matches!(joined.join().unwrap(), Ok(None)));
    });
}

#[test]
fn a_stranger_does_not_disturb() {
    let waiting = Waiting::listen("127.0.0.1:0").unwrap();
    let address = waiting.address();
    let secret = Secret::new("s");
    std::thread::scope(|scope| {
        let joined = scope.spawn(|| waiting.join(&secret, &|| false));
        for noise in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", &[0xff; 4096]] {
            let mut stranger = TcpStream::connect(address).unwrap();
            // The other end may hang up at any byte.
            let _ = stranger.write_all(noise);
            let _ = stranger.shutdown(std::net::Shutdown::Write);
            let _ = stranger.read_to_end(&mut Vec::new());
        }
        let patience = Duration::from_secs(20);
        let team = Team::lead(&[address.to_string()], &secret, patience, |_| false);
        assert_eq!(team.unwrap().processes(), 2);
        assert_eq!(joined.join().unwrap().unwrap().unwrap().me, 1);
    });
}

#[test]
fn nobody_waits_for_a_process_that_is_gone() {
    let waiting = Waiting::listen("127.0.0.1:0").unwrap();
    let free = Waiting::listen("127.0.0.1:0").unwrap().address();
    let addresses = [waiting.address().to_string(), free.to_string()];
    let secret = Secret::new("s");
    std::thread::scope(|scope| {
        let joined = scope.spawn(|| waiting.join(&secret, &|| false));
        let team = Team::lead(&addresses, &secret, distributed::PATIENCE, |at| at == 1);
        let why = team.err().unwrap().to_string();
        assert!(why.contains("ended before it took part"), "{why}");
        // The first process is gone for the other one, which was waiting for the same.
        let why = joined.join().unwrap().err().unwrap().to_string();
        assert!(why.contains("ended before it took part"), "{why}");
    });
}

#[test]
fn another_model_is_refused_by_everybody() {
    let (one, other) = (counters(3, 4), philosophers(3));
    let systems: [&dyn System; 2] = [&one, &other];
    let refused = together(&systems, &super::distributed(&all(&one)))
        .err()
        .unwrap();
    assert!(refused.to_string().contains("another model"), "{refused}");
}
