import CivilTime
import JSON
import Values

extension EntityID: JSONDecodable, JSONEncodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.string(as: "a UUID, 8-4-4-4-12 hexadecimal digits") { EntityID(utf8: $0) }
  }

  package func encode(to writer: inout JSONWriter) {
    writer.writeText(room: 36) { target in
      write(to: target)
      return 36
    }
  }
}

extension CivilDay: JSONDecodable, JSONEncodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.string(as: "a day of the calendar, YYYY-MM-DD, from 1900-01-01 to 2200-12-31") {
      CivilDay(utf8: $0).flatMap { CivilDay.allowed.contains($0) ? $0 : nil }
    }
  }

  package func encode(to writer: inout JSONWriter) {
    writer.writeText(room: 10) { target in
      write(to: target)
      return 10
    }
  }
}

extension WallTime: JSONDecodable, JSONEncodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.string(as: "a time of day, HH:MM, from 00:00 to 23:59") { WallTime(utf8: $0) }
  }

  package func encode(to writer: inout JSONWriter) {
    writer.writeText(room: 5) { target in
      write(to: target)
      return 5
    }
  }
}

extension Instant: JSONDecodable, JSONEncodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.string(as: "an instant of RFC 3339, such as 2026-01-05T12:00:00Z") { Instant(utf8: $0) }
  }

  package func encode(to writer: inout JSONWriter) {
    writer.writeText(room: Instant.textLength) { target in
      write(to: target)
      return Instant.textLength
    }
  }
}

extension Decimal: JSONDecodable, JSONEncodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.string(as: "a decimal number as text, such as \"12.5\"") { Decimal(utf8: $0) }
  }

  package func encode(to writer: inout JSONWriter) {
    writer.writeText(room: Decimal.maximumTextLength) { write(to: $0) }
  }
}

extension TimeZoneName: JSONDecodable, JSONEncodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.string(as: "an IANA time zone, such as Europe/Berlin") { TimeZoneName(utf8: $0) }
  }

  package func encode(to writer: inout JSONWriter) { text.encode(to: &writer) }
}
