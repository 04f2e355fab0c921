// The page of a result: it fills the tables and the figures from the data inside the page, and links them.
// Names come from files of other people: they become text by textContent alone, and keys of a Map alone.
(() => {
  "use strict";

  const ROWS = 200; // how many rows of a table are shown
  const MORE = 5000; // how many more each time they are asked for
  const OPEN = 4; // how many figures are not folded
  const SMALL = /rank|pvalue|regret|error|opposite|swapped|reversed|cost|topics$|^(top|threshold|place)$/;
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  // In the page a table is kept by columns, and a text that comes again as a number: here it becomes rows.
  for (const table of data.tables) {
    const cells = table.cells.map((column) =>
      Array.isArray(column) ? column : column.at.map((k) => (k === null ? null : column.texts[k])),
    );
    table.rows = Array.from({ length: table.n }, (_, r) => cells.map((column) => column[r]));
  }

  const element = (tag, settings, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(settings ?? {})) {
      if (name === "text") made.textContent = value;
      else if (name === "on") for (const [event, call] of Object.entries(value)) made.addEventListener(event, call);
      else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  };

  // What a browser would obey or not show is shown as an escape, as in all other output.
  const visible = (text) =>
    text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => {
      const code = c.codePointAt(0);
      const digits = code < 256 ? 2 : code < 65536 ? 4 : 8;
      return "\\" + { 2: "x", 4: "u", 8: "U" }[digits] + code.toString(16).padStart(digits, "0");
    });

  const shown = (cell, decimals) => {
    if (cell === null) return "-";
    if (cell === true) return "yes";
    if (cell === false) return "no";
    if (typeof cell === "string") return visible(cell);
    if (typeof cell !== "number") return visible(JSON.stringify(cell));
    if (!Number.isFinite(cell)) return cell > 0 ? "inf" : "-inf";
    if (decimals === 0) return String(cell);
    const size = Math.abs(cell);
    if (cell === 0 || (size >= 0.0001 && size < 1e9)) {
      const text = cell.toFixed(decimals);
      // Only 1 itself is written as 1: what is nearly 1 is not rounded to it.
      if (size >= 1 || Math.abs(Number(text)) < 1) return text;
      const most = (1 - 10 ** -decimals).toFixed(decimals);
      return cell > 0 ? `>${most}` : `<-${most}`;
    }
    return cell.toExponential(1).replace(".0e", "e").replace(/e([+-])(\d)$/, "e$10$2");
  };

  // ---- What is chosen, and which system is pointed at.

  const chosen = new Map(); // choice -> value; nothing for all
  const first = new Map(data.choices.map((choice) => [choice.name, choice.first]));
  const tables = [];
  const figures = [];
  let pinned = null; // by search or by a click
  let pointed = null; // by the pointer, for as long as it is there
  let marked = null;

  const mark = () => {
    const name = pointed ?? pinned;
    if (name === marked) return;
    marked = name;
    for (const each of figures) each.set("system", name);
    for (const table of tables) table.mark();
  };
  let waiting = false;
  const point = (name) => {
    pointed = name;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  const pin = (name) => {
    pinned = name;
    pointed = null;
    mark();
    for (const table of tables) table.bring();
  };

  // ---- Tables.

  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => {
    if (a === null || b === null) return 0;
    return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
  };

  // The columns that people see: an interval is one column; one without values, or with those of another, is none.
  const columnsOf = (table) => {
    const place = new Map(table.columns.map((name, c) => [name, c]));
    const found = [];
    for (const [c, name] of table.columns.entries()) {
      const isLow = /(^|_)low$/.test(name);
      const isHigh = /(^|_)high$/.test(name);
      const other = place.get(isLow ? name.replace(/low$/, "high") : name.replace(/high$/, "low"));
      if (isHigh && other !== undefined) continue;
      if (table.rows.length > 0 && table.rows.every((row) => row[c] === null)) continue;
      const plain = name.replace("estimate_measure", "measure");
      const same = place.get(plain);
      if (plain !== name && same !== undefined && table.rows.every((row) => row[c] === row[same])) continue;
      const isPair = isLow && other !== undefined;
      const head = (isPair ? name.replace(/low$/, "interval") : name).replaceAll("_", " ");
      const numeric = table.rows.some((row) => typeof row[c] === "number");
      const decimals = table.decimals[c];
      const text = isPair
        ? (row) => (row[c] === null || row[other] === null ? "" : `[${shown(row[c], decimals)}, ${shown(row[other], decimals)}]`)
        : (row) => shown(row[c], decimals);
      found.push({ c, head, numeric, text });
    }
    return found;
  };

  // What scrolls can be reached by keyboard; what does not is no stop.
  const reachable = (box) => {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };

  const makeTable = (table, box) => {
    const columns = columnsOf(table);
    const systemColumns = table.systems.map((name) => table.columns.indexOf(name));
    const ownMeasure = table.columns.indexOf("estimate_measure");
    const filters = Object.entries(table.chosen).map(([choice, names]) => [
      choice,
      names.map((name) => table.columns.indexOf(name)),
    ]);
    // Where an estimate has several measures for one of the reference, a measure is chosen by both names.
    const isChosen = (row, choice, c, value) => {
      if (choice !== "measure" || !data.several_measures) return row[c] === value;
      if (ownMeasure < 0) return value === row[c] || value.startsWith(`${row[c]} / `);
      return value === (row[c] === row[ownMeasure] ? row[c] : `${row[c]} / ${row[ownMeasure]}`);
    };
    const heads = columns.map(({ head, numeric }, k) =>
      element(
        "th",
        { scope: "col", class: numeric ? "number" : null },
        element("button", { type: "button", text: head, on: { click: () => sort(k) } }),
      ),
    );
    const body = element("tbody");
    const words = element("p");
    const more = element("button", { type: "button", on: { click: () => showMore() } });
    const csv = element("button", {
      type: "button",
      text: "Download as CSV",
      "aria-label": `Download as CSV: ${table.title}`,
      on: { click: () => download(`${table.name}.csv`, "text/csv", csvOf(table)) },
    });
    const scroll = element(
      "div",
      { class: "scroll", role: "group", "aria-label": table.title },
      element("table", null, element("thead", null, element("tr", null, ...heads)), body),
    );
    let sorted = null; // [column, direction]
    let limit = ROWS;
    let made = false;
    let lines = []; // [row, element]

    // The first click puts the best first: the largest number, but the smallest rank, p-value or error.
    const sort = (k) => {
      const [before, direction] = sorted ?? [null, 0];
      const start = columns[k].numeric && !SMALL.test(columns[k].head) ? -1 : 1;
      if (before !== k) sorted = [k, start];
      else sorted = direction === start ? [k, -start] : null;
      heads.forEach((head, h) => {
        if (sorted !== null && sorted[0] === h) {
          head.setAttribute("aria-sort", sorted[1] === 1 ? "ascending" : "descending");
        } else head.removeAttribute("aria-sort");
      });
      fill();
    };
    const showMore = () => {
      limit += MORE;
      fill();
    };
    const passes = (row) =>
      filters.every(([choice, places]) => {
        const value = chosen.get(choice);
        return value === undefined || places.some((c) => isChosen(row, choice, c, value));
      });
    const isOf = (row, name) => name !== null && systemColumns.some((c) => row[c] === name);
    const line = (row) => {
      const made = element("tr");
      for (const { text, numeric } of columns) {
        const content = text(row);
        const kind = numeric ? "number" : content.length > 40 ? "long" : null;
        made.append(element("td", { class: kind }, element("bdi", { text: content })));
      }
      if (systemColumns.length > 0) {
        const name = row[systemColumns[0]];
        made.className = "of-system";
        made.addEventListener("pointerenter", () => point(name));
        made.addEventListener("pointerleave", () => point(null));
        made.addEventListener("click", () => {
          if (String(getSelection()) === "") choose(name);
        });
      }
      return made;
    };
    const fill = () => {
      if (!made) return;
      let rows = table.rows.filter(passes);
      if (sorted !== null) {
        const [k, direction] = sorted;
        const { c } = columns[k];
        // Undefined values come last in both directions.
        rows.sort((a, b) => (a[c] === null) - (b[c] === null) || direction * compare(a[c], b[c]));
      }
      const total = rows.length;
      if (total > limit) rows = rows.filter((row, r) => r < limit || isOf(row, pinned));
      lines = rows.map((row) => [row, line(row)]);
      body.replaceChildren(...lines.map(([, made]) => made));
      scroll.classList.toggle("long", rows.length > 25);
      words.textContent =
        rows.length < total
          ? `${rows.length} of ${total} rows are shown.`
          : total < table.rows.length
            ? `${total} of ${table.rows.length} rows fit what is chosen.`
            : "";
      more.textContent = total <= limit + MORE ? `Show all ${total}` : `Show ${MORE} more`;
      more.hidden = rows.length === total;
      own.mark();
      own.fit();
    };
    const own = {
      fill,
      fit: () => reachable(scroll),
      mark: () => {
        for (const [row, made] of lines) made.classList.toggle("marked", isOf(row, marked));
      },
      bring: () => {
        if (table.rows.length > limit && systemColumns.length > 0) fill();
      },
      make: () => {
        if (made) return;
        made = true;
        box.append(element("div", { class: "tools" }, words, more, csv), scroll);
        fill();
      },
    };
    box.addEventListener("toggle", () => {
      if (!box.open) return;
      own.make();
      own.fit();
    });
    if (box.open) own.make();
    return own;
  };

  // ---- Figures.

  // Vega keeps groups in plain objects, by name, and fails where a name is that of a property of every object: a
  // character that nobody sees makes it another name, also as a part of a key. Control characters, and what
  // turns the direction of writing, are escapes.
  const RISKY = new RegExp(Object.getOwnPropertyNames(Object.prototype).join("|"), "g");
  const SIGNS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  const escapes = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }; // as Python writes them
  const real = new Map(); // a name as Vega has it -> the name
  const toVega = (value) => {
    if (typeof value !== "string") return value;
    const given = value.replace(SIGNS, (c) => escapes[c] ?? visible(c)).replace(RISKY, "$&\u2060");
    if (given !== value) real.set(given, value);
    return given;
  };
  const safe = (part) => {
    if (Array.isArray(part)) return part.map(safe);
    if (part === null || typeof part !== "object") return toVega(part);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, safe(value)]));
  };

  const rowsOf = (table) =>
    table.rows.map((row) => {
      const made = {}; // keys are names of columns, which are ours
      table.columns.forEach((name, c) => (made[name] = row[c]));
      return made;
    });

  const makeFigure = async (figure, box) => {
    const chart = box.querySelector(".chart");
    const shows = box.querySelector(".shows");
    const heads = [...(box.closest("details")?.querySelectorAll("summary h3") ?? []), box.querySelector("figcaption h3")];
    const spec = safe(figure.spec);
    // Each figure gets rows of its own, because Vega writes into them.
    for (const table of data.tables) {
      if (figure.data.includes(table.name)) spec.datasets[table.name] = safe(rowsOf(table));
    }
    spec.config = { ...data.config, background: null };
    spec.background = null;
    const signals = new Map((figure.spec.params ?? []).map((param) => [param.name, param.value]));
    // Software that reads the screen aloud says what the figure shows; the numbers are in the tables.
    const target = element("div", { "aria-hidden": "true" });
    chart.append(element("div", { role: "img", "aria-label": figure.description }, target));
    const { view } = await window.vegaEmbed(target, spec, {
      ast: true, // expressions are interpreted: the policy of the page forbids to compile them
      mode: "vega-lite",
      actions: false,
      logLevel: 1, // errors; warnings are for those who draw
      renderer: "svg",
      defaultStyle: false,
      tooltip: { disableDefaultStyle: true },
    });
    chart.querySelector(".still")?.remove();
    const fit = () => {
      const svg = chart.querySelector("svg");
      if (svg === null) return;
      const width = svg.width.baseVal.value;
      box.classList.toggle("wide", width > 620);
      const fits = width <= 1.4 * chart.clientWidth;
      svg.classList.toggle("fits", fits);
      // A small figure grows a little; the first one leaves room for the table below it.
      const low = box.closest("#first-figure") ? (380 * width) / svg.height.baseVal.value : Infinity;
      const wide = Math.min(chart.clientWidth, 1.35 * width, Math.max(low, 0.9 * width));
      svg.style.width = fits ? `${wide}px` : "";
      reachable(chart);
    };
    // The title is that of what is chosen; the heading of the page need not be said again.
    const tell = () => {
      const own = figure.said.find(([choice]) => Object.entries(choice).every(([name, value]) => signals.get(name) === value));
      const [, title, line] = own ?? [null, figure.heading, ""];
      for (const each of heads) each.textContent = visible(title);
      heads.at(-1).hidden = visible(title) === document.querySelector("h1").textContent;
      shows.textContent = visible(line);
      shows.hidden = line === "";
    };
    view.addEventListener("pointerover", (event, item) => point(systemOf(item)));
    view.addEventListener("pointerout", () => point(null));
    view.addEventListener("click", (event, item) => choose(systemOf(item)));
    const own = {
      fit,
      tell,
      set: (name, value) => {
        if (!signals.has(name) || signals.get(name) === value) return;
        signals.set(name, value);
        view.signal(name, toVega(value)).runAsync().then(fit);
        tell();
      },
      signal: (name) => (signals.has(name) ? view.signal(name) : undefined),
    };
    fit();
    tell();
    return own;
  };
  const systemOf = (item) => {
    const datum = item?.datum;
    const name = datum && Object.hasOwn(datum, "system") ? datum.system : null;
    return typeof name === "string" ? (real.get(name) ?? name) : null;
  };

  // ---- Controls.

  const status = byId("status");
  const tell = (text) => (status.textContent = text);
  const systems = new Set();
  for (const table of data.tables) {
    for (const name of table.systems) {
      const c = table.columns.indexOf(name);
      for (const row of table.rows) if (row[c] !== null) systems.add(row[c]);
    }
  }
  const search = element("input", { type: "search", id: "search", list: "systems", autocomplete: "off", spellcheck: "false" });
  const choose = (name) => {
    search.value = name ?? "";
    tell(name === null ? "" : `${visible(name)} is marked in the figures and tables.`);
    pin(name);
  };
  const find = () => {
    const text = search.value;
    if (text === "") return choose(null);
    if (systems.has(text)) {
      tell(`${visible(text)} is marked in the figures and tables.`);
      return pin(text);
    }
    const part = text.toLowerCase();
    const found = [...systems].filter((name) => name.toLowerCase().includes(part));
    if (found.length === 1) tell(`${visible(found[0])} is marked in the figures and tables.`);
    else tell(found.length === 0 ? "No system has this in its name." : `${found.length} systems have this in their names; type on, or choose from the list.`);
    return pin(found.length === 1 ? found[0] : null);
  };
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => event.key === "Escape" && choose(null));

  // What is chosen changes the answer, the tables and the figures, and is kept in the address.
  const keep = () => {
    const query = new URLSearchParams([...chosen].map(([name, value]) => [name, String(value)])).toString();
    history.replaceState(null, "", query === "" ? location.href.split("#")[0] : `#${query}`);
  };
  const restore = () => {
    const query = new URLSearchParams(location.hash.slice(1));
    for (const { name, values } of data.choices) {
      const k = values.map(String).indexOf(query.get(name));
      byId(`choose-${name}`).value = k < 0 ? "" : String(k);
      if (k < 0) chosen.delete(name);
      else chosen.set(name, values[k]);
    }
  };
  const answer = () => {
    const asked = (names) => names.filter((name) => chosen.has(name) && (name !== "coefficient" || chosen.get(name) !== first.get(name)));
    const find = (names) =>
      data.answers.findIndex(({ choice }) => Object.keys(choice).length === names.length && names.every((name) => choice[name] === chosen.get(name)));
    // If there are too many answers, not all are in the page: the nearest is shown.
    const wanted = [["measure", "estimate", "coefficient"], ["measure", "coefficient"], ["measure"], []];
    const k = wanted.map((names) => find(asked(names))).find((place) => place >= 0);
    for (const kind of [".said", ".answer"]) document.querySelectorAll(kind).forEach((each, place) => (each.hidden = place !== k));
    document.querySelector("h1").textContent = document.title = visible(data.answers[k].title);
  };
  const follow = (figure) => {
    for (const { name } of data.choices) {
      figure.set(name, chosen.get(name) ?? first.get(name));
      figure.set(`chosen_${name}`, chosen.get(name) ?? null);
    }
    figure.set("system", marked);
    figure.tell();
  };
  const apply = () => {
    answer();
    for (const table of tables) table.fill();
    figures.forEach(follow);
  };

  const makeControls = () => {
    for (const choice of data.choices) {
      const id = `choose-${choice.name}`;
      const select = element("select", { id }, element("option", { value: "", text: "all" }));
      choice.values.forEach((value, k) => select.append(element("option", { value: String(k), text: visible(String(value)) })));
      select.addEventListener("change", () => {
        if (select.value === "") chosen.delete(choice.name);
        else chosen.set(choice.name, choice.values[Number(select.value)]);
        keep();
        apply();
      });
      status.before(element("div", null, element("label", { for: id, text: choice.label }), select));
    }
    if (systems.size > 1) {
      const list = element("datalist", { id: "systems" });
      for (const name of systems) list.append(element("option", { value: name }));
      status.before(element("div", null, element("label", { for: "search", text: `Find one of ${systems.size} systems` }), search, list));
    }
    byId("controls").hidden = byId("choices").childElementCount === 1;
  };

  // ---- Data to take away.

  const download = (name, type, text) => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };
  // A spreadsheet would take some texts for formulas; the reader of concordant takes the quote off again.
  const csvCell = (cell) => {
    if (cell === null) return "";
    if (typeof cell === "boolean") return cell ? "True" : "False";
    if (typeof cell !== "string") return String(cell);
    const text = visible(cell).replace(/^'*[=+\-@\t\r]/, "'$&");
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csvOf = (table) => [table.columns, ...table.rows].map((row) => row.map(csvCell).join(",") + "\n").join("");
  const jsonOf = () => {
    // The part without tables is kept as it was written: a seed may have more digits than a number here.
    const about = byId("about").textContent.trim();
    const whole = data.tables.map((table) => `${JSON.stringify(table.name)}:${JSON.stringify(rowsOf(table))}`);
    return `${about.slice(0, -1)},"tables":{${whole.join(",")}}}\n`;
  };

  // ---- The page.

  const figureBox = ({ name, heading, caption, tables: linked }) => {
    const title = visible(heading);
    const links = linked.flatMap((each, k) => [
      k > 0 ? ", " : "",
      element("a", { class: "to-table", href: `#table-${each}`, text: each.replaceAll("_", " ") }),
    ]);
    return element(
      "figure",
      { id: `figure-${name}`, "data-figure": name },
      element(
        "figcaption",
        null,
        element("h3", { dir: "auto", text: title }),
        element("p", { class: "shows", hidden: true }),
        ...(caption.length === 0
          ? []
          : [element("p", { class: "lines", dir: "auto" }, ...caption.flatMap((line) => [element("span", { text: visible(line) }), " "]))]),
      ),
      element("div", { class: "chart", role: "group", "aria-label": title }),
      ...(links.length === 0 ? [] : [element("p", { class: "below" }, "Data: ", ...links)]),
    );
  };
  const tableBox = ({ name, title, n, total }) =>
    element(
      "details",
      { id: `table-${name}`, "data-table": name, open: data.tables.length === 1 },
      element(
        "summary",
        null,
        element("h3", { text: title }),
        " ",
        element("span", { class: "count", text: `${n < total ? `${n} of ` : ""}${total} row${total === 1 ? "" : "s"}` }),
      ),
    );
  const start = async () => {
    for (const hidden of document.querySelectorAll("nav, #tables, #download")) hidden.hidden = false;
    for (const each of document.querySelectorAll(".needs-script")) each.remove();
    if (data.figures.length <= 1) document.querySelector('nav a[href="#figures"]').parentElement.remove();
    makeControls();
    restore();
    answer();
    for (const table of data.tables) {
      const box = tableBox(table);
      byId("tables").append(box);
      tables.push(makeTable(table, box));
    }
    byId("download-json").addEventListener("click", () =>
      download(`concordant-${data.function || "result"}.json`, "application/json", jsonOf()),
    );
    // The first figure stands beside the answer, the next ones below; the others are drawn when they are opened.
    const drawn = data.figures.map((figure, k) => {
      const box = figureBox(figure);
      const still = document.querySelector("#first-figure > .still");
      if (k === 0 && still !== null) box.querySelector(".chart").append(still); // until it is drawn again
      if (k < OPEN) document.querySelector(k === 0 ? "#first-figure" : ".figures").append(box);
      else {
        const folded = element("details", null, element("summary", null, element("h3", { text: visible(figure.heading) })), box);
        box.querySelector("h3").classList.add("again");
        folded.addEventListener("toggle", () => draw(figure, box), { once: true });
        byId("more").append(folded);
      }
      return [figure, box];
    });
    if (drawn.length === 1) byId("figures").hidden = true;
    for (const link of document.querySelectorAll(".to-table")) {
      link.addEventListener("click", () => (byId(link.getAttribute("href").slice(1)).open = true));
    }
    for (const [figure, box] of drawn.slice(0, OPEN)) {
      await draw(figure, box);
      await new Promise((done) => setTimeout(done)); // each is seen before the next is made
    }
    apply(); // what was chosen while the figures were being made
    addEventListener("hashchange", () => {
      if (location.hash.includes("=")) {
        restore();
        apply();
      } else if (chosen.size > 0) keep(); // the link to a part of the page was followed
    });
    const fit = () => {
      for (const each of [...figures, ...tables]) each.fit();
      document.querySelectorAll("#answer .scroll").forEach(reachable);
    };
    fit();
    addEventListener("resize", fit);
    byId("print-all").addEventListener("click", async () => {
      const opened = [...document.querySelectorAll("details:not([open])")];
      for (const each of opened) each.open = true;
      for (const [figure, box] of drawn) await draw(figure, box);
      tables.forEach((table) => table.make());
      document.documentElement.dataset.print = "all";
      print();
      delete document.documentElement.dataset.print;
      for (const each of opened) each.open = false;
    });
    document.documentElement.dataset.ready = "yes";
  };
  const draw = async (figure, box) => {
    if (box.dataset.drawn) return;
    box.dataset.drawn = "yes";
    try {
      const made = await makeFigure(figure, box);
      figures.push(made);
      follow(made);
    } catch (error) {
      box.querySelector(".chart").replaceChildren(element("p", { class: "failed", text: `This figure cannot be drawn: ${error.message}` }));
      console.error(error);
    }
  };

  window.concordantPage = { figures }; // for tests and for the curious
  requestAnimationFrame(() => setTimeout(start)); // after what the page has without scripts is seen
})();
