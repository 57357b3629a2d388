// The table from above, north up. Cards stand upright for the reader of the screen wherever the player sits.

import { CARD_H, drawRow } from "/console/cards.js";
import { draw } from "/console/dom.js";
import { say, seatName } from "/console/words.js";

const BOX_W = 300;
const BOX_H = 138;
const BOXES = { N: [350, 84], W: [60, 311], E: [640, 311], S: [350, 538] };
const SEATS = ["S", "E", "N", "W"];

export function drawBoard(svg, table) {
  const title = draw("title", { id: "board-title" }, boardWords(table));
  const nodes = [title, draw("rect", { class: "cloth", x: 8, y: 8, width: 984, height: 744, rx: 36 })];
  const best = table.trick.findLast((act) => act.cards);
  for (const seat of SEATS) nodes.push(...drawSeat(table, seat, best?.seat === seat));
  nodes.push(...drawCentre(table));
  svg.replaceChildren(...nodes);
}

function drawSeat(table, seat, isBest) {
  const [x, y] = BOXES[seat];
  const zone = table.zones[seat];
  const isTurn = table.turn === seat;
  const kinds = ["zone", isTurn && "turn", table.taking_back === seat && "taking", table.asking.includes(seat) && "asking"];
  const group = draw("g", { class: kinds.filter(Boolean).join(" ") });
  group.append(draw("rect", { x, y, width: BOX_W, height: BOX_H, rx: 12 }));
  group.append(text(x + 4, y - 14, seatName(seat), "seat"));
  const marks = seatMarks(table, seat);
  if (marks) group.append(text(x + BOX_W - 4, y - 14, marks, "left", "end"));
  if (zone.cards.length) group.append(...drawRow(zone.cards, x + 10, y + (BOX_H - CARD_H) / 2, BOX_W - 20, table.level));
  if (zone.pass) group.append(...badge(x + BOX_W / 2, zone.cards.length ? y + BOX_H - 20 : y + BOX_H / 2, say("pass"), "pass"));
  if (isTurn) group.append(pointer(seat));
  const below = [isBest && say("best"), table.leader === seat && !table.trick.length && say("leader"), zone.report && say("report", { count: zone.report })];
  const words = below.filter(Boolean).join(" · ");
  if (words) group.append(text(x + BOX_W / 2, y + BOX_H + 25, words, isBest ? "foot best" : "foot", "middle"));
  return [group];
}

function seatMarks(table, seat) {
  const place = table.finish.indexOf(seat);
  if (place >= 0) return say(`place_${place + 1}`);
  const count = table.hand_sizes[seat];
  return count == null ? "" : say("cards_left", { count });
}

function drawCentre(table) {
  const nodes = [];
  if (table.level != null) {
    nodes.push(text(500, 352, say("level"), "caption", "middle"));
    nodes.push(text(500, 412, table.level === "T" ? "10" : table.level, "level", "middle"));
  }
  if (table.deal) nodes.push(text(500, 446, say("deal", { deal: table.deal }), "caption", "middle"));
  return nodes;
}

// An arrow from the middle to the seat in turn: the sign that does not need colour.
function pointer(seat) {
  const turn = { N: "translate(500 282)", E: "translate(606 380) rotate(90)", S: "translate(500 488) rotate(180)", W: "translate(394 380) rotate(270)" };
  return draw("path", { d: "M0-20 24 16H-24Z", transform: turn[seat], class: "pointer" });
}

function badge(x, y, words, kind) {
  return [
    draw("rect", { x: x - 58, y: y - 24, width: 116, height: 48, rx: 10, class: `badge ${kind}` }),
    text(x, y + 10, words, "badge-text", "middle"),
  ];
}

function text(x, y, words, kind, anchor = "start") {
  return draw("text", { x, y, class: kind, "text-anchor": anchor }, words);
}

// "take_back E" as words.
export function modeWords(table) {
  const [mode, seat] = table.display.toLowerCase().split(" ");
  const who = seat?.toUpperCase() ?? table.turn ?? table.taking_back;
  return say(`mode_${mode}`, { seat: who ? seatName(who) : "" });
}

function boardWords(table) {
  const zones = SEATS.map((seat) => {
    const zone = table.zones[seat];
    return `${seatName(seat)}: ${zone.pass ? say("pass") : zone.cards.join(" ") || "-"}`;
  });
  return [say("table_n", { id: table.id }), modeWords(table), ...zones].join(", ");
}
