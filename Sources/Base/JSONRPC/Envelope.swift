import JSON

/// The parts of a message as byte ranges, not decoded.
package struct Envelope: Sendable {
  package enum Kind: Sendable, Equatable {
    case request, notification, response
  }

  /// The form of `params`.
  package enum Params: Sendable, Equatable {
    /// Absent, null, `{}` or `[]`.
    case none
    /// An object with members, at these offsets.
    case object(Range<Int>)
    /// An array with elements.
    case positional
  }

  package var kind: Kind
  /// The JSON text of the id; nil for a notification.
  package var id: Range<Int>?
  /// The method's name without quotes, when it has no escapes.
  package var method: Range<Int>?
  /// The decoded method name, when it has escapes.
  package var escapedMethod: String?
  package var params: Params
  /// The result of a response; nil for an error response.
  package var result: Range<Int>?
}

/// The classification of a message.
package enum Classified: Sendable {
  case single(Envelope)
  /// The elements of a batch.
  case batch([Range<Int>])
  /// Not a valid message; the id is that of the intended request, if recognizable.
  case invalid(MessageFault, id: Range<Int>?)
}

extension Envelope {
  /// The maximum number of members of a batch.
  package static let maximumBatch = 100

  /// Classifies a message after validating all of it: grammar, UTF-8, depth, duplicates.
  package static func classify(_ text: UnsafeRawBufferPointer) -> Classified {
    var reader = JSONReader(text)
    guard reader.peek() == UInt8(ascii: "[") else { return classifyObject(text) }
    do throws(JSONError) {
      // Duplicates inside a member concern only that member.
      reader.allowsDuplicates = true
      var elements: [Range<Int>] = []
      var count = 0
      try reader.beginArray()
      while try reader.nextElement(isFirst: count == 0) {
        let start = reader.position
        try reader.skipValue()
        count += 1
        // Reads members beyond the limit without keeping them, to tell malformed text from a long batch.
        if count <= maximumBatch { elements.append(start..<reader.position) }
      }
      try reader.finish()
      if elements.isEmpty { return .invalid(MessageFault(.invalidRequest, "the batch is empty", pointer: ""), id: nil) }
      if count > maximumBatch {
        return .invalid(
          MessageFault(
            .invalidRequest, "the batch has \(count) members", allowed: "at most \(maximumBatch) members"),
          id: nil)
      }
      return .batch(elements)
    } catch {
      return .invalid(fault(error, in: text), id: nil)
    }
  }

  /// Classifies a single message or a member of a batch.
  package static func classifyObject(_ text: UnsafeRawBufferPointer) -> Classified {
    var parts = Parts()
    do throws(JSONError) {
      try parts.read(text, allowsDuplicates: false)
    } catch {
      if let error = error.isMalformed ? error : malformation(of: text) {
        return .invalid(fault(error, in: text), id: nil)
      }
      // Well-formed, but not an object or with a duplicate member; reads again to find the id.
      var again = Parts()
      let isReadable = (try? again.read(text, allowsDuplicates: true)) != nil && !again.hasTwoIDs && !again.isResponse
      return .invalid(fault(error, in: text), id: isReadable ? again.validID(in: text) : nil)
    }
    return parts.classified(in: text)
  }

  /// The syntax error of a text, if any: an error of shape may precede it.
  private static func malformation(of text: UnsafeRawBufferPointer) -> JSONError? {
    var reader = JSONReader(text)
    reader.allowsDuplicates = true
    do throws(JSONError) {
      try reader.skipValue()
      try reader.finish()
      return nil
    } catch {
      return error
    }
  }

  private static func fault(_ error: JSONError, in text: UnsafeRawBufferPointer) -> MessageFault {
    let pointer = error.pointer(in: text)
    if error.isMalformed {
      return MessageFault(.parseError, "\(error)", offset: error.offset, pointer: pointer)
    }
    if error.code == .duplicateMember {
      return MessageFault(.invalidRequest, "\(error)", pointer: pointer, allowed: error.expected)
    }
    return MessageFault(.invalidRequest, "a message is an object, or an array of objects", pointer: pointer)
  }
}

/// The relevant members of a message, as byte ranges.
private struct Parts {
  var version: Range<Int>?
  var id: Range<Int>?
  var method: Range<Int>?
  var params: Range<Int>?
  var result: Range<Int>?
  var error: Range<Int>?
  var hasTwoIDs = false

  mutating func read(_ text: UnsafeRawBufferPointer, allowsDuplicates: Bool) throws(JSONError) {
    var reader = JSONReader(text)
    reader.allowsDuplicates = allowsDuplicates
    reader.refusesUnknownMembers = false
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if allowsDuplicates {
        try readAgain(&reader)
      } else if try reader.member("jsonrpc", 0, &object) {
        version = try value(&reader)
      } else if try reader.member("id", 1, &object) {
        id = try value(&reader)
      } else if try reader.member("method", 2, &object) {
        method = try value(&reader)
      } else if try reader.member("params", 3, &object) {
        params = try value(&reader)
      } else if try reader.member("result", 4, &object) {
        result = try value(&reader)
      } else if try reader.member("error", 5, &object) {
        error = try value(&reader)
      } else {
        try reader.ignoreMember(&object)
      }
    }
    try reader.finish()
  }

  /// Reads a member of an object that has duplicates.
  private mutating func readAgain(_ reader: inout JSONReader) throws(JSONError) {
    if reader.isName("id") {
      hasTwoIDs = hasTwoIDs || id != nil
      id = try value(&reader)
    } else if reader.isName("method") {
      method = try value(&reader)
    } else if reader.isName("result") || reader.isName("error") {
      result = try value(&reader)
    } else {
      try reader.skipValue()
    }
  }

  /// Whether it was intended as a response. Faulty responses are never answered: the peer would take the id for that of
  /// its own request.
  var isResponse: Bool { method == nil && (result != nil || error != nil) }

  private func value(_ reader: inout JSONReader) throws(JSONError) -> Range<Int> {
    let start = reader.position
    try reader.skipValue()
    return start..<reader.position
  }

  /// The id, if its kind is allowed.
  func validID(in text: UnsafeRawBufferPointer) -> Range<Int>? {
    guard let id else { return nil }
    switch text[id.lowerBound] {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "n"): return id
    default: return nil
    }
  }

  func classified(in text: UnsafeRawBufferPointer) -> Classified {
    let validID = validID(in: text)
    func invalid(_ message: String, _ pointer: String, _ allowed: String) -> Classified {
      .invalid(
        MessageFault(.invalidRequest, message, pointer: pointer, allowed: allowed), id: isResponse ? nil : validID)
    }
    if id != nil, validID == nil { return invalid("the id is of a wrong kind", "/id", "a string, a number or null") }
    guard let version, isTwoPointZero(version, in: text) else {
      return invalid("“jsonrpc” is not \"2.0\"", "/jsonrpc", "\"2.0\"")
    }
    guard let method else {
      guard isResponse else { return invalid("there is no method", "/method", "a string") }
      guard let validID else { return invalid("a response without an id", "/id", "the id of the request") }
      return .single(
        Envelope(
          kind: .response, id: validID, method: nil, escapedMethod: nil, params: .none,
          result: error == nil ? result : nil))
    }
    guard text[method.lowerBound] == UInt8(ascii: "\"") else {
      return invalid("the method is not a string", "/method", "a string")
    }
    var envelope = Envelope(
      kind: id == nil ? .notification : .request, id: validID, method: nil, escapedMethod: nil, params: .none)
    let name = (method.lowerBound + 1)..<(method.upperBound - 1)
    if hasEscape(name, in: text) {
      envelope.escapedMethod = try? String(json: UnsafeRawBufferPointer(rebasing: text[method]))
    } else {
      envelope.method = name
    }
    if let params {
      switch text[params.lowerBound] {
      case UInt8(ascii: "{"): if !isEmpty(params, in: text) { envelope.params = .object(params) }
      case UInt8(ascii: "["): if !isEmpty(params, in: text) { envelope.params = .positional }
      case UInt8(ascii: "n"): break
      default: return invalid("the params are of a wrong kind", "/params", "an object")
      }
    }
    return .single(envelope)
  }

  /// Whether a value is the string "2.0", with or without escapes.
  private func isTwoPointZero(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
    let plain: StaticString = "\"2.0\""
    if range.count == plain.utf8CodeUnitCount {
      for index in 0..<range.count where text[range.lowerBound + index] != plain.utf8Start[index] { return false }
      return true
    }
    // Three escaped characters and the quotes.
    guard range.count <= 20, hasEscape(range, in: text) else { return false }
    return (try? String(json: UnsafeRawBufferPointer(rebasing: text[range]))) == "2.0"
  }

  private func hasEscape(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
    for index in range where text[index] == UInt8(ascii: "\\") { return true }
    return false
  }

  /// Whether only white space is between the brackets.
  private func isEmpty(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
    var at = range.lowerBound + 1
    while at < range.upperBound, text[at] <= 0x20 { at += 1 }
    return at == range.upperBound - 1
  }
}
