//! A negotiation as a page to read: nothing in it runs, nothing in it is loaded from elsewhere.

use countersign_api_types::{Thread, Turn};
use countersign_ledger::{Export, Mask};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1d1d1b}\
h1{font-size:1.4rem}ol{padding-left:1.2rem}li{margin:0 0 1rem}.meta,.why{color:#55554f}\
blockquote{margin:.3rem 0;padding-left:.8rem;border-left:3px solid #c9c7bd}code{font-size:.85em;word-break:break-all}";

/// The page. With a mask, what is sensitive is left out of it as it is left out of the copy.
pub(crate) fn page(thread: &Thread, export: &Export, mask: Option<&Mask>) -> String {
    let shown = |text: &str| match mask.and_then(|mask| mask.apply(text)) {
        Some((masked, _)) => escaped(&masked),
        None => escaped(text),
    };
    let opportunity = &thread.opportunity;
    let turns: String = thread.turns.iter().map(|turn| item(turn, &shown)).collect();
    let why: String = thread.why.iter().map(|line| format!("<li>{}</li>", shown(line))).collect();
    let hidden = match export.sensitive_fields_redacted.len() {
        0 => String::new(),
        count => format!("<p class=\"meta\">Left out in {count} places: names, contacts, numbers, private words.</p>"),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{title}</title><style>{STYLE}</style></head>\n\
         <body><h1>{title}</h1>\n<p class=\"meta\">with {with} · {status} · {count} turns · {protocol} rules</p>\n\
         <ul class=\"why\">{why}</ul>\n<ol>{turns}</ol>\n{hidden}<p class=\"meta\">{entries} entries, ending in \
         <code>{hash}</code>. The JSON copy of this negotiation proves it.</p></body></html>\n",
        title = shown(&opportunity.title),
        with = shown(&opportunity.counterpart),
        status = opportunity.status,
        count = opportunity.turn_count,
        protocol = opportunity.protocol,
        entries = export.entries.len(),
        hash = export.hash,
    )
}

fn item(turn: &Turn, shown: &impl Fn(&str) -> String) -> String {
    let message = turn.message.as_deref().map(|said| format!("<blockquote>{}</blockquote>", shown(said)));
    format!(
        "<li><strong>{}</strong> {} <span class=\"meta\">{}</span>{}<div class=\"meta\">{}</div></li>\n",
        shown(&turn.speaker),
        format!("{:?}", turn.action).to_lowercase(),
        turn.at.rfc3339(),
        message.unwrap_or_default(),
        shown(&turn.reasoning),
    )
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Letters that change the direction of others could make a page say what it does not.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            letter => safe.push(letter),
        }
    }
    safe
}
