// Before the first paint, so that no window ever flashes in the wrong theme. ui/src/theme.rs writes the key.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
