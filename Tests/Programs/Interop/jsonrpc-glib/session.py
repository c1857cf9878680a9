"""jsonrpc-glib, GNOME Builder's C library, through GObject introspection: numeric ids, `params: null`, variants."""

import os

import gi

gi.require_version("Jsonrpc", "1.0")
from gi.repository import Gio, GLib, Jsonrpc  # noqa: E402

DAY, NAME = "2026-01-05", "Oat bowl 🥣 für zwei"
PATIENCE = 60 * float(os.environ.get("TIME_SCALE", "1"))

JSON_TO_VARIANT = {bool: "b", int: "x", float: "d", str: "s"}


def variant(value):
    """A dictionary as `a{sv}`; other values by their own types."""
    if isinstance(value, dict):
        return GLib.Variant("a{sv}", {name: variant(member) for name, member in value.items()})
    return GLib.Variant(JSON_TO_VARIANT[type(value)], value)


class Conversation:
    """Waits in the main loop, with a timeout, for a callback of jsonrpc-glib."""

    def __init__(self, client):
        self.client, self.loop, self.events = client, GLib.MainContext.default(), []
        client.connect("notification", self.notified)
        client.connect("handle-call", self.asked)

    def notified(self, _, method, params):
        self.events.append((method, params.unpack()))

    def asked(self, client, method, id, params):
        confirmed = method == "client/confirm" and params.unpack()["message"] == "🥣?"
        client.reply_async(id, variant({"confirmed": confirmed}), None, None)
        return True

    def wait(self, what, done):
        expired = []
        guard = GLib.timeout_add(int(PATIENCE * 1000), lambda: expired.append(True) or GLib.SOURCE_REMOVE)
        while not done():
            assert not expired, f"timed out: {what}"
            self.loop.iteration(True)
        GLib.source_remove(guard)

    def call(self, method, params=None):
        answers = []
        arguments = None if params is None else variant(params)
        self.client.call_async(method, arguments, None, lambda _, result: answers.append(result))
        self.wait(method, lambda: answers)
        _, value = self.client.call_finish(answers[0])
        return None if value is None else value.unpack()

    def notify(self, method, params=None):
        assert self.client.send_notification(method, None if params is None else variant(params), None)

    def event(self, method):
        self.wait(method, lambda: any(name == method for name, _ in self.events))
        return next(params for name, params in self.events if name == method)


def session():
    print(f"version: {Jsonrpc.MAJOR_VERSION}.{Jsonrpc.MINOR_VERSION}.{Jsonrpc.MICRO_VERSION}")
    flags = Gio.SubprocessFlags.STDIN_PIPE | Gio.SubprocessFlags.STDOUT_PIPE
    process = Gio.Subprocess.new([os.environ["DAYBOOK"], "--data", os.environ["DAYBOOK_DATA"]], flags)
    client = Jsonrpc.Client.new(Gio.SimpleIOStream.new(process.get_stdout_pipe(), process.get_stdin_pipe()))
    client.start_listening()
    c = Conversation(client)
    try:
        converse(c)
        ended = []
        process.wait_async(None, lambda _, result: ended.append(process.wait_finish(result)))
        c.wait("exit", lambda: ended)
        assert process.get_if_exited() and process.get_exit_status() == 0, process.get_status()
    finally:
        process.force_exit()


def converse(c):
    hello = c.call("initialize", {"processId": os.getpid(), "capabilities": {"confirm": {}}})
    assert hello["serverInfo"]["name"] == "daybook" and hello["protocolVersion"] == 1, hello
    c.notify("initialized")

    meal = c.call("meals/add", {"name": NAME, "calories": 350, "day": DAY})["meal"]
    assert meal["name"] == NAME, meal
    event = c.event("mealsChanged")
    assert event["origin"] == "thisFrontend", event
    assert event["changes"] == [{"id": meal["id"], "kind": "added", "day": DAY}], event

    assert c.call("meals/list", {"day": DAY})["meals"] == [meal]
    assert c.call("session/get")["route"] == "onboarding", "`params: null` is no params"

    if c.call("server/info")["build"] == "debug":
        said = c.call("debug/ask", {"message": "🥣?", "default": False, "timeoutMs": 60000})
        assert said["answered"] and said["confirmed"], said

    try:
        c.call("meals/add", {"name": NAME, "calories": 99999})
        raise AssertionError("99999 kcal were accepted")
    except GLib.Error as error:  # the library prints the error object into the message
        refusal = GLib.Variant.parse(None, error.message).unpack()
        assert refusal["code"] == -32602, refusal
        assert refusal["data"]["name"] == "invalidParams" and refusal["data"]["pointer"] == "/calories", refusal

    assert c.call("shutdown") is None
    c.notify("exit")


session()
