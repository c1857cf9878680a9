import CivilTime
import Foundation

/// `daybook-bench generate`: writes years of records into a file or folder.
enum GenerateCommand {
  /// The output format.
  enum Form: String, CaseIterable { case export, store, sqlite }

  static func run(_ arguments: [String]) throws(BenchError) {
    var years = 10
    var seed = 1
    var density = 1.0
    var records: Int?
    var out: String?
    var form: Form?
    var reader = ArgumentReader(arguments)
    while let name = reader.next() {
      switch name {
      case "--years": years = try reader.number(1...100)
      case "--seed": seed = try reader.number(0 ... .max)
      case "--records": records = try reader.number(1...100_000_000)
      case "--density":
        let text = try reader.value()
        guard let number = Double(text), (0.001...1000).contains(number) else {
          throw .usage("--density takes a number from 0.001 to 1000, not “\(text)”")
        }
        density = number
      case "--as":
        let text = try reader.value()
        form = Form(rawValue: text)
        if form == nil { throw .usage("--as takes export, store or sqlite, not “\(text)”") }
      case "--out": out = try reader.value()
      default: throw .usage("“generate” has no option “\(name)”")
      }
    }
    guard let out else { throw .usage("“generate” needs --out") }
    let generator = RecordGenerator(years: years, seed: UInt64(seed), density: density, records: records)
    let begin = Clocks.now()
    let (count, bytes) = try write(generator, form ?? GenerateCommand.form(of: out), out)
    let seconds = String(format: "%.1f", Double(Clocks.now() - begin) / 1e9)
    let average = String(format: "%.1f", Double(bytes) / Double(max(count, 1)))
    print("\(count) records, \(average) bytes of JSON each on average, \(seconds) s: \(out)")
  }

  /// The format for a path's extension.
  private static func form(of path: String) -> Form {
    switch URL(fileURLWithPath: path).pathExtension {
    case "jsonl", "json": .export
    case "sqlite", "sqlite3", "db": .sqlite
    default: .store
    }
  }

  private static func write(
    _ generator: RecordGenerator, _ form: Form, _ path: String
  ) throws(BenchError) -> (count: Int, bytes: Int) {
    switch form {
    case .export:
      var sink = try ExportSink(path: path, created: generator.finished)
      return try write(generator, into: &sink)
    case .store:
      guard (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty != false else {
        throw .usage("\(path) is not empty")
      }
      var sink = try StoreSink(folder: path)
      return try write(generator, into: &sink)
    case .sqlite:
      var sink = try SQLiteSink(database: path, anchor: try SQLiteAnchor(), created: generator.finished)
      return try write(generator, into: &sink)
    }
  }

  private static func write(
    _ generator: RecordGenerator, into sink: inout some RecordSink
  ) throws(BenchError) -> (count: Int, bytes: Int) {
    var (count, bytes) = (0, 0)
    for record in generator {
      try sink.add(record)
      count += 1
      bytes += record.body.count
    }
    try sink.finish()
    return (count, bytes)
  }
}
