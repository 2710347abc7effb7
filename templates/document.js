"use strict";
(() => {
  // Tables: a head sorts by its column, up, down, and as it was. What is missing stands last.
  const missing = /^[\u2013\u2014-]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]*$/;
  const prefix = {n: 1e-9, "\u00b5": 1e-6, "\u03bc": 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15,
    Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40}, size = {k: 2 ** 10, m: 2 ** 20, g: 2 ** 30};
  // "-1.5 GB/s", "~20 \u00b5s"; "64k", as variants have it, is a size.
  const number = text => {
    const plain = text.replace(/[\s\u00a0\u202f]/g, "").replace(/\u2212/g, "-").replace(/^[<>~\u2264\u2265\u2248]+/, "");
    const parts = /^([-+]?(?:\d+\.?\d*|\.\d+))(.*)$/.exec(plain);
    if (!parts) return NaN;
    const unit = /^([KMGT]i|[n\u00b5\u03bcmkMGTP])(?=B|s$|Hz|W|FLOP|op|inst|txn|word|token)/.exec(parts[2]);
    return parseFloat(parts[1]) * (unit ? prefix[unit[1]] : size[parts[2]] ?? 1);
  };
  const keys = (rows, column) => {
    const texts = rows.map(row => (row.cells[column]?.dataset.v ?? row.cells[column]?.textContent ?? "").trim());
    const numbers = texts.map(number);
    const numeric = texts.every((text, i) => missing.test(text) || !Number.isNaN(numbers[i]));
    return texts.map((text, i) => missing.test(text) ? null : numeric ? numbers[i] : text.toLowerCase());
  };
  const compare = (a, b) => a === null ? (b === null ? 0 : 1) : b === null ? -1 : a < b ? -1 : a > b ? 1 : 0;
  const sort = (table, head) => {
    const body = table.tBodies[0], column = head.cellIndex, now = head.getAttribute("aria-sort");
    const next = now === "ascending" ? "descending" : now === "descending" ? "none" : "ascending";
    table.original ??= [...body.rows];
    const key = keys(table.original, column), sign = next === "descending" ? -1 : 1;
    const order = table.original.map((_, i) => i);
    if (next !== "none")
      order.sort((i, j) => (key[i] === null || key[j] === null ? compare(key[i], key[j]) : sign * compare(key[i], key[j])) || i - j);
    body.append(...order.map(i => table.original[i]));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    if (next !== "none") head.setAttribute("aria-sort", next);
  };
  document.addEventListener("click", event => {
    const head = event.target.closest("thead th");
    if (head && head.querySelector("button")) sort(head.closest("table"), head);
  });

  // Charts: what a mark says of itself, beside the pointer. Without a script the browser shows the same by itself.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  document.addEventListener("pointerover", event => {
    const mark = event.target.closest(".p");
    tip.hidden = !mark;
    if (!mark) return;
    const title = mark.querySelector("title");
    if (title) {
      mark.setAttribute("aria-label", title.textContent);
      title.remove();
    }
    tip.textContent = mark.getAttribute("aria-label");
  });
  document.addEventListener("pointermove", event => {
    if (tip.hidden) return;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8), below = event.clientY + 16;
    tip.style.left = Math.max(left, 4) + "px";
    tip.style.top = (below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below) + "px";
  });
})();
