"""python-lsp-jsonrpc: UUID string ids, `charset=utf8`, a reader thread, no params for None."""

import os
import queue
import subprocess
import threading
from importlib.metadata import version

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.exceptions import JsonRpcException
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

DAY, NAME = "2026-01-05", "Oat bowl 🥣 für zwei"
PATIENCE = 60 * float(os.environ.get("TIME_SCALE", "1"))


def session():
    print("version:", version("python-lsp-jsonrpc"))
    command = [os.environ["DAYBOOK"], "--data", os.environ["DAYBOOK_DATA"]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        events = queue.Queue()
        handlers = {"mealsChanged": events.put, "client/confirm": lambda p: {"confirmed": p["message"] == "🥣?"}}
        endpoint = Endpoint(handlers, JsonRpcStreamWriter(process.stdin).write)
        reader = threading.Thread(target=JsonRpcStreamReader(process.stdout).listen, args=[endpoint.consume], daemon=True)
        reader.start()
        try:
            converse(endpoint, events)
            assert process.wait(PATIENCE) == 0, process.returncode
            reader.join(PATIENCE)
            assert not reader.is_alive(), "standard output stayed open"
        finally:
            process.kill()
            endpoint.shutdown()


def converse(endpoint, events):
    def call(method, params=None):
        return endpoint.request(method, params).result(PATIENCE)

    hello = call("initialize", {"processId": os.getpid(), "capabilities": {"confirm": {}}})
    assert hello["serverInfo"]["name"] == "daybook" and hello["protocolVersion"] == 1, hello
    endpoint.notify("initialized", {})

    meal = call("meals/add", {"name": NAME, "calories": 350, "day": DAY})["meal"]
    assert meal["name"] == NAME, meal
    event = events.get(timeout=PATIENCE)
    assert event["origin"] == "thisFrontend", event
    assert event["changes"] == [{"id": meal["id"], "kind": "added", "day": DAY}], event

    assert call("meals/list", {"day": DAY})["meals"] == [meal]

    if call("server/info")["build"] == "debug":
        said = call("debug/ask", {"message": "🥣?", "default": False, "timeoutMs": 60000})
        assert said["answered"] and said["confirmed"], said

    try:
        call("meals/add", {"name": NAME, "calories": 99999})
        raise AssertionError("99999 kcal were accepted")
    except JsonRpcException as refusal:
        assert refusal.code == -32602, refusal
        assert refusal.data["name"] == "invalidParams" and refusal.data["pointer"] == "/calories", refusal.data

    assert call("shutdown") is None
    endpoint.notify("exit")


session()
