import JSON

/// The params of a method without params: an object that may have only the common members.
package struct NoParams: Sendable, Equatable, JSONDecodable, JSONEncodable {
  package init() {}

  package init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    while try reader.nextMember(&object, among: "", unknown: .commonParams) != nil {}
  }

  package func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.endObject()
  }
}

/// The result of a request without a result: `null`.
package struct Null: Sendable, Equatable, JSONEncodable {
  package init() {}

  package func encode(to writer: inout JSONWriter) { writer.writeNull() }
}
