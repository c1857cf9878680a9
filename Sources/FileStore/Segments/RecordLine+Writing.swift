import CivilTime
import JSON
import Values

extension Record {
  /// Writes its line, newline included. The writer holds nothing else.
  func encodeLine(to writer: inout JSONWriter) {
    writer.append("{\"id\":")
    writer.writeText(room: 36) {
      id.write(to: $0)
      return 36
    }
    if let day {
      writer.append(",\"day\":")
      writer.writeText(room: 10) {
        day.write(to: $0)
        return 10
      }
    }
    writer.append(",\"created\":")
    RecordLine.write(createdAt, to: &writer)
    writer.append(",\"updated\":")
    RecordLine.write(updatedAt, to: &writer)
    writer.append(",\"revision\":")
    writer.write(revision)
    writer.append(",\"schema\":")
    writer.write(schema)
    writer.append(",\"body\":")
    body.withUnsafeBytes { writer.append($0) }
    LineSuffix.close(&writer)
  }
}

extension RecordLine {
  fileprivate static func write(_ instant: Instant, to writer: inout JSONWriter) {
    writer.writeText(room: Instant.textLength) {
      instant.write(to: $0)
      return Instant.textLength
    }
  }
}
