import Foundation
import JSON
import ProcessTesting
import Spawning
import Testing

/// Numbered meals that can be identified and verified.
enum Meals {
  static func id(_ number: Int) -> String {
    "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
  }

  static func name(_ number: Int) -> String { "Meal “\(number)” 🍲" }

  static func calories(_ number: Int) -> Int { number * 7 % 20_000 }

  /// The params for adding a meal, with a note of any size.
  static func params(_ number: Int, note: Int = 20, day: String = "2026-01-05") -> String {
    let name = name(number).replacingOccurrences(of: "\"", with: "\\\"")
    let text = String(repeating: "n", count: note)
    return
      #"{"id":"\#(id(number))","day":"\#(day)","name":"\#(name)","calories":\#(calories(number)),"note":"\#(text)"}"#
  }

  /// Meals over ten years in the export format, separated by commas.
  static func lines(_ numbers: Range<Int>) -> String {
    numbers.map { number in
      let id = "00000000-0000-4000-8000-\(String(format: "%012x", number))"
      let day = String(format: "%04d-%02d-%02d", 2015 + number % 10, 1 + number % 12, 1 + number % 28)
      let instant = "2026-01-05T12:00:00.000Z"
      return """
        {"collection":"meals","id":"\(id)","day":"\(day)","created":"\(instant)","updated":"\(instant)","schema":2,\
        "body":{"id":"\(id)","day":"\(day)","zone":"UTC","name":"Soup \(number % 500)","calories":100,"mealType":"meal",\
        "createdAt":"\(instant)","updatedAt":"\(instant)"}}
        """
    }.joined(separator: ",")
  }

  /// The numbers of the meals in a folder, each of which must be present once and complete. Read by a separate process,
  /// which must find no damage except a torn tail.
  static func stored(in folder: String, note: Int = 20) async throws -> Set<Int> {
    let list = try await Program.run(["call", "meals/list", #"{"limit":10000}"#, "--data", folder])
    try #require(list.status == .exited(0), "\(list.error)")
    for line in list.error.split(separator: "\n") where !line.contains("tornTail") && !line.contains("healedTear") {
      Issue.record("the store is not clean: \(line)")
    }
    let meals = try JSONValue(json: Array(list.output.utf8))["meals"]?.array ?? []
    var numbers: Set<Int> = []
    for meal in meals {
      let number = try #require(meal["id"]?.string.flatMap { Int($0.suffix(12)) })
      #expect(numbers.insert(number).inserted, "meal \(number) is there twice")
      #expect(meal["name"]?.string == name(number))
      #expect(meal["calories"]?.integer == calories(number))
      #expect(meal["note"]?.string?.count == note)
    }
    return numbers
  }

  /// The numbers of the meals that these messages acknowledge.
  static func acknowledged(_ messages: [JSONValue]) -> Set<Int> {
    Set(messages.compactMap { $0["result"]?["meal"]?["id"]?.string.flatMap { Int($0.suffix(12)) } })
  }
}
