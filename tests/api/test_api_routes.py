"""What the routes do: tables, journal, alerts, commands, stills; and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from api_clients import ClientFor
from api_fakes import REFEREE_TOKEN, VIEWER_TOKEN, FakeHouse

from api.public_record import OPEN_FIELDS
from dealer.codec import FACT_OF_KIND, SECRET_FIELDS
from engine.facts import CardDealt


async def test_tables_differ_by_role(house: FakeHouse, client_for: ClientFor) -> None:
    house.tables["1"].deal("E", "2")
    house.tables["1"].lay("E", ["7S", "7H"])
    house.tables["1"].find("not_higher", "E", ["7S", "7H"])

    viewer = (await client_for(VIEWER_TOKEN).get("/api/v1/tables/1")).json()
    referee = (await client_for(REFEREE_TOKEN).get("/api/v1/tables/1")).json()
    listed = (await client_for(VIEWER_TOKEN).get("/api/v1/tables")).json()["tables"]

    assert viewer["zones"]["E"]["cards"] == ["7S", "7H"]
    assert not {"alerts", "questions", "record", "settled_ns"} & viewer.keys()
    assert referee["alerts"][0]["name"] == "not_higher"
    assert [table["id"] for table in listed] == ["1", "2"]
    assert listed[0] == viewer


async def test_alerts_come_most_severe_first_and_open_first(house: FakeHouse, client_for: ClientFor) -> None:
    first = house.tables["1"].find("needs_declaration", "E")
    second = house.tables["2"].find("turn_order", "S")
    third = house.tables["2"].find("card_not_in_hand", "S")
    done = house.tables["1"].find("card_not_in_hand", "N")
    client = client_for(REFEREE_TOKEN)
    await client.post(f"/api/v1/alerts/{done}/dismiss", json={"reason": "seen"})

    every = (await client.get("/api/v1/alerts")).json()["alerts"]
    only_open = (await client.get("/api/v1/alerts?open=true")).json()["alerts"]

    assert [alert["id"] for alert in every] == [third, second, first, done]
    assert [alert["id"] for alert in only_open] == [third, second, first]


async def test_alert_lives_through_hold_acknowledge_rule(house: FakeHouse, client_for: ClientFor) -> None:
    alert = house.tables["1"].find("turn_order", "S")
    client = client_for(REFEREE_TOKEN)
    path = f"/api/v1/alerts/{alert}"

    held = await client.post(f"{path}/hold")
    seen = await client.post(f"{path}/acknowledge", json={})
    ruled = await client.post(f"{path}/rule", json={"judgement": "take_back", "penalty": "警告"})
    again = await client.post(f"{path}/rule", json={"judgement": "take_back"})

    assert [held.status_code, seen.status_code, ruled.status_code] == [200, 200, 200]
    assert held.json()["source"] == "person:Chen"
    assert ruled.json()["kind"] == "ruled"
    assert house.tables["1"].alerts[alert]["reason"] == "take_back: 警告"
    assert again.status_code == 409
    assert "already ruled" in again.json()["detail"]


@pytest.mark.parametrize("alert", ["9-1", "1-99", "1-", "x", "-1", "1-x", "1-²"])
async def test_unknown_alert_is_named(client_for: ClientFor, alert: str) -> None:
    answer = await client_for(REFEREE_TOKEN).post(f"/api/v1/alerts/{alert}/acknowledge")

    assert answer.status_code == 404
    assert alert.encode("ascii", "backslashreplace").decode()[:2] in answer.text


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("alerts/1-2/dismiss", {}, "reason"),
        ("alerts/1-2/dismiss", {"reason": "  "}, "reason"),
        ("alerts/1-2/dismiss", {"reason": "x" * 301}, "reason"),
        ("alerts/1-2/dismiss", {"reason": "a\nb"}, "reason"),
        ("alerts/1-2/dismiss", {"reason": "a\u202eb"}, "reason"),
        ("alerts/1-2/dismiss", {"reason": "ok", "by": "someone else"}, "by"),
        ("alerts/1-2/rule", {"judgement": "punish"}, "punish"),
        ("alerts/1-2/rule", {"judgement": "noted", "verified": True}, "verified"),
        ("alerts/1-2/hold", {"owner": 1}, "owner"),
        ("tables/1/commands", {}, "kind"),
        ("tables/1/commands", {"kind": "explode"}, "explode"),
        ("tables/1/commands", {"kind": "hold", "alert": "1-2"}, "alert"),
        ("tables/1/commands", {"kind": "answer", "question": 3, "cards": ["ZZ"]}, "ZZ"),
        ("tables/1/commands", {"kind": "answer", "question": 0, "cards": []}, "question"),
        ("tables/1/commands", {"kind": "answer", "question": 3, "cards": ["7S"] * 28}, "cards"),
        ("tables/1/commands", {"kind": "declare", "alert": "1-2", "reading": {"type": "x"}}, "reading"),
        ("tables/1/commands", {"kind": "declare", "alert": "1-2", "reading": {"type": "tube", "wins": 1}}, "wins"),
        ("tables/1/commands", {"kind": "enter_finish", "order": ["S"]}, "order"),
        ("tables/1/commands", {"kind": "enter_finish", "order": ["S", "Q"]}, "Q"),
    ],
)
async def test_malformed_body_is_named(
    house: FakeHouse, client_for: ClientFor, path: str, body: dict[str, Any], named: str
) -> None:
    house.tables["1"].find("turn_order", "S")
    records = len(house.tables["1"].journal.records)

    answer = await client_for(REFEREE_TOKEN).post(f"/api/v1/{path}", json=body)

    assert answer.status_code == 422
    assert named in answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(house.tables["1"].journal.records) == records


async def test_unreadable_bodies_are_refused(client_for: ClientFor) -> None:
    client = client_for(REFEREE_TOKEN)
    path = "/api/v1/alerts/1-2/dismiss"
    json_type = {"content-type": "application/json"}

    for content in (b"", b"{", b"[]", b"null", b'{"reason":"\\ud800"}', b'{"reason":NaN}', b"\xff", b"[" * 5000):
        answer = await client.post(path, content=content, headers=json_type)
        assert answer.status_code in {400, 422}, content
        assert answer.json()["status"] == answer.status_code


@pytest.mark.parametrize("path", ["tables/1/commands", "alerts/1-2/dismiss", "tables"])
async def test_long_body_is_refused(client_for: ClientFor, path: str) -> None:
    client = client_for(REFEREE_TOKEN)

    async def pieces() -> Any:
        for _ in range(80):
            yield b"x" * 1024

    announced = await client.post(f"/api/v1/{path}", content=b"x" * 65537)
    at_limit = await client.post(f"/api/v1/{path}", content=b"x" * 65536)
    streamed = await client.post(f"/api/v1/{path}", content=pieces(), headers={"content-type": "application/json"})

    assert announced.status_code == 413
    assert announced.json()["type"].endswith("too-large")
    assert at_limit.status_code in {405, 422}
    assert streamed.status_code in {405, 413}


async def test_commands_reach_the_table(house: FakeHouse, client_for: ClientFor) -> None:
    table, client = house.tables["1"], client_for(REFEREE_TOKEN)

    async def command(**body: Any) -> int:
        return (await client.post("/api/v1/tables/1/commands", json=body)).status_code

    assert await command(kind="resume") == 409
    assert await command(kind="start_deal") == 200
    assert await command(kind="start_deal") == 409
    assert await command(kind="hold") == 200
    assert table.state["held"] is True
    assert await command(kind="resume") == 200
    question = table.ask("E", ["7S", None], [["7S"], ["7H", "7D"]], None)
    assert await command(kind="answer", question=question, cards=["7S", "7H"]) == 200
    assert table.state["zones"]["E"]["cards"] == ["7S", "7H"]
    assert await command(kind="answer", question=question, cards=[]) == 404
    alert = table.find("needs_declaration", "E", readings=[{"type": "tube", "high": "5"}])
    assert await command(kind="declare", alert=alert, reading={"type": "plate", "high": "4"}) == 422
    assert await command(kind="declare", alert=alert, reading={"type": "tube", "high": "5"}) == 200
    assert await command(kind="enter_finish", order=["S", "N"]) == 200


async def test_journal_pages_by_number(house: FakeHouse, client_for: ClientFor) -> None:
    house.tables["1"].deal("E", "2", hidden={"E": ["BJ", "2H"]})
    client = client_for(REFEREE_TOKEN)

    first = (await client.get("/api/v1/tables/1/journal?limit=2")).json()
    rest = (await client.get(f"/api/v1/tables/1/journal?after={first['next']}")).json()
    beyond = (await client.get("/api/v1/tables/1/journal?after=99")).json()

    numbers = [record["number"] for record in first["records"] + rest["records"]]
    assert numbers == list(range(1, len(house.tables["1"].journal.records) + 1))
    assert rest["records"][-1]["sealed"] is True
    assert "BJ" not in str(first) + str(rest)
    assert beyond == {"records": [], "next": 99}


async def test_viewer_reads_open_records_without_gaps(house: FakeHouse, client_for: ClientFor) -> None:
    table = house.tables["1"]
    table.deal("E", "2", hidden={"E": ["BJ", "2H"]})
    table.lay("E", ["7S"])
    alert = table.find("card_not_in_hand", "E", ["7S"])
    await client_for(REFEREE_TOKEN).post(f"/api/v1/alerts/{alert}/hold")
    table.passes("N")
    client = client_for(VIEWER_TOKEN)

    whole = (await client.get("/api/v1/tables/1/journal")).json()["records"]
    paged: list[dict[str, Any]] = []
    while page := (await client.get(f"/api/v1/tables/1/journal?after={len(paged)}&limit=2")).json()["records"]:
        paged += page

    assert paged == whole
    assert [record["number"] for record in whole] == list(range(1, len(whole) + 1))
    assert [record["kind"] for record in whole] == ["match_started", "deal_started", "cards_laid", "held", "passed"]
    assert whole[3]["body"] == {}
    assert set(whole[0]) == {"number", "at_utc", "kind", "body"}


def test_open_fields_exist_and_none_is_secret() -> None:
    for kind, names in OPEN_FIELDS.items():
        fact = FACT_OF_KIND[kind]
        assert fact is not CardDealt
        assert not SECRET_FIELDS.get(fact, frozenset()) & set(names)
        assert set(names) <= set(fact.__dataclass_fields__)
        assert not {"alert", "by", "record", "question"} & set(names)


async def test_still_is_served_to_referees_by_its_hash(house: FakeHouse, client_for: ClientFor) -> None:
    sha = house.add_still(b"\xff\xd8picture\xff\xd9")
    (house.stills_dir / "secret.jpg").write_bytes(b"x")
    client = client_for(REFEREE_TOKEN)

    found = await client.get(f"/api/v1/tables/1/stills/{sha}")
    absent = await client.get(f"/api/v1/tables/1/stills/{'0' * 64}")

    assert found.content == b"\xff\xd8picture\xff\xd9"
    assert found.headers["content-type"] == "image/jpeg"
    assert found.headers["cache-control"] == "no-store"
    assert absent.status_code == 404
    for name in ("secret", sha.upper(), sha[:-1], "..%2f..%2fetc", f"{sha}.jpg", "%00" * 64):
        assert (await client.get(f"/api/v1/tables/1/stills/{name}")).status_code in {404, 422}


async def test_words_exist_in_both_languages(client_for: ClientFor) -> None:
    client = client_for(None)

    english = (await client.get("/console/words/en.json")).json()
    chinese = (await client.get("/console/words/zh.json")).json()

    assert english.keys() == chinese.keys()
    assert all(isinstance(text, str) and text for text in [*english.values(), *chinese.values()])
    assert (await client.get("/console/words/fr.json")).status_code == 404
