import DaybookServer
import FileStoreTesting
import JSON
import Pacing
import Platform
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of imports", .simulated)
struct TableHistoryTests {
  @Test(
    "After any imports, edits, logging by hand and undoing, the same table again adds nothing, and undoing restores all",
    arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard let service = InProcessService(folder: data) else { return ["no pipes"] }
      var run = TableHistoryRun(service, seed: UInt64(seed))
      run.run(steps: Histories.steps(40))
      service.close()
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }

  @Test("A table in UTF-16 or Windows-1252 is read from a file; malformed UTF-8 is refused with its place")
  func files() async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let text = "Date,Meal,Calories\n2026-01-04,Déjeuner,700\n"
    let path = folder.path + "/table.csv"
    await onThread {
      guard let service = InProcessService(folder: data) else { return }
      func preview(_ bytes: [UInt8], _ more: String = "") -> JSONValue {
        #expect(Files.replace(path, with: bytes))
        return service.call("nutrition/previewImport", "{\"path\":\"\(path)\"\(more)}")
      }
      func name(_ response: JSONValue) -> String? {
        response["result"]?["first"]?.array.first?["meal"]?["name"]?.string
      }
      let units = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      let wide = preview([0xFF, 0xFE] + units)
      #expect(name(wide) == "Déjeuner" && wide["result"]?["encoding"]?.string == "utf16LittleEndian")
      let latin = Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      let refused = preview(latin)
      #expect(refused.errorName == "tableUnreadable" && refused["error"]?["data"]?["line"]?.integer == 2)
      #expect(name(preview(latin, ",\"encoding\":\"windows1252\"")) == "Déjeuner")
      let written = service.call("nutrition/import", "{\"path\":\"\(path)\",\"encoding\":\"windows1252\"}")
      #expect(written["result"]?["added"]?.integer == 1, "\(written)")
      let csv = folder.path + "/out.csv"
      let exported = service.call("nutrition/export", "{\"what\":\"meals\",\"path\":\"\(csv)\"}")
      #expect(exported["result"]?["rows"]?.integer == 1 && exported["result"]?["text"]?.string == "")
      #expect(Files.contents(of: csv, limit: 1 << 20)?.count == exported["result"]?["bytes"]?.integer)
      #expect(service.call("nutrition/export", "{\"what\":\"meals\",\"path\":\"\(csv)\"}").errorName == "fileExists")
      let again = service.call("nutrition/previewImport", "{\"path\":\"\(csv)\"}")
      #expect(again["result"]?["present"]?.integer == 1 && again["result"]?["format"]?.string == "daybook")
      service.close()
    }
  }
}

/// A random history of imports of growing tables, with edits and manual meals in between.
struct TableHistoryRun {
  private let service: InProcessService
  private var random: SeededGenerator
  private var rows: [String] = []
  private(set) var mismatches: [String] = []

  init(_ service: InProcessService, seed: UInt64) {
    self.service = service
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps where mismatches.isEmpty {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3: grow()
      case 3..<5: importAndUndo()
      case 5: edit()
      case 6: logByHand()
      default: importAgain()
      }
    }
  }

  private func call(_ method: String, _ params: String) -> JSONValue { service.call(method, params) }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  /// A meal that often repeats: few days, names and amounts.
  private mutating func meal() -> (day: Int, name: String, calories: Int) {
    (
      Int.random(in: 1...4, using: &random), ["Oats", "Soup", "=Tea"].randomElement(using: &random) ?? "Oats",
      [100, 200].randomElement(using: &random) ?? 100
    )
  }

  private mutating func grow() {
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let meal = meal()
      rows.append("2025-12-0\(meal.day),Breakfast,\(meal.name),\(meal.calories)")
    }
  }

  private var params: String {
    let text = (["Day,Group,Food Name,Energy (kcal)"] + rows).joined(separator: "\\n")
    return "{\"text\":\"\(text)\"}"
  }

  /// The whole store as text.
  private var present: String { call("nutrition/export", #"{"what":"meals"}"#)["result"]?["text"]?.string ?? "?" }

  private mutating func importAgain() {
    guard !rows.isEmpty else { return }
    let preview = call("nutrition/previewImport", params)["result"]
    let first = call("nutrition/import", params)["result"]
    for name in ["present", "different"] {
      expect(preview?[name]?.integer == first?[name]?.integer, "\(name): \(preview?.text ?? "") \(first?.text ?? "")")
    }
    expect(preview?["new"]?.integer == first?["added"]?.integer, "new: \(preview?.text ?? "") \(first?.text ?? "")")
    let before = present
    let second = call("nutrition/import", params)["result"]
    expect(second?["added"]?.integer == 0 && second?["changed"]?.boolean == false, second?.text ?? "")
    let after = present
    expect(after == before, "something was added")
  }

  private mutating func importAndUndo() {
    guard !rows.isEmpty else { return }
    let before = present
    let response = call("nutrition/import", params)["result"]
    let after = present
    guard response?["changed"]?.boolean == true else { return expect(after == before, "it changed something") }
    let undone = call("changes/undo", "{}")
    expect(undone["result"]?["method"]?.string == "nutrition/import", undone.text)
    let restored = present
    expect(restored == before, "undoing does not restore: \(before) \(restored)")
    importAgain()
  }

  private mutating func edit() {
    guard let meal = call("meals/list", "{}")["result"]?["meals"]?.array.randomElement(using: &random),
      let id = meal["id"]?.string
    else { return }
    let calories = Int.random(in: 300...900, using: &random)
    let response = call("meals/update", "{\"id\":\"\(id)\",\"calories\":\(calories)}")
    expect(response["result"] != nil, response.text)
    importAgain()
  }

  private mutating func logByHand() {
    let meal = meal()
    let params =
      "{\"day\":\"2025-12-0\(meal.day)\",\"name\":\"\(meal.name)\",\"calories\":\(meal.calories),\"mealType\":\"breakfast\"}"
    let response = call("meals/add", params)
    expect(response["result"] != nil, response.text)
  }
}
