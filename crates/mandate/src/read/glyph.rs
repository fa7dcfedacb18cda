//! Single characters: what is not seen goes, what looks or sounds alike becomes one.

/// A character as it is read, and where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyph {
    /// In lower case, without accents.
    pub(crate) c: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The text as it is read.
pub(crate) fn glyphs(text: &str) -> Vec<Glyph> {
    let mut glyphs = Vec::with_capacity(text.len());
    for (start, written) in text.char_indices() {
        let end = start + written.len_utf8();
        if is_unseen(written) || is_mark(written) {
            continue;
        }
        for lower in unstyled(written).to_lowercase() {
            match pair(lower) {
                Some(pair) => glyphs.extend(pair.chars().map(|c| Glyph { c, start, end })),
                None if is_mark(lower) => {}
                None => glyphs.push(Glyph { c: look_alike(plain(lower)), start, end }),
            }
        }
    }
    glyphs
}

/// Characters that take no room, or turn the direction of what follows.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e001f}' | '\u{e007f}'..='\u{e01ef}')
}

/// Scripts that write no spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The letter that a digit or a sign may stand for.
pub(crate) fn leet(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | 'l' | '|' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// Accents that stand on their own.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

/// Digits of other scripts begin at these.
const ZEROS: [u32; 12] = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xe50, 0xff10];

/// Wide, bold, circled and hidden forms of plain characters.
fn unstyled(c: char) -> char {
    let code = u32::from(c);
    let letter = |from: u32| char::from_u32(u32::from('a') + (code - from) % 26).unwrap_or(c);
    let digit = |from: u32| char::from_u32(u32::from('0') + (code - from) % 10).unwrap_or(c);
    if let Some(zero) = ZEROS.into_iter().find(|zero| (*zero..zero + 10).contains(&code)) {
        return digit(zero);
    }
    match code {
        0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(c),
        // Tags repeat the plain characters where nobody sees them.
        0xe0020..=0xe007e => char::from_u32(code - 0xe0000).unwrap_or(c),
        0x1d400..=0x1d6a3 => letter(0x1d400),
        0x1d7ce..=0x1d7ff => digit(0x1d7ce),
        0x24b6..=0x24cf => letter(0x24b6),
        0x24d0..=0x24e9 => letter(0x24d0),
        0x1f130..=0x1f149 => letter(0x1f130),
        0x1f170..=0x1f189 => letter(0x1f170),
        _ => c,
    }
}

/// Letters that are two.
fn pair(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        _ => return None,
    })
}

/// A letter without its accent, and one kind of space, dash and apostrophe.
fn plain(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ð' | 'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' | 'ħ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ỉ' | 'ị' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ọ'..='ợ' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ŧ' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ụ'..='ự' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\t' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '`' | '´' => '\'',
        other => other,
    }
}

/// Greek and Cyrillic letters that look Latin. A text of that script is changed too, and so is what is looked for.
fn look_alike(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ё' | 'ε' => 'e',
        'һ' | 'н' => 'h',
        'і' | 'ї' | 'ι' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' | 'μ' => 'm',
        'η' => 'n',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'ζ' => 'z',
        other => other,
    }
}
