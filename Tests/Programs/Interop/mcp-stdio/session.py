"""The MCP SDK's stdio_client: newline framing, every message checked by pydantic, standard error passed on.

MCP wants an object for a result, so the SDK hands the `null` that answers `shutdown` over as a validation error. JSON-RPC
allows any value; the session looks into that error. The SDK keeps the exit status to itself.
"""

import os
from importlib.metadata import version

import anyio
from mcp import StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from pydantic import ValidationError

DAY, NAME = "2026-01-05", "Oat bowl 🥣 für zwei"
PATIENCE = 60 * float(os.environ.get("TIME_SCALE", "1"))


class Conversation:
    """One request at a time; other messages are kept."""

    def __init__(self, incoming, outgoing):
        self.incoming, self.outgoing, self.events = incoming, outgoing, []

    async def receive(self):
        with anyio.fail_after(PATIENCE):
            item = await self.incoming.receive()
        return item.message if isinstance(item, SessionMessage) else item

    async def notify(self, method, params=None):
        message = JSONRPCNotification(jsonrpc="2.0", method=method, params=params)
        await self.outgoing.send(SessionMessage(message))

    async def ask(self, id, method, params=None):
        """The answer, a result or an error."""
        await self.outgoing.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=id, method=method, params=params)))
        while isinstance(message := await self.receive(), (JSONRPCNotification, JSONRPCRequest)):
            if isinstance(message, JSONRPCRequest):
                result = {"confirmed": message.method == "client/confirm" and message.params["message"] == "🥣?"}
                answer = JSONRPCResponse(jsonrpc="2.0", id=message.id, result=result)
                await self.outgoing.send(SessionMessage(answer))
            else:
                self.events.append(message)
        return message

    async def call(self, id, method, params=None):
        """The result."""
        message = await self.ask(id, method, params)
        assert isinstance(message, JSONRPCResponse) and message.id == id, message
        return message.result

    async def event(self, method):
        """The first notification of that method."""
        while not any(e.method == method for e in self.events):
            message = await self.receive()
            assert isinstance(message, JSONRPCNotification), message
            self.events.append(message)
        return next(e.params for e in self.events if e.method == method)


async def session():
    print("version:", version("mcp"))
    server = StdioServerParameters(command=os.environ["DAYBOOK"], args=["--data", os.environ["DAYBOOK_DATA"]])
    async with stdio_client(server) as streams:
        c = Conversation(*streams)
        hello = await c.call(0, "initialize", {"processId": os.getpid(), "capabilities": {"confirm": {}}})
        assert hello["serverInfo"]["name"] == "daybook" and hello["protocolVersion"] == 1, hello
        await c.notify("initialized", None)

        meal = (await c.call("add", "meals/add", {"name": NAME, "calories": 350, "day": DAY}))["meal"]
        assert meal["name"] == NAME, meal
        event = await c.event("mealsChanged")
        assert event["origin"] == "thisFrontend", event
        assert event["changes"] == [{"id": meal["id"], "kind": "added", "day": DAY}], event

        assert (await c.call(2, "meals/list", {"day": DAY}))["meals"] == [meal]
        assert (await c.call("3", "session/get", None))["route"] == "onboarding", "`params: null` is no params"

        if (await c.call("info", "server/info"))["build"] == "debug":
            said = await c.call("ask", "debug/ask", {"message": "🥣?", "default": False, "timeoutMs": 60000})
            assert said["answered"] and said["confirmed"], said

        refusal = await c.ask(4, "meals/add", {"name": NAME, "calories": 99999})
        assert isinstance(refusal, JSONRPCError) and refusal.id == 4 and refusal.error.code == -32602, refusal
        data = refusal.error.data
        assert data["name"] == "invalidParams" and data["pointer"] == "/calories", data

        stopped = await c.ask(5, "shutdown")
        assert isinstance(stopped, ValidationError), stopped
        assert any(e["loc"][-1] == "result" and e["input"] is None for e in stopped.errors()), stopped
        await c.notify("exit")
        with anyio.fail_after(PATIENCE):
            try:
                raise AssertionError(f"after exit: {await c.receive()}")
            except anyio.EndOfStream:
                pass


anyio.run(session)
