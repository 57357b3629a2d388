// The lines under the table: whose turn, the clock, machine, camera, and what to do about each trouble.

import { make } from "/console/dom.js";
import { modeWords } from "/console/board.js";
import { ofDocument, say } from "/console/words.js";

// `heardAt`: performance.now() when the table's state came.
export function clockWords(table, heardAt) {
  const { since_ms: since, limit_s: limit } = table.clock;
  if (since == null || table.phase !== "playing" || table.held) return { words: "", late: false };
  const seconds = Math.floor((since + performance.now() - heardAt) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (limit == null) return { words: say("clock", { time }), late: false };
  const late = seconds > limit;
  return { words: say("clock_limit", { time, limit: Math.round(limit) }) + (late ? ` · ${say("over_time")}` : ""), late };
}

export function stateLine(table) {
  return [
    make("strong", { id: "turn" }, modeWords(table)),
    make("span", { id: "clock", class: "clock" }),
    chip(table.link.up, table.link.up ? say("link_up") + (table.link.level ? ` · ${table.link.level}` : "") : say("link_down"), "link"),
    table.mode === "no_camera" ? chip(null, say("camera_none"), "camera") : chip(table.camera.ok, say(table.camera.ok ? "camera_ok" : "camera_bad"), "camera"),
  ];
}

function chip(good, words, id) {
  const kind = good == null ? "plain" : good ? "good" : "bad";
  return make("span", { class: `chip ${kind}`, "data-chip": id }, `${{ good: "✓", bad: "✕", plain: "–" }[kind]} ${words}`);
}

export function conditionLines(table) {
  return table.conditions.map((condition) =>
    make("p", { class: "condition" },
      make("strong", {}, `✕ ${ofDocument(condition, "text")} `),
      make("span", {}, `${say("do_now")} ${ofDocument(condition, "remedy")} `),
      make("span", { class: "where" }, condition.code),
    ));
}
