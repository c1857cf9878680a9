"""The protocol from its folder: types, methods, errors, and checks of values against them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from forms import Form, Forms, Invalid
from plain_requests import expanded

# Errors of the connection itself, which any request may be answered with.
CONNECTION_ERRORS = frozenset({
    "parseError", "invalidRequest", "methodNotFound", "invalidParams", "internalError",
    "overloaded", "messageTooLarge", "requestCancelled",
})


class Protocol:
    """Everything that `Protocol/` declares."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.types: Dict[str, dict] = {}
        self.requests: Dict[str, dict] = {}
        self.notifications: Dict[str, dict] = {}
        self.errors: Dict[str, dict] = {}
        self.builds: Dict[str, str] = {}
        self.files: Dict[str, str] = {}
        self.debug_only: Set[str] = set()
        # Requests and notifications as `rpc.discover` lists them: by domain, requests first.
        self.methods: List[str] = []
        self.forms = Forms(self.types)
        main = _load(folder / "protocol.json")
        measures: List[str] = []
        for name in main["domains"]:
            domain = expanded(_load(folder / "domains" / f"{name}.json"))
            measures += [measure["name"] for measure in domain.get("measures", [])]
            for kind, table, key in (("types", self.types, "name"),
                                     ("requests", self.requests, "method"),
                                     ("notifications", self.notifications, "method"),
                                     ("errors", self.errors, "name")):
                for item in domain.get(kind, []):
                    if item[key] in table:
                        raise ValueError(f"{name}: {item[key]} is declared twice")
                    table[item[key]] = item
                    if key == "method":
                        self.methods.append(item[key])
                    if kind == "requests":
                        self.builds[item[key]] = domain.get("build", "any")
                        self.files[item[key]] = f"domains/{name}.json"
                    if domain.get("build") == "debug":
                        self.debug_only.add(item[key])
        collections = [item["collection"]["name"] for item in self.types.values() if "collection" in item]
        for item in self.types.values():
            derived = (collections if item.get("collections") else []) + (measures if item.get("measures") else [])
            if derived:
                item["values"] = [{"name": name} for name in derived] + item["values"]
        self.requirements: List[str] = []
        requirements = folder / "requirements.json"
        if requirements.exists():
            for requirement in _load(requirements)["requirements"]:
                if requirement["id"] in self.requirements:
                    raise ValueError(f"requirements: {requirement['id']} is declared twice")
                self.requirements.append(requirement["id"])

    def methods_of(self, build: str) -> List[str]:
        return [name for name in self.methods if build == "debug" or name not in self.debug_only]

    def knows_type(self, expression: str) -> bool:
        """Whether the text names a type: a scalar, a declared one, or a composite of such."""
        try:
            self.forms.of({"type": expression})
        except Invalid:
            return False
        return True

    def errors_of(self, method: Optional[str]) -> Set[str]:
        """Names of the errors that a request of this method may be answered with."""
        request = self.requests.get(method or "")
        if request is None:
            return set(CONNECTION_ERRORS) | {"serverNotInitialized"}
        locked = set() if self.is_served_while_locked(request) else {"locked"}
        return set(CONNECTION_ERRORS) | set(request["errors"]) | locked

    @staticmethod
    def is_served_while_locked(request: dict) -> bool:
        """Whether the request is served while the app is locked: it is marked, or touches no data."""
        return request.get("whileLocked", False) or not request["scope"]


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
        self._check(self.protocol.forms.of_members(declared), value, place)

    def value(self, facets: dict, value: Any, place: str) -> None:
        """Checks a value against a type expression and its facets."""
        self._check(self.protocol.forms.of(facets), value, place)

    def _check(self, form: Form, value: Any, place: str) -> None:
        try:
            form(value, self.met)
        except Invalid as error:
            raise Invalid(error.reason, [place] + error.place) from None


def _load(path: Path) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)
