//! The one module that talks to the core.

use countersign_api_types::{
    Digest, Figures, Folder, Live, Mode, NegotiationId, Opportunity, Problem, ProblemCode, Snapshot, Thread,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

pub(crate) async fn start() -> Result<Snapshot, Problem> {
    ask("start", &()).await
}

pub(crate) async fn thread(id: &NegotiationId) -> Result<Thread, Problem> {
    #[derive(Serialize)]
    struct Args<'a> {
        id: &'a NegotiationId,
    }
    ask("thread", &Args { id }).await
}

/// More of a folder, after the last one that is known.
pub(crate) async fn list(folder: Folder, after: &Opportunity) -> Result<Vec<Opportunity>, Problem> {
    #[derive(Serialize)]
    struct Args<'a> {
        folder: Folder,
        after: &'a Opportunity,
    }
    ask("list", &Args { folder, after }).await
}

/// What everything adds up to.
pub(crate) async fn figures() -> Result<Figures, Problem> {
    ask("figures", &()).await
}

/// Hands everything after `seq` to `take`, from now on. A later call replaces this one.
pub(crate) async fn watch(seq: u64, take: impl Fn(Live) + 'static) -> Result<(), Problem> {
    let channel = Channel::new();
    let take = Closure::<dyn Fn(JsValue)>::new(move |message| match read(message) {
        Ok(live) => take(live),
        Err(problem) => take(Live::Trouble(Some(problem))),
    });
    channel.set_onmessage(&take.into_js_value());
    let args = js_sys::Object::new();
    set(&args, "seq", &serde_wasm_bindgen::to_value(&seq).unwrap_or_default());
    set(&args, "to", &channel);
    understood(invoke("watch", args.into()).await)
}

pub(crate) async fn open_sample() -> Result<NegotiationId, Problem> {
    ask("open_sample", &()).await
}

pub(crate) async fn accept(id: &NegotiationId, digest: &Digest) -> Result<(), Problem> {
    ask("accept", &Decision { id, digest }).await
}

pub(crate) async fn decline(id: &NegotiationId, digest: &Digest) -> Result<(), Problem> {
    ask("decline", &Decision { id, digest }).await
}

pub(crate) async fn answer(id: &NegotiationId, approved: bool, remarks: &str) -> Result<(), Problem> {
    #[derive(Serialize)]
    struct Args<'a> {
        id: &'a NegotiationId,
        approved: bool,
        remarks: &'a str,
    }
    ask("answer", &Args { id, approved, remarks }).await
}

pub(crate) async fn send_now(id: &NegotiationId) -> Result<(), Problem> {
    #[derive(Serialize)]
    struct Args<'a> {
        id: &'a NegotiationId,
    }
    ask("send_now", &Args { id }).await
}

pub(crate) async fn set_mode(mode: Mode) -> Result<(), Problem> {
    #[derive(Serialize)]
    struct Args {
        mode: Mode,
    }
    ask("set_mode", &Args { mode }).await
}

pub(crate) async fn resume() -> Result<(), Problem> {
    ask("resume", &()).await
}

pub(crate) async fn set_theme(name: Option<&str>) -> Result<(), Problem> {
    #[derive(Serialize)]
    struct Args<'a> {
        name: Option<&'a str>,
    }
    ask("set_theme", &Args { name }).await
}

pub(crate) async fn painted() -> Result<(), Problem> {
    ask("painted", &()).await
}

#[derive(Serialize)]
struct Decision<'a> {
    id: &'a NegotiationId,
    digest: &'a Digest,
}

async fn ask<T: DeserializeOwned>(command: &str, args: &impl Serialize) -> Result<T, Problem> {
    let args = serde_wasm_bindgen::to_value(args).map_err(|error| unexpected(&error.to_string()))?;
    understood(invoke(command, args).await)
}

fn understood<T: DeserializeOwned>(answer: Result<JsValue, JsValue>) -> Result<T, Problem> {
    match answer {
        Ok(value) => read(value),
        Err(error) => Err(Problem::deserialize(serde_wasm_bindgen::Deserializer::from(error.clone()))
            .unwrap_or_else(|_| unexpected(&error.as_string().unwrap_or_default()))),
    }
}

fn read<T: DeserializeOwned>(value: JsValue) -> Result<T, Problem> {
    serde_wasm_bindgen::from_value(value).map_err(|error| unexpected(&error.to_string()))
}

fn set(object: &js_sys::Object, key: &str, value: &JsValue) {
    // Setting a property of a fresh object cannot fail.
    let _ = js_sys::Reflect::set(object, &key.into(), value);
}

fn unexpected(said: &str) -> Problem {
    Problem {
        code: ProblemCode::Stopped,
        what: format!("The core gave no answer that this window understands: {said}."),
        kept: "Your data is kept.".into(),
        todo: "Close Countersign and start it again.".into(),
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["window", "__TAURI__", "core"], catch)]
    async fn invoke(command: &str, args: JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = ["window", "__TAURI__", "core"])]
    type Channel;

    #[wasm_bindgen(constructor, js_namespace = ["window", "__TAURI__", "core"])]
    fn new() -> Channel;

    #[wasm_bindgen(method, setter)]
    fn set_onmessage(this: &Channel, take: &JsValue);
}
