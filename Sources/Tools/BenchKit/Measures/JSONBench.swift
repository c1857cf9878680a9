import DaybookProtocol
import Foundation

/// Decoding and encoding a thousand meals, next to Foundation.
enum JSONBench {
  static let group = Group(
    "json",
    [
      Measure(
        "JSON decode, 1,000 meals", .megabytesPerSecond, "0", beside: ("JSONDecoder", "5"), goal: .ratioAtLeast(8)),
      Measure(
        "JSON encode, 1,000 meals", .megabytesPerSecond, "1", beside: ("JSONEncoder", "6"), goal: .ratioAtLeast(10)),
      Measure("JSON decode, any values", .megabytesPerSecond, "2", beside: ("JSONSerialization", "7")),
      Measure("JSON encode, any values", .megabytesPerSecond, "3", beside: ("JSONSerialization", "8")),
      // Foundation has no equivalent of skipping; it is compared with decoding.
      Measure("JSON skip, checking all", .megabytesPerSecond, "4", beside: ("JSONDecoder", "5")),
    ]
  ) { bench throws(BenchError) in
    let text = SampleMeals.text()
    let works = try coding { try prepare(text, Data(text)) }
    return { figures throws(BenchError) in
      for (index, work) in works.enumerated() {
        figures.add("\(index)", try coding { try speed(work, bytes: text.count, bench.options) })
      }
    }
  }

  /// Reports errors of a coder as defects.
  private static func coding<Value>(_ body: () throws -> Value) throws(BenchError) -> Value {
    do { return try body() } catch let error as BenchError { throw error } catch {
      throw .wrong("a coder failed: \(error)")
    }
  }

  /// Our operations in the order of the measures, then Foundation's; verifies the results of all.
  private static func prepare(_ text: [UInt8], _ data: Data) throws -> [() throws -> Void] {
    let meals = try decode(text)
    let tree = try JSONValue(json: text)
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let others = try decoder.decode([FoundationMeal].self, from: data)
    let object = try JSONSerialization.jsonObject(with: data)
    try Bench.expect(meals.json == text, "a thousand meals do not come back byte for byte")
    try Bench.expect(tree.json == text, "a tree of values does not come back byte for byte")
    try Bench.expect(
      meals.count == others.count
        && zip(meals, others).allSatisfy {
          $0.name == $1.name && $0.note == $1.note && "\($0.id)" == $1.id.uuidString.lowercased()
            && "\($0.updatedAt)" == $1.updatedAt && $0.protein.map { "\($0)" } == $1.protein
        }, "we do not read what Foundation reads")
    return [
      { keep(try decode(text).count) },
      {
        var writer = JSONWriter()
        meals.encode(to: &writer)
        keep(writer.count)
      },
      { keep(try JSONValue(json: text)) },
      {
        var writer = JSONWriter()
        tree.encode(to: &writer)
        keep(writer.count)
      },
      {
        try text.withUnsafeBytes { bytes in
          var reader = JSONReader(bytes)
          try reader.skipValue()
          try reader.finish()
        }
      },
      { keep(try decoder.decode([FoundationMeal].self, from: data).count) },
      { keep(try encoder.encode(others).count) },
      { keep(try JSONSerialization.jsonObject(with: data)) },
      { keep(try JSONSerialization.data(withJSONObject: object, options: .withoutEscapingSlashes).count) },
    ]
  }

  private static func decode(_ text: [UInt8]) throws(JSONError) -> [Meal] {
    try JSONReader.read(text) { reader throws(JSONError) in try reader.array(of: Meal.self) }
  }

  /// Keeps the compiler from removing the work.
  @inline(never)
  private static func keep<Value>(_ value: Value) {}

  /// The speed in megabytes per second, by the median time.
  private static func speed(_ work: () throws -> Void, bytes: Int, _ options: Options) throws -> Double {
    let end = Clocks.now() + UInt64(options.milliseconds) * 1_000_000
    var times: [Double] = []
    try work()
    repeat {
      let start = Clocks.ownCPU()
      try work()
      times.append(Double(Clocks.ownCPU() - start))
    } while Clocks.now() < end
    return Double(bytes) * 1e3 / Figures.quantile(times, 0.5)
  }
}
