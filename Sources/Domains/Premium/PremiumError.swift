import JSON

/// Why a document about premium was refused, or an operation on the embedded store.
package struct PremiumError: Error, Hashable, Sendable {
  /// What kind of failure it was; more kinds may come.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as it appears in structured data.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The text is not JSON.
    package static let malformed = Code(rawValue: "malformed")
    /// A value of another kind than the one expected.
    package static let wrongType = Code(rawValue: "wrongType")
    /// A value of the right kind that is not allowed.
    package static let invalidValue = Code(rawValue: "invalidValue")
    /// A member that has to be there is not.
    package static let missingMember = Code(rawValue: "missingMember")
    /// A member that nobody knows.
    package static let unknownMember = Code(rawValue: "unknownMember")
    /// An id that another entry already has.
    package static let duplicateID = Code(rawValue: "duplicateId")
    /// Two members that cannot both be true.
    package static let contradiction = Code(rawValue: "contradiction")

    /// A product that the catalogue does not have.
    package static let unknownProduct = Code(rawValue: "unknownProduct")
    /// A product that is owned and still running.
    package static let alreadyOwned = Code(rawValue: "alreadyOwned")
    /// A trial asked for that the product does not offer, or that was used before.
    package static let noTrial = Code(rawValue: "noTrial")
    /// Nothing of that product is running.
    package static let notOwned = Code(rawValue: "notOwned")
    /// No purchase waits for an approval under that name.
    package static let nothingPending = Code(rawValue: "nothingPending")
    /// The embedded store is set to be out of reach.
    package static let unreachable = Code(rawValue: "unreachable")
  }

  /// What kind of failure it was.
  package let code: Code
  /// One sentence for people.
  package let message: String
  /// The JSON Pointer (RFC 6901) of the value at fault; nil for an operation, which has no document.
  package let pointer: String?

  package init(_ code: Code, _ message: String, at pointer: String? = nil) {
    self.code = code
    self.message = message
    self.pointer = pointer
  }
}

extension PremiumError: CustomStringConvertible {
  /// The message with where it is about.
  package var description: String {
    guard let pointer else { return message }
    return "\(message) (at “\(pointer)”)"
  }
}

extension PremiumError {
  /// Why a document was refused: the failure of its decoder.
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
