import Platform
import Values

extension SegmentLoader {
  /// Reads a segment and repairs it as far as possible.
  func read(_ entry: SegmentEntry, _ name: String, _ base: StoreBase) -> Segment {
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
    let remade = replay(before: base.journal).remake(entry, from: rest, older.map(\.segment)) {
      ids(notIn: entry, base)
    }
    if let remade, remade.isProven {
      let reason = failure ?? rest?.damage.first.map { "\($0.kind.rawValue): \($0.reason)" } ?? ""
      note(
        .restoredSegment, name, 0..<bytes.count,
        "\(reason); it was rebuilt byte for byte from other files")
      return remade.segment
    }
    if let rest {
      if let failure { note(.unreadableRange, name, bytes.count..<max(entry.bytes, bytes.count), failure) }
      for damage in rest.damage {
        note(damage.kind.isUnused || rest.isLossPossible ? .damagedSegment : .repairedSegment, name, damage)
      }
      if rest.count > 0 || entry.count == 0 { return remade?.segment ?? rest }
      note(.missingSegment, name, 0..<entry.bytes, "nothing in it is usable")
    } else {
      note(isRefused ? .unreadableRange : .missingSegment, name, 0..<entry.bytes, failure ?? "it is missing")
    }
    if let newest = older.first {
      note(
        .olderSegment, entry.key.folderName + "/" + newest.name, 0..<newest.segment.bytes.count,
        "it is used instead of a later one")
    }
    return remade?.segment ?? Segment.load([], key: entry.key)
  }

  /// The older journals folded into the segments, read once.
  private func replay(before journal: Int) -> SegmentReplay {
    if let known = state.withLock({ $0.replay }), known.journal == journal { return known }
    let new = SegmentReplay(path, fileSystem, segments: root, before: journal)
    state.withLock { $0.replay = new }
    return new
  }

  /// The ids in the other months of the collection, as far as they can be read. It does not use `segment`, which would
  /// recurse for another damaged month.
  private func ids(notIn entry: SegmentEntry, _ base: StoreBase) -> Set<EntityID> {
    let collection = entry.key.collection
    var ids: Set<EntityID> = []
    for other in base.months(of: collection).compactMap({ base.entry($0, collection) }) where other.key != entry.key {
      let name = other.path
      if let known = state.withLock({ $0.own[name] }) {
        ids.formUnion(known)
        continue
      }
      guard let (bytes, _) = try? contents(other.key.folderName, other.fileName) else { continue }
      var own: [EntityID] = []
      Segment.load(bytes, key: other.key).forEachID { id, _ in own.append(id) }
      ids.formUnion(own)
      let found = own
      state.withLock { $0.own[name] = found }
    }
    return ids
  }

  /// The readable older generations of a month, newest first.
  private func older(_ entry: SegmentEntry) -> [(name: String, segment: Segment)] {
    guard let root, let folder = try? fileSystem.openDirectory(entry.key.folderName, in: root) else { return [] }
    defer { fileSystem.close(folder) }
    let generations = ((try? fileSystem.names(in: folder)) ?? []).compactMap { SegmentFileName($0) }.filter {
      $0.month == entry.key.month && $0.generation < entry.generation
    }.map(\.generation).sorted(by: >)
    return generations.compactMap { generation in
      let name = entry.key.fileName(generation: generation)
      guard let (bytes, _) = try? contents(entry.key.folderName, name) else { return nil }
      let segment = Segment.load(bytes, key: entry.key)
      return segment.count > 0 ? (name, segment) : nil
    }
  }

  /// The readable bytes of a segment's file.
  func contents(_ folderName: String, _ fileName: String) throws(StoreError) -> (
    bytes: [UInt8], failure: FileSystemError?
  ) {
    guard let root else {
      throw rootFailure.map { StoreError(reading: $0) }
        ?? StoreError(.storeUnavailable, "There is no segments folder.")
    }
    do throws(FileSystemError) {
      let folder = try fileSystem.openDirectory(folderName, in: root)
      defer { fileSystem.close(folder) }
      let file = try fileSystem.openFile(fileName, in: folder, for: .reading)
      defer { fileSystem.close(file) }
      let status = try fileSystem.status(of: file)
      guard status.kind == .file, status.owner == userID else {
        throw FileSystemError(
          call: "open", path: file.path, reason: .other, errno: 0, text: "not one of the store's files")
      }
      if status.mode & 0o077 != 0 {
        note(.wrongMode, folderName + "/" + fileName, 0..<0, "mode \(String(status.mode, radix: 8))")
      }
      return fileSystem.contents(of: file, size: min(status.size, 1 << 30))
    } catch { throw StoreError(reading: error) }
  }

  private func note(_ kind: Finding.Kind, _ name: String, _ damage: SegmentDamage) {
    note(kind, name, damage.range, "\(damage.kind.rawValue): \(damage.reason)")
  }

  func note(_ kind: Finding.Kind, _ name: String, _ range: Range<Int>, _ reason: String) {
    let finding = Finding(kind, StoreFolder.Name.segments + "/" + name, at: range, reason)
    state.withLock { state in
      guard state.findings.count < RecoveryReport.maximumFindings, !state.findings.contains(finding) else { return }
      state.findings.append(finding)
    }
  }
}
