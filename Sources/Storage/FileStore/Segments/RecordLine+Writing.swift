import JSON

extension Record {
  /// Writes its line, newline included. The writer holds nothing else.
  func encodeLine(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("day", day)
    writer.member("created", createdAt)
    writer.member("updated", updatedAt)
    writer.member("revision", revision)
    writer.member("schema", schema)
    body.withUnsafeBytes { writer.member("body", json: $0) }
    LineSuffix.close(&writer)
  }
}
