/// Chance that can be had again: the same seed gives the same draws, on any machine. (`SplitMix64`.)
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another one that follows from this one, for somebody who draws on their own.
    #[must_use]
    pub fn split(&mut self) -> Self {
        Self(self.draw())
    }

    /// Any number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit; 0 when the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.draw().checked_rem(limit).unwrap_or(0)
    }

    /// Whether something happens that happens so many times in a hundred.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of several; none of none.
    pub fn one_of<'a, T>(&mut self, several: &'a [T]) -> Option<&'a T> {
        let place = usize::try_from(self.below(several.len() as u64)).ok()?;
        several.get(place)
    }
}
