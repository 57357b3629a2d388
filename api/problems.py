"""Errors as `application/problem+json` (RFC 9457): one shape, each with the value and the remedy in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from api.headers import SECURITY_HEADERS
from api.words import quoted
from dealer.errors import BadCommand, Conflict, NotFound

MEDIA_TYPE: Final = "application/problem+json"
_log = structlog.get_logger()

_HTTP_DETAIL: Final[Mapping[int, str]] = {
    400: "The body of {method} {path} could not be read. Send JSON in UTF-8.",
    404: "Nothing is at {path}. The routes are listed in docs/api.md.",
    405: "{method} is not possible at {path}; the header Allow lists what is.",
    413: "The body is larger than this server reads (64 KiB). Send less.",
}


class Problem(Exception):
    """An answer that refuses a request. `detail` names the value and the remedy; it may be shown to anybody."""

    def __init__(
        self, status: int, title: str, detail: str, *, name: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(title)
        self.status = status
        self.title = title
        self.detail = detail
        self.name = name
        self.headers = dict(headers or {})


def problem_answer(
    status: int,
    title: str,
    detail: str,
    *,
    name: str | None = None,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The problem document. `name` ends the type URI; default is the status phrase in lower case."""
    slug = name or HTTPStatus(status).phrase.lower().replace(" ", "-")
    document: dict[str, Any] = {  # a JSON object on its way out
        "type": f"urn:guandan-dealer:problem:{slug}",
        "title": title,
        "status": status,
        "detail": detail,
    }
    if errors:
        document["errors"] = list(errors)
    # ASCII output: a refused value may hold lone surrogates, which UTF-8 cannot carry.
    body = json.dumps(document, ensure_ascii=True).encode()
    all_headers = {**SECURITY_HEADERS, "cache-control": "no-store", **(headers or {})}
    return Response(body, status, media_type=MEDIA_TYPE, headers=all_headers)


def install_problems(app: FastAPI) -> None:
    """Make every error of `app` a problem document."""

    @app.exception_handler(Problem)
    async def on_problem(request: Request, error: Problem) -> Response:
        return problem_answer(error.status, error.title, error.detail, name=error.name, headers=error.headers)

    @app.exception_handler(HTTPException)
    async def on_http(request: Request, error: HTTPException) -> Response:
        detail = _HTTP_DETAIL.get(error.status_code, "{method} {path} was refused.").format(
            path=quoted(request.url.path), method=request.method
        )
        return problem_answer(
            error.status_code, HTTPStatus(error.status_code).phrase, detail, headers=error.headers or {}
        )

    @app.exception_handler(RequestValidationError)
    async def on_invalid(request: Request, error: RequestValidationError) -> Response:
        errors = [_invalid(item) for item in error.errors()[:20]]
        first = errors[0] if errors else {"field": "body", "message": "unreadable"}
        return problem_answer(
            422,
            "Not understood",
            f"{first['field']}: {first['message']}. Correct it and send again; docs/api.md shows the form.",
            name="not-understood",
            errors=errors,
        )

    @app.exception_handler(NotFound)
    async def on_not_found(request: Request, error: NotFound) -> Response:
        return problem_answer(404, "Not found", str(error), name="not-found")

    @app.exception_handler(Conflict)
    async def on_conflict(request: Request, error: Conflict) -> Response:
        return problem_answer(409, "Not possible as things stand", str(error), name="conflict")

    @app.exception_handler(BadCommand)
    async def on_bad_command(request: Request, error: BadCommand) -> Response:
        return problem_answer(422, "Not understood", str(error), name="not-understood")

    @app.exception_handler(Exception)
    async def on_failure(request: Request, error: Exception) -> Response:
        # The text of the error stays in the log: it may name what the asker may not see.
        _log.error("request failed", method=request.method, path=request.url.path, error=type(error).__name__)
        return problem_answer(
            500, "The controller failed", "This is a fault of the controller. Try again; its log tells more."
        )


def _invalid(item: Mapping[str, Any]) -> dict[str, str]:  # pydantic's error details
    path = ".".join(str(part) for part in item["loc"]) or "body"
    message = str(item["msg"])
    if item["type"] not in {"missing", "json_invalid"} and not isinstance(item.get("input"), dict | list):
        message += f", not {quoted(item.get('input'))}"
    return {"field": quoted(path, 120).strip("'"), "message": message}
