"""pygls: UUID string ids, a Content-Type header, `params: null`, standard error piped and never read."""

import asyncio
import os
from importlib.metadata import version

from pygls.exceptions import JsonRpcException
from pygls.client import JsonRPCClient

DAY, NAME = "2026-01-05", "Oat bowl 🥣 für zwei"
PATIENCE = 60 * float(os.environ.get("TIME_SCALE", "1"))


class Client(JsonRPCClient):
    """A client that records messages it could not understand."""

    def __init__(self):
        super().__init__()
        self.errors = []

    def report_server_error(self, error, source):
        self.errors.append((source, error))


async def session():
    print("version:", version("pygls"))
    client = Client()
    changed = asyncio.get_running_loop().create_future()
    client.feature("mealsChanged")(lambda params: changed.set_result(params))
    client.feature("client/confirm")(lambda params: {"confirmed": params.message == "🥣?"})
    await client.start_io(os.environ["DAYBOOK"], "--data", os.environ["DAYBOOK_DATA"])

    async def call(method, params=None):
        return await asyncio.wait_for(client.protocol.send_request_async(method, params), PATIENCE)

    hello = await call("initialize", {"processId": os.getpid(), "capabilities": {"confirm": {}}})
    assert hello.serverInfo.name == "daybook" and hello.protocolVersion == 1, hello
    client.protocol.notify("initialized", {})

    meal = (await call("meals/add", {"name": NAME, "calories": 350, "day": DAY})).meal
    assert meal.name == NAME, meal
    event = await asyncio.wait_for(changed, PATIENCE)
    assert event.origin == "thisFrontend", event
    assert [(c.id, c.kind, c.day) for c in event.changes] == [(meal.id, "added", DAY)], event

    meals = (await call("meals/list", {"day": DAY})).meals
    assert [(m.id, m.name) for m in meals] == [(meal.id, NAME)], meals
    assert (await call("session/get")).route == "onboarding", "`params: null` is no params"

    if (await call("server/info")).build == "debug":
        said = await call("debug/ask", {"message": "🥣?", "default": False, "timeoutMs": 60000})
        assert said.answered and said.confirmed, said
        # pygls never reads standard error, and accepts only messages on standard output.
        assert await call("debug/print", {"text": "oops", "errorLines": 10000}) is None
        assert (await call("server/status")).droppedLogMessages > 0, "more lines than the pipe holds"

    try:
        await call("meals/add", {"name": NAME, "calories": 99999})
        raise AssertionError("99999 kcal were accepted")
    except JsonRpcException as refusal:
        assert refusal.code == -32602, refusal
        data = refusal.data if isinstance(refusal.data, dict) else vars(refusal.data)
        assert data["name"] == "invalidParams" and data["pointer"] == "/calories", data

    assert await call("shutdown") is None
    client.protocol.notify("exit")
    # asyncio does not notice a process's end while one of its pipes is full and unread.
    await asyncio.wait_for(client._server.stderr.read(), PATIENCE)
    await asyncio.wait_for(client.stop(), PATIENCE)
    assert client._server.returncode == 0, client._server.returncode
    assert client.errors == [], client.errors


asyncio.run(session())
