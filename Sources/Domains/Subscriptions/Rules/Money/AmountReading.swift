import Values

/// What was understood of an amount as somebody typed it.
package struct ReadAmount: Hashable, Sendable {
  /// The amount, with as many digits after the point as were typed.
  package let amount: Decimal
  /// The currency that was named beside it; nil when there was none, or when its symbol may mean several.
  package let currency: Currency?
  /// What was taken for the decimal separator; nil when there was none.
  package let decimalSeparator: Character?
  /// What was taken for parting thousands; nil when there was nothing.
  package let groupSeparator: Character?
}

/// What reading an amount came to.
package enum AmountReading: Hashable, Sendable {
  /// One meaning.
  case amount(ReadAmount)
  /// Two meanings, of which nothing tells which is meant: the separator taken for the decimal one, and for parting thousands.
  case ambiguous(decimal: ReadAmount, grouped: ReadAmount)
  /// None.
  case unreadable(Fault)

  /// Why a text is no amount.
  package enum Fault: String, Hashable, Sendable, CaseIterable {
    /// There is no digit in it.
    case noNumber
    /// Separators stand where no way of writing numbers has them.
    case separators
    /// There is something beside the number that is no currency.
    case unknownText
    /// Two currencies that differ.
    case twoCurrencies
    /// More than 18 digits, or more than nine after the point.
    case tooLong
  }
}

/// Reads amounts as people type them: `12,50`, `1.234,56`, `5 USD`, `€ 9,99`, `1'234.50`, `12.–`.
package enum AmountReader {
  /// The longest text that is looked at, in characters.
  package static let longestText = 100

  /// Reads a text by the habits of a place, or without knowing the place.
  ///
  /// By a style its own reading comes first, and another one only when the style has none. Without one, `1.234` is ambiguous.
  /// `usual` is the currency meant by a symbol that several share, such as `$` and `kr`, if it is one of these.
  package static func read(_ text: String, style: AmountStyle? = nil, usual: Currency? = nil) -> AmountReading {
    read(text, style: style, usual: usual.map { [$0] } ?? [])
  }

  /// The same, where a symbol means the first of several currencies that it can.
  package static func read(_ text: String, style: AmountStyle? = nil, usual: [Currency]) -> AmountReading {
    guard text.prefix(longestText + 1).count <= longestText else { return .unreadable(.tooLong) }
    do throws(ReadFault) {
      let parts = try AmountText(text, usual: usual)
      return try AmountNumber(parts.number).reading(style: style) { separators, number in
        ReadAmount(
          amount: parts.isNegative ? number.negated ?? number : number, currency: parts.currency,
          decimalSeparator: separators.decimal, groupSeparator: separators.group)
      }
    } catch {
      return .unreadable(error.fault)
    }
  }
}

/// A fault on its way out.
struct ReadFault: Error {
  let fault: AmountReading.Fault

  init(_ fault: AmountReading.Fault) { self.fault = fault }
}
