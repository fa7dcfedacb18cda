//! Who has to approve, and what policies say.

use countersign_kernel::Side::{Initiator, Responder};
use countersign_kernel::SummitKind::{PolicyConflict, ResourceAllocation, TaskPrioritization};
use countersign_kernel::{
    Approver, Ask, Awaiting, Decision, Ending, Hook, Move, PersonAct, Refusal, Resolution, Ruled, Ruling, Span, Status,
    Stop, SystemAct, Timer, Violation, WhyCode,
};

use super::{agreed, cpu, framed, governed, verdict};
use crate::kit::{Table, propose_terms, text, whole};

#[test]
fn nobody_approves_in_a_day_and_it_expires() {
    let mut table = agreed(ResourceAllocation);
    assert_eq!(table.next(), Some((Timer::Approval, Span::hours(24))));
    table.wait();
    assert_eq!(table.n.status(), Status::Expired);
}

#[test]
fn a_capability_violation_after_the_agreement_voids_it() {
    let mut table = agreed(ResourceAllocation);
    table.system(SystemAct::Violation(Initiator, Violation::Policy)).unwrap();
    assert_eq!(table.n.status(), Status::Pending, "counted, and no more");
    table.system(SystemAct::Violation(Initiator, Violation::Capability)).unwrap();
    assert_eq!(table.n.ending(), Some(Ending::Voided));
    assert_eq!(table.n.why().unwrap().code, WhyCode::CapabilityViolation);
    let late = SystemAct::Violation(Initiator, Violation::Schema);
    assert!(table.system(late).is_err(), "what is over stays as it was");
}

#[test]
fn the_person_and_everybody_named_have_to_approve() {
    for (kind, named) in [(ResourceAllocation, "policy:resource_allocation"), (PolicyConflict, "policy_admin")] {
        let mut table = agreed(kind);
        let digest = table.n.digest();
        let by = |approver: &str| SystemAct::Decide {
            approver: text(approver),
            decision: Decision::Approved,
            digest: digest.clone(),
        };
        assert_eq!(table.system(by("somebody")), Err(Refusal::NotAsked));
        table.system(by(named)).unwrap();
        assert_eq!(table.system(by(named)), Err(Refusal::NotAsked), "once");
        assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Approval), "never without the person");
        table.decides(Decision::Approved).unwrap();
        assert_eq!(table.n.status(), Status::Accepted);
        let approvers: Vec<_> = table.n.approvals().iter().map(|approval| &approval.approver).collect();
        assert_eq!(approvers, [&Approver::Named(text(named)), &Approver::Person]);
    }
    let mut first = agreed(PolicyConflict);
    first.decides(Decision::Approved).unwrap();
    assert_eq!((first.n.status(), first.n.awaiting()), (Status::Pending, Awaiting::Others));
}

#[test]
fn any_required_approver_may_say_no() {
    let mut table = agreed(PolicyConflict);
    let digest = table.n.digest();
    let no = SystemAct::Decide { approver: text("policy_admin"), decision: Decision::Rejected, digest };
    table.system(no).unwrap();
    assert_eq!(table.n.status(), Status::Declined);
}

#[test]
fn an_approvers_conditions_are_there_before_the_person_decides() {
    let mut opening = framed(TaskPrioritization);
    opening.frame.approvers = vec![text("legal"), text("legal")];
    let mut table = Table::open(opening);
    table.says(Initiator, propose_terms(&[("rank.a", whole(1))])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    let decision = Decision::Conditional(vec![text("review in a month")]);
    let approve = SystemAct::Decide { approver: text("legal"), decision: decision.clone(), digest: table.n.digest() };
    table.system(approve).unwrap();
    assert_eq!(table.n.approvals()[0].decision, decision);
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
    assert_eq!(table.n.approvals().len(), 2, "the conditions stay on record");
}

#[test]
fn the_policy_hooks_do_what_they_rule() {
    // Before the start: a person is asked, and their no ends it.
    let mut start = governed(ResourceAllocation);
    start.system(verdict(Hook::Start, Ruled::Escalate)).unwrap();
    assert_eq!(start.n.awaiting(), Awaiting::Person(Ask::Escalation));
    start.person(PersonAct::Rule(Ruling { approved: false, remarks: text("no") })).unwrap();
    assert_eq!(start.n.outcome().unwrap().result, Resolution::Aborted(Stop::PolicyDenied));
    // A turn: refused and counted, and the side may try again.
    let mut turn = governed(ResourceAllocation);
    turn.system(verdict(Hook::Turn, Ruled::Deny)).unwrap();
    assert_eq!((turn.n.violations(Initiator), turn.n.status()), (1, Status::Negotiating));
    turn.system(verdict(Hook::Turn, Ruled::Warn)).unwrap();
    turn.system(verdict(Hook::Turn, Ruled::Allow)).unwrap();
    turn.says(Initiator, cpu(1)).unwrap();
    assert_eq!(turn.n.verdicts().len(), 3);
    turn.system(verdict(Hook::Turn, Ruled::Escalate)).unwrap();
    turn.person(PersonAct::Rule(Ruling { approved: false, remarks: text("not this one") })).unwrap();
    assert_eq!(turn.n.status(), Status::Negotiating, "a no to one turn is not the end");
    // Before the resolution.
    let mut resolution = governed(ResourceAllocation);
    resolution.says(Initiator, cpu(1)).unwrap();
    resolution.system(verdict(Hook::Resolution, Ruled::Escalate)).unwrap();
    resolution.person(PersonAct::Rule(Ruling { approved: true, remarks: text("yes") })).unwrap();
    resolution.says(Responder, Move::Accept).unwrap();
    resolution.system(verdict(Hook::Resolution, Ruled::Escalate)).unwrap();
    assert_eq!(resolution.n.status(), Status::Pending, "what is with a person stays with them");
    // Before it is carried out: an approval is void when a policy has changed.
    let mut execution = agreed(TaskPrioritization);
    execution.decides(Decision::Approved).unwrap();
    execution.system(verdict(Hook::Execution, Ruled::Allow)).unwrap();
    execution.system(verdict(Hook::Execution, Ruled::Deny)).unwrap();
    assert_eq!((execution.n.ending(), execution.n.status()), (Some(Ending::Voided), Status::Aborted));
    assert_eq!(execution.n.why().unwrap().code, WhyCode::PolicyDenied);
    assert_eq!(execution.n.approvals().len(), 1, "kept as evidence");
    assert!(execution.system(verdict(Hook::Execution, Ruled::Deny)).is_err(), "once");
}
