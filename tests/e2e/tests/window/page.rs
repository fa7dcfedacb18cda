//! The window as a person speaks of it. Selectors live here and nowhere else.

use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::harness::until;

/// The page in the app's window.
pub struct Page(Client);

impl Page {
    pub fn new(client: Client) -> Self {
        Self(client)
    }

    pub async fn try_a_sample(&self) {
        let before = self.address().await;
        self.click("button.sample").await;
        until("the sample is open", async || self.address().await != before).await;
        self.has(".reading h2").await;
    }

    pub async fn go_to(&self, folder: &str) {
        self.click(&format!(".rail a[href='/{folder}']")).await;
        until("the folder is open", async || self.address().await.starts_with(&format!("/{folder}"))).await;
    }

    pub async fn open_first(&self) {
        self.click(".row").await;
        self.has(".reading h2").await;
    }

    pub async fn accept(&self) {
        self.click(".decision .primary").await;
    }

    /// Answers what the agent asks.
    pub async fn answer(&self, yes: bool) {
        let button = if yes { "button.primary" } else { "button:not(.primary)" };
        self.click(&format!(".asked .decision-buttons {button}")).await;
    }

    pub async fn decline(&self) {
        self.click(".decision button:not(.primary)").await;
    }

    pub async fn switch_mode(&self) {
        self.click(".switch").await;
    }

    pub async fn retry(&self) {
        self.click(".problem button").await;
    }

    pub async fn choose_theme(&self, name: &str) {
        self.click(&format!("input[name=theme][value={name}]")).await;
    }

    /// Presses a key wherever the focus is.
    pub async fn press(&self, key: &str) {
        let key = match key {
            "Enter" => char::from(Key::Enter).to_string(),
            "Escape" => char::from(Key::Escape).to_string(),
            other => other.to_owned(),
        };
        self.0.active_element().await.unwrap().send_keys(&key).await.unwrap();
    }

    pub async fn reload(&self) {
        self.0.refresh().await.unwrap();
        self.has(".frame").await;
    }

    pub async fn visit(&self, path: &str) {
        let url = self.0.current_url().await.unwrap().join(path).unwrap();
        self.0.goto(url.as_str()).await.unwrap();
        self.has(".frame").await;
    }

    /// Shows a theme without choosing it for good.
    pub async fn paint(&self, theme: &str) {
        self.script("document.documentElement.dataset.theme = arguments[0]", vec![json!(theme)]).await;
    }

    /// How wide the page is.
    pub async fn width(&self) -> u64 {
        self.script("return innerWidth", vec![]).await.as_u64().unwrap()
    }

    /// Waits until the opportunity that is open has this status.
    pub async fn has_status(&self, status: &str) {
        self.has(&format!(".detail-meta .status[data-status={status}]")).await;
    }

    pub async fn has(&self, selector: &str) {
        until(selector, async || self.count(selector).await > 0).await;
    }

    pub async fn has_turns(&self, count: u64) {
        until(&format!("{count} turns"), async || self.count(".turn").await >= count).await;
    }

    pub async fn turns(&self) -> u64 {
        self.count(".turn").await
    }

    /// The actions of the turns, in order.
    pub async fn actions(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('.turn .chip')].map(chip => chip.dataset.action)";
        serde_json::from_value(self.script(script, vec![]).await).unwrap()
    }

    pub async fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
        self.script(script, vec![json!(selector)]).await.as_str().unwrap().to_owned()
    }

    pub async fn count(&self, selector: &str) -> u64 {
        let script = "return document.querySelectorAll(arguments[0]).length";
        self.script(script, vec![json!(selector)]).await.as_u64().unwrap()
    }

    /// Which row of the list has the focus, from 0.
    pub async fn focused_row(&self) -> Option<u64> {
        let script = "return [...document.querySelectorAll('.row')].indexOf(document.activeElement)";
        self.script(script, vec![]).await.as_u64()
    }

    /// The colour behind everything, as the browser computed it.
    pub async fn background(&self) -> String {
        let script = "return getComputedStyle(document.body).backgroundColor";
        self.script(script, vec![]).await.as_str().unwrap().to_owned()
    }

    /// The path that the window shows.
    pub async fn address(&self) -> String {
        self.script("return location.pathname", vec![]).await.as_str().unwrap().to_owned()
    }

    pub async fn visible(&self) -> bool {
        self.script("return document.visibilityState", vec![]).await == "visible"
    }

    async fn click(&self, selector: &str) {
        self.has(selector).await;
        // The page may redraw between finding and clicking; what was found then is gone, and is looked for again.
        until(&format!("a click on {selector}"), async || match self.0.find(Locator::Css(selector)).await {
            Ok(element) => element.click().await.is_ok(),
            Err(_) => false,
        })
        .await;
    }

    async fn script(&self, script: &str, args: Vec<Value>) -> Value {
        self.0.execute(script, args).await.unwrap()
    }
}
