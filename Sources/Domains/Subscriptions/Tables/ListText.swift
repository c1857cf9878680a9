import CivilTime
import Subscriptions
import Tables

/// A list as one cell: items with commas between them, each of words with spaces between them, in any case of letters.
enum ListText {
  /// Why a text is no such list.
  enum Fault: Error, Equatable {
    /// It has more bytes than this, which no list has.
    case tooLong(Int)
    /// It has more items than this.
    case tooMany(Int)
    /// An item that cannot be read; of a long one its first 60 characters.
    case item(String)
  }

  /// An item needs less.
  private static let itemBytes = 100

  /// The items of a list of at most `limit`, each read by `item`, which is told its place from 0 and gives nil for one
  /// that cannot be read. What has more is not looked at.
  static func items<Item>(
    _ text: String, limit: Int, _ item: (Int, inout ListWords) -> Item?
  ) throws(Fault) -> [Item] {
    let longest = limit * itemBytes
    guard text.utf8.count <= longest else { throw .tooLong(longest) }
    let parts = text.split(separator: ",", maxSplits: limit, omittingEmptySubsequences: false)
    guard parts.count <= limit else { throw .tooMany(limit) }
    var items: [Item] = []
    for part in parts {
      var words = ListWords(part)
      guard let read = item(items.count, &words), words.isAtEnd else {
        throw .item(String(String(part).trimmedCell.prefix(60)))
      }
      items.append(read)
    }
    return items
  }
}

/// The words of an item, which are taken one by one.
struct ListWords {
  private var rest: ArraySlice<Substring>

  init(_ text: Substring) { rest = text.split(whereSeparator: \.isWhitespace)[...] }

  /// Whether all were taken.
  var isAtEnd: Bool { rest.isEmpty }

  /// Takes the next word; nil when there is none.
  mutating func next() -> String? { rest.popFirst().map(String.init) }

  /// Takes these words if they come next.
  mutating func take(_ words: String...) -> Bool {
    guard rest.count >= words.count, zip(rest, words).allSatisfy({ $0.lowercased() == $1 }) else { return false }
    rest = rest.dropFirst(words.count)
    return true
  }

  /// Takes the next word if it is the code of a currency.
  mutating func currency() -> Currency? {
    let currency = rest.first.flatMap { Currency($0.uppercased()) }
    if currency != nil { rest = rest.dropFirst() }
    return currency
  }

  /// Takes the next word if it is a whole number.
  mutating func number() -> Int? {
    let number = rest.first.flatMap { Int($0) }
    if number != nil { rest = rest.dropFirst() }
    return number
  }

  /// Takes the next word as a day; nil when it is none.
  mutating func day() -> CivilDay? { next().flatMap { CivilDay($0) } }
}
