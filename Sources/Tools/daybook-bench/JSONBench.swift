import DaybookProtocol
import Foundation
import JSON

/// Reading and writing a thousand meals as JSON, beside Foundation.
enum JSONBench {
  static let measures = [
    "JSON decode, 1,000 meals", "JSON encode, 1,000 meals", "JSON decode, any values", "JSON encode, any values",
    "JSON skip, checking all",
  ]

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let text = SampleMeals.text()
    let data = Data(text)
    let works: [() throws -> Void]
    do { works = try prepare(text, data) } catch let error as BenchError { throw error } catch {
      throw .wrong("a coder failed: \(error)")
    }
    var series = works.map { _ in Series() }
    for _ in 0..<bench.options.rounds {
      for (index, work) in works.enumerated() {
        do { series[index].append(try speed(work, bytes: text.count, bench.options)) } catch {
          throw .wrong("a coder failed: \(error)")
        }
      }
    }
    let speeds = series.map(\.median)
    let goals: [Goal?] = [.ratioAtLeast(8), .ratioAtLeast(10), nil, nil, nil]
    let anchors = ["JSONDecoder", "JSONEncoder", "JSONSerialization", "JSONSerialization", "JSONDecoder"]
    // Skipping has no work of its own to stand beside, so it stands beside decoding.
    let places = [5, 6, 7, 8, 5]
    return measures.indices.map { index in
      Row(measures[index], "MB/s", speeds[index], beside: anchors[index], speeds[places[index]], goal: goals[index])
    }
  }

  /// Ours in the order of the measures, then Foundation's; all of them checked.
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

  /// Keeps the compiler from leaving work out.
  @inline(never)
  private static func keep<Value>(_ value: Value) {}

  /// Megabytes a second, by the time that the work mostly takes.
  private static func speed(_ work: () throws -> Void, bytes: Int, _ options: Options) throws -> Double {
    let end = Clocks.now() + UInt64(options.milliseconds) * 1_000_000
    var times: [UInt64] = []
    try work()
    repeat {
      let start = Clocks.ownCPU()
      try work()
      times.append(Clocks.ownCPU() - start)
    } while Clocks.now() < end
    return Double(bytes) * 1e3 / Statistics.quantile(times, 0.5)
  }
}
