//! Which views of one state go together. The model checker uses this table too.

use countersign_kernel::{HireState, Negotiation, Status, SummitState, TaskState};

/// Whether everybody who looks at a negotiation sees the same.
pub(crate) fn agree(n: &Negotiation) -> bool {
    use {HireState as H, SummitState as S, TaskState as T};
    let views = (n.summit_state(), n.task_state(), n.hire_state());
    match n.status() {
        Status::Negotiating => {
            matches!(views.0, S::Init | S::Challenge | S::Iteration)
                && matches!(views.1, T::Submitted | T::Working | T::WaitingForAgent | T::Claimed | T::InputRequired)
                && matches!(views.2, H::Idle | H::Negotiating)
        }
        Status::Pending => matches!(views, (S::Resolution | S::Approval, T::Completed, H::Negotiating)),
        Status::Accepted => matches!(views, (S::Closed, T::Completed, H::Contracted)),
        Status::Declined | Status::Rejected | Status::Stalled | Status::Expired => {
            matches!(views, (S::Closed, T::Completed, H::Declined))
        }
        Status::Aborted => matches!(views, (S::Aborted, T::Failed | T::Canceled, H::Declined)),
    }
}
