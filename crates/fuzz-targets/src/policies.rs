use countersign_kernel::{Hook, Load, Mode, Negotiation};
use countersign_policy::{Case, Policies};

use crate::table::{NOON, openings};

/// Policies from a file: those that are read answer at every hook, and are the same when they are read again.
pub fn policies(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let policies = match Policies::parse(text) {
        Ok(policies) => policies,
        Err(error) => {
            assert!(error.line >= 1 && !error.reason.is_empty(), "{error}");
            return false;
        }
    };
    assert_eq!(policies.text(), text);
    let Some(opening) = openings().next() else { return true };
    let events = Negotiation::open(opening, Load::default(), NOON).expect("it opens");
    let negotiation = Negotiation::replay(&events).expect("it begins with an opening");
    let case = Case { negotiation: &negotiation, said: None, findings: &[], met: 0, mode: Mode::On, now: NOON };
    for hook in [Hook::Start, Hook::Turn, Hook::Resolution, Hook::Execution] {
        let verdict = policies.rule(hook, &case);
        assert_eq!(verdict, Policies::parse(text).expect("it was read before").rule(hook, &case));
    }
    true
}
