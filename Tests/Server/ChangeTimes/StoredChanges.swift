import CivilTime
import Foundation
import JSON
import ProcessTesting

/// The changes in the journal of a data folder, checked for their times.
struct StoredChanges {
  /// The methods that have stored something.
  private(set) var methods: Set<String> = []
  /// The changes that break a rule.
  private(set) var violations: [String] = []
  /// The number of versions that replace another.
  private(set) var replacements = 0

  /// Reads all journals of a data folder.
  mutating func read(_ folder: String, of name: String) throws {
    let journals = URL(fileURLWithPath: folder + "/journal")
    for file in try FileManager.default.contentsOfDirectory(atPath: journals.path).sorted() {
      for line in try Data(contentsOf: journals.appendingPathComponent(file)).split(separator: 10) {
        guard let change = try? JSONValue(json: Array(line)) else { continue }
        let method = change["why"]?.string ?? ""
        methods.insert(method)
        let puts = change["do"]?.array ?? []
        for put in puts {
          guard let collection = put["put"]?.string else { continue }
          // What sync keeps account of has no versions.
          if collection.hasPrefix("sync-") { continue }
          // The modules of a running session lie beside it.
          let isWithModules = puts.contains { $0["put"]?.string == "running-modules" && $0["id"] == put["id"] }
          for flaw in check(put, mayBeEqual: collection == "runningSessions" && isWithModules) {
            violations.append("\(name): \(method) puts \(collection): \(flaw)")
          }
        }
      }
    }
  }

  private mutating func check(_ put: JSONValue, mayBeEqual: Bool) -> [String] {
    guard let updated = put["updated"]?.string.flatMap(Instant.init), let body = put["body"] else {
      return ["it cannot be read"]
    }
    var flaws: [String] = []
    let was = put["was"]
    if let was {
      replacements += 1
      if was["updated"]?.string.flatMap(Instant.init).map({ $0 < updated }) != true {
        flaws.append("\(updated) is not after \(was["updated"]?.text ?? "")")
      }
      if !mayBeEqual, Self.content(body) == was["body"].map(Self.content), put["day"] == was["day"] {
        flaws.append("nothing changed")
      }
    }
    if let own = body["updatedAt"], own.string.flatMap(Instant.init) != updated {
      flaws.append("its body says \(own.text), not \(updated)")
    }
    guard case .object(let object) = body else { return flaws }
    for member in object.members {
      flaws += Self.checkParts(member.value, since: was?["body"]?[member.name], at: updated)
    }
    return flaws
  }

  /// Parts with times of their own: a new or changed one has the time of the change, another keeps the one it had.
  private static func checkParts(_ parts: JSONValue, since old: JSONValue?, at updated: Instant) -> [String] {
    var flaws: [String] = []
    let ids = { (value: JSONValue?) in (value?.array ?? []).map { $0["id"]?.text } }
    for part in parts.array {
      guard let id = part["id"], let time = part["updatedAt"]?.string.flatMap(Instant.init) else { continue }
      let before = old?.array.first { $0["id"] == id }
      if before.map(Self.content) != Self.content(part) {
        if time != updated { flaws.append("the part \(id.text) changed at \(updated) and says \(time)") }
      } else if time != updated || ids(old) == ids(parts), part["updatedAt"] != before?["updatedAt"] {
        flaws.append("the part \(id.text) did not change and says \(time)")
      }
    }
    return flaws
  }

  /// What a body says besides its time.
  private static func content(_ body: JSONValue) -> JSONValue {
    guard case .object(var object) = body else { return body }
    object["updatedAt"] = nil
    return .object(object)
  }
}
