import CivilTime
import JSON
import Values

/// A line that is read in any order of its members, for lines that are not just as this code would write them.
extension RecordLine: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("id", &id)
    try members.value("day", &day)
    try members.value("created", &createdAt)
    try members.value("updated", &updatedAt)
    try members.value("revision", &revision)
    try members.number("schema", &schema, in: .min...(.max))
    try members.value("body", &body)
  }
}

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
