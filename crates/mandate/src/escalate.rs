use countersign_kernel::{Escalation, Text};

use crate::{Finding, Weight};

/// The question to the person that findings come to; none when all of them are only to be shown.
///
/// The most urgent finding gives the reason; the first of them where several are.
pub fn escalation(findings: &[Finding]) -> Option<Escalation> {
    let serious = || findings.iter().filter(|finding| finding.weight() > Weight::Note);
    let urgency = serious().map(Finding::urgency).max()?;
    let worst = serious().find(|finding| finding.urgency() == urgency)?;
    let context: Vec<String> = serious().map(Finding::in_words).collect();
    Some(Escalation {
        reason: worst.reason(),
        urgency,
        context: Text::clipped(context.join(" ")),
        suggested_action: Some(Text::clipped(worst.suggestion())),
        hook: None,
        draft: None,
    })
}
