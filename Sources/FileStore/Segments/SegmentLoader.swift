import Platform
import Values

/// Reads the segments of one data folder when they are needed, and keeps the latest used in memory. It owns its way to them, so
/// that a snapshot can go on reading while the store is closed or opened anew.
final class SegmentLoader: Sendable {
  private struct Cached {
    let segment: Segment
    let bytes: Int
    var lastUse: Int
  }

  private struct State {
    var cached: [String: Cached] = [:]
    var bytes = 0
    var uses = 0
    /// Of each segment looked for an id in: a number out of every id, ascending.
    var ids: [String: [UInt64]] = [:]
    var findings: [RecoveryFinding] = []
    /// What the older journals tell, once that was needed.
    var replay: SegmentReplay?
  }

  private let state = Guarded(State())
  let fileSystem: any FileSystem
  /// The folder of the segments; nil when there is none.
  private let root: Descriptor?
  let cacheLimit: Int
  private let userID: UInt32
  /// The path of the data folder.
  private let path: String

  /// - Parameter cacheLimit: Bytes of segments to keep in memory; one is kept whatever its length.
  init(_ folder: StoreFolder, cacheLimit: Int) {
    fileSystem = folder.fileSystem
    self.cacheLimit = cacheLimit
    userID = fileSystem.userID
    path = folder.path
    if let root = folder.root {
      self.root = try? fileSystem.openDirectory(StoreFolder.Name.segments, in: root)
    } else {
      root = nil
    }
  }

  /// One that has nothing to read.
  init(without fileSystem: any FileSystem) {
    self.fileSystem = fileSystem
    cacheLimit = 0
    userID = fileSystem.userID
    path = ""
    root = nil
  }

  deinit {
    if let root { fileSystem.close(root) }
  }

  /// Whether there was a folder of segments when this was made.
  var hasFolder: Bool { root != nil }

  /// What was found wrong with segments so far, in the order in which it was found.
  var findings: [RecoveryFinding] { state.withLock { $0.findings } }

  /// Whether something is wrong with a segment, as far as it was read.
  func isDamaged(_ entry: SegmentEntry?) -> Bool { has(entry) { _ in true } }

  /// Whether the medium refused to give up a part of a segment.
  func isUnreadable(_ entry: SegmentEntry?) -> Bool { has(entry) { $0 == .unreadableRange } }

  private func has(_ entry: SegmentEntry?, _ isMeant: @Sendable (RecoveryFinding.Kind) -> Bool) -> Bool {
    guard let entry else { return false }
    let file = StoreFolder.Name.segments + "/" + entry.key.folderName + "/" + entry.fileName
    return state.withLock { $0.findings.contains { $0.file == file && isMeant($0.kind) } }
  }

  /// The segment that an entry of a manifest names. Of a damaged one it is what can be read, of a missing one an older generation
  /// or nothing, with what older journals tell of it; that is noted.
  func segment(_ entry: SegmentEntry, of base: StoreBase) -> Segment {
    let name = entry.key.folderName + "/" + entry.fileName
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

  /// Whether a record can be in a segment; reads the segment the first time only.
  func mayHave(_ id: EntityID, in entry: SegmentEntry, of base: StoreBase) -> Bool {
    let name = entry.key.folderName + "/" + entry.fileName
    if let ids = state.withLock({ $0.ids[name] }) { return SegmentLoader.contains(ids, id) }
    let segment = segment(entry, of: base)
    var ids: [UInt64] = []
    ids.reserveCapacity(segment.count)
    segment.forEachID { id, _ in ids.append(SegmentLoader.number(id)) }
    ids.sort()
    let sorted = ids
    state.withLock { $0.ids[name] = sorted }
    return SegmentLoader.contains(sorted, id)
  }

  /// Reads a segment's file once more and compares its hash with the manifest's. What differs although every line is in order, so that
  /// it may be of another time, is noted as damage.
  func verifyHash(_ entry: SegmentEntry) {
    guard !isDamaged(entry), let (bytes, _) = try? contents(entry.key.folderName, entry.fileName),
      SHA256.hash(bytes) != entry.sha256
    else { return }
    note(
      .damagedSegment, entry.key.folderName + "/" + entry.fileName, 0..<bytes.count,
      "the hash of the file is not the manifest's")
  }

  /// Forgets what was remembered of segments that are not among those named.
  func forgetAll(but entries: some Sequence<SegmentEntry>) {
    let names = Set(entries.map { $0.key.folderName + "/" + $0.fileName })
    state.withLock { state in
      state.ids = state.ids.filter { names.contains($0.key) }
      for (name, cached) in state.cached where !names.contains(name) {
        state.cached[name] = nil
        state.bytes -= cached.bytes
      }
    }
  }

  private static func number(_ id: EntityID) -> UInt64 { id.high ^ id.low }

  private static func contains(_ ids: [UInt64], _ id: EntityID) -> Bool {
    let number = number(id)
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low &+ high) / 2
      if ids[middle] < number { low = middle &+ 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == number
  }

  // MARK: reading

  private func read(_ entry: SegmentEntry, _ name: String, _ base: StoreBase) -> Segment {
    var (bytes, failure): ([UInt8], String?) = ([], nil)
    var rest: Segment?
    var isRefused = false
    do throws(StoreError) {
      let found = try contents(entry.key.folderName, entry.fileName)
      (bytes, failure) = (found.bytes, found.failure?.description)
      let segment = Segment.load(bytes, entry: entry)
      if segment.isIntact, failure == nil { return segment }
      rest = segment
    } catch {
      failure = error.description
      isRefused = error.details["errno"] != "2"
    }
    if let proven = rest.flatMap({ SegmentReplay.prove($0, entry) }) {
      for damage in rest?.damage ?? [] { note(.repairedSegment, name, damage) }
      return proven
    }
    let older = older(entry)
    let remade = replay(before: base.journal)?.remake(entry, from: rest, older.map(\.segment))
    if let remade, remade.isProven {
      let reason = failure ?? rest?.damage.first.map { "\($0.kind.rawValue): \($0.reason)" } ?? ""
      note(
        .restoredSegment, name, 0..<bytes.count,
        "\(reason); it was made again, byte for byte, out of what else is there")
      return remade.segment
    }
    if let rest {
      if let failure { note(.unreadableRange, name, bytes.count..<max(entry.bytes, bytes.count), failure) }
      for damage in rest.damage {
        note(damage.kind.isUnused || rest.isLossPossible ? .damagedSegment : .repairedSegment, name, damage)
      }
      if rest.count > 0 || entry.count == 0 { return remade?.segment ?? rest }
      note(.missingSegment, name, 0..<entry.bytes, "nothing in it can be used")
    } else {
      note(isRefused ? .unreadableRange : .missingSegment, name, 0..<entry.bytes, failure ?? "it is not there")
    }
    if let newest = older.first {
      note(
        .olderSegment, entry.key.folderName + "/" + newest.name, 0..<newest.segment.bytes.count,
        "it is used in the place of a later one")
    }
    return remade?.segment ?? older.first?.segment ?? Segment.load([], key: entry.key)
  }

  /// What the journals tell that the segments contain, read once.
  private func replay(before journal: Int) -> SegmentReplay? {
    if let known = state.withLock({ $0.replay }), known.journal == journal { return known }
    let new = SegmentReplay(path, fileSystem, segments: root, before: journal)
    state.withLock { $0.replay = new }
    return new
  }

  /// The older generations of a month that can still be read, newest first.
  private func older(_ entry: SegmentEntry) -> [(name: String, segment: Segment)] {
    guard let root, let folder = try? fileSystem.openDirectory(entry.key.folderName, in: root) else { return [] }
    defer { fileSystem.close(folder) }
    let generations = ((try? fileSystem.names(in: folder)) ?? []).compactMap { SegmentFileName($0) }
      .filter { $0.month == entry.key.month && $0.generation < entry.generation }
      .map(\.generation).sorted(by: >)
    return generations.compactMap { generation in
      let name = entry.key.fileName(generation: generation)
      guard let (bytes, _) = try? contents(entry.key.folderName, name) else { return nil }
      let segment = Segment.load(bytes, key: entry.key)
      return segment.count > 0 ? (name, segment) : nil
    }
  }

  /// The bytes of a segment's file that can be read.
  func contents(
    _ folderName: String, _ fileName: String
  ) throws(StoreError) -> (bytes: [UInt8], failure: FileSystemError?) {
    guard let root else { throw StoreError(.storeUnavailable, "There is no folder of segments.") }
    do throws(FileSystemError) {
      let folder = try fileSystem.openDirectory(folderName, in: root)
      defer { fileSystem.close(folder) }
      let file = try fileSystem.openFile(fileName, in: folder, for: .reading)
      defer { fileSystem.close(file) }
      let status = try fileSystem.status(of: file)
      guard status.kind == .file, status.owner == userID else {
        throw FileSystemError(call: "open", path: file.path, reason: .other, errno: 0, text: "it is no file of ours")
      }
      return fileSystem.contents(of: file, size: min(status.size, 1 << 30))
    } catch { throw StoreError(reading: error) }
  }

  private func note(_ kind: RecoveryFinding.Kind, _ name: String, _ damage: SegmentDamage) {
    note(kind, name, damage.range, "\(damage.kind.rawValue): \(damage.reason)")
  }

  private func note(_ kind: RecoveryFinding.Kind, _ name: String, _ range: Range<Int>, _ reason: String) {
    let finding = RecoveryFinding(
      kind: kind, file: StoreFolder.Name.segments + "/" + name, offset: range.lowerBound, length: range.count,
      previousSequence: 0, reason: reason)
    state.withLock { state in
      guard state.findings.count < RecoveryReport.maximumFindings, !state.findings.contains(finding) else { return }
      state.findings.append(finding)
    }
  }
}
