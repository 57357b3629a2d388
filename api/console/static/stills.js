// Evidence pictures. They need the token, so they are fetched and shown from memory.

import { make } from "/console/dom.js";
import { say } from "/console/words.js";

const KEPT = 24;

export class Stills {
  constructor(server) {
    this.server = server;
    this.urls = new Map();
  }

  // A picture that opens large when pressed; words in its place until and unless it comes.
  show(table, sha, words) {
    if (!sha) return make("p", { class: "no-picture" }, say("no_picture"));
    const box = make("button", { type: "button", class: "still", "aria-label": words, onclick: () => enlarge(box, words) });
    this.url(table, sha).then(
      (url) => box.replaceChildren(make("img", { src: url, alt: words })),
      () => box.replaceChildren(say("picture_gone")),
    );
    return box;
  }

  url(table, sha) {
    if (!this.urls.has(sha)) {
      if (this.urls.size >= KEPT) this.forget(this.urls.keys().next().value);
      const coming = this.server.get(`tables/${encodeURIComponent(table)}/stills/${sha}`);
      this.urls.set(sha, coming.then((answer) => answer.blob()).then((blob) => URL.createObjectURL(blob)));
      this.urls.get(sha).catch(() => this.urls.delete(sha));
    }
    return this.urls.get(sha);
  }

  forget(sha) {
    this.urls.get(sha)?.then((url) => URL.revokeObjectURL(url), () => {});
    this.urls.delete(sha);
  }
}

function enlarge(box, words) {
  const image = box.querySelector("img");
  if (!image) return;
  const dialog = document.getElementById("picture");
  dialog.querySelector("img")?.remove();
  dialog.prepend(make("img", { src: image.src, alt: words }));
  dialog.showModal();
}
