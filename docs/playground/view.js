// The page of the playground: reads the boxes, asks compute.js, and shows the answer.
"use strict";
(() => {
  const at = id => document.getElementById(id);
  const names = {};

  function made(tag, attributes = {}, ...children) {
    const svg = ["svg", "line", "circle", "text", "rect", "title"].includes(tag);
    const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...children);
    return node;
  }
  function table(node, heads, rows, texts) {
    const kind = k => (texts.includes(k) ? "text" : "number");
    const row = cells => made("tr", {}, ...cells.map((cell, k) => (k ? made("td", { class: kind(k) }, cell) : made("th", { scope: "row" }, cell))));
    const head = made("tr", {}, ...heads.map((name, k) => made("th", { scope: "col", class: k ? kind(k) : "" }, name)));
    node.replaceChildren(made("thead", {}, head), made("tbody", {}, ...rows.map(row)));
  }
  const signed = gain => (gain > 0 ? `+${gain}` : gain < 0 ? `−${-gain}` : "0");
  const short = name => visible(name.length > 24 ? `${name.slice(0, 23)}…` : name);

  // As the figure `ranks` of the package: those that moved most are coloured and named with their move.
  function movers(systems) {
    const most = [...systems].sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain)).slice(0, NAMED);
    const least = Math.max(LEAST_MOVE, (systems.length <= MOST_LINES ? 0.5 : 0) * Math.abs(most[0].gain));
    return new Set(most.filter(each => Math.abs(each.gain) >= least));
  }
  function title(systems, moved, name) {
    const moves = systems.map(each => Math.abs(each.gain)), most = Math.max(...moves), own = [...moved].map(each => each.gain);
    if (!own.length) return `${most ? `No system moves by more than ${count(most, "rank")}` : "No system moves"} under ${name}`;
    const least = Math.min(...own.map(Math.abs)), reach = moves.filter(each => each >= least).length;
    const by = least < most ? `${least} to ${most}` : most;
    if (reach === own.length && (Math.min(...own) > 0 || Math.max(...own) < 0)) {
      return `${name} ${own[0] > 0 ? "lifts" : "lowers"} ${count(reach, "system")} by ${by} ranks`;
    }
    return `${reach} of ${moves.length} systems move by ${least} ranks or more under ${name}`;
  }
  function lines(systems, moved) {
    const step = 18, head = 24, names = 7 * Math.max(...systems.map(each => short(each.system).length));
    const left = Math.max(40 + names, 140), beside = Math.max(names + 70, 125);
    const right = left + Math.min(150, Math.max(60, at("ranks").clientWidth - left - beside)), width = right + beside;
    const byEstimate = [...systems].sort((a, b) => a.estimate_rank - b.estimate_rank);
    const y = k => head + step * (k + 0.5), drawn = [];
    for (const [listed, side, x] of [[systems, "reference", left - 8], [byEstimate, "estimate", right]]) {
      const first = rank => listed.findIndex(each => each[`${side}_rank`] === rank);
      for (const rank of new Set(listed.map(each => each[`${side}_rank`]))) {
        const tied = listed.filter(each => each[`${side}_rank`] === rank).length;
        if (tied > 1) drawn.push(made("rect", { class: "tie", x, width: 8, y: y(first(rank)) - 8, height: step * tied - 2 }));
      }
    }
    for (const calm of [true, false]) {
      systems.forEach((each, k) => {
        if (moved.has(each) === calm) return;
        const how = { class: calm ? "calm" : "moved" }, end = byEstimate.indexOf(each), said = made("title", {}, `${visible(each.system)}: rank ${each.reference_rank} by the reference, ${each.estimate_rank} by the estimate`);
        drawn.push(made("line", { ...how, x1: left, y1: y(k), x2: right, y2: y(end) }, said));
        drawn.push(made("circle", { ...how, cx: left, cy: y(k), r: 2.6 }), made("circle", { ...how, cx: right, cy: y(end), r: 2.6 }));
        const text = { ...(calm ? {} : how), dy: "0.35em" };
        drawn.push(made("text", { ...text, x: left - 34, y: y(k), "text-anchor": "end" }, short(each.system)), made("text", { ...text, x: left - 12, y: y(k), "text-anchor": "end" }, String(each.reference_rank)));
        drawn.push(made("text", { ...text, x: right + 28, y: y(end), "text-anchor": "end" }, String(each.estimate_rank)), made("text", { ...text, x: right + 36, y: y(end) }, short(each.system) + (calm ? "" : ` ${signed(each.gain)}`)));
      });
    }
    drawn.push(made("text", { class: "head", x: left, y: 14, "text-anchor": "end" }, "rank by the reference"), made("text", { class: "head", x: right, y: 14 }, "rank by the estimate"));
    return made("svg", { width, height: head + step * systems.length + 8, viewBox: `0 0 ${width} ${head + step * systems.length + 8}`, role: "img", "aria-label": "Ranks by the reference and by the estimate. The numbers are in the table of systems." }, ...drawn);
  }
  function points(systems, moved) {
    const size = 360, edge = 46, n = systems.length, to = rank => edge + ((rank - 1) / (n - 1)) * size, drawn = [];
    drawn.push(made("line", { class: "calm", x1: to(1), y1: to(1), x2: to(n), y2: to(n) }));
    for (const each of [...systems].sort((a, b) => moved.has(a) - moved.has(b))) {
      const how = { class: moved.has(each) ? "moved" : "calm" }, x = to(each.reference_rank), y = to(each.estimate_rank);
      drawn.push(made("line", { ...how, x1: x, y1: x, x2: x, y2: y }), made("circle", { ...how, cx: x, cy: y, r: 3 }, made("title", {}, visible(each.system))));
      const far = x > edge + size * 0.6;
      if (moved.has(each)) drawn.push(made("text", { class: "moved", x: x + (far ? -6 : 6), y, dy: "0.35em", "text-anchor": far ? "end" : "start" }, `${short(each.system)} ${signed(each.gain)}`));
    }
    for (const rank of [1, n]) {
      drawn.push(made("text", { class: "head", x: to(rank), y: edge + size + 20, "text-anchor": "middle" }, String(rank)), made("text", { class: "head", x: edge - 10, y: to(rank), dy: "0.35em", "text-anchor": "end" }, String(rank)));
    }
    drawn.push(made("text", { class: "head", x: edge + size / 2, y: edge + size + 36, "text-anchor": "middle" }, "rank by the reference (1 is the best)"), made("text", { class: "head", x: edge - 30, y: 24 }, "rank by the estimate"));
    return made("svg", { width: size + 2 * edge, height: size + 2 * edge, role: "img", "aria-label": "Rank by the estimate against rank by the reference. The numbers are in the table of systems." }, ...drawn);
  }

  let shown = null;
  function show(found, input) {
    const { systems, topics } = input, plain = value => (Math.abs(value) >= 1e9 ? String(value) : number(value, 4));
    at("verdict").replaceChildren(...found.verdict.map(each => made("p", {}, each)));
    const over = topics ? `${N_RESAMPLES} resamples of ${count(topics.length, "topic")}, method standard, seed ${found.seed}` : `over the ${count(systems.length, "system")}, jackknife, because there are no topics`;
    const read = [`${count(systems.length, "system")}${topics ? `, ${count(topics.length, "topic")}` : ""}`, ...input.notes.map(visible)];
    at("seen").textContent = `Read: ${read.join("; ")}. Intervals: ${LEVEL} confidence, ${over}.`;
    const moved = movers(found.systems);
    at("moves").textContent = title(found.systems, moved, visible(called(input.estimate)));
    at("answer").hidden = false;  // the figure is as wide as there is room
    at("ranks").replaceChildren((systems.length <= MOST_LINES ? lines : points)(found.systems, moved));
    const rows = found.agreement.map(({ coefficient: c, value, interval, undefined: why }) => [
      c.name, number(value), interval ? `[${interval.map(end => number(end)).join(", ")}]` : "", why ?? c.question, c.ties,
    ]);
    table(at("coefficients"), ["coefficient", "value", "interval", "question", "a tie is"], rows, [3, 4]);
    [...at("coefficients").tBodies[0].rows].forEach((row, k) => row.setAttribute("title", found.agreement[k].coefficient.title));
    table(at("systems"), ["system", "reference score", "estimate score", "reference rank", "estimate rank", "gain"], found.systems.map(each => [visible(each.system), plain(each.reference_score), plain(each.estimate_score), String(each.reference_rank), String(each.estimate_rank), signed(each.gain)]), []);
    shown = found;
  }
  async function compare(event) {
    event?.preventDefault();
    at("error").textContent = "";
    at("answer").hidden = true;
    const progress = async (done, total) => {
      at("progress").value = done / total;
      at("progress").hidden = done === total;
      await new Promise(resolve => { setTimeout(resolve); });
    };
    try {
      const seed = Number(at("seed").value);
      if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32 || !at("seed").value) throw new Error("the seed must be a whole number from 0 to 4294967295");
      const input = inputOf(at("reference").value, at("estimate").value, names, at("systems-in").value, at("best").value === "smallest");
      show(await answer(input, seed, progress), input);
      at("answer").focus({ preventScroll: true });
      at("answer").scrollIntoView({ block: "nearest" });
    } catch (error) {
      at("progress").hidden = true;
      const own = error.constructor === Error ? error.message : `internal error (${error}); report it with what you pasted`;
      at("error").textContent = `${visible(own)}.`;
    }
  }
  for (const side of ["reference", "estimate"]) {
    const box = at(side), area = box.parentElement;
    const take = async file => { if (file) { box.value = await file.text(); names[side] = file.name; } };
    box.addEventListener("input", () => { delete names[side]; });
    at(`${side}-file`).addEventListener("change", event => take(event.target.files[0]));
    area.addEventListener("dragover", event => { event.preventDefault(); area.classList.add("over"); });
    area.addEventListener("dragleave", () => area.classList.remove("over"));
    area.addEventListener("drop", event => {
      area.classList.remove("over");
      if (event.dataTransfer.files.length) { event.preventDefault(); take(event.dataTransfer.files[0]); }
    });
  }
  function example(reference, estimate) {
    Object.assign(names, { reference: undefined, estimate: undefined });
    [at("reference").value, at("estimate").value, at("systems-in").value] = [reference, estimate, ""];
    at("best").value = "";
    compare();
  }
  at("input").addEventListener("submit", compare);
  at("example").addEventListener("click", () => example(...DATA.example));
  at("example-columns").addEventListener("click", () => example("system,human,judge\nmonot5,0.55,0.63\ncolbert,0.52,0.61\nsplade,0.51,0.63\nbm25,0.42,0.50\ntfidf,0.32,0.41\n", ""));
  at("download").addEventListener("click", () => {
    const rows = shown.agreement.map(each => [each.coefficient.name, each.value, each.interval?.low ?? "", each.interval?.high ?? ""].join(","));
    const link = made("a", { download: "concordant-playground.csv", href: URL.createObjectURL(new Blob([["coefficient,value,low,high", ...rows, ""].join("\n")], { type: "text/csv" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  at("others").textContent = `Not offered here, because more than counts of two rankings is needed: ${DATA.others.join(", ")}.`;
  document.documentElement.dataset.ready = "";
})();
