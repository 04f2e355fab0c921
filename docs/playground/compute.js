// What the playground computes, without a page: the tests run it in Node. The functions of the package that
// build.py translates come in at the mark below; the operations that they use stand before it.
"use strict";

const math = {
  sqrt: Math.sqrt, log: Math.log, sin: Math.sin, cos: Math.cos, tan: Math.tan, tanh: Math.tanh, atanh: Math.atanh,
  pi: Math.PI, inf: Infinity, nan: NaN,
  isnan: Number.isNaN,
  isinf: value => Math.abs(value) === Infinity,
  fsum: values => [...values].reduce((sum, each) => sum + each, 0),
  factorial: n => (n < 2 ? 1 : n * math.factorial(n - 1)),
  copysign: (size, sign) => (sign < 0 ? -size : size),
};
const np = { minimum: Math.min, array: values => values };
// Degrees of freedom are whole here, though JavaScript does not tell whole numbers apart.
const t_below = ([t], freedom) => [(1 + _t_within(Math.atan(t / Math.sqrt(freedom)), freedom)) / 2];
const int = "int", None = null;
let $nouns = {};  // what the data call systems and topics
function noun(what) {
  const [, before, single, s] = what.match(/^(.* )?(\w+?)(s?)$/), own = $nouns[single] ?? single;
  return (before ?? "") + (s ? _plural(own) : own);
}
const isinstance = () => false;  // numbers are floats here
const { abs } = Math, str = String, float = Number;
const len = of => of.length ?? of.size;
const min = (...all) => Math.min(...all), max = (...all) => Math.max(...all);
const set = of => new Set(of);
const all = of => [...of].every($true), any = of => [...of].some($true);
const map = (f, of) => [...of].map(each => f(each)), filter = (_, of) => [...of].filter($true);
const enumerate = (of, first = 0) => of.map((each, k) => [k + first, each]);
const ConfidenceInterval = (low, high) => Object.assign([low, high], { low, high });

function* range(start, stop, step = 1) {
  for (let k = stop === undefined ? 0 : start, end = stop ?? start; k < end; k += step) yield k;
}
function $true(value) { return Array.isArray(value) ? value.length > 0 : Boolean(value) || Number.isNaN(value); }
function $same(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, k) => $same(each, b[k]));
  return a === b || (a ?? null) === (b ?? null);
}
const $in = (value, all) => all.some(each => $same(each, value));
const $join = (text, parts) => [...parts].join(text);
const $ends = (text, end) => text.endsWith(end);
const $starts = (text, start) => text.startsWith(start);
const $append = (list, value) => list.push(value);
const $whole = Number.isInteger;
const $sort = (list, { key }) => list.sort((a, b) => key(a) - key(b));
class $Dict {
  constructor(pairs) { this.values = new Map(pairs.map(([key, value]) => [JSON.stringify(key), value])); }
  get(key, otherwise = null) { return this.values.get(JSON.stringify(key)) ?? otherwise; }
}
// Python rounds a tie to even digits. Only an odd number of halves of a power of two is a tie.
function $fixed(value, decimals) {
  const halves = Math.abs(value) * 2 ** (decimals + 1);
  if (halves % 2 !== 1) return value.toFixed(decimals);
  const below = Math.floor(Math.abs(value) * 10 ** decimals);
  return ((Math.sign(value) * (below + (below % 2))) / 10 ** decimals).toFixed(decimals);
}
function $general(value, digits) {
  const [number, exponent] = value.toExponential(digits - 1).split("e").map(Number);
  if (exponent >= -4 && exponent < digits) return String(Number(value.toPrecision(digits)));
  return `${number}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
function $format(value, how) {
  if (how === "") return String(value);
  const digits = how.match(/\d+/);
  return how.endsWith("f") ? $fixed(value, Number(digits)) : $general(value, digits ? Number(digits) : 6);
}
function round(value) {
  const low = Math.floor(value);
  return value - low === 0.5 ? low + (Math.abs(low) % 2) : Math.round(value);
}

const ratio = (a, b) => (b ? a / b : NaN);
const root_of_product = (a, b) => Math.sqrt(a * b);
const clamped = value => Math.min(Math.max(value, -1), 1);
const normal = () => ({
  cdf: z => core.erfc(-z / Math.SQRT2) / 2,
  inv_cdf(probability) {
    let low = -40, high = 40;
    for (let k = 0; k < 80; k += 1) {
      const middle = (low + high) / 2;
      if (core.erfc(-middle / Math.SQRT2) / 2 < probability) low = middle; else high = middle;
    }
    return (low + high) / 2;
  },
});
// A quantile of sorted values, as NumPy does, with this probability on this side.
function _quantile(values, tail, side) {
  const last = values.length - 1, place = tail * last, below = Math.min(Math.floor(place), last - 1);
  const at = k => (side === ABOVE ? -values[last - k] : values[k]);
  const low = at(below), high = at(below + 1);
  return (side === ABOVE ? -1 : 1) * (low === high ? low : low + (high - low) * (place - below));
}
// How many pairs of systems are in the same and the opposite order, tied on one side or on both.
function by_order(systems) {
  const ranks = side => systems.map(each => -each[`${side}_rank`]);
  const found = fields(Float64Array.from(ranks("reference")), Float64Array.from(ranks("estimate")), 1)[0];
  const ordered = found.concordant + found.discordant, once = found.untied_x + found.untied_y - 2 * ordered;
  const twice = n_pairs(systems.length) - ordered - once;
  return { same: found.concordant, opposite: found.discordant, "tied once": once, "tied twice": twice };
}
function sum(all) { return all.reduce((total, each) => total + each, 0); }

/* TRANSLATED */

// --- the core ---

function loaded() {
  const bytes = Uint8Array.from(atob(DATA.wasm), each => each.charCodeAt(0));
  const module = new WebAssembly.Module(bytes), imports = {};
  for (const each of WebAssembly.Module.imports(module)) {
    (imports[each.module] ??= {})[each.name] = () => { throw new Error(`the core called ${each.name}`); };
  }
  const { exports } = new WebAssembly.Instance(module, imports);
  exports._initialize();
  return exports;
}
const core = loaded();
const FIELD_NAMES = [];
for (let k = 0, at; (at = core.field_name(k)); k += 1) {
  const bytes = new Uint8Array(core.memory.buffer, at);
  FIELD_NAMES.push(String.fromCharCode(...bytes.slice(0, bytes.indexOf(0))));
}

// Call a function with arrays in the memory of the core; those of the last numbers are returned.
function inCore(call, given, ...sizes) {
  const places = [...given.map(each => each.byteLength), ...sizes.map(size => 8 * size)].map(n => core.reserve(n + 8));
  given.forEach((each, k) => new Float64Array(core.memory.buffer, places[k], each.length).set(each));
  const said = call(...places);
  const found = sizes.map((n, k) => new Float64Array(core.memory.buffer, places[given.length + k], n).slice());
  places.forEach(place => core.release(place));
  return [said, ...found];
}
// The fields of rows of x with the same rows of y.
function fields(x, y, rows) {
  const size = x.length / rows, n = FIELD_NAMES.length;
  const [good, found] = inCore((a, b, out) => core.fields(a, b, rows, size, out), [x, y], rows * n);
  if (!good) throw new Error("the scores are too large or span too much; divide them by a power of ten");
  const named = row => Object.fromEntries(FIELD_NAMES.map((name, k) => [name, found[row * n + k]]));
  return Array.from({ length: rows }, (_, row) => named(row));
}
const COEFFICIENTS = DATA.coefficients.map(each => ({ ...each, formula: FORMULAS[each.name], toString: () => each.name }));

function hasTies(found) { return Math.min(found.untied_x, found.untied_y) < n_pairs(found.n); }
function valueOf(c, found, size) {
  if (size < 2 || (c.instead && hasTies(found))) return NaN;
  return c.formula(...c.fields.map(name => found[name]));
}
// The values of each coefficient for rows of x and y.
function evaluate(coefficients, x, y, rows) {
  const size = x.length / rows, step = Math.max(1, Math.floor(262144 / Math.max(size, 1)));
  const values = coefficients.map(() => new Float64Array(rows));
  for (let start = 0; start < rows; start += step) {
    const part = Math.min(step, rows - start), cut = each => each.subarray(start * size, (start + part) * size);
    fields(cut(x), cut(y), part).forEach((found, row) => {
      coefficients.forEach((c, k) => { values[k][start + row] = valueOf(c, found, size); });
    });
  }
  return values;
}
const repeated = (row, times) => {
  const found = new Float64Array(row.length * times);
  for (let k = 0; k < times; k += 1) found.set(row, k * row.length);
  return found;
};
// The means of topics x systems: a row of `counts` says how often each topic counts.
function means(counts, rows, scores, systems) {
  const topics = counts.length / rows, flags = Math.ceil((rows * systems) / 8);
  const call = (c, s, out, doubtful) => core.means(c, rows, topics, s, systems, out, doubtful);
  const [, found, doubtful] = inCore(call, [counts, scores], rows * systems, flags);
  new Uint8Array(doubtful.buffer, 0, found.length).forEach((flag, k) => {
    if (!flag) return;
    let total = 0, weighted = 0;
    const row = Math.floor(k / systems);
    for (let t = 0; t < topics; t += 1) {
      total += counts[row * topics + t];
      weighted += counts[row * topics + t] * scores[t * systems + (k % systems)];
    }
    found[k] = Number((weighted / total).toPrecision(12));
  });
  return found;
}

// --- intervals and tests ---

// Rows of the scores, in each of which those of two neighbours are exchanged, if they differ.
function exchanged(scores) {
  const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a]);
  let places = [...order.keys()].slice(0, -1).filter(k => scores[order[k]] !== scores[order[k + 1]]);
  if (places.length > MOST_EXCHANGES) {
    const half = MOST_EXCHANGES / 2, step = (places.length - 1) / (half - 1);
    const others = Array.from({ length: half }, (_, k) => places[Math.floor(k * step)]);
    places = [...new Set([...places.slice(0, half), ...others])].sort((a, b) => a - b);
  }
  return places.map(k => {
    const row = Float64Array.from(scores);
    [row[order[k]], row[order[k + 1]]] = [scores[order[k + 1]], scores[order[k]]];
    return row;
  });
}
// How much each coefficient changes if two neighbours are exchanged on one side.
function neighbourChanges(coefficients, x, y, values) {
  const rows = [...exchanged(x).map(row => [row, y]), ...exchanged(y).map(row => [x, row])];
  if (!rows.length) return coefficients.map(() => []);
  const side = k => { const all = new Float64Array(rows.length * x.length); rows.forEach((row, r) => all.set(row[k], r * x.length)); return all; };
  const found = evaluate(coefficients, side(0), side(1), rows.length);
  return found.map((own, k) => [...own].map(each => Math.abs(each - values[k])).filter(each => !Number.isNaN(each)));
}
function deviation(values, less = 1) {
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map(each => (each - mean) ** 2)) / (values.length - less));
}
// Intervals over topics, by the method standard of the package and its draws with this seed.
async function overTopics(input, values, seed, progress) {
  const { systems, topics } = input, n = systems.length, t = topics.length;
  const drawn = COEFFICIENTS.map(() => []);
  core.start(seed);
  const step = Math.max(1, Math.min(500, Math.floor(262144 / Math.max(n, t))));
  for (let done = 0; done < N_RESAMPLES; done += step) {
    const rows = Math.min(step, N_RESAMPLES - done);
    const [, counts] = inCore(out => core.resamples(rows, t, out), [], rows * t);
    const found = evaluate(COEFFICIENTS, means(counts, rows, input.x, n), means(counts, rows, input.y, n), rows);
    found.forEach((own, k) => drawn[k].push(...own));
    await progress(done + rows, N_RESAMPLES);
  }
  const changes = neighbourChanges(COEFFICIENTS, input.meansX, input.meansY, values);
  return COEFFICIENTS.map((c, k) => {
    const known = drawn[k].filter(each => !Number.isNaN(each)).sort((a, b) => a - b);
    if (Number.isNaN(values[k]) || known.length < 2) return null;
    const spread = deviation(known), error = spread > 1e-12 ? spread : 0;
    const half = tail => half_width(t, error, Math.max(0, ...changes[k]), tail);
    const end = (tail, side) => standard(values[k], known, sum(known) / known.length, t, half, tail, side);
    return interval_of(end, LEVEL, c.bounds);
  });
}
// Intervals over systems: each is left out in turn.
function overSystems(input, values) {
  const { meansX: x, meansY: y } = input, n = x.length;
  const without = of => { const all = new Float64Array(n * (n - 1)); for (let k = 0; k < n; k += 1) all.set(of.filter((_, i) => i !== k), k * (n - 1)); return all; };
  const left = n > 1 ? evaluate(COEFFICIENTS, without(x), without(y), n) : [];
  const changes = neighbourChanges(COEFFICIENTS, x, y, values);
  return COEFFICIENTS.map((c, k) => {
    const known = [...(left[k] ?? [])].filter(each => !Number.isNaN(each));
    let half = 0;
    if (known.length > 1) {
      half = t_quantile((1 + LEVEL) / 2, known.length - 1) * Math.sqrt(known.length - 1) * deviation(known, 0);
    }
    let [low, high] = _on_fishers_scale(values[k], half, c.bounds);
    if (Number.isNaN(low)) return null;
    const unseen = changes[k].length ? (-Math.log((1 - LEVEL) / 2) * sum(changes[k])) / changes[k].length : 0;
    low = Math.max(Math.min(low, values[k] - unseen), c.bounds[0]);
    high = Math.min(Math.max(high, values[k] + unseen), c.bounds[1]);
    return ConfidenceInterval(low, high);
  });
}
function logOrders(values) {
  const sizes = new Map();
  let found = 0;
  values.forEach((value, k) => {
    sizes.set(value, (sizes.get(value) ?? 0) + 1);
    found += Math.log(k + 1) - Math.log(sizes.get(value));
  });
  return found;
}
function* allOrders(values) {
  const now = [...values].sort((a, b) => a - b);
  for (;;) {
    yield now;
    let i = now.length - 2, j = now.length - 1;
    while (i >= 0 && now[i] >= now[i + 1]) i -= 1;
    if (i < 0) return;
    while (now[j] <= now[i]) j -= 1;
    [now[i], now[j]] = [now[j], now[i]];
    now.push(...now.splice(i + 1).reverse());
  }
}
// The p-value of a coefficient if the systems are in random order: of all orders, or of random ones.
function inRandomOrder(c, value, x, y, seed) {
  const n = x.length, wanted = Math.min(N_RESAMPLES, Math.max(999, Math.floor(1e7 / n)));
  const turned = logOrders(x) < logOrders(y), [fixed, moved] = turned ? [y, x] : [x, y];
  const exact = logOrders(moved) < Math.log(wanted) + 1e-9;
  let orders, rows = wanted;
  if (exact) {
    const every = Array.from(allOrders(moved), each => [...each]);
    [orders, rows] = [Float64Array.from(every.flat()), every.length];
  } else {
    core.start(seed);
    [, orders] = inCore((values, out) => core.orders(rows, values, n, out), [moved], rows * n);
  }
  const others = repeated(fixed, rows), sides = turned ? [orders, others] : [others, orders];
  const known = evaluate([c], ...sides, rows)[0].filter(each => !Number.isNaN(each)), more = exact ? 0 : 1;
  const same = SAME * Math.max(Math.abs(value), ...known.map(Math.abs));
  const share = test => (known.filter(test).length + more) / (known.length + more);
  return Math.min(1, 2 * Math.min(share(each => each >= value - same), share(each => each <= value + same)));
}
// The pairs of systems that differ by the reference: paired t-tests with Holm's correction.
function significantPairs(input) {
  const { systems, topics, x } = input, n = systems.length, t = topics.length, found = [];
  const size = systems.map((_, s) => sum(topics.map((__, k) => Math.abs(x[k * n + s]))) / t);
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      let mean = 0, squares = 0;
      for (let k = 0; k < t; k += 1) mean += (x[k * n + i] - x[k * n + j]) / t;
      for (let k = 0; k < t; k += 1) squares += (x[k * n + i] - x[k * n + j] - mean) ** 2;
      const real = Math.abs(mean) > 1e-12 * Math.max(size[i], size[j]);
      const value = real ? Math.abs(mean) / (Math.sqrt(squares / (t - 1)) / Math.sqrt(t)) : 0;
      found.push({ i, j, p: 1 - _t_within(Math.atan(value / Math.sqrt(t - 1)), t - 1) });
    }
  }
  found.sort((a, b) => a.p - b.p);
  const end = found.findIndex((each, k) => each.p * (found.length - k) >= 1 - LEVEL);
  return end < 0 ? found : found.slice(0, end);
}
function among(scores, k) {
  const cut = Float64Array.from(scores).sort()[scores.length - k];
  const above = scores.filter(each => each > cut).length, tied = scores.filter(each => each === cut).length;
  return scores.map(each => (each > cut ? 1 : each === cut ? (k - above) / tied : 0));
}
const rankOf = (scores, k) => 1 + scores.filter(each => each > scores[k]).length;

// --- the answer ---

const visible = text => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu, each => `\\u${each.codePointAt(0).toString(16).padStart(4, "0")}`);

// The answer of `correlate`: its rows, systems and sentences.
async function answer(input, seed = 0, progress = () => {}) {
  const { systems, topics, estimate, measure } = input, n = systems.length;
  $nouns = input.nouns;
  const ones = topics && new Float64Array(topics.length).fill(1);
  input.meansX = topics ? means(ones, 1, input.x, n) : input.x;
  input.meansY = topics ? means(ones, 1, input.y, n) : input.y;
  const { meansX: x, meansY: y } = input, [found] = fields(x, y, 1);
  const values = COEFFICIENTS.map(c => valueOf(c, found, n));
  const intervals = topics ? await overTopics(input, values, seed, progress) : overSystems(input, values);
  const agreement = COEFFICIENTS.map((c, k) => ({
    estimate, measure, top: null, n, coefficient: c, value: values[k], interval: intervals[k], pvalue: null,
    topics: topics ? topics.length : null, as_close: null, other_topics: null,
    undefined: whyUndefined(c, found, values[k], n),
  }));
  const row = agreement.find(each => each.coefficient.name === LEAD);
  if (!Number.isNaN(row.value)) row.pvalue = inRandomOrder(row.coefficient, row.value, x, y, seed);
  const winners = [...systems.keys()].filter(k => y[k] === Math.max(...y));
  const pairs = topics ? significantPairs(input) : null;
  const sameOrder = pairs?.map(({ i, j }) => Math.sign(x[i] - x[j]) * (y[i] - y[j]));
  const judged = {
    estimate, measure, topics: topics ? topics.length : 0, systems: n, top: TOP,
    winner: some(winners.map(k => systems[k])),
    winner_rank: sum(winners.map(k => rankOf(x, k))) / winners.length,
    common: n > TOP ? sum([...among(x, TOP)].map((each, k) => Math.min(each, among(y, TOP)[k]))) : null,
    swapped: n > 1 ? found.discordant : 0,
    significant: pairs && pairs.length,
    kept: pairs && sameOrder.filter(each => each > 0).length,
    reversed: pairs && sameOrder.filter(each => each < 0).length,
  };
  const listed = systems.map((system, k) => {
    const ranks = [x, y].map(side => rankOf(side, k));
    return { estimate, measure, system, reference_score: input.signs[0] * x[k], estimate_score: input.signs[1] * y[k], reference_rank: ranks[0], estimate_rank: ranks[1], gain: ranks[0] - ranks[1] };
  });
  listed.sort((a, b) => a.reference_rank - b.reference_rank || a.estimate_rank - b.estimate_rank || (a.system < b.system ? -1 : 1));
  const result = { agreement: [row], judges: [judged], systems: listed, options: { alpha: 0.05 } };
  const where = measure.measure === "score" ? "" : ` by ${measure.measure}`;
  const told = Number.isNaN(row.value)
    ? [`${LEAD} is undefined for ${called(estimate)}${where}: ${row.undefined}`]
    : [..._closeness(result, null, row), _keeps(judged)];
  if (input.left > MUCH * (input.left + n)) told.push(`${input.left} of ${count(input.left + n, "system")} are left out`);
  return { verdict: told.map(each => `${visible(each)}.`), agreement, judged, systems: listed, seed };
}
function whyUndefined(c, found, value, n) {
  if (!Number.isNaN(value)) return null;
  const why = n < 2 ? FEW_ITEMS : c.instead && hasTies(found) ? `there are ties; use ${c.instead}` : c.undefined;
  return why.replace(/{(\w+)}/g, (_, name) => SYSTEMS[name]);
}

// --- what people paste ---

const MOST_SYSTEMS = 1000;
const quoted = text => `'${visible(text.length > 40 ? `${text.slice(0, 40)}...` : text)}'`;
const is = (text, pattern) => new RegExp(`^(?:${PATTERNS[pattern]})$`, "i").test(text);
const plainName = name => name.toLowerCase().normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
const isWord = (name, kind) => WORDS[kind].includes(plainName(name));
const nounOf = (name, kind) => NOUNS[kind].find(word => plainName(name).startsWith(word));
const isNumbered = names => names.every(name => is(name, "numbered"));
const bareName = name => name.replace(new RegExp(PATTERNS.arrow, "g"), " ").trim() || name;

// As `counts_down` of the package: whether the name of a measure shows that the smallest score is the best.
function countsDown(name) {
  if (/[\u2191\u2b06\u25b2]/.test(name)) return false;
  if (/[\u2193\u2b07\u25bc]/.test(name)) return true;
  const own = bareName(name).replace(new RegExp(PATTERNS.unit, "i"), "") || name;
  const parted = own.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replaceAll("_", " ").replace(/\b(p|standard)[ -](value|error)\b/gi, "$1$2");
  const words = parted.split(/[^\p{L}\p{N}]+/u).filter(Boolean).map(plainName), last = words.at(-1) ?? "";
  const holds = kind => words.some(each => (Array.isArray(kind) ? kind : WORDS[kind]).includes(each));
  if (words[0] === "neg" || (words[0] === "1" && words.length === 2)) return false;
  if (isWord(name, "rank") || isWord(own, "lower") || WORDS.lower.includes(last)) return true;
  if (words.slice(-2).join(" ") === "error rate") return true;
  if (WORDS["lower at the start"].includes(words[0]) && !holds(["accuracy", "reduction", "gain"])) return true;
  return holds(["rank", "ranks", "rang", "ranking"]) && !holds("ranked score") && !is(name.trim(), "cutoff");
}

// The cells of a table, with the numbers of their lines; empty lines are left out.
function cellsOf(text, name) {
  const first = text.split(/\r?\n/).find(line => line.trim()) ?? "";
  if (/^\s*[{[<]/.test(first)) throw new Error(`${name}: this page reads columns and tables of text, not JSON or HTML; use the program: concordant correlate`);
  const bars = first.trim().startsWith("|");
  const comma = bars ? "|" : ["\t", ";", ","].find(each => first.includes(each)), rows = [];
  let row = [], cell = "", open = 0, line = 1, begun = 1;
  const endCell = () => { row.push(cell.trim()); cell = ""; };
  const endRow = () => {
    endCell();
    if (bars) row = row.slice(1, -1);
    if (row.some(Boolean) && !(bars && row.every(each => /^:?-+:?$/.test(each)))) rows.push({ line: begun, cells: row });
    row = [];
  };
  const given = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  for (let k = 0; k < given.length; k += 1) {
    const c = given[k];
    if (c === "\n") line += 1;
    if (open) {
      if (c === '"' && given[k + 1] === '"') { cell += c; k += 1; } else if (c === '"') open = 0; else cell += c;
    } else if (c === '"' && !cell.trim()) [open, cell] = [line, ""];
    else if (c === comma || (!comma && /[ ]/.test(c) && cell.trim())) endCell();
    else if (c === "\n") { endRow(); begun = line; } else cell += c;
  }
  if (open) throw new Error(`${name}, line ${open}: a quotation mark is not closed; close it or remove it`);
  endRow();
  const last = Math.max(0, ...rows.map(({ cells }) => cells.findLastIndex(Boolean) + 1));  // a column that a spreadsheet adds
  if (rows.length && rows[0].cells.length > last) rows.forEach(each => { each.cells = each.cells.slice(0, last); });
  return { rows, comma };
}
const isMissing = cell => MISSING.includes(cell.toLowerCase());
const isNumber = cell => is(cell, "number"), isScore = cell => isNumber(cell.replace(/%$/, "").replace(",", "."));
// How numbers are written: with a decimal comma if no number says otherwise.
function decimalOf(cells, name) {
  const commas = cells.filter(({ cell }) => is(cell.replace(/%$/, ""), "comma"));
  if (!commas.length) return ".";
  const { line, cell } = commas[0], pointed = cells.some(each => isNumber(each.cell) && each.cell.includes("."));
  if (pointed || commas.every(each => is(each.cell, "either"))) throw new Error(`${name}, line ${line}: ${quoted(cell)} has a comma; is it a decimal comma or does it group thousands? write a decimal point`);
  return ",";
}
function numberOf(cell, decimal, percent, name, line) {
  const own = (percent ? cell.replace(/%$/, "") : cell).replace(decimal, ".");
  if (isNumber(own) && Number.isFinite(Number(own))) return Number(own);
  if (isMissing(cell)) return NaN;
  const advice = cell.endsWith("%") ? "write the percent sign in all cells of the column or in none" : "fix it or remove the line";
  throw new Error(`${name}, line ${line}: ${quoted(cell)} is not a number; ${advice}`);
}
// A table: names in the first column, and scores, NaN if one is missing; the first line may name the columns.
function tableOf(text, name, alone) {
  const { rows, comma } = cellsOf(text, name), notes = [];
  if (!rows.length) throw new Error(`${name}: there are no scores; paste a table or drop a file`);
  if (!rows.some(({ cells }) => cells.some(isScore))) throw new Error(`${name}: no cell is a number; paste names and scores`);
  let head = rows[0].cells.slice(1).every(each => isScore(each) || (isMissing(each) && each)) ? null : rows.shift().cells;
  if (head === null && rows[0].cells.length === 1 && !isScore(rows[0].cells[0])) head = rows.shift().cells;
  if (!rows.length) throw new Error(`${name}: there is only one line; paste a table with a line for each system or topic`);
  const width = (head ?? rows[0].cells).length, seen = new Map();
  for (const { line, cells } of rows) {
    const advice = comma === "," && cells.length > width ? "; if commas are decimal signs, put tabs or semicolons between columns" : "";
    if (cells.length !== width) throw new Error(`${name}, line ${line}: expected ${width} columns, found ${cells.length}${advice}`);
  }
  if (width < 2) throw new Error(`${name}, line ${rows[0].line}: there is only one column; give names and scores`);
  const counted = rows.every(({ cells }, k) => Number(cells[0]) === k + 1) || rows.every(({ cells }, k) => Number(cells[0]) === k);
  const numbers = rows.every(({ cells }) => isScore(cells[0]));
  if (numbers && alone && width === 2 && !counted) {  // two columns of scores
    rows.forEach((each, k) => { each.cells = [String(k), ...each.cells]; });
    head &&= ["system", ...head];
    notes.push("the rows have no names and are numbered from 0");
  } else if (numbers && !head) throw new Error(`${name}, line ${rows[0].line}: the first line holds numbers; it must name the columns`);
  else if (numbers && width === 2 && !["system", "topic", "label"].some(kind => isWord(head[0], kind))) throw new Error(`${name}: the first column, ${quoted(head[0])}, holds numbers; call it system if these are names`);
  for (const { line, cells } of rows) {
    if (seen.has(cells[0])) {
      const long = head && ["system", "topic"].every(kind => head.some(each => isWord(each, kind)));
      const more = long ? "; tables with a row for each system and topic need the program: concordant correlate" : "";
      throw new Error(`${name}, line ${line}: ${quoted(cells[0])} appears twice, first in line ${seen.get(cells[0])}${more}`);
    }
    seen.set(cells[0], line);
  }
  const twice = head?.slice(1).find((each, k, all) => all.indexOf(each) !== k);
  if (twice !== undefined) throw new Error(`${name}: two columns are called ${quoted(twice)}; rename one`);
  const scored = rows.flatMap(({ line, cells }) => cells.slice(1).map(cell => ({ line, cell })));
  const decimal = decimalOf(scored, name);
  const percent = rows[0].cells.slice(1).map((_, k) => rows.every(({ cells }) => cells[k + 1].endsWith("%") || isMissing(cells[k + 1])));
  if (decimal === ",") notes.push("numbers have a decimal comma");
  if (scored.some(({ cell }) => cell.endsWith("%"))) notes.push("numbers are percentages");
  const scores = rows.map(({ line, cells }) => cells.slice(1).map((cell, k) => numberOf(cell, decimal, percent[k], name, line)));
  const table = { name, first: head?.[0] ?? "", head: head?.slice(1), names: rows.map(row => row.cells[0]), lines: rows.map(row => row.line), scores };
  return { ...single(table, notes), notes: notes.map(note => `${name}: ${note}`) };
}
// A table without the rows and columns that sum up the others.
function single(table, notes) {
  const rows = [...table.names.keys()].filter(k => !isWord(table.names[k], "summary"));
  const columns = [...table.scores[0].keys()].filter(k => !(table.head && table.scores[0].length > 2 && isWord(table.head[k], "summary")));
  if (!rows.length || (rows.length === table.names.length && columns.length === table.scores[0].length)) return table;
  const left = [...table.names.filter((_, k) => !rows.includes(k)), ...(table.head ?? []).filter((_, k) => !columns.includes(k))];
  notes.push(`left out ${left.map(quoted).join(", ")}, which sums up the others`);
  const pick = (all, kept) => all && kept.map(k => all[k]);
  return { ...table, head: pick(table.head, columns), names: pick(table.names, rows), lines: pick(table.lines, rows), scores: rows.map(k => pick(table.scores[k], columns)) };
}
// Put the rows of a table into the order of other names.
function aligned(table, other) {
  const place = new Map(table.names.map((name, k) => [name, k])), known = new Set(other.names);
  const extra = table.names.findIndex(name => !known.has(name));
  if (extra >= 0) throw new Error(`${table.name}, line ${table.lines[extra]}: ${quoted(table.names[extra])} is not in ${other.name}; add it there or remove it`);
  const lacking = other.names.findIndex(name => !place.has(name));
  if (lacking >= 0) throw new Error(`${other.name}, line ${other.lines[lacking]}: ${quoted(other.names[lacking])} is not in ${table.name}; add it there or remove it`);
  return other.names.map(name => table.scores[place.get(name)]);
}
function turned(table) {
  if (!table.head) throw new Error(`${table.name}, line 1: the first line must name the columns`);
  return { ...table, head: table.names, names: table.head, lines: table.head.map(() => 1), scores: table.head.map((_, k) => table.scores.map(row => row[k])) };
}
// Where the systems of a table are, by the rules of the program; "" if they do not decide.
function systemsIn(table) {
  turned(table);
  if (isWord(table.first, "topic")) return "columns";
  const [rows, columns] = [isNumbered(table.names), isNumbered(table.head)];
  if (isWord(table.first, "system")) {
    if (columns) return "rows";
    throw new Error(`${table.name}: are the columns ${table.head.slice(0, 3).map(quoted).join(", ")}${table.head.length > 3 ? ", ..." : ""} topics or measures? choose "rows" if they are topics, or give one column of scores`);
  }
  return rows === columns ? "" : rows ? "columns" : "rows";
}
// One column of scores for each system; `keep` leaves out systems without a score.
function columnsOf(names, lines, x, y, notes) {
  const kept = [...names.keys()].filter(k => !Number.isNaN(x[k]) && !Number.isNaN(y[k])), left = names.length - kept.length;
  if (left) notes.push(`left out ${count(left, "system")} without a score: ${some(names.filter((_, k) => !kept.includes(k)))}`);
  return { systems: kept.map(k => names[k]), topics: null, x: kept.map(k => x[k]), y: kept.map(k => y[k]), left };
}
// Two texts as rankings: {systems, topics, x, y, estimate, measure}; x and y are topics x systems, or systems.
function inputOf(reference, estimate, names = {}, chosen = "", lower = false) {
  $nouns = {};
  const [left, right] = [names.reference ?? "reference", names.estimate ?? "estimate"];
  const own = (names.estimate ?? "estimate").replace(/\.\w+$/, "");
  const alone = !estimate.trim(), a = tableOf(reference, left, alone), { notes } = a, heads = [...(a.head ?? [])];
  let found, sides = [];
  const firsts = [a.first], ranked = table => { if (isWord(table.first, "topic")) throw new Error(`${table.name}: the first column is called ${quoted(table.first)}, so that the rows are topics; call it system if they are ranked`); };
  if (alone) {
    if (a.scores[0].length !== 2) throw new Error(`${left}: there is no estimate; paste a second table, or names and two columns of scores`);
    ranked(a);
    found = columnsOf(a.names, a.lines, a.scores.map(row => row[0]), a.scores.map(row => row[1]), notes);
  } else {
    const b = tableOf(estimate, right, false), widths = [a, b].map(table => table.scores[0].length);
    notes.push(...b.notes);
    firsts.push(b.first);
    if ((widths[0] === 1) !== (widths[1] === 1)) throw new Error(`${left} has ${count(widths[0], "column")} of scores and ${right} has ${widths[1]}; give both one column, or both a table of systems and topics`);
    if (widths[0] === 1) {
      [a, b].forEach(ranked);
      heads.push(...(b.head ?? []));
      found = columnsOf(a.names, a.lines, a.scores.flat(), aligned(b, a).flat(), notes);
    } else {
      heads.length = 0;
      sides = [a, b].map(table => chosen || systemsIn(table));
      const usual = sides.find(Boolean);
      if (!usual) throw new Error(`${left}: choose whether systems are in columns or in rows; the first line does not tell`);
      const [one, two] = [a, b].map((table, k) => ((sides[k] || usual) === "rows" ? turned(table) : turned(turned(table))));
      const columns = aligned(turned({ ...two, scores: aligned(two, one), names: one.names }), turned(one));
      const y = one.names.map((_, t) => columns.map(column => column[t]));
      const missing = [one.scores, y].findIndex(side => side.some(row => row.some(Number.isNaN)));
      if (missing >= 0) throw new Error(`${[left, right][missing]}: a score is missing; add it, or use the program: concordant correlate`);
      found = { systems: one.head, topics: one.names, x: one.scores.flat(), y: y.flat(), left: 0 };
      notes.unshift(`systems in ${usual}`);
    }
  }
  if (found.systems.length > MOST_SYSTEMS) throw new Error(`there are ${found.systems.length} systems, and this page takes ${MOST_SYSTEMS}; use the program: concordant correlate`);
  if (found.topics?.length < 2) throw new Error(`${left}: there is only one topic; give two or more, or one column of scores`);
  const down = [0, 1].map(k => lower || (heads.length === 2 && countsDown(heads[k])));
  const called = heads.length === 2 ? heads.map(each => (isWord(each, "value") ? "score" : bareName(each))) : ["score", "score"];
  down.forEach((is, k) => { if (is && (!k || called[0] !== called[1] || !down[0])) notes.push(`the smallest ${called[k]} is the best`); });
  const measure = Object.assign([...called], { measure: called[0], estimate_measure: called[1] });
  const kind = found.topics && sides[0] !== "rows" ? "topic" : "system", ownNoun = firsts.map(each => nounOf(each, kind)).find(Boolean);
  const signed = (values, sign) => Float64Array.from(values, each => sign * each || 0);
  return { ...found, nouns: ownNoun ? { [kind]: ownNoun } : {}, notes, signs: down.map(is => (is ? -1 : 1)), estimate: alone ? (a.head ? called[1] : "estimate") : own, measure, x: signed(found.x, down[0] ? -1 : 1), y: signed(found.y, down[1] ? -1 : 1) };
}
