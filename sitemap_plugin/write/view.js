"use strict";

// Shows the records as a table, a hundred at a time, and narrows and sorts them. All that comes
// from the data is set as text; only web addresses become links.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const element = (id) => document.getElementById(id);
const data = read("data");
const view = read("view");
const records = data[view.records];
const PAGE = 100;
const ABSENT = "–";

const state = { words: [], bars: new Map(), column: -1, descending: false, page: 0 };
const collator = new Intl.Collator("en", { numeric: true });
const texts = [];
let shown = [];

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function link(text, url) {
  return /^https?:\/\//i.test(url) ? make("a", { href: url, rel: "noreferrer" }, text) : text;
}

// What is written in a cell for the first value of its column.
function content(column, value) {
  if (column.kind === "flag") return [column.words[value ? 0 : 1]];
  if (value === null || value === undefined || value === "") return [ABSENT];
  if (column.kind === "url") return [link(value, value)];
  if (column.kind === "code") return [link(value, column.link + value)];
  if (column.kind === "grade") return [make("b", { className: value }, value)];
  if (column.kind !== "links") return [String(value)];
  const links = Object.entries(value).flatMap(([name, url]) => [link(name, url), " "]);
  return links.length ? links : [ABSENT];
}

// What a column is sorted by; null comes last in either direction.
function rank(column, value) {
  if (column.kind === "flag") return value ? 0 : 1;
  if (column.kind === "grade") return column.words.indexOf(value);
  if (value === null || value === undefined || value === "") return null;
  if (column.kind === "date") return Date.parse(value);
  if (column.kind === "links") return Object.keys(value).length || null;
  return value;
}

function text(record) {
  const values = view.columns.flatMap((column) =>
    column.keys.map((key, index) => {
      const value = record[key];
      if (value === null || value === undefined) return "";
      if (index === 0 && column.kind === "flag") return column.words[value ? 0 : 1];
      return typeof value === "object" ? Object.entries(value).flat().join(" ") : String(value);
    }),
  );
  return values.join("\n").toLowerCase();
}

function matches(index) {
  for (const [number, bar] of state.bars) {
    const chart = view.charts[number];
    if (chart.labels[index] !== chart.names[bar]) return false;
  }
  if (!state.words.length) return true;
  texts[index] ??= text(records[index]);
  return state.words.every((word) => texts[index].includes(word));
}

function sort(indices) {
  if (state.column < 0) return indices;
  const column = view.columns[state.column];
  const ranks = new Map(indices.map((index) => [index, rank(column, records[index][column.keys[0]])]));
  const sign = state.descending ? -1 : 1;
  return indices.sort((first, second) => {
    const one = ranks.get(first);
    const two = ranks.get(second);
    if (one === null || two === null) return (one === null) - (two === null) || first - second;
    const order = typeof one === "number" ? one - two : collator.compare(one, two);
    return sign * order || first - second;
  });
}

function row(record) {
  const cells = view.columns.map((column, number) => {
    const [main, ...others] = column.keys;
    const cell = make(number ? "td" : "th", { className: column.kind }, ...content(column, record[main]));
    if (!number) cell.scope = "row";
    cell.dataset.label = column.title;
    for (const key of others) {
      if (record[key] !== null && record[key] !== undefined && record[key] !== "") {
        cell.append(make("small", {}, String(record[key])));
      }
    }
    return cell;
  });
  return make("tr", {}, ...cells);
}

function draw() {
  const last = Math.max(Math.ceil(shown.length / PAGE) - 1, 0);
  state.page = Math.min(state.page, last);
  const start = state.page * PAGE;
  const some = shown.slice(start, start + PAGE);
  element("table").tBodies[0].replaceChildren(...some.map((index) => row(records[index])));
  element("pages").hidden = !last;
  element("previous").disabled = !state.page;
  element("next").disabled = state.page === last;
  const number = (value) => value.toLocaleString("en");
  element("where").textContent =
    `${number(start + 1)} to ${number(start + some.length)} of ${number(shown.length)}`;
  const noun = records.length === 1 ? view.records.slice(0, -1) : view.records;
  element("status").textContent =
    shown.length === records.length
      ? `${number(records.length)} ${noun}`
      : `${number(shown.length)} of ${number(records.length)} ${noun}`;
}

function refresh() {
  shown = sort([...records.keys()].filter(matches));
  state.page = 0;
  const names = [...state.bars].map(([chart, bar]) => view.charts[chart].names[bar]);
  element("filters").textContent = names.length ? `Only: ${names.join(", ")}` : "";
  element("reset").hidden = !state.words.length && !state.bars.size;
  draw();
}

function head() {
  const cells = view.columns.map((column, number) => {
    const button = make("button", { type: "button" }, column.title);
    const cell = make("th", { scope: "col" }, button);
    button.addEventListener("click", () => {
      state.descending = state.column === number && !state.descending;
      state.column = number;
      for (const other of cell.parentNode.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
      refresh();
    });
    return cell;
  });
  element("table").append(make("thead", {}, make("tr", {}, ...cells)), make("tbody"));
}

function narrow(chart, number, button) {
  const pressed = button.getAttribute("aria-pressed") === "true";
  for (const other of chart.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(!pressed));
  if (pressed) state.bars.delete(number);
  else state.bars.set(number, Number(button.dataset.bar));
  refresh();
}

function turn(step) {
  state.page += step;
  draw();
  element("table").closest("section").scrollIntoView();
}

function start() {
  element("unscripted").remove();
  head();
  document.querySelectorAll(".chart").forEach((chart, number) => {
    for (const button of chart.querySelectorAll("button")) {
      button.addEventListener("click", () => narrow(chart, number, button));
    }
  });
  const controls = element("controls");
  controls.hidden = false;
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("reset", () => {
    state.words = [];
    state.bars.clear();
    for (const button of document.querySelectorAll("[aria-pressed]")) {
      button.setAttribute("aria-pressed", "false");
    }
    refresh();
    element("search").focus();
  });
  element("search").addEventListener("input", (event) => {
    state.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    refresh();
  });
  element("previous").addEventListener("click", () => turn(-1));
  element("next").addEventListener("click", () => turn(1));
  refresh();
}

start();
