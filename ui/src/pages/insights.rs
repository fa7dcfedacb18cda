use countersign_api_types::Status;
use leptos::prelude::*;

use crate::desk::use_desk;
use crate::words;

/// How negotiations ended, counted from what is there.
#[component]
pub(crate) fn Insights() -> impl IntoView {
    const ENDS: [Status; 7] = [
        Status::Pending,
        Status::Accepted,
        Status::Declined,
        Status::Expired,
        Status::Rejected,
        Status::Stalled,
        Status::Aborted,
    ];
    let desk = use_desk();
    let rows = Memo::new(move |_| {
        desk.state.with(|state| {
            ENDS.map(|status| {
                let turns: Vec<u32> = state.all().filter(|o| o.status == status).map(|o| o.turn_count).collect();
                (status, turns.len(), turns.iter().sum::<u32>())
            })
        })
    });
    view! {
        <main class="page">
            <h1>"Insights"</h1>
            <p>"How the negotiations on this machine ended, and how many turns that took."</p>
            <table>
                <thead><tr><th scope="col">"Ended"</th><th scope="col">"How many"</th><th scope="col">"Turns on average"</th></tr></thead>
                <tbody>
                    {move || {
                        rows.get()
                            .map(|(status, count, turns)| {
                                view! {
                                    <tr>
                                        <th scope="row">{words::status(status)}</th>
                                        <td>{count}</td>
                                        <td>{average(turns, count)}</td>
                                    </tr>
                                }
                            })
                    }}
                </tbody>
            </table>
        </main>
    }
}

fn average(turns: u32, count: usize) -> String {
    match u32::try_from(count) {
        Ok(count) if count > 0 => format!("{:.1}", f64::from(turns) / f64::from(count)),
        Ok(_) | Err(_) => "–".into(),
    }
}
