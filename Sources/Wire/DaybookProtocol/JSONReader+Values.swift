import JSON
import Values

/// Reads member values in place; out of line, so that decoders stay short.
extension JSONReader {
  @inline(never)
  package mutating func read<Value: JSONDecodable>(_ value: inout Value?) throws(JSONError) {
    value = try Value(from: &self)
  }

  @inline(never)
  package mutating func read<Value: JSONDecodable>(_ value: inout Presence<Value>) throws(JSONError) {
    value = try null() ? .null : .value(Value(from: &self))
  }

  @inline(never)
  package mutating func read<Element: JSONDecodable>(_ value: inout Presence<[Element]>) throws(JSONError) {
    value = try null() ? .null : .value(array(of: Element.self))
  }

  @inline(never)
  package mutating func read<Element: JSONDecodable>(_ value: inout [Element]?) throws(JSONError) {
    value = try array(of: Element.self)
  }

  @inline(never)
  package mutating func read<Element: JSONDecodable>(_ value: inout [JSONFragment<Element>]?) throws(JSONError) {
    value = try array(of: JSONFragment<Element>.self)
  }

  @inline(never)
  package mutating func read<Element: JSONDecodable>(_ value: inout [String: Element]?) throws(JSONError) {
    value = try map(of: Element.self)
  }

  @inline(never)
  package mutating func read(_ value: inout Int?, in range: ClosedRange<Int>) throws(JSONError) {
    value = try int(in: range)
  }

  @inline(never)
  package mutating func read(
    _ value: inout String?, in range: ClosedRange<Int>, trimmed: Bool = false, mayBeBlank: Bool = false
  ) throws(JSONError) {
    value = try text(in: range, trimmed: trimmed, mayBeBlank: mayBeBlank)
  }

  @inline(never)
  package mutating func read(
    _ value: inout Decimal?, minimum: Int64?, maximum: Int64?, scale: Int?
  ) throws(JSONError) {
    value = try decimal(minimum: minimum, maximum: maximum, scale: scale)
  }
}
