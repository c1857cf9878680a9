import Foundation

/// The sample data for JSON measures.
enum SampleMeals {
  static let count = 1000

  /// A thousand meals as the service writes them, about 260 KB; every tenth has a non-ASCII note.
  static func text() -> [UInt8] {
    let kinds = ["breakfast", "lunch", "dinner", "snack", "meal"]
    let meals = (0..<count).map { number in
      let id = String(format: "%08x-0000-4000-8000-%012x", UInt32(truncatingIfNeeded: number &* 2_654_435_761), number)
      let day = String(format: "2026-%02d-%02d", 1 + number / 84, 1 + number % 28)
      let time = String(format: "%02d:%02d:%02d.%03dZ", 6 + number % 16, number % 60, number * 7 % 60, number)
      let note = number % 10 == 0 ? "\"note\":\"with blueberries – très \\\"bon\\\"\"," : ""
      return """
        {"id":"\(id)","day":"\(day)","zone":"Europe/Berlin","name":"Oat bowl \(number)","calories":\(200 + number % 700),\
        "mealType":"\(kinds[number % 5])","protein":"\(5 + number % 40).\(10 + number % 90)","carbs":"\(number % 90).5",\
        "fat":"\(number % 30)",\(note)"createdAt":"\(day)T\(time)","updatedAt":"\(day)T\(time)"}
        """
    }
    return Array("[\(meals.joined(separator: ","))]".utf8)
  }
}

/// The record for Foundation's coders. It has less work than ours: days, instants, decimals and zones stay strings.
struct FoundationMeal: Codable, Equatable {
  enum Kind: String, Codable { case breakfast, lunch, dinner, snack, meal }

  var id: UUID
  var day: String
  var zone: String
  var name: String
  var calories: Int
  var mealType: Kind
  var protein: String?
  var carbs: String?
  var fat: String?
  var note: String?
  var createdAt: String
  var updatedAt: String
}
