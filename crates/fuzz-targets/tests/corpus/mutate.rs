/// Changes bytes a little, the same way every time.
pub(crate) struct Mutator(u64);

/// What readers of JSON and of numbers stumble over.
const TOKENS: [&[u8]; 12] = [
    b"null",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\"\"",
    b"{}",
    b"[[",
    b"\\ud800",
    b"\xff",
    b"\0",
    b",",
    b"\xe2\x80\xae",
];

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Up to three changes.
    pub(crate) fn change(&mut self, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            self.once(&mut bytes, other);
        }
        bytes
    }

    fn once(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let (from, to) = self.range(bytes.len());
        match self.below(7) {
            // Flip a bit.
            0 | 1 => {
                let bit = 1 << self.below(8);
                bytes[from..].iter_mut().take(1).for_each(|byte| *byte ^= bit);
            }
            2 => bytes.truncate(from),
            3 => drop(bytes.drain(from..to)),
            // Say it twice.
            4 => {
                let part = bytes[from..to].to_vec();
                bytes.splice(to..to, part);
            }
            // Put a part of another in.
            5 => {
                let (start, end) = self.range(other.len());
                bytes.splice(from..to, other[start..end].iter().copied());
            }
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(from..from, token.iter().copied());
            }
        }
    }

    /// A short part of so many bytes.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        (from, (from + self.below(24)).min(length))
    }

    /// A number below this one.
    fn below(&mut self, limit: usize) -> usize {
        // Xorshift: short, and the same everywhere.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or_default() % limit
    }
}
