import FileStore

/// A file system's guarantees for unsynced changes at a power failure.
package enum CrashProfile: String, Sendable, CaseIterable {
  /// As ext4: changes of names survive in their order; a file's size may run ahead of its content, with zeros, up to the
  /// next 4 KiB boundary.
  case ordered
  /// As XFS: changes of names survive in their order; a file never ends behind its content.
  case xfsLike
  /// Anything not synchronized may be there, absent, torn at 512 bytes, or zero, in any order; a rename between
  /// folders may be half done.
  case minimal
  /// Like `minimal`, and the last few syncs had no effect.
  case lying
}

/// The part of unsynced changes that a power failure keeps.
package enum Survival: Sendable {
  case nothing
  case everything
  /// Any part: individual name changes, files truncated anywhere, with zeros instead of bytes.
  case random(seed: UInt64)
  /// A part that a profile allows.
  case drawn(CrashProfile, seed: UInt64)
}

extension DiskState {
  /// A power cycle: processes, locks, faults and lost changes disappear.
  mutating func crash(_ survival: Survival) {
    let profile: CrashProfile
    var generator: SeededGenerator
    switch survival {
    case .nothing, .everything: (profile, generator) = (.minimal, SeededGenerator(seed: 0))
    case .random(let seed): (profile, generator) = (.minimal, SeededGenerator(seed: seed))
    case .drawn(let drawn, let seed): (profile, generator) = (drawn, SeededGenerator(seed: seed))
    }
    if profile == .lying { takeBackSyncs(&generator) }
    crashNames(survival, profile, &generator)
    for number in nodes.indices where nodes[number].kind == .file {
      nodes[number].crash(survival, profile, &generator)
    }
    processes = [DiskProcess(id: 42)]
    let mapsFiles = faults.mapsFiles
    faults = SimulatedDisk.Faults()
    faults.mapsFiles = mapsFiles
    (calls, changes, misuses, failedSyncs, nextOrder, floor) = (0, 0, 0, 0, 0, 0)
    (syncs, isPowerOff) = ([], false)
    sweep()
  }

  /// Reverts the last few syncs.
  private mutating func takeBackSyncs(_ generator: inout SeededGenerator) {
    let count = generator.among(0...syncs.count)
    for sync in syncs.suffix(count).reversed() {
      if nodes[sync.node].kind == .directory {
        nodes[sync.node].pending = sync.pending + nodes[sync.node].pending
        floor = min(floor, sync.floor)
      } else {
        nodes[sync.node].syncedCount = min(nodes[sync.node].syncedCount, sync.syncedCount)
        nodes[sync.node].appends = sync.appends + nodes[sync.node].appends
        nodes[sync.node].overwrites = sync.overwrites + nodes[sync.node].overwrites
      }
    }
  }

  /// Decides which name changes survive.
  private mutating func crashNames(
    _ survival: Survival, _ profile: CrashProfile, _ generator: inout SeededGenerator
  ) {
    var cut = nextOrder
    if profile == .ordered || profile == .xfsLike {
      cut = generator.once(in: 3) ? nextOrder : generator.among(min(floor, nextOrder)...nextOrder)
    }
    for number in nodes.indices where !nodes[number].pending.isEmpty {
      let pending = nodes[number].pending
      nodes[number].pending = []
      for change in pending.reversed() { nodes[number].entries[change.name] = change.old }
      var last: (order: Int, isKept: Bool) = (-1, false)
      for change in pending {
        // The halves of a rename in one folder are kept together.
        if change.order != last.order {
          let isKept =
            switch survival {
            case .nothing: false
            case .everything: true
            case .random: !generator.once(in: 2)
            case .drawn: profile == .minimal || profile == .lying ? !generator.once(in: 2) : change.order < cut
            }
          last = (change.order, isKept && !change.isForgotten)
        }
        if last.isKept { nodes[number].entries[change.name] = change.new }
      }
    }
  }

  /// Recounts names, and frees unnamed nodes.
  private mutating func sweep() {
    for number in nodes.indices {
      nodes[number].links = 0
      nodes[number].holds = 0
      nodes[number].sharedLocks = 0
      nodes[number].isLockedExclusively = false
    }
    var waiting = [0]
    while let folder = waiting.popLast() {
      for (_, node) in nodes[folder].entries {
        nodes[node].links += 1
        if nodes[node].kind == .directory, nodes[node].links == 1 { waiting.append(node) }
      }
    }
    freeNodes = []
    for number in nodes.indices.dropFirst() where nodes[number].links == 0 {
      nodes[number] = DiskNode(kind: .other, mode: 0, inode: 0)
      freeNodes.append(number)
    }
  }
}

extension DiskNode {
  private static let sector = 512
  private static let page = 4096

  /// Reduces a file to its surviving contents.
  fileprivate mutating func crash(
    _ survival: Survival, _ profile: CrashProfile, _ generator: inout SeededGenerator
  ) {
    let isClean =
      syncedCount == bytes.count && overwrites.isEmpty && lost.isEmpty && lostOverwrites.isEmpty && mode == syncedMode
    if isClean { return }
    switch survival {
    case .nothing:
      for overwrite in overwrites.reversed() { undo(overwrite) }
      forgetLost()
      bytes.removeLast(bytes.count - syncedCount)
      mode = syncedMode
    case .everything: forgetLost()
    case .random, .drawn:
      let isSimple = if case .random = survival { true } else { false }
      tearOverwrites(&generator)
      if !lost.isEmpty || !lostOverwrites.isEmpty, !generator.once(in: 4) { forgetLost() }
      if syncedCount < bytes.count { crashTail(profile, isSimple: isSimple, &generator) }
      if generator.once(in: 2) { mode = syncedMode }
    }
    (overwrites, lostOverwrites, lost, appends) = ([], [], [], [])
    (syncedCount, syncedMode) = (bytes.count, mode)
  }

  /// Leaves of the overwrites all, nothing, or of each sector what was there after any of them: no file system keeps their order.
  private mutating func tearOverwrites(_ generator: inout SeededGenerator) {
    let way = generator.below(3)
    if way == 0 || overwrites.isEmpty { return }
    let sectors = Set(
      overwrites.flatMap {
        $0.offset / DiskNode.sector...max($0.offset, $0.offset + $0.old.count - 1) / DiskNode.sector
      })
    for sector in sectors.sorted() {
      let range = sector * DiskNode.sector..<(sector + 1) * DiskNode.sector
      let touching = overwrites.indices.filter { index in
        overwrites[index].offset < range.upperBound
          && overwrites[index].offset + overwrites[index].old.count > range.lowerBound
      }
      let kept =
        way == 1 ? 0 : generator.once(in: 4) ? generator.among(0...touching.count) : touching.count * generator.below(2)
      if kept == touching.count { continue }
      for index in touching[kept...].reversed() { undo(overwrites[index], range) }
      // Bytes appended after the old end are in the same sector.
      if range.contains(syncedCount) { zero(syncedCount..<min(range.upperBound, bytes.count)) }
    }
  }

  /// Decides which bytes after the last sync survive.
  private mutating func crashTail(
    _ profile: CrashProfile, isSimple: Bool, _ generator: inout SeededGenerator
  ) {
    let full = bytes.count
    var kept = drawLength(&generator)
    switch profile {
    case .xfsLike: break
    case .ordered:
      let boundary = min(full, (kept + DiskNode.page - 1) / DiskNode.page * DiskNode.page)
      if boundary > kept, generator.once(in: 2) {
        let size = generator.once(in: 2) ? boundary : generator.among(kept...boundary)
        zero(kept..<size)
        kept = size
      }
    case .minimal, .lying:
      switch generator.below(isSimple ? 2 : 4) {
      case 0: zero(generator.among(syncedCount...kept)..<kept)
      case 2: scatter(in: syncedCount..<kept, every: DiskNode.sector, &generator)
      case 3: scatter(in: syncedCount..<kept, every: generator.among(1...64), &generator)
      default: break
      }
    }
    bytes.removeLast(full - kept)
  }

  /// The surviving length: usually nothing more, all of it, or up to an append; else any length.
  private func drawLength(_ generator: inout SeededGenerator) -> Int {
    switch generator.below(6) {
    case 0: return syncedCount
    case 1, 2: return bytes.count
    case 3:
      guard !appends.isEmpty else { return bytes.count }
      return min(max(appends[generator.below(appends.count)], syncedCount), bytes.count)
    default: return generator.among(syncedCount...bytes.count)
    }
  }

  private mutating func zero(_ range: Range<Int>) {
    bytes.withUnsafeMutableBytes { buffer in
      for index in range { buffer[index] = 0 }
    }
  }

  /// Leaves some pieces, of a length and at multiples of it, and zeros in the place of others.
  private mutating func scatter(in range: Range<Int>, every length: Int, _ generator: inout SeededGenerator) {
    // Of a long one the pieces are longer, so that they are not too many.
    let length = max(length, range.count / 128)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min((start / length + 1) * length, range.upperBound)
      if generator.once(in: 2) { zero(start..<end) }
      start = end
    }
  }
}
