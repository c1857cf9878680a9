import CivilTime
import FileStore
import Foundation

/// Writes records to a file in the format of `data/export`.
struct ExportSink: RecordSink {
  /// Boxes the text builder, which is not copyable, so that the sink is.
  private final class Text {
    var text: ExportText
    init(created: Instant) { text = ExportText(created: created) }
  }

  private let path: String
  private let file: Int32
  private let text: Text

  /// The size of a write, in bytes.
  private static let chunk = 1 << 20

  /// Creates a file, replacing an existing one.
  init(path: String, created: Instant) throws(BenchError) {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .usage("\(path) cannot be created: \(Spawned.systemError)") }
    text = Text(created: created)
  }

  mutating func add(_ record: GeneratedRecord) throws(BenchError) {
    record.body.withUnsafeBytes { body in
      text.text.append(
        CollectionName(record.collection), id: record.id, day: record.day, createdAt: record.createdAt,
        updatedAt: record.updatedAt, schema: record.schema, body: body)
    }
    if text.text.pending >= ExportSink.chunk { try flush() }
  }

  mutating func finish() throws(BenchError) {
    text.text.finish()
    try flush()
    let isSynced = fsync(file) == 0
    guard close(file) == 0, isSynced else { throw .wrong("\(path) cannot be written: \(Spawned.systemError)") }
  }

  private mutating func flush() throws(BenchError) {
    let bytes = text.text.take()
    var at = 0
    while at < bytes.count {
      let written = bytes.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + at }, $0.count - at) }
      if written > 0 {
        at += written
      } else if errno != EINTR {
        throw .wrong("\(path) cannot be written: \(Spawned.systemError)")
      }
    }
  }
}
