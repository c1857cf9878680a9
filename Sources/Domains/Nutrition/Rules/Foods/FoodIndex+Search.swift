import DaybookProtocol
import TextFolding

package enum FoodOrder: Int, CaseIterable, Sendable {
  /// The latest meal first.
  case recency
  /// Most often logged first; of equals the more recent.
  case frequency
  /// The order of equal matches: later last day first, then more often logged, then more recent.
  case rank
}

/// The first foods of a list.
package struct FoodList: Sendable, Equatable {
  package let foods: [Food]
  package let hasMore: Bool
}

extension FoodIndex {
  /// The first foods in an order, without hidden ones (folded names); with a `type`, only those usually eaten as that.
  package func list(
    _ order: FoodOrder, type: MealType?, limit: Int, hidden: Set<[UInt8]> = [], isFavourite: ([UInt8]) -> Bool
  ) -> FoodList {
    var found: [(number: Int32, match: FoodMatch?)] = []
    for number in numbers(order)
    where (type == nil || usualType(number) == type) && (hidden.isEmpty || !hidden.contains(name(number))) {
      found.append((number, nil))
      if found.count > limit { break }
    }
    return list(found, limit, isFavourite)
  }

  /// The best matches, in the order of `FoodMatch` and then of `FoodOrder.rank`.
  ///
  /// - Complexity: Linear in the length of all names.
  package func search(
    _ query: String, type: MealType?, limit: Int, hidden: Set<[UInt8]> = [], isFavourite: ([UInt8]) -> Bool
  ) -> FoodList {
    let search = FoodSearch(query)
    // One more of each kind than can be returned, to detect that there are more.
    var found = [[Int32]](repeating: [], count: FoodMatch.known.count)
    text.withUnsafeBufferPointer { text in
      for number in numbers(.rank) where type == nil || usualType(number) == type {
        let name = UnsafeBufferPointer(rebasing: text[slots[Int(number)].name])
        guard let match = search.match(name), found[match].count <= limit,
          hidden.isEmpty || !hidden.contains(Array(name))
        else { continue }
        found[match].append(number)
      }
    }
    let ordered = found.enumerated().flatMap { kind, numbers in
      numbers.map { (number: $0, match: Optional(FoodMatch.known[kind])) }
    }
    return list(ordered, limit, isFavourite)
  }

  private func list(
    _ found: [(number: Int32, match: FoodMatch?)], _ limit: Int, _ isFavourite: ([UInt8]) -> Bool
  ) -> FoodList {
    FoodList(
      foods: found.prefix(limit).compactMap { food($0.number, match: $0.match, isFavourite: isFavourite) },
      hasMore: found.count > limit)
  }
}

/// A query for food names.
package struct FoodSearch: Sendable {
  private let query: [UInt8]
  /// Its words; empty for a single one.
  private let words: [[UInt8]]

  package init(_ query: String) {
    self.query = FoldedName.folded(query)
    let words = self.query.split(separator: FoldedName.space).map { Array($0) }
    self.words = words.count > 1 ? words : []
  }

  /// The match of a folded name, as an index of `FoodMatch.known`.
  package func match(folded name: [UInt8]) -> Int? { name.withUnsafeBufferPointer { match($0) } }

  /// The match of a folded name, as an index of `FoodMatch.known`.
  package func match(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    var isInside = false
    var at = 0
    while let place = FoodSearch.find(query, in: name, from: at) {
      if place == 0 { return name.count == query.count ? 0 : 1 }
      if FoodSearch.isWordStart(place, in: name) { return 2 }
      isInside = true
      at = place + 1
    }
    if isInside { return 3 }
    guard !words.isEmpty, words.allSatisfy({ FoodSearch.find($0, in: name, from: 0) != nil }) else { return nil }
    return 4
  }

  private static func find(_ wanted: [UInt8], in name: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let first = wanted.first, wanted.count <= name.count - start else { return nil }
    return wanted.withUnsafeBufferPointer { wanted in
      var at = start
      let last = name.count - wanted.count
      search: while at <= last {
        if name[at] == first {
          var index = 1
          while index < wanted.count {
            if name[at + index] != wanted[index] {
              at += 1
              continue search
            }
            index += 1
          }
          return at
        }
        at += 1
      }
      return nil
    }
  }

  /// Whether the preceding byte is neither a letter nor a digit; non-ASCII bytes count as letters.
  private static func isWordStart(_ place: Int, in name: UnsafeBufferPointer<UInt8>) -> Bool {
    let before = name[place - 1]
    switch before {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return false
    default: return before < 0x80
    }
  }
}
