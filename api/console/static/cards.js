// Playing cards as SVG. Suits are drawn as shapes: a screen's fonts may lack them or make emoji of them.

import { draw, make } from "/console/dom.js";
import { say } from "/console/words.js";

export const CARD_W = 84;
export const CARD_H = 118;
const SUITS = {
  S: "M0-50C10-30 45-12 45 14 45 32 22 40 8 24 8 36 14 46 22 50H-22C-14 46-8 36-8 24-22 40-45 32-45 14-45-12-10-30 0-50Z",
  H: "M0 50C-12 30-48 10-48-18-48-50-10-52 0-26 10-52 48-50 48-18 48 10 12 30 0 50Z",
  D: "M0-52 38 0 0 52-38 0Z",
  C: "M-22 50C-14 46-8 34-8 22-20 36-48 30-48 6-48-14-28-22-16-16-36-60 36-60 16-16 28-22 48-14 48 6 48 30 20 36 8 22 8 34 14 46 22 50Z",
};
const isRed = (card) => card === "BJ" || ((card[1] === "H" || card[1] === "D") && card !== "SJ");

export function cardName(card) {
  if (card === "BJ") return say("big_joker");
  if (card === "SJ") return say("small_joker");
  return `${{ S: "♠", H: "♥", D: "♦", C: "♣" }[card[1]]}${rankText(card[0])}`;
}

const rankText = (rank) => (rank === "T" ? "10" : rank);

// One card with its top left corner at (x, y). `level`: hearts of this rank are wild and carry a star.
export function drawCard(card, x, y, level) {
  const group = draw("g", { transform: `translate(${x} ${y})`, class: `card ${isRed(card ?? "") ? "red" : "black"}` });
  group.append(draw("rect", { width: CARD_W, height: CARD_H, rx: 8 }));
  if (card == null) {
    group.append(label(CARD_W / 2, 76, "?", "unknown"));
  } else if (card === "BJ" || card === "SJ") {
    [..."JOKER"].forEach((letter, i) => group.append(label(14, 22 + i * 20, letter, "joker")));
    group.append(draw("path", { d: star(), transform: "translate(52 62) scale(.34)" }));
  } else {
    group.append(label(17, 31, rankText(card[0]), card[0] === "T" ? "rank ten" : "rank"));
    group.append(draw("path", { d: SUITS[card[1]], transform: "translate(17 51) scale(.22)" }));
    group.append(draw("path", { d: SUITS[card[1]], transform: "translate(55 80) scale(.4)" }));
    if (card === `${level}H`) group.append(draw("path", { d: star(), class: "wild", transform: "translate(17 78) scale(.15)" }));
  }
  return group;
}

function label(x, y, text, kind) {
  return draw("text", { x, y, class: kind, "text-anchor": "middle" }, text);
}

function star() {
  const points = Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? 22 : 55;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

// A row of overlapped cards in the middle of a box; later cards lie on top, so every left index stays visible.
export function drawRow(cards, x, y, width, level) {
  const pitch = Math.min(CARD_W + 6, (width - CARD_W) / Math.max(1, cards.length - 1));
  const start = x + (width - CARD_W - pitch * (cards.length - 1)) / 2;
  return cards.map((card, i) => drawCard(card, start + i * pitch, y, level));
}

// A row of cards as a picture of its own, for alerts and questions.
export function cardStrip(cards, level) {
  const width = CARD_W + Math.max(0, cards.length - 1) * 46;
  const strip = draw("svg", { viewBox: `-2 -2 ${width + 4} ${CARD_H + 4}`, class: "strip", role: "img", width: (width + 4) / 2, height: (CARD_H + 4) / 2 });
  strip.append(draw("title", {}, cards.map((card) => (card == null ? "?" : cardName(card))).join(" ")));
  strip.append(...cards.map((card, i) => drawCard(card, i * 46, 0, level)));
  return make("div", { class: "strip-box" }, strip);
}
