// The console: holds what the stream told, draws it, and sends what a referee decides.

import { ago, alertCard, byUrgency, isOpen, settledLine, whoDidWhat } from "/console/alerts.js";
import { drawBoard } from "/console/board.js";
import { keyed, make } from "/console/dom.js";
import { questionCard } from "/console/questions.js";
import { Refused, Server, takeToken } from "/console/server.js";
import { clockWords, conditionLines, stateLine } from "/console/status.js";
import { isOn, play, setSound } from "/console/sound.js";
import { Stills } from "/console/stills.js";
import { language, say, seatName, setLanguage } from "/console/words.js";

const GUARD_MS = 600; // after the chosen alert changed by itself, keys rest, so that none hits the wrong one
const NOTE_MS = 6000;
const SETTLED_SHOWN = 30;
const $ = (id) => document.getElementById(id);

const tables = new Map();
const alerts = new Map();
const heardAt = new Map();
let shownTable = null;
let chosen = null;
let chosenAt = 0;
let role = "viewer";
let stream = "opening";
let lostAt = null;
let server, stills;
let finishing = null;
let busy = false;
const drawnFrom = new WeakMap();
const called = new Set();

async function start() {
  const wanted = localStorage.getItem("language") ?? document.documentElement.lang;
  await setLanguage(wanted);
  $("language").addEventListener("click", switchLanguage);
  $("help").addEventListener("click", showKeys);
  $("sound").addEventListener("click", () => { setSound(!isOn()); drawSound(); });
  $("resume").addEventListener("click", () => command({ kind: "resume" }));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => location.reload());
  const token = takeToken();
  if (!token) return signedOut();
  server = new Server(token);
  stills = new Stills(server);
  $("main").hidden = false;
  setInterval(tick, 500);
  server.follow(take, tell);
  await learnRole();
}

async function learnRole() {
  for (;;) {
    try {
      role = (await (await server.get("me")).json()).role;
      return drawAll();
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

function signedOut() {
  $("main").hidden = true;
  $("sign-in").hidden = false;
  $("lost").hidden = true;
  $("stream").textContent = say("sign_in");
}

function take(name, data) {
  if (name === "table") {
    tables.set(data.id, data);
    heardAt.set(data.id, performance.now());
    shownTable ??= data.id;
    // A table's own list of alerts is whole: what a restarted controller no longer has goes away.
    if (data.alerts) {
      for (const [id, alert] of alerts) if (alert.table === data.id) alerts.delete(id);
      for (const alert of data.alerts) alerts.set(alert.id, alert);
    }
    drawAll();
  } else if (name === "alert") {
    alerts.set(data.id, data);
    drawWork();
    drawTabs();
  }
}

function tell(state) {
  stream = state;
  lostAt = state === "lost" ? lostAt ?? new Date() : null;
  if (state === "signed-out") {
    sessionStorage.removeItem("token");
    return signedOut();
  }
  drawStream();
}

function drawStream() {
  const live = stream === "live";
  $("stream").textContent = `${live ? "✓" : "✕"} ${say(live ? "stream_live" : stream === "opening" ? "stream_opening" : "stream_lost")}`;
  $("stream").className = `chip ${live ? "good" : "bad"}`;
  $("lost").hidden = stream !== "lost";
  const words = lostAt ? say("lost", { time: lostAt.toLocaleTimeString(language, { hourCycle: "h23" }) }) : "";
  if ($("lost").textContent !== words) $("lost").textContent = words; // said aloud once, not at every redraw
  document.body.classList.toggle("stale", stream === "lost");
}

function drawAll() {
  drawStream();
  drawSound();
  drawTabs();
  drawTable();
  drawWork();
}

function drawSound() {
  $("sound").textContent = `♪ ${say(isOn() ? "sound_on" : "sound_off")}`;
  $("sound").setAttribute("aria-pressed", String(isOn()));
}

function drawTabs() {
  const tabs = [...tables.values()].map((table) => {
    const count = openAlerts().filter((alert) => alert.table === table.id).length + (table.questions?.length ?? 0);
    const show = () => { shownTable = table.id; finishing = null; drawAll(); };
    return make("button", { type: "button", "aria-pressed": String(table.id === shownTable), onclick: show }, say("table_n", { id: table.id }), count ? make("b", { class: "count" }, String(count)) : "");
  });
  $("tables").hidden = tabs.length < 2;
  $("tables").replaceChildren(...tabs);
}

function drawTable() {
  const table = tables.get(shownTable);
  if (!table) return;
  drawBoard($("board"), table);
  const words = table.taking_back ? say("taking_back", { seat: seatName(table.taking_back) }) : table.held ? say("held") : "";
  $("hold").hidden = !words;
  $("hold-text").textContent = words && `‖ ${words}`;
  $("resume").hidden = role !== "referee" || !table.held;
  $("resume").replaceChildren(make("kbd", {}, "C"), say("resume"));
  $("state").replaceChildren(...stateLine(table));
  $("conditions").replaceChildren(...conditionLines(table));
  $("acts").replaceChildren(...tableActs(table));
  drawClock();
}

function tableActs(table) {
  if (role !== "referee") return [];
  const acts = [];
  if (!table.held && ["taking", "playing"].includes(table.phase)) acts.push(keyed(say("hold_table"), "B", () => command({ kind: "hold" })));
  if (["before", "over"].includes(table.phase)) acts.push(keyed(say("start_deal"), "S", () => command({ kind: "start_deal" })));
  if (table.phase === "playing" && !table.camera.ok) acts.push(...finishEntry());
  return acts;
}

function finishEntry() {
  if (!finishing) return [make("button", { type: "button", onclick: () => { finishing = []; drawTable(); } }, say("enter_finish"))];
  const press = (seat) => () => { finishing = [...finishing, seat]; drawTable(); };
  const left = ["S", "E", "N", "W"].filter((seat) => !finishing.includes(seat));
  const send = () => { const order = finishing; finishing = null; command({ kind: "enter_finish", order }); drawTable(); };
  return [
    make("span", {}, `${say("finish_help")} ${finishing.map(seatName).join(" › ")}`),
    ...left.map((seat) => make("button", { type: "button", onclick: press(seat) }, seatName(seat))),
    make("button", { type: "button", class: "strong", disabled: finishing.length < 2, onclick: send }, say("enter_finish")),
    make("button", { type: "button", onclick: () => { finishing = null; drawTable(); } }, say("cancel")),
  ];
}

const openAlerts = () => [...alerts.values()].filter(isOpen).sort(byUrgency);

function drawWork() {
  const open = openAlerts();
  if (!open.some((alert) => alert.id === chosen)) {
    chosen = open[0]?.id ?? null;
    chosenAt = performance.now();
  }
  const questions = [...tables.values()].flatMap((table) => (table.questions ?? []).map((question) => ({ question, table })));
  const count = open.length + questions.length;
  $("count").textContent = count || "";
  document.title = `${count ? `(${count}) ` : ""}${say("title")}`;
  document.body.classList.toggle("called-for", count > 0);
  keepDrawn($("alerts"), open.map((alert) => ({
    key: `alert ${alert.id}`,
    from: JSON.stringify([{ ...alert, server_mono_ns: 0 }, language, alert.id === chosen, tables.get(alert.table)?.level]),
    build: () => alertCard(alert, { table: tables.get(alert.table), stills, does, chosen: alert.id === chosen, choose: () => choose(alert.id) }),
  })));
  keepDrawn($("questions"), questions.map(({ question, table }) => ({
    key: `question ${table.id} ${question.id}`,
    from: JSON.stringify([question, language, table.level]),
    build: () => questionCard(question, { table, stills, does }),
  })));
  if (!count) $("alerts").replaceChildren(make("p", { class: "nothing" }, say(role === "referee" ? "no_alerts" : "viewer_only")));
  drawSettled();
  callOut(open, questions);
}

// Say what has newly come up to a screen reader and, if sound is on, with a tone.
function callOut(open, questions) {
  const items = [
    ...open.map((alert) => ({ key: alert.id, severity: alert.severity, words: `${say(`severity_${alert.severity}`)}: ${whoDidWhat(alert)}` })),
    ...questions.map(({ question, table }) => ({ key: `${table.id}?${question.id}`, severity: "warn", words: say("question", { seat: seatName(question.seat) }) })),
  ].filter(({ key }) => !called.has(key));
  if (!items.length) return;
  for (const { key } of items) called.add(key);
  $("said").textContent = items.map(({ words }) => words).join(". ");
  play(items[0].severity);
}

// Draw only what changed: a field that is being typed in, and a button under a finger, stay as they are.
function keepDrawn(box, wanted) {
  const old = new Map([...box.children].map((node) => [drawnFrom.get(node)?.key, node]));
  const nodes = wanted.map(({ key, from, build }) => {
    const known = old.get(key);
    if (known && drawnFrom.get(known).from === from) return known;
    const node = build();
    if (known) carryOver(known, node);
    drawnFrom.set(node, { key, from });
    return node;
  });
  if (nodes.length !== box.children.length || nodes.some((node, i) => node !== box.children[i])) {
    const focused = document.activeElement?.dataset?.field;
    box.replaceChildren(...nodes);
    if (focused) box.querySelector(`.chosen [data-field="${focused}"]`)?.focus();
  }
}

// What a person has typed survives a redraw; what was only suggested follows the language.
function carryOver(known, node) {
  for (const field of known.querySelectorAll("[data-field]")) {
    const twin = node.querySelector(`[data-field="${field.dataset.field}"]`);
    if (twin && field.value !== field.defaultValue) twin.value = field.value;
  }
  const form = node.querySelector(".dismissal");
  if (form && known.querySelector(".dismissal")) form.hidden = known.querySelector(".dismissal").hidden;
}

function drawSettled() {
  const settled = [...alerts.values()].filter((alert) => !isOpen(alert)).sort((a, b) => b.record - a.record);
  $("done").hidden = !settled.length;
  $("done").querySelector("summary").textContent = say("done", { count: settled.length });
  $("done").querySelector("ol").replaceChildren(...settled.slice(0, SETTLED_SHOWN).map(settledLine));
}

function choose(id) {
  if (id === chosen) return;
  chosen = id;
  for (const card of $("alerts").children) {
    const is = card.dataset.alert === id;
    card.classList.toggle("chosen", is);
    card.setAttribute("aria-current", String(is));
  }
  const alert = alerts.get(id);
  if (alert && alert.table !== shownTable) {
    shownTable = alert.table;
    drawTabs();
    drawTable();
  }
}

function tick() {
  drawClock();
  for (const node of document.querySelectorAll("time[data-since]")) node.textContent = ago(node.dataset.since);
}

function drawClock() {
  const table = tables.get(shownTable);
  const node = $("clock");
  if (!table || !node) return;
  const { words, late } = clockWords(table, heardAt.get(table.id));
  node.textContent = words && `◷ ${words}`;
  node.classList.toggle("late", late);
}

const command = (body) => does(`tables/${encodeURIComponent(shownTable)}/commands`, body);

// One command at a time: a second press of a key must not act on what the first one brings up.
async function does(path, body) {
  if (busy) return;
  busy = true;
  note(say("sending"));
  try {
    await server.post(path, body);
    note(`✓ ${say("done_note")}`);
  } catch (error) {
    note(error instanceof Refused ? `✕ ${say("refused", { detail: error.message })}` : `✕ ${say("unreachable")}`, true);
  } finally {
    busy = false;
  }
}

let noteEnds = 0;
function note(words, bad = false) {
  $("note").textContent = words;
  $("note").className = bad ? "bad" : "";
  $("note").hidden = false;
  clearTimeout(noteEnds);
  noteEnds = setTimeout(() => { $("note").hidden = true; }, bad ? NOTE_MS * 2 : NOTE_MS / 2);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (event.target instanceof HTMLInputElement) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.toUpperCase();
  if (key === "?") showKeys();
  else if (key === "Z") switchLanguage();
  else if (key === "J" || key === "K" || key === "ARROWDOWN" || key === "ARROWUP") step(key === "J" || key === "ARROWDOWN" ? 1 : -1);
  else if (!press(key)) return;
  event.preventDefault();
}

function press(key) {
  if (!/^[A-Z1-9]$/.test(key)) return false;
  const places = [$("alerts").querySelector(".chosen"), $("questions").firstElementChild, $("acts"), $("hold")];
  const button = key === "C" ? $("resume") : places.map((place) => place?.querySelector(`[data-key="${key}"]`)).find(Boolean);
  if (!button || button.hidden || button.disabled || $("hold").hidden && key === "C") return false;
  if (button.closest("#alerts") && performance.now() - chosenAt < GUARD_MS) return true;
  button.click();
  return true;
}

function step(by) {
  const open = openAlerts().map((alert) => alert.id);
  if (!open.length) return;
  choose(open[(open.indexOf(chosen) + by + open.length) % open.length]);
  $("alerts").querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
}

async function switchLanguage() {
  await setLanguage(language === "zh" ? "en" : "zh");
  if (server) drawAll();
  else signedOut();
}

function showKeys() {
  const keys = { H: "hold", A: "acknowledge", T: "take_back", L: "let_stand", N: "noted", D: "dismiss", C: "resume", B: "hold_table", S: "start_deal", P: "answer_pass", "1–9": "key_reading", "J K ↓ ↑": "key_select", Z: "key_language" };
  const rows = Object.entries(keys).flatMap(([key, word]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, say(word))]);
  $("keys").querySelector("dl").replaceChildren(...rows);
  $("keys").showModal();
}

start();
