import DomainKit
import EntryWords
import TextFolding

extension EntriesService {
  /// The most completions of a request that names no limit.
  private static let usualLimit = 20

  func entriesComplete(
    _ params: EntriesCompleteParams, _ context: inout Context
  ) throws(RPCError) -> EntriesCompleteResult {
    let limit = params.limit ?? EntriesService.usualLimit
    let kinds = DayMeasureRegistry.entryKinds.map(\.kind.rawValue)
    let (lead, kind, rest) = EntriesService.split(params.text, kinds)
    let start = rest.allSatisfy(\.isWhitespace) ? [] : FoldedName.folded(String(rest))
    var items: [EntryCompletion] = []
    for source in context.offers.entrySources {
      for item in try source.completions(of: start, atMost: limit, context)
      where kind == nil || kind == item.kind?.rawValue {
        // A name that begins with a word of ours is quoted.
        let first = item.text.lowercased().split(separator: " ").first.map(String.init) ?? ""
        let isOurs = kind == nil && (kinds + EntryKeyword.days).contains(first)
        items.append(
          EntryCompletion(text: lead + (isOurs ? "\"\(item.text)\"" : item.text), detail: item.detail, kind: item.kind))
      }
    }
    items += EntriesService.words(completing: params.text)
    return EntriesCompleteResult(items: Array(items.prefix(limit)), revision: try context.storeRevision())
  }

  /// The start of a line that names a day and a kind, as typed, and the rest.
  private static func split(_ text: String, _ kinds: [String]) -> (lead: String, kind: String?, rest: Substring) {
    var (lead, rest, kind) = ("", text[...], String?.none)
    while let space = rest.firstIndex(where: \.isWhitespace) {
      let word = rest[..<space].lowercased().filter { $0 != ":" }
      let isKind = kind == nil && kinds.contains(word)
      guard isKind || EntryKeyword.days.contains(word) else { break }
      if isKind { kind = word }
      lead += rest[...space]
      rest = rest[rest.index(after: space)...]
    }
    return (lead, kind, rest)
  }

  /// The units behind a number, and the days, that complete the last word of a line.
  private static func words(completing text: String) -> [EntryCompletion] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let last = words.last else { return [] }
    let digits = last.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
    let letters = last.dropFirst(digits.count).lowercased()
    let number = digits.isEmpty ? words.dropLast().last ?? "" : digits
    let before = text.dropLast(last.count - digits.count)
    var items: [EntryCompletion] = []
    if EntryNumber(number) != nil, !digits.isEmpty || words.count > 1 {
      items += EntryUnit.offered.filter { $0.word.lowercased().hasPrefix(letters) }.map {
        EntryCompletion(text: before + $0.word, detail: $0.meaning)
      }
    }
    if !last.isEmpty, digits.isEmpty {
      items += (EntryKeyword.days + EntryKeyword.weekdays).filter { $0.hasPrefix(letters) }.map {
        EntryCompletion(text: before + $0, detail: "day")
      }
    }
    return items
  }
}
