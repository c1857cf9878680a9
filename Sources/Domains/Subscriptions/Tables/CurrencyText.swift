import DaybookProtocol
import Subscriptions
import Tables

/// Currencies as programs and people write them: `EUR`, `eur`, `€`, `US Dollar`.
enum CurrencyText {
  /// The currency that a text names; nil when it names none. A shared symbol means the first of `preferred` that has
  /// it.
  static func currency(_ text: String, preferred: [Currency]) -> Currency? {
    // `Currency` reads the code alone, as in `EUR - Euro`.
    if let currency = Currency(text.uppercased()), currency.isListed { return currency }
    let key = TableHeader.key(text)
    if let option = CurrencyOption.all.first(where: { $0.name.lowercased() == key }) { return option.currency }
    guard text.utf8.count <= 20, case .amount(let read) = AmountReader.read("1 \(text)", preferred: preferred) else {
      return nil
    }
    return read.currency
  }

  /// Whether the text has characters that are not part of a number.
  static func hasSymbol(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      !(scalar.properties.isWhitespace || scalar.properties.numericType != nil
        || ".,'’ʼ`+-−–—".unicodeScalars.contains(scalar))
    }
  }
}

/// Categories as other programs name them.
enum CategoryText {
  /// The closest category; `other` when none matches.
  static func category(_ text: String) -> SubscriptionCategory {
    let words = TableHeader.key(text).split { !$0.isLetter }.map(String.init)
    for word in words {
      if let known = SubscriptionCategory.known.first(where: { $0.rawValue == word }) { return known }
      if let category = names[word] { return category }
    }
    return .other
  }

  private static let names: [String: SubscriptionCategory] = wordTable([
    (SubscriptionCategory.streaming, "entertainment video videos tv film films movie movies"),
    (.music, "audio podcast podcasts"), (.cloud, "storage hosting backup backups"),
    (.productivity, "software app apps business work office development tools saas ai"),
    (.gaming, "game games"), (.news, "newspaper newspapers magazine magazines press reading"),
    (.fitness, "health sport sports gym wellness"), (.education, "learning school courses"),
    (.utilities, "utility bills internet phone mobile telecom telecommunication electricity"),
  ])
}
