"""The console: one page, its own script and style files, its words in two languages. Holds no state of a table."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from jinja2 import Environment, PackageLoader, select_autoescape
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from api.problems import Problem
from api.words import quoted

LANGUAGES: Final = ("zh", "en")
"""The first one is shown to a browser that asks for none of them."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The page and the catalogue of words in every language, ready to send."""

    html: Mapping[str, str]
    words: Mapping[str, bytes]


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

    static = Path(__file__).parent.parent / "console" / "static"
    app.mount("/console", StaticFiles(directory=static, check_dir=False), name="console")
