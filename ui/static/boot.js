import init from "/countersign_ui.js";

try {
  await init({ module_or_path: "/countersign_ui_bg.wasm" });
} catch (error) {
  const notice = document.createElement("p");
  notice.className = "fault";
  notice.setAttribute("role", "alert");
  notice.textContent = `Countersign could not show its window: ${error}. Your data is kept. Close it and start it again.`;
  document.body.append(notice);
}
