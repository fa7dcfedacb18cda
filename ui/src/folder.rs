use countersign_api_types::{Opportunity, Status};

/// A shelf of the rail: the opportunities in one kind of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folder {
    NeedsYou,
    Live,
    Accepted,
    Stalled,
    Rejected,
    Closed,
}

impl Folder {
    pub(crate) const ALL: [Self; 6] =
        [Self::NeedsYou, Self::Live, Self::Accepted, Self::Stalled, Self::Rejected, Self::Closed];

    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::NeedsYou => "needs-you",
            Self::Live => "live",
            Self::Accepted => "accepted",
            Self::Stalled => "stalled",
            Self::Rejected => "rejected",
            Self::Closed => "closed",
        }
    }

    pub(crate) fn from_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|folder| folder.path() == path)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NeedsYou => "Needs you",
            Self::Live => "Live",
            Self::Accepted => "Accepted",
            Self::Stalled => "Stalled",
            Self::Rejected => "Rejected",
            Self::Closed => "Closed",
        }
    }

    /// What will appear here, for a folder with nothing in it.
    pub(crate) fn empty(self) -> &'static str {
        match self {
            Self::NeedsYou => "Nothing needs you. Opportunities that wait for your decision appear here.",
            Self::Live => "No negotiation is under way. While agents talk, you can follow every turn here.",
            Self::Accepted => "Nothing accepted yet. What you accept appears here.",
            Self::Stalled => {
                "Nothing has stalled. Negotiations that ran out of turns appear here, with what blocked them."
            }
            Self::Rejected => "Nothing was rejected. Matches that an agent turned down appear here, with the reason.",
            Self::Closed => "Nothing is closed. What you decline appears here.",
        }
    }

    pub(crate) fn holds(self, opportunity: &Opportunity) -> bool {
        self == Self::of(opportunity.status)
    }

    pub(crate) fn of(status: Status) -> Self {
        match status {
            Status::Pending => Self::NeedsYou,
            Status::Negotiating => Self::Live,
            Status::Accepted => Self::Accepted,
            Status::Stalled => Self::Stalled,
            Status::Rejected => Self::Rejected,
            Status::Declined | Status::Aborted | Status::Expired => Self::Closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_has_an_address_that_leads_back_to_it() {
        for folder in Folder::ALL {
            assert_eq!(Folder::from_path(folder.path()), Some(folder));
        }
        assert_eq!(Folder::from_path("elsewhere"), None);
    }
}
