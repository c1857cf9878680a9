import CivilTime
import JSON

/// An object of a document that is read strictly, with the place it stands at.
struct DocumentObject {
  let object: JSONObject
  /// The JSON Pointer of the object, empty for the whole document.
  let pointer: String

  init(_ object: JSONObject, at pointer: String = "") {
    self.object = object
    self.pointer = pointer
  }

  /// Throws `wrongType` for a value that is no object.
  init(_ value: JSONValue, at pointer: String = "") throws(PremiumError) {
    guard case .object(let object) = value else {
      throw PremiumError(.wrongType, "expected an object", at: pointer)
    }
    self.init(object, at: pointer)
  }

  /// The document that `text` is; its members are given once each.
  init(json text: [UInt8]) throws(PremiumError) {
    let value: JSONValue
    do {
      value = try JSONValue(json: text)
    } catch {
      throw PremiumError(.malformed, error.description, at: text.withUnsafeBytes { error.pointer(in: $0) })
    }
    try self.init(value)
  }

  /// The place of a member.
  func place(_ name: String) -> String { pointer + JSONPointer.token(name) }

  /// A member's value; null counts as absent.
  func value(_ name: String) -> JSONValue? {
    guard let value = object[name], value != .null else { return nil }
    return value
  }

  /// Throws `unknownMember` for the first member that is not among `names`.
  func refuseMembers(except names: [String]) throws(PremiumError) {
    for member in object.members where !names.contains(member.name) {
      let hint = Spelling.nearest(to: member.name, among: names).map { ", did you mean “\($0)”?" } ?? ""
      throw PremiumError(.unknownMember, "not a member of this object\(hint)", at: place(member.name))
    }
  }

  /// A text of 1 to 200 bytes, nil when absent.
  func optionalString(_ name: String) throws(PremiumError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value else { throw PremiumError(.wrongType, "expected a string", at: place(name)) }
    guard (1...200).contains(text.utf8.count) else {
      throw PremiumError(.invalidValue, "expected 1 to 200 bytes of text", at: place(name))
    }
    return text
  }

  /// True or false, nil when absent.
  func optionalBool(_ name: String) throws(PremiumError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else {
      throw PremiumError(.wrongType, "expected true or false", at: place(name))
    }
    return flag
  }

  /// An instant as RFC 3339 text, nil when absent.
  func optionalInstant(_ name: String) throws(PremiumError) -> Instant? {
    guard let text = try optionalString(name) else { return nil }
    guard let instant = Instant(text) else {
      throw PremiumError(.invalidValue, "expected an instant such as 2026-02-12T08:00:00Z", at: place(name))
    }
    return instant
  }

  /// A whole number of the range, nil when absent.
  func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws(PremiumError) -> Int? {
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, let integer = number.integer else {
      throw PremiumError(.wrongType, "expected an integer", at: place(name))
    }
    guard range.contains(integer) else {
      throw PremiumError(
        .invalidValue, "expected an integer from \(range.lowerBound) to \(range.upperBound)", at: place(name))
    }
    return integer
  }

  /// One of the raw values of an enumeration, nil when absent.
  func optionalChoice<Choice>(_ name: String) throws(PremiumError) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let text = try optionalString(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw PremiumError(.invalidValue, "expected one of: \(allowed)", at: place(name))
    }
    return choice
  }

  /// The elements of an array with their places, nil when absent.
  func optionalArray(_ name: String) throws(PremiumError) -> [(value: JSONValue, pointer: String)]? {
    guard let value = value(name) else { return nil }
    guard case .array(let values) = value else { throw PremiumError(.wrongType, "expected an array", at: place(name)) }
    return values.enumerated().map { ($1, place(name) + JSONPointer.token(String($0))) }
  }

  /// What has to be there: the value, or `missingMember`.
  func required<Value>(_ name: String, _ value: Value?) throws(PremiumError) -> Value {
    guard let value else { throw PremiumError(.missingMember, "the member “\(name)” is missing", at: place(name)) }
    return value
  }
}
