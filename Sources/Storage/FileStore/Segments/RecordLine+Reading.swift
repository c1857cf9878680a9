import CivilTime
import JSON
import Values

extension RecordLine {
  /// What the line begins with.
  static let opening: StaticString = "{\"id\":\""

  /// Reads a line without its newline, in any order of its members; its checksum is the caller's business. Members
  /// it does not know are passed over. This is the way for lines that are not just as this code would write them.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var line = RecordLine()
      var object = try reader.beginObject()
      while try reader.nextMember(&object) {
        if try reader.member("id", 0, &object) {
          line.id = try reader.value()
        } else if try reader.member("day", 1, &object) {
          line.day = try reader.value(CivilDay.self)
        } else if try reader.member("created", 2, &object) {
          line.createdAt = try reader.value()
        } else if try reader.member("updated", 3, &object) {
          line.updatedAt = try reader.value()
        } else if try reader.member("revision", 4, &object) {
          line.revision = try reader.int(in: 0...(.max))
        } else if try reader.member("schema", 5, &object) {
          line.schema = try reader.int(in: .min...(.max))
        } else if try reader.member("body", 6, &object) {
          line.body = try reader.objectRange()
        } else {
          try reader.unknownMember(&object, known: "")
        }
      }
      guard reader.has(0, object) else { throw reader.missing("id", object) }
      guard reader.has(2, object) else { throw reader.missing("created", object) }
      guard reader.has(3, object) else { throw reader.missing("updated", object) }
      guard reader.has(4, object) else { throw reader.missing("revision", object) }
      guard reader.has(5, object) else { throw reader.missing("schema", object) }
      guard reader.has(6, object) else { throw reader.missing("body", object) }
      return line
    }
  }
}
