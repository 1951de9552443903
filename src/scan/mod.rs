//! temp
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(());
impl Kernel {
    pub fn detect() -> Kernel {
        Kernel(())
    }
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        task.run(P)
    }
}
#[derive(Clone, Copy)]
pub(crate) struct P;
pub(crate) trait Task {
    type Output;
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}
#[derive(Debug, PartialEq)]
pub struct Rejected;
pub(crate) trait Isa: Copy {
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected>;
    fn string_flags(self, string: &[u8]) -> crate::event::Flags;
}
pub(crate) struct State {
    at: usize,
    end: usize,
    s: bool,
}
impl State {
    pub(crate) fn new(at: usize, end: usize) -> Self {
        Self { at, end, s: false }
    }
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.end
    }
    pub(crate) fn surrogates(&self) -> bool {
        self.s
    }
}
#[derive(Default)]
pub(crate) struct Tokens {
    v: Vec<u32>,
}
impl Tokens {
    pub(crate) fn clear(&mut self) {
        self.v.clear()
    }
    pub(crate) fn push(&mut self, o: u32) {
        self.v.push(o)
    }
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.v
    }
    pub(crate) fn carry(&mut self, used: usize) {
        self.v.drain(..used);
    }
}
impl Isa for P {
    fn string_flags(self, s: &[u8]) -> crate::event::Flags {
        crate::event::Flags::of_string(
            s.contains(&b'\\'),
            s.windows(2).any(|w| w == b"${" || w == b"%{"),
        )
    }
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected> {
        let t = &text[..state.end];
        let mut i = state.at;
        if std::str::from_utf8(&t[i..]).is_err() {
            return Err(Rejected);
        }
        while i < t.len() {
            match t[i] {
                b' ' | b'\t' | b'\n' | b'\r' => i += 1,
                b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                    tokens.push(i as u32);
                    i += 1
                }
                b'"' => {
                    tokens.push(i as u32);
                    i += 1;
                    loop {
                        match t.get(i) {
                            None | Some(0..0x20) => return Err(Rejected),
                            Some(b'"') => {
                                i += 1;
                                break;
                            }
                            Some(b'\\') => match t.get(i + 1) {
                                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                                    i += 2
                                }
                                Some(b'u')
                                    if t.len() >= i + 6
                                        && t[i + 2..i + 6].iter().all(u8::is_ascii_hexdigit) =>
                                {
                                    if matches!(t[i + 2], b'd' | b'D') && t[i + 3] >= b'8' {
                                        state.s = true
                                    }
                                    i += 6
                                }
                                _ => return Err(Rejected),
                            },
                            _ => i += 1,
                        }
                    }
                }
                _ => {
                    tokens.push(i as u32);
                    while i < t.len() && !b" \t\n\r{}[]:,\"".contains(&t[i]) {
                        i += 1
                    }
                }
            }
        }
        state.at = i;
        Ok(())
    }
}
