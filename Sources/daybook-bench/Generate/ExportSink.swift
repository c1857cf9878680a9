import CivilTime
import DaybookProtocol
import Foundation
import JSON
import Values

/// Writes records as one file of JSON lines, as `data/export` is to write it: a header, a line a record, a footer that
/// tells a whole file from one cut off.
struct ExportSink: RecordSink {
  private let path: String
  private let file: Int32
  private var count = 0
  private var text: [UInt8] = []

  /// So many bytes are written at a time.
  private static let chunk = 1 << 20

  /// Begins a file, over one that is there.
  init(path: String, created: Instant) throws(BenchError) {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .usage("\(path) cannot be made: \(Spawned.systemError)") }
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("daybook")
    writer.write("export")
    writer.name("version")
    writer.write(1)
    writer.name("created")
    created.encode(to: &writer)
    writer.endObject()
    endLine(&writer)
  }

  mutating func take(_ record: GeneratedRecord) throws(BenchError) {
    var writer = JSONWriter(capacity: 256 + record.body.count)
    writer.beginObject()
    writer.name("collection")
    writer.write(record.collection)
    writer.name("id")
    record.id.encode(to: &writer)
    if let day = record.day {
      writer.name("day")
      day.encode(to: &writer)
    }
    writer.name("created")
    record.createdAt.encode(to: &writer)
    writer.name("updated")
    record.updatedAt.encode(to: &writer)
    writer.name("schema")
    writer.write(record.schema)
    // The last member, so that it is found without parsing it.
    writer.name("body")
    record.body.withUnsafeBytes { writer.append($0) }
    writer.endObject()
    endLine(&writer)
    count += 1
    if text.count >= ExportSink.chunk { try flush() }
  }

  mutating func finish() throws(BenchError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("end")
    writer.write(true)
    writer.name("count")
    writer.write(count)
    writer.endObject()
    endLine(&writer)
    try flush()
    let isSynced = fsync(file) == 0
    guard close(file) == 0, isSynced else { throw .wrong("\(path) cannot be written: \(Spawned.systemError)") }
  }

  private mutating func endLine(_ writer: inout JSONWriter) {
    writer.append(UInt8(ascii: "\n"))
    text += writer.buffer
  }

  private mutating func flush() throws(BenchError) {
    var at = 0
    while at < text.count {
      let written = text.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + at }, $0.count - at) }
      if written > 0 {
        at += written
      } else if errno != EINTR {
        throw .wrong("\(path) cannot be written: \(Spawned.systemError)")
      }
    }
    text.removeAll(keepingCapacity: true)
  }
}
