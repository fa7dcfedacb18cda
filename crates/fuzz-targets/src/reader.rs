use countersign_kernel::Text;

/// Makes choices from bytes; when they are used up, the first of everything.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or_default()
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// One of a few.
    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::from(self.byte()) % of.len()].clone()
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.take(8).iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Words: known ones, or whatever comes.
    pub(crate) fn text(&mut self) -> Text {
        match self.byte() % 4 {
            0 => Text::clipped("yes"),
            1 => Text::clipped("no"),
            2 => Text::clipped("policy:resource_allocation"),
            _ => {
                let length = usize::from(self.byte());
                Text::clipped(String::from_utf8_lossy(self.take(length)))
            }
        }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }
}
