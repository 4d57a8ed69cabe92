(() => {
  const all = [...document.querySelectorAll("details")];
  const show = () => {
    let at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let up = at; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    if (at) at.scrollIntoView();
  };
  addEventListener("hashchange", show);
  if (location.hash) show();
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
})();
