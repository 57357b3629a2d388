// Words of the screen in the chosen language. Fixed texts of the page carry data-word and are filled here.

let catalogue = {};
export let language = document.documentElement.lang;

export async function setLanguage(wanted) {
  const answer = await fetch(`/console/words/${wanted}.json`);
  if (!answer.ok) return;
  catalogue = await answer.json();
  language = wanted;
  localStorage.setItem("language", wanted);
  document.documentElement.lang = wanted;
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = say(node.dataset.word);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", say(node.dataset.label));
}

// The text for `key` with {names} filled in. A missing key shows itself, so that it is noticed.
export function say(key, values = {}) {
  const text = catalogue[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const seatName = (seat) => say(`seat_${seat}`);

// The field of a document in the chosen language: `title` reads title_zh or title_en.
export const ofDocument = (document, name) => document[`${name}_${language}`] ?? "";

export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 120 ? say("seconds", { n: seconds }) : say("minutes", { n: Math.floor(seconds / 60) });
}

export function readingText(reading) {
  const name = say(`reading_${reading.type}`, reading);
  const parts = [reading.rank, reading.pair].filter(Boolean);
  if (reading.high) parts.push(say("reading_high", reading));
  if (reading.suit) parts.push({ S: "♠", H: "♥", C: "♣", D: "♦" }[reading.suit]);
  return `${name} ${parts.join(" + ")}`.trim();
}
