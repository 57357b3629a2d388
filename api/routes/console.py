"""The console: one page, its own script and style files, its words in two languages. Holds no state of a table."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from fastapi import FastAPI, Request
from jinja2 import Environment, PackageLoader, select_autoescape
from starlette.responses import HTMLResponse, Response

from api.problems import Problem
from api.words import quoted

LANGUAGES: Final = ("zh", "en")
"""The first one is shown to a browser that asks for none of them."""
MEDIA_TYPES: Final[Mapping[str, str]] = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
"""By file name ending. Not asked of the system: where it calls a script plain text, a browser refuses the script."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The page and the catalogue of words in every language, and the page's own files by name, ready to send."""

    html: Mapping[str, str]
    words: Mapping[str, bytes]
    files: Mapping[str, tuple[str, bytes]]
    """Media type and content."""


@functools.cache
def load_pages() -> Pages:
    """Read and render the packaged files. Blocks."""
    folder = files("api") / "locales"
    words = {lang: json.loads((folder / f"{lang}.json").read_text(encoding="utf-8")) for lang in LANGUAGES}
    environment = Environment(loader=PackageLoader("api", "console/templates"), autoescape=select_autoescape())
    template = environment.get_template("console.html")
    return Pages(
        html={lang: template.render(lang=lang, words=words[lang]) for lang in LANGUAGES},
        words={lang: json.dumps(words[lang], ensure_ascii=False).encode() for lang in LANGUAGES},
        files={
            entry.name: (MEDIA_TYPES[entry.name.rpartition(".")[2]], entry.read_bytes())
            for entry in (files("api") / "console" / "static").iterdir()
            if entry.name.rpartition(".")[2] in MEDIA_TYPES
        },
    )


def preferred_language(accepted: str) -> str:
    """The language of ours that stands first in an Accept-Language header; weights are not weighed."""
    for entry in accepted.split(","):
        tag = entry.split(";")[0].strip().lower().partition("-")[0]
        if tag in LANGUAGES:
            return tag
    return LANGUAGES[0]


def install_console(app: FastAPI) -> None:
    """Add the page at `/` and its files under `/console/`. Reads no file yet."""

    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> HTMLResponse:
        pages = await asyncio.to_thread(load_pages)
        language = preferred_language(request.headers.get("accept-language", ""))
        return HTMLResponse(pages.html[language], headers={"cache-control": "no-cache", "vary": "accept-language"})

    @app.get("/console/words/{language}.json", include_in_schema=False)
    async def catalogue(language: str) -> Response:
        words = (await asyncio.to_thread(load_pages)).words
        if language not in words:
            raise Problem(404, "No such language", f"{quoted(language)} is not one of {', '.join(LANGUAGES)}.")
        return Response(words[language], media_type="application/json", headers={"cache-control": "no-cache"})

    @app.get("/console/{name}", include_in_schema=False)
    async def file(name: str) -> Response:
        found = (await asyncio.to_thread(load_pages)).files.get(name)
        if found is None:
            raise Problem(404, "No such file", f"The console has no file {quoted(name)}. Reload the page.")
        media_type, content = found
        return Response(content, media_type=media_type, headers={"cache-control": "no-cache"})
