const all = [...document.querySelectorAll("details")];

/* The fragment is a place, what the loops are filtered by, or both: #loop-3, #state=host&q=grid, #loop-3&state=host. */
const fragment = () => {
  const [first, ...others] = location.hash.slice(1).split("&");
  const place = first.includes("=") ? "" : first;
  return { place, query: new URLSearchParams((place || !first ? others : [first, ...others]).join("&")) };
};

/* Opens and unhides what the place is in. */
const show = (place) => {
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
  let id = place;
  try { id = decodeURIComponent(place); } catch { /* as it is */ }
  const at = id ? document.getElementById(id) : null;
  if (!at) return;
  for (let up = at; up; up = up.parentElement) {
    if (up.tagName === "DETAILS") up.open = true;
    up.hidden = false;
  }
  at.classList.add("target");
  at.scrollIntoView({ block: at.matches(".line") ? "center" : "start" });
};

let opened = [];
addEventListener("beforeprint", () => {
  opened = all.filter((each) => !each.open);
  for (const each of opened) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of opened) each.open = false;
});

const reports = all.filter((each) => each.matches(".report"));
const title = document.getElementById("loops-title");
if (title && reports.length) {
  const button = document.createElement("button");
  button.type = "button";
  const say = (open) => {
    button.textContent = open ? "Fold all" : "Unfold all";
    button.setAttribute("aria-expanded", String(open));
  };
  say(false);
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    for (const each of reports) each.open = open;
    say(open);
  });
  title.after(button);
}
