"use strict";
for (const trace of document.querySelectorAll("[data-trace]")) {
  const slider = trace.querySelector("input[type=range]");
  const output = trace.querySelector("output");
  const rows = [...trace.querySelectorAll("tbody tr")];
  const show = (scroll) => {
    const at = Number(slider.value) - 1;
    rows.forEach((row, index) => row.classList.toggle("here", index === at));
    output.textContent = "step " + slider.value + " of " + rows.length + ": " + rows[at].dataset.event;
    if (scroll) rows[at].scrollIntoView({ block: "nearest" });
  };
  const step = (by) => { slider.value = Number(slider.value) + by; show(true); };
  slider.addEventListener("input", () => show(true));
  trace.querySelector("[data-back]").addEventListener("click", () => step(-1));
  trace.querySelector("[data-on]").addEventListener("click", () => step(1));
  rows.forEach((row, index) => row.addEventListener("click", () => { slider.value = index + 1; show(false); }));
  show(false);
}
document.documentElement.dataset.ready = "yes";
