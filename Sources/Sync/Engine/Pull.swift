import CivilTime
import SyncRules

/// What a pass has read of the other streams.
struct Pull {
  var heads: [StreamHead] = []
  /// Whether every head was read, and every batch that counts.
  var isWhole = true
  /// The lines that this version cannot read.
  var unreadable = 0
  /// The batches that were read now, by stream.
  var batches: [String: [String]] = [:]
  /// The heads that could not be read.
  var unread: [(stream: String, file: PassOutcome.Incomplete)] = []
  /// What could not be read, of streams that count.
  var incomplete: [PassOutcome.Incomplete] = []
  /// The streams that were read completely.
  var complete: Set<String> = []
  /// What each stream says of each record, joined.
  private(set) var said: [Said] = []
  private var places: [String: [EntityKey: Int]] = [:]

  /// Adds what a batch says. Two lines of one stream about one record are merged.
  mutating func add(
    _ content: BatchContent, named name: String, of stream: String, _ merged: (SyncLine, SyncLine) -> SyncLine
  ) {
    batches[stream, default: []].append(name)
    unreadable += content.forEachLine { line, text in
      if let place = places[stream]?[line.key] {
        said[place] = said[place].line.map { Said(merged($0, line), stream) } ?? Said(line, stream)
      } else {
        places[stream, default: [:]][line.key] = said.count
        said.append(Said(line, stream, text))
      }
    }
  }

  /// Sorts what is said, deletions first. The order of the others is of no importance, but the same in every run; by
  /// day, successive ones are stored together.
  mutating func sort() {
    places = [:]
    said.sort { left, right in
      if left.isDeletion != right.isDeletion { return left.isDeletion }
      if left.day != right.day { return right.day.map { left.day ?? $0 < $0 } ?? false }
      return (left.key, left.stream) < (right.key, right.stream)
    }
  }
}

/// What a stream says of a record. A first exchange has very many of them, so it stays a text until it is needed.
struct Said: Sendable {
  let key: EntityKey
  let stream: String
  let isDeletion: Bool
  let day: CivilDay?
  /// When that version was made.
  let time: Instant
  private let content: Content

  private enum Content: Sendable {
    case text(ArraySlice<UInt8>)
    case line(SyncLine)
  }

  /// - Parameter text: Its text, if that stands in a batch.
  init(_ line: SyncLine, _ stream: String, _ text: ArraySlice<UInt8>? = nil) {
    (key, self.stream, isDeletion, day) = (line.key, stream, line.record.isDeleted, line.record.day)
    time = line.record.time
    content = text.map { .text($0) } ?? .line(line)
  }

  /// The line; nil is impossible for a text that was read before.
  var line: SyncLine? {
    switch content {
    case .text(let text): SyncLine(text: text)
    case .line(let line): line
    }
  }
}
