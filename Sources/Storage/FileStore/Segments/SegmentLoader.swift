import Platform
import Values

/// Reads the segments of one data folder on demand and caches the most recently used. It has its own descriptor of
/// their folder, so that snapshots can keep reading after the store is closed or reopened.
final class SegmentLoader: Sendable {
  struct Cached {
    let segment: Segment
    let bytes: Int
    var lastUse: Int
  }

  struct State {
    var cached: [String: Cached] = [:]
    var bytes = 0
    var uses = 0
    /// For each segment searched for an id: a 64-bit digest of every id, ascending.
    var ids: [SegmentKey: (generation: Int, numbers: [UInt64])] = [:]
    var findings: [Finding] = []
    /// For each segment read while repairing another: its ids.
    var own: [String: [EntityID]] = [:]
    /// The state of the older journals, once needed.
    var replay: SegmentReplay?
  }

  let state = Guarded(State())
  let fileSystem: any FileSystem
  /// The segments folder; nil when there is none.
  let root: Descriptor?
  let rootFailure: FileSystemError?
  let cacheLimit: Int
  let userID: UInt32
  let path: String
  /// Whether segments may be loaded ahead on another thread.
  let readsAhead: Bool

  /// - Parameter cacheLimit: Bytes of segments to keep in memory; at least one segment is kept, however large.
  init(_ folder: StoreFolder, cacheLimit: Int, readsAhead: Bool = false) {
    self.readsAhead = readsAhead
    fileSystem = folder.fileSystem
    self.cacheLimit = cacheLimit
    userID = fileSystem.userID
    path = folder.path
    var (opened, failure): (Descriptor?, FileSystemError?) = (nil, nil)
    if let root = folder.root {
      do throws(FileSystemError) { opened = try fileSystem.openDirectory(StoreFolder.Name.segments, in: root) } catch {
        failure = error
      }
    }
    (root, rootFailure) = (opened, failure)
  }

  /// A loader for a store in use.
  convenience init(_ folder: StoreFolder, _ configuration: FileStore.Configuration) {
    self.init(folder, cacheLimit: configuration.segmentCacheLimit, readsAhead: !configuration.isInline)
  }

  /// A loader with nothing to read.
  init(without fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
    cacheLimit = 0
    userID = fileSystem.userID
    path = ""
    root = nil
    rootFailure = nil
    readsAhead = false
  }

  deinit { if let root { fileSystem.close(root) } }

  /// Whether the segments folder existed when this was created.
  var hasFolder: Bool { root != nil }

  func isCached(_ entry: SegmentEntry) -> Bool {
    let name = entry.path
    return state.withLock { $0.cached[name] != nil }
  }

  /// What was found wrong with segments, in order of discovery.
  var findings: [Finding] { state.withLock { $0.findings } }

  /// Whether something is wrong with a segment, as far as it was read.
  func isDamaged(_ entry: SegmentEntry?) -> Bool { has(entry) { $0 != .wrongMode } }

  /// Whether part of a segment could not be read.
  func isUnreadable(_ entry: SegmentEntry?) -> Bool { has(entry) { $0 == .unreadableRange } }

  private func has(_ entry: SegmentEntry?, _ isMeant: @Sendable (Finding.Kind) -> Bool) -> Bool {
    guard let entry else { return false }
    let file = StoreFolder.Name.segments + "/" + entry.path
    return state.withLock { $0.findings.contains { $0.file == file && isMeant($0.kind) } }
  }

  /// The segment that a manifest's entry names. For a damaged one it is the readable part, for a missing one an older
  /// generation or nothing, completed from older journals; findings are noted.
  func segment(_ entry: SegmentEntry, of base: StoreBase) -> Segment {
    let name = entry.path
    let known = state.withLock { state -> Segment? in
      guard state.cached[name] != nil else { return nil }
      state.uses += 1
      state.cached[name]?.lastUse = state.uses
      return state.cached[name]?.segment
    }
    if let known { return known }
    let segment = read(entry, name, base)
    state.withLock { state in
      guard state.cached[name] == nil else { return }
      state.uses += 1
      let bytes = segment.memory
      state.cached[name] = Cached(segment: segment, bytes: bytes, lastUse: state.uses)
      state.bytes += bytes
      while state.bytes > cacheLimit, state.cached.count > 1,
        let oldest = state.cached.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.cached[oldest.key] = nil
        state.bytes -= oldest.value.bytes
      }
    }
    return segment
  }

  /// Whether a segment may contain a record; reads the segment only the first time.
  func mayHave(_ id: EntityID, in entry: SegmentEntry, of base: StoreBase) -> Bool {
    let (key, generation) = (entry.key, entry.generation)
    let known = state.withLock { state -> Bool? in
      guard let ids = state.ids[key], ids.generation == generation else { return nil }
      return SegmentLoader.contains(ids.numbers, id)
    }
    if let known { return known }
    let segment = segment(entry, of: base)
    var ids: [UInt64] = []
    ids.reserveCapacity(segment.count)
    segment.forEachID { id, _ in ids.append(SegmentLoader.number(id)) }
    ids.sort()
    let sorted = ids
    state.withLock { $0.ids[key] = (generation, sorted) }
    return SegmentLoader.contains(sorted, id)
  }

  /// Reads a segment's file again and compares its hash with the manifest's. A difference is noted as damage even if
  /// every line is valid, since the file may be an older one.
  func verifyHash(_ entry: SegmentEntry) {
    guard !isDamaged(entry), let (bytes, _) = try? contents(entry.key.folderName, entry.fileName),
      SHA256.hash(bytes) != entry.sha256
    else { return }
    note(.damagedSegment, entry.path, 0..<bytes.count, "the hash of the file differs from the manifest's")
  }

  /// Drops the cached data of all segments but those named.
  func forgetAll(but entries: some Sequence<SegmentEntry>) {
    let names = Set(entries.map { $0.path })
    let generations = Dictionary(entries.map { ($0.key, $0.generation) }) { max($0, $1) }
    state.withLock { state in
      state.ids = state.ids.filter { generations[$0.key] == $0.value.generation }
      state.own = [:]
      for (name, cached) in state.cached where !names.contains(name) {
        state.cached[name] = nil
        state.bytes -= cached.bytes
      }
    }
  }

  private static func number(_ id: EntityID) -> UInt64 { id.high ^ id.low }

  private static func contains(_ ids: [UInt64], _ id: EntityID) -> Bool {
    let number = number(id)
    let low = (0..<ids.count).firstIndex(notBefore: { ids[$0] < number })
    return low < ids.count && ids[low] == number
  }
}
