const filter = document.querySelector(".filter");
const rows = [...document.querySelectorAll("tr[data-loop]")];
const fields = filter ? [...filter.querySelectorAll("[data-key]")] : [];

/* What a loop can be found by: its row, and what its report says, but for source and kernel. */
const words = new Map(rows.map((row) => {
  const report = document.getElementById(row.dataset.loop);
  const said = report.querySelectorAll(".name, p, th[scope=row], td, dt, dd");
  return [row, [row, ...said].map((each) => each.textContent).join(" ").toLowerCase()];
}));

const asked = () => {
  const query = new URLSearchParams();
  const states = fields.filter((each) => each.type === "checkbox" && each.checked).map((each) => each.value);
  for (const each of fields) {
    if (each.type !== "checkbox" && each.value.trim()) query.set(each.dataset.key, each.value.trim());
  }
  if (states.length) query.set("state", states.join(","));
  return query;
};

const put = (query) => {
  const states = (query.get("state") || "").split(",");
  for (const each of fields) {
    if (each.type === "checkbox") each.checked = states.includes(each.value);
    else each.value = query.get(each.dataset.key) || "";
    if (each.tagName === "SELECT" && each.selectedIndex < 0) each.selectedIndex = 0;
  }
};

const apply = (query) => {
  const [states, code, place] = [query.get("state"), query.get("code"), query.get("in")];
  const sought = (query.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const { loop, state, codes, file, function: name } = row.dataset;
    const fits = (!states || states.split(",").includes(state)) && (!code || codes.split(" ").includes(code))
      && (!place || place === `${file}:` || place === `${file}:${name}`)
      && sought.every((word) => words.get(row).includes(word));
    row.hidden = document.getElementById(loop).hidden = !fits;
    count += fits;
  }
  const filtered = query.toString() !== "";
  filter.querySelector("output").textContent = filtered ? `${count} of ${rows.length} loops` : "";
  filter.querySelector(".clear").hidden = !filtered;
  filter.classList.toggle("filters", filtered);
};

/* The entry of the history keeps both, so that going back brings back what was shown. */
const keep = (place, query) => {
  const text = [place, query.toString()].filter(Boolean).join("&");
  history.replaceState("seen", "", text || location.hash ? `#${text}` : location.href);
};

const arrive = () => {
  const { place, query } = fragment();
  const isLink = place && ![...query].length && history.state !== "seen";
  if (filter) {
    if (!isLink) put(query);
    apply(asked());
    keep(place, asked());
  }
  show(place);
};

if (filter) {
  let wait;
  const changed = () => {
    const query = asked();
    apply(query);
    clearTimeout(wait);
    wait = setTimeout(() => keep(fragment().place, query), 200);
  };
  filter.hidden = false;
  filter.addEventListener("input", changed);
  filter.querySelector(".clear").addEventListener("click", () => {
    put(new URLSearchParams());
    changed();
    fields[0].focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input[type=search], select, textarea")) return;
    event.preventDefault();
    fields[0].focus();
  });
}
addEventListener("hashchange", arrive);
if (filter || location.hash) arrive();
