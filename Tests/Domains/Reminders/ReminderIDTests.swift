import DaybookProtocol
import Testing

@testable import Reminders

struct ReminderIDTests {
  @Test(
    "The text of an id has source, item, occurrence, time and lead",
    arguments: [
      ("2026-05-10", "09:00", 0, "meals:lunch:2026-05-10:0900"),
      ("2026-05-10", "00:05", 3, "meals:lunch:2026-05-10:0005-3d"),
      ("2026-05-10", "23:59", -1, "meals:lunch:2026-05-10:2359+1d"),
    ])
  func text(_ day: String, _ time: String, _ lead: Int, _ text: String) throws {
    let id = try Sample.id("lunch", day, time, lead: lead)
    #expect(id.description == text)
    #expect(try ReminderID(text) == id)
    #expect(id.fireDay == id.day.advanced(by: -lead))
  }

  @Test(
    "Any other text is refused",
    arguments: [
      "", "meals", "meals:lunch:2026-05-10", "meals:lunch:2026-05-10:900", "meals:lunch:2026-05-10:2400",
      "meals:lunch:2026-05-10:0960", "meals:lunch:2026-02-30:0900", "meals::2026-05-10:0900", ":lunch:2026-05-10:0900",
      "meals:lunch:2026-05-10:0900-03d", "meals:lunch:2026-05-10:0900-0d", "meals:lunch:2026-05-10:0900-3",
      "meals:lunch:2026-05-10:0900-367d", "meals:lunch:2026-05-10:+900", "meals:lu nch:2026-05-10:0900",
      "meals:lunch:2026-05-10:0900:", "meals:lünch:2026-05-10:0900", "meals:lunch:1899-12-31:0900",
    ])
  func refused(_ text: String) {
    #expect(throws: ReminderError.self) { try ReminderID(text) }
  }

  @Test("Invalid names and numbers are refused with a code")
  func invalid() throws {
    let day = try Sample.day("2026-05-10")
    func code(_ item: String, _ minute: Int, _ lead: Int) -> ReminderError.Code? {
      do {
        _ = try ReminderID(source: .meals, item: item, day: day, minute: minute, leadDays: lead)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("a:b", 0, 0) == .invalidName)
    #expect(code(String(repeating: "a", count: 121), 0, 0) == .invalidName)
    #expect(code("a", 1440, 0) == .outOfRange)
    #expect(code("a", -1, 0) == .outOfRange)
    #expect(code("a", 0, 367) == .outOfRange)
    #expect(code("a", 0, .min) == .outOfRange)
  }

  @Test("Ids sort like their texts")
  func order() throws {
    let items = ["a", "a-b", "a.b", "ab", "a0", "A", "b", "a_b"]
    var ids: [ReminderID] = []
    for item in items {
      for (day, time) in [("2026-05-10", "09:00"), ("2026-05-10", "10:00"), ("2026-05-11", "00:00")] {
        for (lead, source) in [(0, ReminderSource.meals), (3, .meals), (21, .meals), (-3, .meals), (0, .habits)] {
          ids.append(try Sample.id(item, day, time, lead: lead, source: source))
        }
      }
    }
    #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
  }
}
