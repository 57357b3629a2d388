// One alert as a card: what, where, since when, what to do; its picture; its buttons while it is open.

import { cardStrip } from "/console/cards.js";
import { keyed, make } from "/console/dom.js";
import { ofDocument, readingText, say, seatName, span } from "/console/words.js";

export const isOpen = (alert) => ["raised", "called", "acknowledged"].includes(alert.status);
const SEVERITY = ["critical", "alert", "warn", "info"];

export function byUrgency(one, two) {
  return SEVERITY.indexOf(one.severity) - SEVERITY.indexOf(two.severity) || one.raised_at.localeCompare(two.raised_at) || one.record - two.record;
}

// `does(path, body)` sends a command; `chosen`: whether keys act on this alert.
export function alertCard(alert, { table, stills, does, chosen, choose }) {
  const seat = alert.seat ? seatName(alert.seat) : "";
  const card = make("article", { class: `alert ${alert.severity}${chosen ? " chosen" : ""}`, "data-alert": alert.id, "aria-current": chosen ? "true" : "false" });
  card.addEventListener("pointerdown", choose);
  card.addEventListener("focusin", choose);
  card.append(
    make("div", { class: "alert-head" },
      make("span", { class: "severity" }, `${sign(alert.severity)} ${say(`severity_${alert.severity}`)}`),
      make("h3", {}, whoDidWhat(alert)),
      make("span", { class: "status" }, say(`status_${alert.status}`), alert.by ? ` · ${alert.by}` : ""),
    ),
    make("p", { class: "where" }, say("where", alert), " · ", make("time", { "data-since": alert.raised_at, datetime: alert.raised_at }, ago(alert.raised_at)), ` · ${alert.code} · `, make("span", {}, say("article", alert))),
    make("div", { class: "evidence" },
      stills.show(alert.table, alert.still, say("picture_of", { seat })),
      alert.cards.length ? cardStrip(alert.cards, table?.level) : null,
    ),
    details(alert),
  );
  if (alert.readings.length) card.append(readings(alert, does));
  card.append(...actions(alert, does));
  return card;
}

export function whoDidWhat(alert) {
  const what = ofDocument(alert, "title");
  return alert.seat ? say("who", { seat: seatName(alert.seat), what }) : what;
}

const sign = (severity) => ({ critical: "◆◆", alert: "◆", warn: "▲", info: "●" })[severity];

export const ago = (raisedAt) => say("since", { time: span(Date.now() - Date.parse(raisedAt)) });

function details(alert) {
  const list = make("dl", { class: "advice" });
  for (const name of ["suggested", "correction"]) {
    const words = ofDocument(alert, name);
    if (words) list.append(make("dt", {}, say(name)), make("dd", {}, words, name === "suggested" ? inherited(alert) : ""));
  }
  return list;
}

// `core` is no text that a referee could look up.
function inherited(alert) {
  const rulebook = alert.inherited_from;
  return rulebook && rulebook !== "core" ? make("span", { class: "where" }, ` · ${say("inherited", { rulebook })}`) : "";
}

function readings(alert, does) {
  const box = make("div", { class: "readings" }, make("p", {}, say("declare")));
  alert.readings.forEach((reading, i) => {
    const send = () => does(`tables/${encodeURIComponent(alert.table)}/commands`, { kind: "declare", alert: alert.id, reading });
    box.append(i < 9 ? keyed(readingText(reading), String(i + 1), send) : make("button", { type: "button", onclick: send }, readingText(reading)));
  });
  return box;
}

function actions(alert, does) {
  const path = `alerts/${encodeURIComponent(alert.id)}`;
  const suggestion = ofDocument(alert, "suggested");
  const penalty = make("input", { type: "text", maxlength: 300, "data-field": "penalty", value: suggestion, "aria-label": say("penalty"), autocomplete: "off" });
  const rule = (judgement) => {
    // The suggestion speaks of a play taken back; with another judgement only words that a person wrote are sent.
    const written = penalty.value.trim();
    does(`${path}/rule`, { judgement, penalty: judgement === "take_back" || written !== suggestion ? written : "" });
  };
  const dismissal = dismissForm(path, does);
  const row = make("div", { class: "actions" });
  if (alert.status !== "called") row.append(keyed(say("hold"), "H", () => does(`${path}/hold`, {}), { class: "strong" }));
  if (alert.status === "raised") row.append(keyed(say("acknowledge"), "A", () => does(`${path}/acknowledge`, {})));
  row.append(
    keyed(say("take_back"), "T", () => rule("take_back"), { class: alert.status === "called" ? "strong" : "" }),
    keyed(say("let_stand"), "L", () => rule("let_stand")),
    keyed(say("noted"), "N", () => rule("noted")),
    keyed(say("dismiss"), "D", () => dismissal.open()),
  );
  return [make("label", { class: "penalty" }, make("span", {}, say("penalty")), penalty), row, dismissal.form];
}

function dismissForm(path, does) {
  const reason = make("input", { type: "text", maxlength: 300, required: true, "data-field": "reason", autocomplete: "off", "aria-label": say("reason") });
  const form = make("form", { class: "dismissal", hidden: true }, make("label", {}, make("span", {}, say("reason")), reason));
  const ready = ["reason_camera", "reason_explained"].map((key) =>
    make("button", { type: "button", class: "small", onclick: () => { reason.value = say(key); reason.focus(); } }, say(key)));
  const close = () => { form.hidden = true; };
  form.append(make("div", { class: "actions" }, ...ready, make("button", { class: "strong" }, say("send_dismissal")), make("button", { type: "button", onclick: close }, say("cancel"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    does(`${path}/dismiss`, { reason: reason.value.trim() });
  });
  form.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  return { form, open: () => { form.hidden = false; reason.focus(); } };
}

export function settledLine(alert) {
  return make("li", {}, make("strong", {}, say(`status_${alert.status}`)), ` ${whoDidWhat(alert)}`, make("span", { class: "where" }, ` ${say("where", alert)} · ${alert.code}`), alert.reason ? make("em", {}, ` ${reasonWords(alert.reason)}`) : "", alert.by ? make("span", { class: "where" }, ` · ${alert.by}`) : "");
}

// "take_back: warning" has its first word in the machine's form.
function reasonWords(reason) {
  const [judgement, ...rest] = reason.split(": ");
  if (!["take_back", "let_stand", "noted"].includes(judgement)) return reason;
  return [say(judgement), ...rest].join(": ");
}
