"""icalendar: the output of `subscriptions/exportCalendar`, read by a third-party parser."""

import calendar
import datetime
import json
import os
import pathlib
import subprocess
from importlib.metadata import version

import icalendar

FROM, TO = datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)
TABLE = """Name,Category,Cost,Currency,Schedule,Status,Payment Method,Start Date,Renewal Date,URL,Notes
Spotify,Music,9.99,USD,Monthly,Active,Visa,2024-01-31,2026-03-31,https://spotify.com,
"Paper, daily",News,5.00,EUR,Weekly,Active,Visa,2025-01-01,2026-03-12,,"two
lines"
Domain,Software,25.00,USD,Every 2 Years,Active,PayPal,2024-02-29,2026-02-28,,
"""
NAMES = ["a, b; c", 'q"uo"te', "two\nlines", "back\\slash \\n \\, \\;", "=1+1", "emoji 🎬👩‍👩‍👧 é", "x" * 200, "ä🥣" * 60]


class Service:
    """The service, in newline framing."""

    def __init__(self):
        store = pathlib.Path(os.environ["HOME"], "store.json")
        store.write_text(json.dumps({"mode": "online", "transactions": [{
            "id": "t1", "productId": "daybook.premium.yearly", "purchasedAt": "2026-01-01T00:00:00.000Z",
            "expiresAt": "2199-01-01T00:00:00.000Z", "verified": True}]}))
        self.process = subprocess.Popen(
            [os.environ["DAYBOOK"], "--data", os.environ["DAYBOOK_DATA"], "--store-of-record", str(store)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last = 0
        self.call("initialize", processId=os.getpid(), capabilities={}, locale="en-US")
        self.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
        self.call("premium/verify")

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def call(self, method, **params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            assert line, f"the service ended within {method}"
            message = json.loads(line)
            if message.get("id") == self.last and "method" not in message:
                assert "error" not in message, (method, message)
                return message["result"]

    def end(self):
        self.call("shutdown")
        self.send({"jsonrpc": "2.0", "method": "exit"})
        assert self.process.wait() == 0, self.process.returncode


def parsed(text):
    """Checks a calendar against RFC 5545; returns its events by their UIDs."""
    data = text.encode()
    assert data.endswith(b"END:VCALENDAR\r\n") and b"\n" not in data.replace(b"\r\n", b""), "lines end in CR LF"
    for line in data.split(b"\r\n"):
        assert len(line) <= 75, (len(line), line)
        line.decode()
    feed = icalendar.Calendar.from_ical(data)
    assert not feed.errors, feed.errors
    assert feed["version"] == "2.0" and feed["prodid"] and feed["calscale"] == "GREGORIAN", feed
    events = feed.walk("VEVENT")
    assert len(events) == len(feed.subcomponents)
    for event in events:
        assert not event.errors, event.errors
        assert type(event.decoded("dtstart")) is datetime.date, "an event is as long as the day"
        assert isinstance(event.decoded("dtstamp"), datetime.datetime), "when it was made"
    # The parser's own output is equivalent.
    again = icalendar.Calendar.from_ical(feed.to_ical()).walk("VEVENT")
    assert [dict(event) for event in again] == [dict(event) for event in events], "written and read again"
    found = {str(event["uid"]): event for event in events}
    assert len(found) == len(events), "identities are unique"
    return found


def identity(charge):
    return f"{charge['subscriptionId']}-{charge['occurrence'].replace('-', '')}@daybook"


def charges(service, start, end):
    listed = service.call("charges/list", **{"from": str(start), "to": str(end), "limit": 10000})
    assert len(listed["charges"]) == listed["total"], "all on one page"
    return {identity(charge): charge for charge in listed["charges"]}


def export(service, start=FROM, end=TO):
    told = service.call("subscriptions/exportCalendar", **{"from": str(start), "to": str(end)})
    assert told["bytes"] == len(told["text"].encode())
    events = parsed(told["text"])
    assert told["events"] == len(events)
    return events


def equal(service, events, start=FROM, end=TO):
    """Checks that a calendar has the charges of `charges/list`, each on its day and with its name."""
    listed = charges(service, start, end)
    assert events.keys() == listed.keys(), events.keys() ^ listed.keys()
    for uid, charge in listed.items():
        event = events[uid]
        assert str(event.decoded("dtstart")) == charge["day"], (event, charge)
        assert str(event["summary"]).startswith(charge["name"] + " — "), (str(event["summary"]), charge["name"])
        assert charge["category"] in event["categories"].cats, event["categories"].cats
    return listed


def texts(service):
    """Escaped text is restored unchanged."""
    for number, name in enumerate(NAMES):
        tags = [name[:40].strip()]
        service.call("subscriptions/add", name=name, amount="5", currency="EUR", anchor="2026-03-05", start="2026-01-01",
                     paymentMethod=name[:100], tags=tags, url=f"https://example.com/?a={number},2;3")
    events = export(service)
    equal(service, events)
    wanted = {f"{name} — €5.00" for name in NAMES}
    assert wanted <= {str(event["summary"]) for event in events.values()}
    for event in events.values():
        name = str(event["summary"]).removesuffix(" — €5.00")
        if name in NAMES:
            assert str(event["description"]) == f"Paid with: {name[:100]}", event["description"]
            assert [str(word) for word in event["categories"].cats] == ["other", name[:40].strip()], event["categories"].cats
            assert str(event["url"]) == f"https://example.com/?a={NAMES.index(name)},2;3", event["url"]


def month_ends(service):
    """A year of month ends for anchors on the 28th to the 31st."""
    for day in range(28, 32):
        name = f"ends on {day}"
        service.call("subscriptions/add", name=name, amount="1", currency="EUR", anchor=f"2026-01-{day}", start="2026-01-01")
        days = [str(event.decoded("dtstart")) for event in export(service).values() if str(event["summary"]).startswith(name)]
        wanted = [f"2026-{month:02}-{min(day, calendar.monthrange(2026, month)[1]):02}" for month in range(1, 13)]
        assert days == wanted, (days, wanted)


def main():
    print("version:", version("icalendar"))
    service = Service()
    imported = service.call("subscriptions/import", text=TABLE)
    assert (imported["added"], imported["refused"]) == (3, 0), imported
    first = export(service)
    listed = equal(service, first)
    spotify = next(charge for charge in listed.values() if charge["name"] == "Spotify" and charge["occurrence"] == "2026-02-28")
    paper = next(charge for charge in listed.values() if charge["name"] == "Paper, daily")
    # A shifted charge is the same event on another day; a skipped one is removed; the others stay.
    service.call("charges/shift", subscriptionId=spotify["subscriptionId"], occurrence=spotify["occurrence"], to="2026-03-02")
    service.call("charges/skip", subscriptionId=paper["subscriptionId"], occurrence=paper["occurrence"])
    second = export(service)
    equal(service, second)
    assert first.keys() - second.keys() == {identity(paper)} and not second.keys() - first.keys()
    assert str(second[identity(spotify)].decoded("dtstart")) == "2026-03-02"
    moved = {uid for uid in second if second[uid].decoded("dtstart") != first[uid].decoded("dtstart")}
    assert moved == {identity(spotify)}, moved
    texts(service)
    month_ends(service)
    # Ten years, to a file.
    end = datetime.date(2035, 12, 31)
    path = pathlib.Path(os.environ["HOME"], "charges.ics")
    told = service.call("subscriptions/exportCalendar", **{"from": str(FROM), "to": str(end), "path": str(path)})
    text = path.read_bytes()
    assert told["text"] == "" and told["bytes"] == len(text), told
    events = parsed(text.decode())
    assert told["events"] == len(events)
    equal(service, events, FROM, end)
    service.end()


main()
