//! What the routes show, one per file.

mod detail;
mod folder_page;
mod insights;
mod mandate;
mod nothing_open;
mod record;
mod settings;

pub(crate) use detail::Detail;
pub(crate) use folder_page::FolderPage;
pub(crate) use insights::Insights;
pub(crate) use mandate::Mandate;
pub(crate) use nothing_open::NothingOpen;
pub(crate) use record::Record;
pub(crate) use settings::Settings;
