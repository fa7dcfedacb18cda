//! What the person sees when the window's own code fails. The core goes on; a fresh page finds everything.

use std::panic;

/// From now on a panic is shown in the page, with a way on, instead of freezing it.
pub(crate) fn show_panics() {
    panic::set_hook(Box::new(|fault| {
        // The page's code cannot run after a panic, so this is plain DOM and the way on is a plain link.
        let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
        let (Ok(notice), Ok(way_on), Some(body)) =
            (document.create_element("p"), document.create_element("a"), document.body())
        else {
            return;
        };
        notice.set_class_name("fault");
        notice.set_text_content(Some(&format!(
            "This window hit a fault: {fault}. Your data is kept, and your agent goes on. "
        )));
        way_on.set_text_content(Some("Show the window again"));
        // Attributes of an element this very code made; a failure leaves the text, which is what matters.
        let _ = notice.set_attribute("role", "alert");
        let _ = way_on.set_attribute("href", "/");
        let _ = notice.append_child(&way_on);
        let _ = body.append_child(&notice);
    }));
}
