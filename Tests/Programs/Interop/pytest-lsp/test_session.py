"""pytest-lsp: an LSP client's typed `initialize`, and its fixture that shuts the service down after the test."""

import asyncio
import os
from importlib.metadata import version

import pytest_lsp
from lsprotocol.types import ClientCapabilities, InitializeParams
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient

DAY, NAME = "2026-01-05", "Oat bowl 🥣 für zwei"
PATIENCE = 60 * float(os.environ.get("TIME_SCALE", "1"))


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["DAYBOOK"], "--data", os.environ["DAYBOOK_DATA"]])
)
async def client(lsp_client: LanguageClient):
    changed = asyncio.get_running_loop().create_future()
    lsp_client.feature("mealsChanged")(lambda params: changed.set_result(params))
    hello = await asyncio.wait_for(
        lsp_client.initialize_session(InitializeParams(capabilities=ClientCapabilities())), PATIENCE
    )
    assert hello.server_info.name == "daybook", hello
    lsp_client.changed = changed
    yield
    await asyncio.wait_for(lsp_client.shutdown_session(), PATIENCE)
    assert lsp_client._server.returncode == 0, lsp_client._server.returncode


async def test_session(client: LanguageClient):
    print("version:", version("pytest-lsp"))

    async def call(method, params=None):
        return await asyncio.wait_for(client.protocol.send_request_async(method, params), PATIENCE)

    meal = (await call("meals/add", {"name": NAME, "calories": 350, "day": DAY})).meal
    assert meal.name == NAME
    event = await asyncio.wait_for(client.changed, PATIENCE)
    assert event.origin == "thisFrontend"
    assert [(c.id, c.kind, c.day) for c in event.changes] == [(meal.id, "added", DAY)]

    meals = (await call("meals/list", {"day": DAY})).meals
    assert [(m.id, m.name) for m in meals] == [(meal.id, NAME)]

    try:
        await call("meals/add", {"name": NAME, "calories": 99999})
        raise AssertionError("99999 kcal were accepted")
    except JsonRpcException as refusal:
        assert refusal.code == -32602
        data = refusal.data if isinstance(refusal.data, dict) else vars(refusal.data)
        assert data["name"] == "invalidParams" and data["pointer"] == "/calories", data
    assert client.error is None
