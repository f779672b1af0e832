(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Search, filters and order of the table of claims.
  const finder = document.querySelector(".finder");
  const graphs = all("svg.graph");
  if (finder) {
    const rows = all("tr.row").map((row) => ({ row, home: row.parentElement }));
    const heads = all("tr.group");
    const mixed = heads[0].parentElement.parentElement.appendChild(document.createElement("tbody"));
    const fields = Object.fromEntries(all("[name]", finder).map((field) => [field.name, field]));
    const filters = ["source", "verdict", "kind", "standing"];
    const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
    const total = (some) => { // findings apart
      const findings = some.filter(({ row }) => row.dataset.standing === "finding").length;
      const claims = some.length - findings;
      return [claims || !findings ? plural(claims, "claim") : "", findings ? plural(findings, "finding") : ""]
        .filter(Boolean).join(" and ");
    };
    const apply = () => {
      const words = fields.words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const order = fields.order.value;
      const size = ({ row }) => (row.dataset[order] ? Number(row.dataset[order]) : -1);
      const sorted = order ? [...rows].sort((a, b) => size(b) - size(a) || 0) : rows;
      for (const { row, home } of sorted) {
        row.hidden = !(words.every((word) => row.dataset.text.includes(word)) &&
          filters.every((name) => !fields[name].value || row.dataset[name] === fields[name].value));
        (order ? mixed : home).append(row);
      }
      for (const head of heads) head.hidden = !all("tr.row", head.parentElement).some((row) => !row.hidden);
      for (const graph of graphs) {
        const hidden = new Set(rows.filter(({ row }) => row.hidden).map(({ row }) => row.dataset.slug));
        for (const node of all("a.node", graph)) node.classList.toggle("off", hidden.has(node.dataset.node));
      }
      const shown = rows.filter(({ row }) => !row.hidden);
      finder.querySelector("output").textContent = total(shown) + (shown.length === rows.length ? "" : ` of ${total(rows)}`);
    };
    finder.hidden = false;
    finder.addEventListener("input", apply);
    for (const link of all("[data-choose]")) {
      link.addEventListener("click", () => { fields.verdict.value = link.dataset.choose; apply(); });
    }
    addEventListener("pageshow", apply); // a browser that goes back has kept the fields
    apply();
  }

  // What a claim rests on, and what rests on it, when one points at it in the graph.
  for (const graph of graphs) {
    const edges = all("path.edge", graph).map((path) => ({ path, from: path.dataset.from, to: path.dataset.to }));
    const follow = (start, here, there) => {
      const seen = new Set([start]);
      for (const at of seen) for (const e of edges) if (e[here] === at) seen.add(e[there]);
      return seen;
    };
    const trace = (event) => {
      const node = event.target.closest("a.node");
      graph.classList.toggle("traced", Boolean(node));
      const start = node ? node.dataset.node : "";
      const before = follow(start, "to", "from");
      const after = follow(start, "from", "to");
      for (const n of all("a.node", graph)) n.classList.toggle("on", before.has(n.dataset.node) || after.has(n.dataset.node));
      for (const e of edges) {
        const on = (before.has(e.from) && before.has(e.to)) || (after.has(e.from) && after.has(e.to));
        e.path.classList.toggle("on", on);
      }
    };
    for (const kind of ["pointerover", "focusin"]) graph.addEventListener(kind, trace);
    for (const kind of ["pointerleave", "focusout"]) graph.addEventListener(kind, () => graph.classList.remove("traced"));
  }

  // The closed forms at one value of a parameter, which one moves.
  for (const slider of all(".slider")) {
    const rows = all("tbody tr", slider);
    const label = document.createElement("label");
    const range = Object.assign(document.createElement("input"), { type: "range", min: 0, max: rows.length - 1 });
    range.value = slider.dataset.start;
    label.append(`${slider.dataset.name} `, range);
    slider.querySelector(".scroll").before(label);
    const show = () => {
      rows.forEach((row, i) => { row.hidden = i !== Number(range.value); });
      range.setAttribute("aria-valuetext", rows[range.value].cells[0].textContent);
    };
    range.addEventListener("input", show);
    addEventListener("beforeprint", () => rows.forEach((row) => { row.hidden = false; }));
    addEventListener("afterprint", show);
    show();
  }

  // A figure as a picture for slides, drawn from its own SVG file.
  for (const button of all("button.png")) {
    const link = button.parentElement.querySelector("a[download$='.svg']");
    button.hidden = false;
    button.addEventListener("click", () => {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = 2 * image.naturalWidth;
        canvas.height = 2 * image.naturalHeight;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        const file = document.createElement("a");
        file.href = canvas.toDataURL("image/png");
        file.download = link.download.replace(/svg$/, "png");
        button.dataset.made = `${canvas.width}×${canvas.height}`;
        file.click();
      };
      image.src = link.href;
    });
  }
})();
