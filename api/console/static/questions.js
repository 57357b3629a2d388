// A reading that a person has to settle: the picture, the best guess, and a way to say what lies there.

import { cardName, cardStrip } from "/console/cards.js";
import { keyed, make } from "/console/dom.js";
import { say, seatName } from "/console/words.js";

const CARD = /^(?:[2-9TJQKA][SHCD]|BJ|SJ)$/;

export function questionCard(question, { table, stills, does }) {
  const seat = seatName(question.seat);
  const field = make("input", { type: "text", "data-field": "cards", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-label": say("cards_field"), value: question.guess.map((card) => card ?? "?").join(" ") });
  const preview = make("div");
  const form = make("form", { class: "question alert warn", "data-question": question.id });
  const send = (cards) => does(`tables/${encodeURIComponent(table.id)}/commands`, { kind: "answer", question: question.id, cards });
  const enter = make("button", { class: "strong" }, make("kbd", {}, "↵"), say("answer"));
  const show = () => {
    const cards = read(field.value);
    const good = cards.length > 0 && cards.every((card) => CARD.test(card));
    enter.disabled = !good;
    preview.replaceChildren(cards.length ? cardStrip(cards.map((card) => (CARD.test(card) ? card : null)), table.level) : "");
  };
  field.addEventListener("input", show);
  form.append(
    make("h3", {}, `▲ ${say("question", { seat })}`),
    make("div", { class: "evidence" }, stills.show(table.id, question.still, say("picture_of", { seat })), preview),
    make("p", { class: "where" }, say("answer_help", { seat })),
  );
  for (const place of question.unsure) form.append(choices(question, place, field, show));
  form.append(field, make("div", { class: "actions" }, enter, keyed(say("answer_pass"), "P", () => send([]))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!enter.disabled) send(read(field.value));
  });
  show();
  return form;
}

function choices(question, place, field, show) {
  const row = make("div", { class: "choices" }, make("span", {}, say("choose_card", { n: place + 1 })));
  for (const card of question.candidates[place] ?? []) {
    const choose = () => {
      const cards = read(field.value);
      while (cards.length <= place) cards.push("?");
      cards[place] = card;
      field.value = cards.join(" ");
      for (const other of row.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
      show();
    };
    const button = make("button", { type: "button", class: "small", "aria-pressed": String(question.guess[place] === card), onclick: choose }, cardName(card));
    row.append(button);
  }
  return row;
}

const read = (text) => text.toUpperCase().replaceAll("10", "T").split(/[\s,，]+/).filter(Boolean);
