"""The protocol as its folder tells it: types, methods, errors, and values checked against them."""

from __future__ import annotations

import datetime
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from jsontext import Number
from plain_requests import expanded

SAFE_INTEGER = 2**53 - 1
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z\Z")
DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d\Z", re.ASCII)
DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.(\d+))?\Z")
ZONE = re.compile(r"[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+)*\Z")
COMPOSITE = re.compile(r"(array|map)<(.+)>\Z")

# What the connection itself may answer to any request, whatever its method declares.
CONNECTION_ERRORS = frozenset({
    "parseError", "invalidRequest", "methodNotFound", "invalidParams", "internalError",
    "overloaded", "messageTooLarge", "requestCancelled",
})


class Invalid(Exception):
    """A value is not of its declared type; the message names the place."""


def is_date(text: str) -> bool:
    """Whether the text is a civil day of the calendar, 1900-01-01 to 2200-12-31."""
    if not DATE.match(text) or not "1900" <= text[:4] <= "2200":
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Whether the text is a time of day, 00:00 to 23:59."""
    return bool(TIME.match(text))


def is_instant(text: str) -> bool:
    """Whether the text is an instant as the service writes it: UTC with milliseconds."""
    match = INSTANT.match(text)
    if not match:
        return False
    try:
        datetime.datetime.fromisoformat(f"{match.group(1)}T{match.group(2)}")
    except ValueError:
        return False
    return True


class Protocol:
    """Everything that `Protocol/` declares."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.types: Dict[str, dict] = {}
        self.requests: Dict[str, dict] = {}
        self.notifications: Dict[str, dict] = {}
        self.errors: Dict[str, dict] = {}
        self.builds: Dict[str, str] = {}
        main = _load(folder / "protocol.json")
        for name in main["domains"]:
            domain = expanded(_load(folder / "domains" / f"{name}.json"))
            for kind, table, key in (("types", self.types, "name"),
                                     ("requests", self.requests, "method"),
                                     ("notifications", self.notifications, "method"),
                                     ("errors", self.errors, "name")):
                for item in domain.get(kind, []):
                    if item[key] in table:
                        raise ValueError(f"{name}: {item[key]} is declared twice")
                    table[item[key]] = item
                    if kind == "requests":
                        self.builds[item[key]] = domain.get("build", "any")
        self.requirements: List[str] = []
        requirements = folder / "requirements.json"
        if requirements.exists():
            self.requirements = [r["id"] for r in _load(requirements)["requirements"]]

    def knows_type(self, expression: str) -> bool:
        """Whether the text names a type: a scalar, a declared one, or a composite of such."""
        composite = COMPOSITE.match(expression)
        if composite:
            return self.knows_type(composite.group(2))
        return expression in self.types or expression in Check.SCALARS

    def errors_of(self, method: Optional[str]) -> Set[str]:
        """Names of the errors that a request of this method may be answered with."""
        request = self.requests.get(method or "")
        if request is None:
            return set(CONNECTION_ERRORS) | {"serverNotInitialized"}
        locked = set() if self.is_served_while_locked(request) else {"locked"}
        return set(CONNECTION_ERRORS) | set(request["errors"]) | locked

    @staticmethod
    def is_served_while_locked(request: dict) -> bool:
        """Whether a locked app does not keep the request out: it is marked, or touches no data."""
        return request.get("whileLocked", False) or not request["scope"]


def _load(path: Path) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Check:
    """Checks values strictly against declared types and remembers which types it met."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.met: Set[str] = set()

    def result(self, method: str, value: Any) -> None:
        """Checks the result of a method."""
        declared = self.protocol.requests[method]["result"]
        if isinstance(declared, dict):
            self.members(declared["members"], value, "result")
        else:
            self.value({"type": declared}, value, "result")

    def members(self, declared: List[dict], value: Any, place: str) -> None:
        """Checks that a value is an object of exactly these members."""
        if not isinstance(value, dict):
            raise Invalid(f"{place}: expected an object, found {_shown(value)}")
        for member in declared:
            name = member["name"]
            if name not in value:
                if not member.get("optional"):
                    raise Invalid(f"{place}/{name}: is missing")
            elif value[name] is None and member["type"] not in ("json", "null"):
                if not member.get("nullable"):
                    raise Invalid(f"{place}/{name}: may not be null")
            else:
                self.value(member, value[name], f"{place}/{name}")
        unknown = [name for name in value if name not in {m["name"] for m in declared}]
        if unknown:
            raise Invalid(f"{place}/{unknown[0]}: is not declared")

    def value(self, facets: dict, value: Any, place: str) -> None:
        """Checks a value against a type expression and its facets."""
        expression = facets["type"]
        composite = COMPOSITE.match(expression)
        if composite:
            self._composite(composite.group(1), composite.group(2), facets, value, place)
        elif expression in self.protocol.types:
            self._named(expression, value, place)
        elif expression in Check.SCALARS:
            Check.SCALARS[expression](self, facets, value, place)
        else:
            raise Invalid(f"{place}: the protocol has no type {expression}")

    def _composite(self, kind: str, item: str, facets: dict, value: Any, place: str) -> None:
        inner = {**facets, "type": item}
        if kind == "array":
            self._expect(isinstance(value, list), "an array", value, place)
            for index, element in enumerate(value):
                self.value(inner, element, f"{place}/{index}")
        else:
            self._expect(isinstance(value, dict), "an object", value, place)
            for name, element in value.items():
                self.value(inner, element, f"{place}/{name}")

    def _named(self, name: str, value: Any, place: str) -> None:
        declared = self.protocol.types[name]
        self.met.add(name)
        if declared["kind"] == "enum":
            names = [item["name"] for item in declared["values"]]
            # An open enumeration may have gained values since.
            known = declared.get("open", False) or value in names
            self._expect(isinstance(value, str) and known,
                         f"one of {', '.join(names)}", value, place)
        else:
            self.members(declared["members"], value, place)

    @staticmethod
    def _expect(condition: bool, what: str, value: Any, place: str) -> None:
        if not condition:
            raise Invalid(f"{place}: expected {what}, found {_shown(value)}")

    def _bool(self, facets: dict, value: Any, place: str) -> None:
        self._expect(isinstance(value, bool), "true or false", value, place)

    def _int(self, facets: dict, value: Any, place: str) -> None:
        low = facets.get("minimum", -SAFE_INTEGER)
        high = facets.get("maximum", SAFE_INTEGER)
        good = isinstance(value, Number) and value.is_integer and low <= value.value <= high
        self._expect(good, f"an integer from {low} to {high}", value, place)

    def _number(self, facets: dict, value: Any, place: str) -> None:
        self._expect(isinstance(value, Number), "a number", value, place)

    def _string(self, facets: dict, value: Any, place: str) -> None:
        self._expect(isinstance(value, str), "text", value, place)
        low, high = facets.get("minLength", 0), facets.get("maxLength")
        self._expect(len(value) >= low, f"at least {low} scalars", value, place)
        self._expect(high is None or len(value) <= high, f"at most {high} scalars", value, place)

    def _id(self, facets: dict, value: Any, place: str) -> None:
        good = isinstance(value, str) and bool(UUID.match(value))
        self._expect(good, "a UUID in lower case", value, place)

    def _date(self, facets: dict, value: Any, place: str) -> None:
        self._expect(isinstance(value, str) and is_date(value), "a civil day", value, place)

    def _time(self, facets: dict, value: Any, place: str) -> None:
        good = isinstance(value, str) and is_time(value)
        self._expect(good, "a time of day, HH:MM", value, place)

    def _instant(self, facets: dict, value: Any, place: str) -> None:
        good = isinstance(value, str) and is_instant(value)
        self._expect(good, "an instant in UTC with milliseconds", value, place)

    def _duration(self, facets: dict, value: Any, place: str) -> None:
        self._int({"minimum": 0, **facets}, value, place)

    def _decimal(self, facets: dict, value: Any, place: str) -> None:
        match = DECIMAL.match(value) if isinstance(value, str) else None
        self._expect(match is not None, "a decimal as text", value, place)
        digits, scale = match.group(3) or "", facets.get("scale")
        self._expect(scale is None or len(digits) <= scale, f"at most {scale} fraction digits",
                     value, place)
        low, high = facets.get("minimum"), facets.get("maximum")
        self._expect(low is None or Decimal(value) >= Decimal(low), f"at least {low}", value, place)
        self._expect(high is None or Decimal(value) <= Decimal(high), f"at most {high}", value,
                     place)

    def _timezone(self, facets: dict, value: Any, place: str) -> None:
        good = isinstance(value, str) and bool(ZONE.match(value))
        self._expect(good, "an IANA zone name", value, place)

    def _token(self, facets: dict, value: Any, place: str) -> None:
        good = isinstance(value, str) or (isinstance(value, Number) and value.is_integer)
        self._expect(good, "text or an integer", value, place)

    def _json(self, facets: dict, value: Any, place: str) -> None:
        pass

    def _null(self, facets: dict, value: Any, place: str) -> None:
        self._expect(value is None, "null", value, place)

    SCALARS = {
        "bool": _bool, "int": _int, "number": _number, "string": _string, "id": _id,
        "date": _date, "time": _time, "instant": _instant, "duration": _duration, "decimal": _decimal,
        "timezone": _timezone, "token": _token, "json": _json, "null": _null,
    }


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
