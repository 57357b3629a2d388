"""Who gets in: every route times role and bad token; Host and Origin; headers; problem documents."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from api_clients import ClientFor
from api_fakes import REFEREE_TOKEN, TOKENS, VIEWER_TOKEN, FakeHouse, ManualClock
from fastapi.routing import APIRoute

from api import Actor, Role, create_app
from api.access import BadActor, BadToken, Tokens
from api.headers import SECURITY_HEADERS

SHA = "a" * 64
ROUTES = {
    # method, path: (body, least role)
    ("GET", "/api/v1/tables"): (None, Role.VIEWER),
    ("GET", "/api/v1/tables/1"): (None, Role.VIEWER),
    ("GET", "/api/v1/tables/1/journal"): (None, Role.VIEWER),
    ("GET", f"/api/v1/tables/1/stills/{SHA}"): (None, Role.REFEREE),
    ("POST", "/api/v1/tables/1/commands"): ({"kind": "hold"}, Role.REFEREE),
    ("GET", "/api/v1/alerts"): (None, Role.REFEREE),
    ("POST", "/api/v1/alerts/1-9/hold"): ({}, Role.REFEREE),
    ("POST", "/api/v1/alerts/1-9/acknowledge"): ({}, Role.REFEREE),
    ("POST", "/api/v1/alerts/1-9/dismiss"): ({"reason": "x"}, Role.REFEREE),
    ("POST", "/api/v1/alerts/1-9/rule"): ({"judgement": "noted"}, Role.REFEREE),
    ("GET", "/api/v1/stream"): (None, Role.VIEWER),
    ("GET", "/api/v1/me"): (None, Role.VIEWER),
    ("GET", "/api/v1/openapi.json"): (None, Role.REFEREE),
}
PUBLIC = {"/", "/api/v1/health", "/console/words/{language}.json", "/console/{name}"}
BAD_AUTHORIZATION = [
    None,
    "",
    " ",
    "Bearer",
    "Bearer ",
    "Bearer null",
    "Bearer undefined",
    f"bearer{REFEREE_TOKEN}",
    f"Basic {REFEREE_TOKEN}",
    f"Bearer {REFEREE_TOKEN[:-1]}e",
    f"Bearer {REFEREE_TOKEN[:-1]}",
    f"Bearer {REFEREE_TOKEN}x",
    f"Bearer {REFEREE_TOKEN},{REFEREE_TOKEN}",
    f"Bearer {REFEREE_TOKEN.upper()}",
]


def test_matrix_covers_every_route(tmp_path: Path) -> None:
    app = create_app(FakeHouse(tmp_path, ManualClock()), TOKENS)

    listed = {
        (method, path.replace("/1-9/", "/{alert_id}/").replace("/1", "/{table_id}").replace(SHA, "{sha256}"))
        for method, path in ROUTES
    }
    built = {(method, path) for method, path in _routes(app.routes) if path not in PUBLIC}

    assert built == listed


def _routes(routes: Iterable[object], prefix: str = "") -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for route in routes:
        if isinstance(route, APIRoute):
            found |= {(method, prefix + route.path) for method in route.methods}
        elif hasattr(route, "original_router"):  # a router that was included, as FastAPI keeps it
            found |= _routes(route.original_router.routes, prefix + route.original_router.prefix)
    return found


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_bad_token_is_refused_everywhere(client_for: ClientFor, method: str, path: str) -> None:
    client = client_for(None)

    for authorization in BAD_AUTHORIZATION:
        headers = {} if authorization is None else {"authorization": authorization}
        answer = await client.request(method, path, json=ROUTES[method, path][0], headers=headers)

        assert answer.status_code == 401, authorization
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert REFEREE_TOKEN[:-2] not in answer.text


@pytest.mark.parametrize(("method", "path"), [key for key, (_, role) in ROUTES.items() if role is Role.REFEREE])
async def test_viewer_is_refused_where_referees_act(client_for: ClientFor, method: str, path: str) -> None:
    answer = await client_for(VIEWER_TOKEN).request(method, path, json=ROUTES[method, path][0])

    assert answer.status_code == 403
    assert answer.json()["type"].endswith("for-referees")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"])
@pytest.mark.parametrize("path", ["/api/v1/tables", "/api/v1/alerts/1-9/rule", "/"])
async def test_other_methods_are_refused(client_for: ClientFor, method: str, path: str) -> None:
    answer = await client_for(REFEREE_TOKEN).request(method, path)

    assert answer.status_code == 405
    assert answer.headers["allow"]


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/api/v1/metrics", "/api", "/nothing"])
async def test_undeclared_paths_answer_nobody(client_for: ClientFor, path: str) -> None:
    assert (await client_for(None).get(path)).status_code == 401
    assert (await client_for(REFEREE_TOKEN).get(path)).status_code == 404


async def test_wrong_token_is_refused_on_public_paths_of_the_api(client_for: ClientFor) -> None:
    client = client_for(None)

    assert (await client.get("/api/v1/health")).json() == {"ok": True}
    assert (await client.get("/api/v1/health", headers={"authorization": "Bearer x"})).status_code == 401


async def test_health_tells_a_referee_more_than_a_viewer(client_for: ClientFor) -> None:
    viewer = (await client_for(VIEWER_TOKEN).get("/api/v1/health")).json()
    referee = (await client_for(REFEREE_TOKEN).get("/api/v1/health")).json()

    assert viewer == {"ok": True}
    assert [table["id"] for table in referee["tables"]] == ["1", "2"]


@pytest.mark.parametrize(
    ("host", "ok"),
    [
        ("127.0.0.1:8765", True),
        ("localhost:8765", True),
        ("[::1]:8765", True),
        ("LOCALHOST:8765", True),
        ("127.0.0.1", False),
        ("127.0.0.1:80", False),
        ("127.0.0.1:80000", False),
        ("localhost:87650", False),
        ("evil.test", False),
        ("evil.test:8765", False),
        ("127.0.0.1.evil.test:8765", False),
        ("localhost:8765@evil.test", False),
        ("evil@localhost:8765", False),
        ("localhost:8765/x", False),
        ("xlocalhost:8765", False),
        ("0.0.0.0:8765", False),
        ("", False),
    ],
)
async def test_host_header(client_for: ClientFor, host: str, ok: bool) -> None:
    for path in ("/", "/api/v1/tables"):
        answer = await client_for(REFEREE_TOKEN).get(path, headers={"host": host})
        assert (answer.status_code == 200) is ok
        if not ok:
            assert answer.status_code == 421
            assert "127.0.0.1" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("origin", "ok"),
    [
        (None, True),
        ("http://127.0.0.1:8765", True),
        ("http://localhost:8765", True),
        ("http://[::1]:8765", True),
        ("https://127.0.0.1:8765", False),
        ("http://127.0.0.1", False),
        ("http://127.0.0.1:80", False),
        ("http://localhost:80000", False),
        ("http://127.0.0.1.evil.test", False),
        ("http://127.0.0.1.evil.test:8765", False),
        ("http://evil/127.0.0.1:8765", False),
        ("http://evil.test", False),
        ("null", False),
        ("", False),
        ("http://", False),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("POST", "/api/v1/tables/1/commands"), ("GET", "/api/v1/tables")])
async def test_origin_header(
    house: FakeHouse, client_for: ClientFor, method: str, path: str, origin: str | None, ok: bool
) -> None:
    headers = {} if origin is None else {"origin": origin}
    body = {"kind": "hold"} if method == "POST" else None

    answer = await client_for(REFEREE_TOKEN).request(method, path, json=body, headers=headers)

    assert answer.status_code == (200 if ok else 403)
    assert house.tables["1"].state["held"] is (ok and method == "POST")
    assert "access-control-allow-origin" not in answer.headers


async def test_form_post_of_a_foreign_page_is_refused(client_for: ClientFor, house: FakeHouse) -> None:
    answer = await client_for(REFEREE_TOKEN).post(
        "/api/v1/tables/1/commands", content=b'{"kind":"hold"}', headers={"content-type": "text/plain"}
    )

    assert answer.status_code == 422
    assert house.tables["1"].state["held"] is False


@pytest.mark.parametrize(
    ("token", "path", "status"),
    [
        (None, "/", 200),
        (None, "/console/words/en.json", 200),
        (None, "/console/none.js", 404),
        (None, "/api/v1/tables", 401),
        (VIEWER_TOKEN, "/api/v1/alerts", 403),
        (REFEREE_TOKEN, "/api/v1/tables/9", 404),
        (REFEREE_TOKEN, "/api/v1/tables/1/journal?limit=0", 422),
        (REFEREE_TOKEN, "/api/v1/tables", 200),
    ],
)
async def test_every_answer_has_the_security_headers(
    client_for: ClientFor, token: str | None, path: str, status: int
) -> None:
    answer = await client_for(token).get(path)

    assert answer.status_code == status
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == ("no-store" if path.startswith("/api") or status >= 400 else "no-cache")
    if status >= 400:
        problem = answer.json()
        assert answer.headers["content-type"] == "application/problem+json"
        assert problem["status"] == status
        assert problem["title"]
        assert problem["detail"]
        assert problem["type"].startswith("urn:guandan-dealer:problem:")


async def test_failure_tells_nothing_but_that_it_is_one(house: FakeHouse, client_for: ClientFor) -> None:
    del house.tables["1"].shown["record"]  # a view that cannot be built

    answer = await client_for(REFEREE_TOKEN).get("/api/v1/health")
    house.tables["1"].view_referee = lambda: 1 / 0  # type: ignore[method-assign, assignment, return-value]  # a view that fails
    failed = await client_for(REFEREE_TOKEN).get("/api/v1/tables/1")

    assert answer.status_code == 200
    assert failed.status_code == 500
    assert "Zero" not in failed.text
    assert failed.headers["content-security-policy"]


def test_weak_tokens_and_odd_names_are_refused() -> None:
    with pytest.raises(BadToken, match="22 characters") as caught:
        Tokens({"short-secret": Actor("Chen", Role.REFEREE)})
    assert "short-secret" not in str(caught.value)
    for name in ("", " ", "a\nb", "a\u202eb", "x" * 65, "\ud800"):
        with pytest.raises(BadActor):
            Actor(name, Role.VIEWER)


def test_tokens_are_not_kept_in_the_clear() -> None:
    tokens = Tokens(TOKENS)

    assert REFEREE_TOKEN not in repr(vars(tokens))
    assert tokens.actor_of(REFEREE_TOKEN) == TOKENS[REFEREE_TOKEN]
    assert tokens.actor_of("") is None
    assert json.dumps(TOKENS[VIEWER_TOKEN].role) == '"viewer"'
