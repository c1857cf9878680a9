"""The schema of the domain files, by a reader of as much of JSON Schema as it uses."""

from __future__ import annotations

import json
import re
import unittest
from typing import Any, Iterator

from support import PROTOCOL, TOY

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float),
         "null": type(None)}
# What says nothing about a value.
SAYINGS = {"$schema", "$id", "$defs", "title", "description", "examples", "default"}


class Validator:
    """Tells what is wrong with a value; refuses a schema with a keyword that it does not know."""

    def __init__(self, schema: dict) -> None:
        self.schema = schema

    def errors(self, value: Any) -> Iterator[str]:
        """Every mistake in a value, with its place."""
        yield from self._check(self.schema, value, "")

    def is_valid(self, value: Any) -> bool:
        """Whether there is no mistake in a value."""
        return not any(self.errors(value))

    def _fits(self, schema: Any, value: Any) -> bool:
        return not any(self._check(schema, value, ""))

    def _check(self, schema: Any, value: Any, place: str) -> Iterator[str]:
        if isinstance(schema, bool):
            if not schema:
                yield f"{place}: may not be there"
            return
        for keyword, wanted in schema.items():
            if keyword in SAYINGS or keyword in ("then", "else", "properties", "additionalProperties"):
                continue
            check = getattr(self, "_" + keyword.lstrip("$"), None)
            if check is None:
                raise ValueError(f"the schema has the keyword {keyword}, which no test reads")
            yield from check(wanted, value, place, schema)
        if isinstance(value, dict):
            yield from self._members(schema, value, place)

    def _members(self, schema: dict, value: dict, place: str) -> Iterator[str]:
        known = schema.get("properties", {})
        for name, item in value.items():
            rule = known.get(name, schema.get("additionalProperties", True))
            yield from self._check(rule, item, f"{place}/{name}")

    def _ref(self, wanted: str, value: Any, place: str, _: dict) -> Iterator[str]:
        target: Any = self.schema
        for part in wanted.split("/")[1:]:
            target = target[part]
        yield from self._check(target, value, place)

    @staticmethod
    def _told(is_good: bool, wanted: Any, place: str) -> Iterator[str]:
        if not is_good:
            yield f"{place}: expected {wanted}"

    def _type(self, wanted, value, place, _):
        kinds = wanted if isinstance(wanted, list) else [wanted]
        good = any(isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
                   for kind in kinds)
        return self._told(good, wanted, place)

    def _enum(self, wanted, value, place, _):
        return self._told(value in wanted, wanted, place)

    def _const(self, wanted, value, place, _):
        return self._told(value == wanted and isinstance(value, bool) == isinstance(wanted, bool), wanted, place)

    def _required(self, wanted, value, place, _):
        return self._told(not isinstance(value, dict) or set(wanted) <= value.keys(), wanted, place)

    def _items(self, wanted, value, place, _):
        for index, item in enumerate(value if isinstance(value, list) else []):
            yield from self._check(wanted, item, f"{place}/{index}")

    def _minItems(self, wanted, value, place, _):
        return self._told(not isinstance(value, list) or len(value) >= wanted, wanted, place)

    def _maxItems(self, wanted, value, place, _):
        return self._told(not isinstance(value, list) or len(value) <= wanted, wanted, place)

    def _uniqueItems(self, wanted, value, place, _):
        texts = [json.dumps(item, sort_keys=True) for item in value] if isinstance(value, list) else []
        return self._told(len(set(texts)) == len(texts), "no item twice", place)

    def _contains(self, wanted, value, place, _):
        good = not isinstance(value, list) or any(self._fits(wanted, item) for item in value)
        return self._told(good, wanted, place)

    def _minLength(self, wanted, value, place, _):
        return self._told(not isinstance(value, str) or len(value) >= wanted, wanted, place)

    def _pattern(self, wanted, value, place, _):
        return self._told(not isinstance(value, str) or re.search(wanted, value), wanted, place)

    def _minimum(self, wanted, value, place, _):
        return self._told(not isinstance(value, (int, float)) or value >= wanted, wanted, place)

    def _maximum(self, wanted, value, place, _):
        return self._told(not isinstance(value, (int, float)) or value <= wanted, wanted, place)

    def _allOf(self, wanted, value, place, _):
        for schema in wanted:
            yield from self._check(schema, value, place)

    def _anyOf(self, wanted, value, place, _):
        return self._told(any(self._fits(schema, value) for schema in wanted), "any of several", place)

    def _oneOf(self, wanted, value, place, _):
        return self._told(sum(self._fits(schema, value) for schema in wanted) == 1, "one of several", place)

    def _not(self, wanted, value, place, _):
        return self._told(not self._fits(wanted, value), f"other than {wanted}", place)

    def _if(self, wanted, value, place, schema):
        branch = schema.get("then" if self._fits(wanted, value) else "else", True)
        return self._check(branch, value, place)


class TheMetaSchema(unittest.TestCase):
    def setUp(self):
        self.validator = Validator(json.loads((PROTOCOL / "meta.schema.json").read_text(encoding="utf-8")))

    def test_every_domain_file_is_valid(self):
        for path in sorted((PROTOCOL / "domains").glob("*.json")) + [TOY / "domains" / "toy.json"]:
            with self.subTest(path.name):
                domain = json.loads(path.read_text(encoding="utf-8"))
                self.assertEqual(list(self.validator.errors(domain)), [])

    def test_the_vocabulary_is_closed(self):
        path = PROTOCOL / "domains" / "reminders.json"

        def full(domain):
            return next(r for r in domain["requests"] if "plain" not in r and r["params"])

        def first(domain, kind):
            return next(t for t in domain["types"] if t["kind"] == kind)

        for change in (
            lambda d: full(d).update(efect="write"),
            lambda d: full(d).update(effect="writes"),
            lambda d: full(d)["params"][0].update(type="uuid4 "),
            lambda d: full(d)["params"][0].update(maximun=3),
            lambda d: full(d).pop("errors"),
            lambda d: first(d, "enum").pop("open"),
            lambda d: first(d, "struct").update(kind="record"),
            lambda d: first(d, "struct")["members"][0].pop("doc"),
            lambda d: d["notifications"][0].update(delivery="often"),
            lambda d: full(d)["examples"][0].pop("result"),
            lambda d: d.update(title=3),
        ):
            domain = json.loads(path.read_text(encoding="utf-8"))
            change(domain)
            with self.subTest():
                self.assertFalse(self.validator.is_valid(domain))


if __name__ == "__main__":
    unittest.main()
