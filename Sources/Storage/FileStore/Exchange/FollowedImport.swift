import Platform

/// The effect of this process's import on the store that follows the folder. The import computes it from its line, so
/// that the store's owner need not read a line of megabytes. If it does not apply, the line is read.
package final class FollowedImport: Sendable {
  private let state = Guarded<Following?>(nil)

  package init() {}

  /// The store's state after the line, and the line's last bytes; before the import, its present state.
  private struct Following {
    var memory: StoreMemory
    var follower: JournalFollower
    /// The accepted positions of the store: where it was at the beginning, and right before the line.
    var begin: [JournalPosition?]
    let edits: Int
    let replacements: Int
    var ending: [UInt8] = []
  }

  /// Begins at a store's present state.
  fileprivate func begin(at loaded: LoadedStore, replacements: Int) {
    let following = Following(
      memory: loaded.memory, follower: loaded.follower, begin: [loaded.follower.position], edits: loaded.memory.edits,
      replacements: replacements)
    state.withLock { $0 = following }
  }

  package func end() { state.withLock { $0 = nil } }

  /// Computes the effect of a line that will be written after `position`.
  func prepare(_ entry: JournalEntry, _ line: [UInt8], after position: JournalPosition?, in folder: StoreFolder) {
    let begun = state.withLock { state in
      defer { state = nil }
      return state
    }
    guard var next = begun, var position, position.tail == .whole,
      (try? next.follower.catchUp(folder, from: next.memory.snapshot.base.journal, &next.memory)) != nil,
      next.follower.position == position, next.memory.revision + 1 == entry.revision
    else { return }
    next.begin.append(position)
    next.follower.apply(entry, position.offset..<(position.offset + line.count - 1), &next.memory)
    // After a damaged line the entry is deferred.
    guard next.memory.revision == entry.revision else { return }
    position.offset += line.count
    position.size = position.offset
    guard (try? next.follower.skip(to: position, sequence: entry.revision, folder)) != nil else { return }
    next.ending = Array(line.suffix(LineSuffix.length + 1))
    let made = next
    state.withLock { $0 = made }
  }

  /// Adopts the computed state, if the line is in place and nothing else was read or written before it.
  func adopt(into loaded: LoadedStore, replacements: Int) {
    guard let next = state.withLock({ $0 }), !next.ending.isEmpty, next.edits == loaded.memory.edits,
      next.replacements == replacements, next.begin.contains(loaded.follower.position),
      next.follower.hasRead(next.ending)
    else { return }
    loaded.exchange(for: next.memory)
    loaded.follower = next.follower
    end()
  }
}

extension FileStore {
  /// Lets the next import compute its effect on this store.
  package func beginImport() {
    guard !queue.hasWindow, let loaded, (try? skipOwnWrites(loaded)) != nil else { return }
    configuration.followed.begin(at: loaded, replacements: replacements)
  }
}

extension JournalFollower {
  /// Whether the file read so far ends with these bytes.
  fileprivate func hasRead(_ ending: [UInt8]) -> Bool {
    guard let current, let position else { return false }
    let start = position.offset - ending.count
    return current.contents(at: start..<position.offset).bytes == ending
  }
}
