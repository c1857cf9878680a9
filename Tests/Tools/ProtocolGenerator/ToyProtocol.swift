import Foundation

/// A protocol with one small domain that has one of everything.
enum ToyProtocol {
  static let root = """
    {
      "name": "toybox", "title": "Toybox", "doc": "What toys there are.", "protocolVersion": 2,
      "domains": ["toy"],
      "errorRanges": [{"from": -32768, "to": -32000, "doc": "JSON-RPC"}, {"from": 1000, "to": 1099, "doc": "toys | games"}],
      "capabilities": [
        {"name": "toys", "side": "server", "doc": "The `toys/*` methods"},
        {"name": "sounds", "side": "client", "doc": "The client makes noises"}
      ]
    }
    """

  static let domain = """
    {
      "domain": "toy", "title": "Toy", "doc": "Things to play with.", "since": 1,
      "types": [
        {"name": "Toy", "kind": "struct", "stored": true, "doc": "A toy.", "members": [
          {"name": "id", "type": "id", "doc": "Its identity."},
          {"name": "name", "type": "string", "minLength": 1, "maxLength": 20, "trim": true, "doc": "What it is called."},
          {"name": "colour", "type": "Colour", "optional": true, "nullable": true, "doc": "Its colour."},
          {"name": "price", "type": "decimal", "minimum": "0", "maximum": "1000", "scale": 2, "nullable": true, "doc": "What it cost."},
          {"name": "age", "type": "int", "minimum": 0, "maximum": 18, "optional": true, "doc": "From what age."},
          {"name": "default", "type": "bool", "optional": true, "doc": "Whether one gets it without asking."}
        ]},
        {"name": "Colour", "kind": "enum", "doc": "A colour.", "values": [
          {"name": "red", "doc": "As fire."}, {"name": "blue", "doc": "As the sea."}
        ]},
        {"name": "Mood", "kind": "enum", "open": true, "doc": "How a toy feels.", "values": [{"name": "glad", "doc": "Well."}]},
        {"name": "Box", "kind": "struct", "lenient": true, "doc": "A box.", "members": [
          {"name": "toys", "type": "array<Toy>", "fragment": true, "doc": "What is in it."},
          {"name": "labels", "type": "map<string>", "optional": true, "doc": "What stands on it."},
          {"name": "packed", "type": "instant", "doc": "Since when."},
          {"name": "extra", "type": "json", "optional": true, "doc": "Anything."}
        ]},
        {"name": "Shelf", "kind": "struct", "stored": true, "collection": {"name": "shelves", "noun": "shelf", "plural": "shelves", "member": "shelf",
          "merge": "byPart", "parts": {"boards": "id", "dustings": "day"}, "syncPriority": 4}, "doc": "Where toys stand.", "members": [
          {"name": "id", "type": "id", "doc": "Its identity."},
          {"name": "boards", "type": "array<Board>", "doc": "From the top."},
          {"name": "dustings", "type": "array<Dusting>", "optional": true, "doc": "When it was dusted, ascending."},
          {"name": "corner", "type": "string", "optional": true, "local": true, "doc": "Where it stands."},
          {"name": "createdAt", "type": "instant", "doc": "When it was put up."},
          {"name": "updatedAt", "type": "instant", "doc": "When it last changed."}
        ]},
        {"name": "Board", "kind": "struct", "doc": "A board.", "members": [
          {"name": "id", "type": "id", "doc": "Its identity."}, {"name": "width", "type": "number", "doc": "Metres."}
        ]},
        {"name": "Dusting", "kind": "struct", "doc": "Less dust.", "members": [{"name": "day", "type": "date", "doc": "When."}]},
        {"name": "Nursery", "kind": "struct", "stored": true, "collection": {"name": "nursery", "noun": "nursery", "plural": "nurseries", "member": "nursery",
          "single": "00000000-0000-0000-0000-00000000000a", "merge": "byMember", "defaults": {"quiet": true, "light": null}}, "doc": "The room.", "members": [
          {"name": "quiet", "type": "bool", "doc": "Whether a child sleeps."},
          {"name": "light", "type": "Colour", "nullable": true, "doc": "The colour of the lamp; null: off."}
        ]},
        {"name": "Diary", "kind": "struct", "stored": true, "collection": {"name": "diaries", "noun": "diary", "plural": "diaries", "member": "diary",
          "merge": "never"}, "doc": "For one pair of eyes.", "members": [{"name": "id", "type": "id", "doc": "Its identity."}]}
      ],
      "requests": [
        {"method": "toys/add", "direction": "clientToServer", "effect": "write", "scope": ["toys"], "requires": "toys", "planned": true,
          "doc": "Adds a toy.",
          "params": [
            {"name": "toy", "type": "Toy", "doc": "The toy."},
            {"name": "day", "type": "date", "optional": true, "doc": "The day."},
            {"name": "at", "type": "time", "optional": true, "doc": "The time of day."},
            {"name": "zone", "type": "timezone", "optional": true, "doc": "The zone."}
          ],
          "result": {"members": [{"name": "box", "type": "Box", "doc": "Where it is now."}]},
          "errors": ["boxFull"],
          "examples": [{"name": "A full box", "params": {}, "error": {"name": "boxFull"}}]},
        {"method": "toys/count", "room": "Attic", "direction": "clientToServer", "effect": "read", "heavy": true, "cancellable": true,
          "progress": true, "partialItem": "int", "doc": "Counts the toys, which takes its time.", "params": [],
          "result": "int", "errors": [], "examples": [{"name": "None", "params": {}, "result": 0}]},
        {"method": "toys/sing", "direction": "serverToClient", "effect": "session", "requires": "sounds",
          "timeoutMs": 2000, "doc": "Asks the client to sing.", "params": [{"name": "lengthMs", "type": "duration", "doc": "How long."}],
          "result": "null", "errors": [], "examples": [{"name": "A song", "params": {"lengthMs": 1000}, "result": null}]},
        {"method": "toys/lend", "room": "Attic", "direction": "clientToServer", "effect": "write", "scope": ["toys"], "whileLocked": true,
          "sensitive": true, "feature": "lending", "doc": "Lends a toy.",
          "params": [{"name": "to", "type": "string", "doc": "Whom."}], "result": "null", "errors": ["premiumRequired"],
          "examples": [{"name": "A free user", "params": {"to": "Ada"}, "error": {"name": "premiumRequired"}}]}
      ],
      "notifications": [
        {"method": "toyBroke", "direction": "serverToClient", "delivery": "event", "doc": "A toy broke.",
          "params": [{"name": "id", "type": "id", "doc": "Which."}, {"name": "mood", "type": "Mood", "doc": "How it took it."}]},
        {"method": "$/shake", "direction": "clientToServer", "doc": "Shakes the box.",
          "params": [{"name": "token", "type": "token", "doc": "Chosen by the client."}, {"name": "force", "type": "number", "doc": "How hard."}]},
        {"method": "boxOpened", "direction": "serverToClient", "delivery": "startup", "doc": "The box is open.", "params": []}
      ],
      "errors": [{"name": "boxFull", "code": 1000, "retry": "afterFix", "when": "The box is full."}, {"name": "premiumRequired", "code": 1001, "retry": "afterFix", "when": "Toys are lent to those who paid."}]
    }
    """

  static let products = #"{"products": [{"id": "toybox.lending", "price": "0.99"}]}"#

  /// The files of the protocol, after replacing some text of the domain, or of `protocol.json`.
  static func files(_ old: String = "", _ new: String = "", inRoot: Bool = false) -> [String: [UInt8]] {
    func changed(_ text: String, _ isMeant: Bool) -> [UInt8] {
      guard isMeant, !old.isEmpty, let range = text.range(of: old) else { return Array(text.utf8) }
      return Array(text.replacingCharacters(in: range, with: new).utf8)
    }
    return [
      "protocol.json": changed(root, inRoot), "domains/toy.json": changed(domain, !inRoot),
      "products.json": Array(products.utf8),
    ]
  }
}
