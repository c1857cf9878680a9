import JSON

/// Why a document about premium, or an operation on the embedded store, was refused.
package struct PremiumError: Error, Hashable, Sendable {
  /// The kind of failure.
  package struct Code: Hashable, Sendable {
    package let rawValue: String

    /// The text is not JSON.
    package static let malformed = Code(rawValue: "malformed")
    package static let wrongType = Code(rawValue: "wrongType")
    package static let invalidValue = Code(rawValue: "invalidValue")
    package static let missingMember = Code(rawValue: "missingMember")
    package static let unknownMember = Code(rawValue: "unknownMember")
    package static let duplicateID = Code(rawValue: "duplicateId")
    /// Two members contradict each other.
    package static let contradiction = Code(rawValue: "contradiction")

    package static let unknownProduct = Code(rawValue: "unknownProduct")
    /// The product is owned and running.
    package static let alreadyOwned = Code(rawValue: "alreadyOwned")
    /// The product offers no trial, or a trial was used before.
    package static let noTrial = Code(rawValue: "noTrial")
    package static let notOwned = Code(rawValue: "notOwned")
    /// No purchase of the product awaits approval.
    package static let nothingPending = Code(rawValue: "nothingPending")
    /// The embedded store is offline.
    package static let unreachable = Code(rawValue: "unreachable")
  }

  package let code: Code
  /// One sentence for people.
  package let message: String
  /// The JSON Pointer (RFC 6901) of the value at fault; nil for an operation.
  package let pointer: String?

  package init(_ code: Code, _ message: String, at pointer: String? = nil) {
    self.code = code
    self.message = message
    self.pointer = pointer
  }
}

extension PremiumError: CustomStringConvertible {
  /// The message with the pointer.
  package var description: String {
    guard let pointer else { return message }
    return "\(message) (at “\(pointer)”)"
  }
}

extension PremiumError {
  /// A decoding error.
  init(_ error: JSONError, in text: [UInt8]) {
    let code: Code =
      switch error.code {
      case .wrongType: .wrongType
      case .wrongText, .outOfRange: .invalidValue
      case .missingMember: .missingMember
      case .unknownMember: .unknownMember
      default: .malformed
      }
    self.init(code, error.description, at: text.withUnsafeBytes { error.pointer(in: $0) })
  }
}

extension JSONDecodable {
  /// Reads a document strictly; the error has the pointer of the first problem.
  init(document text: [UInt8]) throws(PremiumError) {
    do throws(JSONError) { self = try Self(json: text) } catch { throw PremiumError(error, in: text) }
  }
}

extension JSONEncodable {
  package var jsonObject: JSONObject {
    guard case .object(let object)? = try? JSONValue(json: json) else { return JSONObject() }
    return object
  }
}
