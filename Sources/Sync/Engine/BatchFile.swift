import FileStore
import JSON

/// An immutable file of changes in a device's stream: a header, one line for each change, and a footer that proves that
/// nothing is missing.
package struct BatchFile: Sendable {
  /// The name within the stream: a number and the first digits of the hash.
  package let name: String
  package let bytes: [UInt8]

  /// - Parameter number: Grows within a stream, so that names sort by age.
  package init(_ lines: [SyncLine], stream: String, number: Int) {
    var text = BatchFile.line([
      ("batch", .number(JSONNumber(BatchFile.format))), ("stream", .string(stream)),
      ("number", .number(JSONNumber(number))),
    ])
    for line in lines { text += BatchFile.line(line.json.members) }
    let hash = text.withUnsafeBytes { SHA256.hash($0) }
    text += BatchFile.line([("count", .number(JSONNumber(lines.count))), ("sha256", .string("\(hash)"))])
    bytes = text
    let digits = String(number)
    name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits + "-" + "\(hash)".prefix(16) + ".jsonl"
  }

  fileprivate static let format = 1

  private static func line(_ members: [JSONObject.Member]) -> [UInt8] {
    JSONValue.object(JSONObject(members)).json + [UInt8(ascii: "\n")]
  }
}

/// How much is done at once.
package struct SyncLimits: Sendable {
  /// The most changes that one transaction applies.
  package var stepLength = 500
  /// The most changes, and bytes of lines, in a batch of edits.
  package var batchLines = 500
  package var batchBytes = 256 << 10
  /// The bytes of lines after which a batch that says everything ends.
  package var bytesOfEverything = 4 << 20
  /// The most batches of a stream, of less than `smallBatch` bytes, before they are merged.
  package var batches = 64
  package var smallBatch = 1 << 20

  package init() {}
}

/// What a batch says.
package struct BatchContent: Sendable {
  private let texts: ArraySlice<ArraySlice<UInt8>>

  /// Verifies and reads a batch; nil unless it is complete and its hash is that of its name.
  package init?(_ bytes: [UInt8], name: String) {
    let newline = UInt8(ascii: "\n")
    guard bytes.last == newline, let start = bytes.dropLast().lastIndex(of: newline) else { return nil }
    let body = bytes[...start]
    guard let footer = BatchContent.object(bytes[(start + 1)...].dropLast()),
      case .string(let hash)? = footer["sha256"],
      case .number(let count)? = footer["count"],
      hash == body.withUnsafeBytes({ "\(SHA256.hash($0))" }), name.hasSuffix("-\(hash.prefix(16)).jsonl")
    else { return nil }
    let texts = body.split(separator: newline)
    guard let first = texts.first, let header = BatchContent.object(first), header["batch"] != nil,
      texts.count - 1 == count.integer
    else { return nil }
    self.texts = texts.dropFirst()
  }

  /// Whether a later version wrote a file, in a form that this one must not take for damage, nor for understood.
  static func isNewer(_ bytes: [UInt8]) -> Bool {
    guard let header = bytes.firstIndex(of: UInt8(ascii: "\n")).flatMap({ object(bytes[..<$0]) }) else { return false }
    return header.int("batch") ?? 0 > BatchFile.format
  }

  /// Passes on each line with its text; returns how many lines this version cannot read.
  package func forEachLine(_ body: (SyncLine, ArraySlice<UInt8>) -> Void) -> Int {
    var unreadable = 0
    for text in texts { if let line = SyncLine(text: text) { body(line, text) } else { unreadable += 1 } }
    return unreadable
  }

  /// The lines that this version can read.
  package var lines: [SyncLine] { texts.compactMap { SyncLine(text: $0) } }

  fileprivate static func object(_ text: ArraySlice<UInt8>) -> JSONObject? {
    guard case .object(let object)? = text.withUnsafeBytes({ try? JSONValue(json: $0) }) else { return nil }
    return object
  }
}

extension SyncLine {
  /// Reads the text of a line in a batch.
  init?(text: ArraySlice<UInt8>) {
    guard let object = BatchContent.object(text) else { return nil }
    self.init(object)
  }
}
