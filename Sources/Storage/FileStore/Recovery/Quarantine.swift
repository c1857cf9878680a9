import CivilTime
import Platform

/// The folder that keeps damaged bytes: before anything replaces them they are copied there, synced and listed.
/// Nothing that was on disk is ever lost: it is either in use or kept here.
struct Quarantine {
  enum Name {
    static let folder = "quarantine"
    static let list = "list.jsonl"
  }

  /// The size up to which files are copied whole.
  static let smallFile = 64 << 10
  /// The maximum size of a file that is copied; larger ones are hard-linked instead.
  static let longestCopy = 64 << 20

  let folder: StoreFolder
  /// The time to record, for display only.
  let now: Instant

  /// Keeps the damaged bytes of the findings so that they may be replaced; the whole file when it is small or mostly
  /// damaged. Missing data is only recorded. What was kept before is not kept again.
  ///
  /// - Parameter revision: The store's revision, up to which the records of damaged segments are uncertain.
  /// - Throws: Why it could not be kept; then nothing may be replaced.
  func keep(_ findings: [Finding], revision: Int) throws(StoreError) {
    var files: [String: [Finding]] = [:]
    for finding in findings where finding.kind.hasBytes || finding.kind.isLossPossible {
      files[finding.file, default: []].append(finding)
    }
    guard !files.isEmpty else { return }
    try change { known, place throws(StoreError) in
      var new: [QuarantineEntry] = []
      for (file, findings) in files.sorted(by: { $0.key < $1.key }) {
        new += try keep(file, findings, revision, known: known, place)
      }
      return new
    }
  }

  /// Keeps an unreadable `store.json` before a new one replaces it.
  func keepIdentity() throws(StoreError) {
    guard let source = try open(StoreFolder.Name.identity) else { return }
    let size = source.size
    source.close(folder.fileSystem)
    let finding = Finding(
      .identityLost, StoreFolder.Name.identity, at: 0..<size, "it cannot be read; a new one was written")
    if size > 0 { try keep([finding], revision: 0) }
  }

  /// Moves a whole file into the quarantine; returns whether it existed.
  @discardableResult func moveIn(_ file: String, _ kind: Finding.Kind, _ reason: String) throws(StoreError) -> Bool {
    guard let source = try open(file) else { return false }
    defer { source.close(folder.fileSystem) }
    try change { known, place throws(StoreError) in
      let (bytes, failure) = contents(source)
      let checksum = CRC32C.checksum(bytes)
      var entry = QuarantineEntry(
        at: now, file: file, offset: 0, length: max(source.size, bytes.count), kind: kind.rawValue, reason: reason)
      entry.checksum = checksum
      entry.isWhole = true
      entry.copy = try copyWhole(source, file, bytes, checksum, isReadable: failure == nil, place)
      return known.contains { $0.isSame(as: entry) } ? [] : [entry]
    }
    do throws(FileSystemError) {
      try folder.fileSystem.unlink(source.name, in: source.directory)
      try folder.fileSystem.synchronizeDirectory(source.directory)
    } catch { throw StoreError(writing: error) }
    return true
  }

  // MARK: one file

  private func keep(
    _ file: String, _ findings: [Finding], _ revision: Int, known: [QuarantineEntry], _ place: Descriptor
  ) throws(StoreError) -> [QuarantineEntry] {
    guard findings.contains(where: \.kind.hasBytes), let source = try open(file) else {
      return entries(findings, nil, revision).filter { entry in !known.contains { $0.isSame(as: entry) } }
    }
    defer { source.close(folder.fileSystem) }
    let (bytes, failure) = contents(source)
    var new = entries(findings, bytes, revision).filter { entry in !known.contains { $0.isSame(as: entry) } }
    guard new.contains(where: { $0.length > 0 }) else { return new }
    let damaged = new.reduce(0) { $0 + $1.length }
    if failure != nil || bytes.count <= Quarantine.smallFile || damaged >= bytes.count / 2 {
      let checksum = CRC32C.checksum(bytes)
      let name = try copyWhole(source, file, bytes, checksum, isReadable: failure == nil, place)
      for index in new.indices where new[index].length > 0 {
        new[index].copy = name
        new[index].isWhole = true
      }
      return new
    }
    for index in new.indices where new[index].length > 0 {
      let range = new[index].offset..<(new[index].offset + new[index].length)
      let name = Quarantine.name(file, "\(range.lowerBound)-\(range.upperBound)", new[index].checksum)
      try write(Array(bytes[range]), name, place)
      new[index].copy = name
    }
    return new
  }

  /// The list entries for a file's findings; `bytes` is its readable content, nil when it is missing.
  func entries(_ findings: [Finding], _ bytes: [UInt8]?, _ revision: Int) -> [QuarantineEntry] {
    findings.map { finding in
      var range = 0..<0
      if let bytes, finding.kind.hasBytes {
        // Findings about the whole file have no range.
        let end = finding.offset.addingReportingOverflow(finding.length)
        let stated = finding.offset..<max(finding.offset, end.overflow ? .max : end.partialValue)
        range = stated.isEmpty && finding.kind.isWholeFile ? 0..<bytes.count : stated.clamped(to: 0..<bytes.count)
      }
      var entry = QuarantineEntry(
        at: now, file: finding.file, offset: range.isEmpty ? finding.offset : range.lowerBound, length: range.count,
        kind: finding.kind.rawValue, reason: finding.reason)
      entry.previousSequence = finding.previousSequence
      entry.nextSequence = finding.nextSequence
      let isJournal = finding.file.hasPrefix(StoreFolder.Name.journal + "/")
      entry.revision = isJournal ? finding.previousSequence : revision
      if let bytes, !range.isEmpty {
        bytes.withUnsafeBytes { file in
          let damage = UnsafeRawBufferPointer(rebasing: file[range])
          entry.checksum = CRC32C.checksum(damage)
          // What was rebuilt, or was never answered, is not uncertain.
          guard finding.kind.isLossPossible else { return }
          entry.records = RecordReference.all(in: damage, of: Quarantine.collection(of: finding.file))
        }
      }
      return entry
    }
  }

  static func collection(of file: String) -> CollectionName? {
    let parts = file.split(separator: "/")
    guard parts.count == 3, parts[0] == StoreFolder.Name.segments else { return nil }
    return CollectionName(String(parts[1]))
  }

  // MARK: copies

  /// A readable name: `journal-000002.jsonl.120-388.5f3a9c01`.
  private static func name(_ file: String, _ part: String, _ checksum: UInt32) -> String {
    let flat = file.split(separator: "/").joined(separator: "-")
    return "\(flat).\(part).\(FixedText.digits(checksum))"
  }

  private func copyWhole(
    _ source: Source, _ file: String, _ bytes: [UInt8], _ checksum: UInt32, isReadable: Bool, _ place: Descriptor
  ) throws(StoreError) -> String {
    let name = Quarantine.name(file, "whole", checksum)
    if isReadable, source.size <= Quarantine.longestCopy {
      try write(bytes, name, place)
      return name
    }
    // What cannot be read now may be readable later.
    do throws(FileSystemError) {
      _ = try FileSystemError.ignoring(
        .alreadyExists, folder.fileSystem.link(source.name, in: source.directory, to: name, in: place))
      try folder.fileSystem.synchronizeDirectory(place)
    } catch { throw StoreError(writing: error) }
    return name
  }

  /// Writes a copy unless it exists with the same content.
  private func write(_ bytes: [UInt8], _ name: String, _ place: Descriptor) throws(StoreError) {
    let present = try? folder.fileSystem.contents(of: name, in: place, limit: bytes.count + 1)
    if present?.bytes != bytes { try replace(name, bytes, place) }
  }

  private func replace(_ name: String, _ bytes: [UInt8], _ place: Descriptor) throws(StoreError) {
    try StoreError.writing(folder.replaceUnderLock(name, in: place, with: bytes))
  }

  // MARK: the list

  /// Creates the quarantine if needed, and appends the entries that `body` returns for the present ones.
  private func change(_ body: ([QuarantineEntry], Descriptor) throws(StoreError) -> [QuarantineEntry])
    throws(StoreError)
  {
    guard let root = folder.root else { throw StoreError(.storeUnavailable, "There is no data folder.") }
    let fileSystem = folder.fileSystem
    let place = try StoreError.writing(SegmentFiles.directory(Name.folder, in: root, fileSystem))
    defer { fileSystem.close(place) }
    // Prevents two processes from overwriting each other's entries. Where locks do not work, at least the copies stay.
    for _ in 0..<100 {
      if (try? fileSystem.lock(place, .exclusive)) ?? true { break }
      Threads.rest(milliseconds: 1)
    }
    let list = Quarantine.text(place, fileSystem)
    let new = try body(Quarantine.read(list).entries, place)
    guard !new.isEmpty else { return }
    let isClosed = list.isEmpty || list.last == UInt8(ascii: "\n")
    // Not appended: after a failed sync the file's content would be unknown.
    try replace(Name.list, list + (isClosed ? [] : [UInt8(ascii: "\n")]) + new.flatMap(\.line), place)
  }

  /// The list's entries, and its number of unreadable lines. Writes nothing.
  func entries() -> (entries: [QuarantineEntry], unreadable: Int) {
    guard let root = folder.root, let place = try? folder.fileSystem.openDirectory(Name.folder, in: root) else {
      return ([], 0)
    }
    defer { folder.fileSystem.close(place) }
    return Quarantine.read(Quarantine.text(place, folder.fileSystem))
  }

  private static func text(_ place: Descriptor, _ fileSystem: any FileSystem) -> [UInt8] {
    (try? fileSystem.contents(of: Name.list, in: place, limit: longestCopy).bytes) ?? []
  }

  private static func read(_ text: [UInt8]) -> (entries: [QuarantineEntry], unreadable: Int) {
    var entries: [QuarantineEntry] = []
    var unreadable = 0
    for line in text.split(separator: UInt8(ascii: "\n")) {
      if let entry = line.withUnsafeBytes({ QuarantineEntry(line: $0) }) {
        if !entries.contains(where: { $0.isSame(as: entry) }) { entries.append(entry) }
      } else {
        unreadable += 1
      }
    }
    return (entries, unreadable)
  }
}
