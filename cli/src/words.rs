//! What is printed for people. Nothing that somebody else wrote can move the cursor or change colours.

use std::fmt::Write as _;

use countersign_api::types::{Awaiting, Opportunity, Thread, Timestamp, Turn};

/// One line of a list.
pub(crate) fn row(o: &Opportunity) -> String {
    let waits = match &o.awaiting {
        Awaiting::Person(_) => "needs you",
        Awaiting::Agent(_) | Awaiting::Fallback(_) => "an agent is thinking",
        Awaiting::Pickup(_) | Awaiting::Claimed(..) => "waits for an agent",
        Awaiting::Others | Awaiting::Signature(_) => "waits for others",
        Awaiting::Nobody => "",
    };
    let id = short(&o.id.0);
    format!("{id}  {:<12} {:<34} with {:<18} {waits}", o.status.to_string(), clean(&o.title), clean(&o.counterpart))
        .trim_end()
        .to_owned()
}

/// One negotiation with everything that was said.
pub(crate) fn thread(thread: &Thread) -> String {
    let o = &thread.opportunity;
    let mut text = format!(
        "{}\n{} · with {} · {} rules · {}\n",
        clean(&o.title),
        o.status,
        clean(&o.counterpart),
        o.protocol,
        o.id
    );
    for turn in &thread.turns {
        text.push_str(&said(turn));
    }
    if let Some(question) = &thread.question {
        let _ = write!(text, "\nYour agent asks: {}\n", clean(&question.context));
        if let Some(draft) = &question.draft {
            let _ = write!(text, "It wants to say:\n{}", said(draft));
        }
        let _ = writeln!(text, "Answer with: countersign decide {} approve (or deny)", short(&o.id.0));
    }
    if let Some((draft, at)) = &thread.draft {
        let _ = write!(text, "\nAbout to be said at {}:\n{}", when(*at), said(draft));
    }
    for line in &thread.why {
        let _ = writeln!(text, "\n{}", clean(line));
    }
    if let Some(digest) = &o.digest {
        let _ = write!(text, "\nWaits for your decision. Digest of what you see:\n{digest}\n");
    }
    if let Some((then, at)) = &thread.otherwise {
        let _ = writeln!(text, "\nIf nobody does anything: at {} {then}.", when(*at));
    }
    text
}

/// One turn.
pub(crate) fn said(turn: &Turn) -> String {
    let action = format!("{:?}", turn.action).to_lowercase();
    let mut text = format!("\n{}. {} {action}  {}\n", turn.number, clean(&turn.speaker), when(turn.at));
    for (name, value) in &turn.terms {
        let _ = writeln!(text, "   {}: {}", clean(name), clean(value));
    }
    if let Some(message) = &turn.message {
        let _ = writeln!(text, "   “{}”", clean(message));
    }
    let _ = writeln!(text, "   because: {}", clean(&turn.reasoning));
    text
}

/// Enough of an id to name it: the end, which differs most.
pub(crate) fn short(id: &str) -> &str {
    id.char_indices().rev().nth(7).and_then(|(at, _)| id.get(at..)).unwrap_or(id)
}

pub(crate) fn when(at: Timestamp) -> String {
    at.rfc3339().replace('T', " ").split('.').next().unwrap_or_default().to_owned()
}

/// Without control characters: a terminal obeys them.
pub(crate) fn clean(text: &str) -> String {
    let dangerous =
        |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if dangerous(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_others_wrote_reaches_the_terminal_as_a_command() {
        assert_eq!(clean("a\u{1b}[2Jb\u{202e}c\nd\u{7}"), "a\u{fffd}[2Jb\u{fffd}c\nd\u{fffd}");
    }

    #[test]
    fn an_id_is_named_by_its_end() {
        assert_eq!(short("019a0000-0000-7000-8000-00001234abcd"), "1234abcd");
        assert_eq!(short("n-1"), "n-1");
    }
}
