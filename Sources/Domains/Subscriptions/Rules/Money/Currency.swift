/// A currency by its code of three capital letters (ISO 4217).
package struct Currency: Hashable, Sendable, Comparable {
  /// The letters, the first in the highest of three bytes.
  private let letters: UInt32

  /// The currency with that code; nil unless it is three capital letters. Codes that ISO 4217 does not list are taken too: it
  /// grows.
  package init?(_ code: String) {
    let bytes = Array(code.utf8.prefix(4))
    guard bytes.count == 3, bytes.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
      return nil
    }
    self.init(bytes[0], bytes[1], bytes[2])
  }

  private init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    letters = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  /// Euros.
  package static let eur = Currency(UInt8(ascii: "E"), UInt8(ascii: "U"), UInt8(ascii: "R"))
  /// Dollars of the United States.
  package static let usd = Currency(UInt8(ascii: "U"), UInt8(ascii: "S"), UInt8(ascii: "D"))

  /// No currency (`XXX`), where the code is none: nothing that is understood has it.
  package static let undefined = Currency(UInt8(ascii: "X"), UInt8(ascii: "X"), UInt8(ascii: "X"))

  /// The code.
  package var code: String {
    String(unsafeUninitializedCapacity: 3) { buffer in
      buffer[0] = UInt8(truncatingIfNeeded: letters >> 16)
      buffer[1] = UInt8(truncatingIfNeeded: letters >> 8)
      buffer[2] = UInt8(truncatingIfNeeded: letters)
      return 3
    }
  }

  /// Order of the codes.
  package static func < (left: Currency, right: Currency) -> Bool { left.letters < right.letters }
}

extension Currency: CustomStringConvertible {
  /// The code.
  package var description: String { code }
}
