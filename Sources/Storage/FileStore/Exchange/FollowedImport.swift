import Platform
import Values

/// What an import of this process is going to be to the store that follows the folder: worked out by the import, which knows its line
/// anyway, so that the store's owner need not read a line of megabytes. Where it does not fit, the line is read.
package final class FollowedImport: Sendable {
  private let state = Guarded<Following?>(nil)

  package init() {}

  /// What the store knows after the line, and the line's last bytes; before an import, what it knows now.
  private struct Following {
    var memory: StoreMemory
    var follower: JournalFollower
    /// Where the store is in the journals: where it began, or, if it has looked since, before the line.
    var begin: [JournalPosition?]
    let edits: Int
    let exchanges: Int
    var ending: [UInt8] = []
  }

  /// Begins where a store is.
  fileprivate func begin(at loaded: LoadedStore, exchanges: Int) {
    let following = Following(
      memory: loaded.memory, follower: loaded.follower, begin: [loaded.follower.position], edits: loaded.memory.edits,
      exchanges: exchanges)
    state.withLock { $0 = following }
  }

  package func end() { state.withLock { $0 = nil } }

  /// Works out what comes of a line that is going to be written behind `position`.
  func work(out entry: JournalEntry, _ line: [UInt8], behind position: JournalPosition?, in folder: StoreFolder) {
    let begun = state.withLock { state in
      defer { state = nil }
      return state
    }
    guard var next = begun, var position, position.tail == .whole,
      (try? next.follower.catchUp(folder, from: next.memory.snapshot.base.journal, &next.memory)) != nil,
      next.follower.position == position, next.memory.revision + 1 == entry.revision
    else { return }
    next.begin.append(position)
    next.follower.take(entry, position.offset..<(position.offset + line.count - 1), &next.memory)
    // Behind a damaged line the entry waits for what was lost.
    guard next.memory.revision == entry.revision else { return }
    position.offset += line.count
    position.size = position.offset
    guard (try? next.follower.skip(to: position, sequence: entry.revision, folder)) != nil else { return }
    next.ending = Array(line.suffix(LineSuffix.length + 1))
    let made = next
    state.withLock { $0 = made }
  }

  /// Takes in what was worked out, if the line is there and nothing else was taken in or written before it.
  func move(_ loaded: LoadedStore, exchanges: Int) {
    guard let next = state.withLock({ $0 }), !next.ending.isEmpty, next.edits == loaded.memory.edits,
      next.exchanges == exchanges, next.begin.contains(loaded.follower.position), next.follower.hasRead(next.ending)
    else { return }
    loaded.exchange(for: next.memory)
    loaded.follower = next.follower
    end()
  }
}

extension FileStore {
  /// Lets an import work out what it is going to be to this store.
  package func beginImport() {
    guard !queue.hasWindow, let loaded, (try? skipOwnWrites(loaded)) != nil else { return }
    configuration.followed.begin(at: loaded, exchanges: exchanges)
  }
}

extension JournalFollower {
  /// Whether what was read ends with these bytes, in the file that is there.
  fileprivate func hasRead(_ ending: [UInt8]) -> Bool {
    guard let current, let position else { return false }
    let start = position.offset - ending.count
    return current.bytes(at: start..<position.offset) == ending
  }
}
