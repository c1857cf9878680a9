import DaybookProtocol

/// One reading of a typed amount.
package struct ReadAmount: Hashable, Sendable {
  /// With all typed decimals.
  package let amount: Decimal
  /// The stated currency; nil when there is none, or its symbol is ambiguous.
  package let currency: Currency?
  /// The decimal separator of the text, if any.
  package let decimalSeparator: Character?
  /// The thousands separator of the text, if any.
  package let groupSeparator: Character?
}

package enum AmountReading: Hashable, Sendable {
  case amount(ReadAmount)
  /// Two readings: a separator may mark decimals or thousands.
  case ambiguous(decimal: ReadAmount, grouped: ReadAmount)
  case unreadable(AmountFault)
}

/// Reads amounts as people type them: `12,50`, `1.234,56`, `5 USD`, `€ 9,99`, `1'234.50`, `12.–`.
package enum AmountReader {
  /// In characters.
  package static let longestText = 100

  /// Reads a text in the style of a locale, or without one.
  ///
  /// A style's own reading wins; another is tried only when it has none. Without a style, `1.234` is ambiguous. A
  /// shared symbol, such as `$` or `kr`, means the first of `preferred` that has it.
  package static func read(_ text: String, style: AmountStyle? = nil, preferred: [Currency] = []) -> AmountReading {
    guard text.prefix(longestText + 1).count <= longestText else { return .unreadable(.tooLong) }
    do throws(AmountFault) { return try AmountText(text, preferred: preferred).reading(style: style) } catch {
      return .unreadable(error)
    }
  }
}

extension AmountFault: Error {}
