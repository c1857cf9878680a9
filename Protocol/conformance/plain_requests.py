"""Expands plain requests and events: an independent implementation of the rule in `Protocol/README.md`."""

from typing import Any, Dict, List

WRITE = ["serverNotInitialized", "invalidParams", "notFound", "conflict", "storeBusy", "storeReadOnly", "diskFull",
         "storeUnavailable"]
OWN = {"id", "day", "zone", "createdAt", "updatedAt"}


def expanded(domain: Dict[str, Any]) -> Dict[str, Any]:
    """The domain with its plain requests and events in full."""
    kept = {t["collection"]["name"]: t for t in domain.get("types", []) if "collection" in t}
    result = dict(domain)
    result["requests"] = [_request(r, kept) if r.get("plain") else r for r in domain.get("requests", [])]
    result["notifications"] = [_event(n, kept) if n.get("plain") else n for n in domain.get("notifications", [])]
    return result


def _member(name: str, type_: str, doc: str, **more: Any) -> Dict[str, Any]:
    return {"name": name, "type": type_, **more, "doc": doc}


def _content(entity: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The members that clients provide."""
    return [dict(m) for m in entity["members"] if m["name"] not in OWN and not m.get("made")]


def _patch(members: List[Dict[str, Any]], entity: Dict[str, Any]) -> List[Dict[str, Any]]:
    optional = {m["name"] for m in entity["members"] if m.get("optional")}
    result = []
    for member in members:
        own = {**member, "optional": True}
        if member["name"] in optional:
            own["nullable"] = True
        result.append(own)
    return result


def _request(given: Dict[str, Any], kept: Dict[str, Dict[str, Any]]) -> Dict[str, Any]:
    name, verb = given["method"].split("/")
    entity = kept[name]
    known = entity["collection"]
    noun, plural = known["noun"], known["plural"]
    article = "an" if noun[0] in "aeiou" else "a"
    one, many = known["member"], known.get("members", known["plural"])
    dated = known.get("dated", False)
    params: List[Dict[str, Any]] = given.get("params", [])
    revision = _member("revision", "int", "The store's revision.", minimum=1 if verb == "delete" else 0)
    base = _member("revision", "int", f"The revision the {'decision' if verb == 'delete' else 'edit'} is based on; "
                   f"`conflict` if the {noun} changed since.", optional=True, minimum=0)
    stored = _member(one, entity["name"], f"The {noun} as stored.")
    if verb == "add":
        own = [_member("id", "id", "The id to use; generated when absent.", optional=True)]
        if dated:
            own.append(_member("day", "date", "The day it counts for; the connection's selected day when absent.",
                               optional=True))
        doc = (f"Adds {article} {noun}. With an `id` made by the client it can be repeated safely: if it exists and "
               "has everything the request states, nothing changes.")
        params = own + (params or _content(entity))
        created = "Whether it is new; `false` when it already existed with this content."
        result = [stored, _member("created", "bool", created), revision]
        errors = [e for e in WRITE if e != "notFound"]
    elif verb == "update":
        own = [_member("id", "id", f"The {noun}."), base]
        if dated:
            own.append(_member("day", "date", "The day it counts for.", optional=True))
        doc = "Changes the given members; null clears an optional one. Identical content changes nothing."
        params = own + (params or _patch(_content(entity), entity))
        result, errors = [stored, revision], WRITE
    elif verb == "delete":
        doc = f"Deletes {article} {noun}."
        params = [_member("id", "id", f"The {noun}."), base] + params
        result, errors = [_member(one, entity["name"], f"The deleted {noun}."), revision], WRITE
    elif verb == "get":
        doc = f"One {noun}."
        params = [_member("id", "id", f"The {noun}.")] + params
        result = [_member(one, entity["name"], f"The {noun}.", fragment=True), revision]
        errors = ["serverNotInitialized", "invalidParams", "notFound", "storeUnavailable"]
    elif verb == "list":
        doc = (f"{plural[0].upper()}{plural[1:]} of a day, of a range of days, or all; newest first: by day, then by "
               "creation time, then by id." if dated else
               f"All {plural}, newest first: by creation time, then by id.")
        doc += " Every page but the last has a `nextCursor`, which stays valid when others are added or deleted."
        own = [_member("day", "date", "This day only; not together with `from` or `to`.", optional=True),
               _member("from", "date", "From this day on.", optional=True),
               _member("to", "date", "Up to and including this day.", optional=True)] if dated else []
        params = own + [_member("limit", "int", "At most this many (1000).", optional=True, minimum=1, maximum=10000),
                        _member("cursor", "string", "The `nextCursor` of the previous page.", optional=True, maxLength=200)
                        ] + params
        result = [_member(many, f"array<{entity['name']}>", f"The {plural}.", fragment=True),
                  _member("nextCursor", "string", "The start of the next page; absent on the last.", optional=True),
                  revision]
        errors = ["serverNotInitialized", "invalidParams", "storeUnavailable"]
    else:
        raise ValueError(f"{given['method']} is not a plain request")
    defaults: Dict[str, Any] = {
        "direction": "clientToServer", "effect": "read" if verb in ("get", "list") else "write", "scope": [name],
        "doc": doc, "result": {"members": result}, "errors": errors}
    return {**defaults, **{k: v for k, v in given.items() if k != "plain"}, "params": params}


def _event(given: Dict[str, Any], kept: Dict[str, Dict[str, Any]]) -> Dict[str, Any]:
    entity = next(t for t in kept.values() if t["collection"].get("event") == given["method"])
    plural = entity["collection"]["plural"]
    params = [_member("revision", "int", "The store's revision.", minimum=1),
              _member("origin", "Origin", "Who changed them."),
              _member("changes", "array<EntityChange>", "What changed, each of them once.")]
    defaults: Dict[str, Any] = {"direction": "serverToClient", "delivery": "state",
                                "doc": f"{plural[0].upper()}{plural[1:]} changed."}
    return {**defaults, **{k: v for k, v in given.items() if k != "plain"}, "params": params}

