//! Certificates of small systems.

mod closed;
mod diagrams;
mod temporal;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

/// A certificate with up to three bytes changed, taken out or put in, and with the hash of what it is now.
fn changed(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut changed = bytes[..bytes.len() - 32].to_vec();
    for _ in 0..=numbers.next(3) {
        let at = numbers.next(changed.len());
        match numbers.next(3) {
            0 => changed[at] = numbers.next(256) as u8,
            1 => _ = changed.remove(at),
            _ => changed.insert(at, numbers.next(256) as u8),
        }
    }
    let hash = blake3::hash(&changed);
    changed.extend(hash.as_bytes());
    changed
}
