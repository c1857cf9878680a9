import CivilTime

/// Examines every name in a data folder: what it is, who owns it, who may read it, and whether it is needed. Writes
/// nothing.
struct FolderSurvey {
  private let folder: StoreFolder
  let fileSystem: any FileSystem
  private let now: Instant
  private(set) var findings: [Finding] = []
  /// Unneeded files: orphans, leftovers older than a day, unreadable lists, conflict copies.
  private(set) var removable: [(file: String, kind: Finding.Kind, reason: String)] = []
  /// Foreign files in place of the store's own, which would make a repair fail.
  private(set) var obstacles: [String] = []
  /// Files and folders with permissions for others.
  private(set) var tooOpen: [String] = []
  /// The segment files named by any manifest.
  private var named: Set<String> = []
  /// The generations of the manifests, to which digests belong.
  private var generations: Set<Int> = []
  /// The generation up to which unnamed files are known to be unneeded.
  private var knownGeneration = Int.max

  /// Whether the caller holds the lock of checkpoints, so that nobody else makes one meanwhile.
  private let holdsLock: Bool
  /// Segments that no manifest read so far names, as paths within `segments/`.
  private var orphans: [(path: String, generation: Int)] = []

  init(_ folder: StoreFolder, now: Instant, holdsLock: Bool = false) {
    self.folder = folder
    self.holdsLock = holdsLock
    fileSystem = folder.fileSystem
    self.now = now
  }

  mutating func run() {
    guard let root = folder.root else { return }
    if let status = try? fileSystem.status(of: root), status.mode & 0o077 != 0 { note(open: "", status) }
    findings += readManifests(root)
    for name in names(root) {
      guard let status = status(name, root, name) else { continue }
      if FolderSurvey.ownFolders.contains(name) {
        if status.kind == .directory {
          examine(directory: name, root)
        } else {
          note(fileForFolder: name)
        }
      } else if FolderSurvey.ownFiles.contains(name) || SmallFile.Name(rawValue: name) != nil
        || ManifestFiles.Name.generation(of: name) != nil
      {
        if status.kind == .directory {
          findings.append(Finding(.folderForFile, name, "it is a folder"))
          obstacles.append(name)
        } else if name == RestoreRequest.fileName {
          findings.append(Finding(.pendingRestore, name, "it is requested in \(name)"))
        } else if name == ErasureMarker.fileName {
          findings.append(Finding(.damagedErasure, name, "its content is invalid"))
        } else if let small = SmallFile.Name(rawValue: name) {
          examine(small)
        }
      } else {
        examine(name, status)
      }
    }
    if !hasBackup(root) { findings.append(Finding(.noBackup, BackupPlace.folderName, "it contains none")) }
    examineLock(root)
    noteOrphans(root)
  }

  /// Reports unneeded segments. A running checkpoint's new files look unneeded, as do those that it is about to
  /// remove, so nothing is reported while one runs, and the manifests are read again.
  private mutating func noteOrphans(_ root: Descriptor) {
    guard !orphans.isEmpty else { return }
    let lock = holdsLock ? nil : try? fileSystem.openFile(StoreFolder.Name.checkpointLock, in: root, for: .reading)
    defer { if let lock { fileSystem.close(lock) } }
    if let lock, (try? fileSystem.lock(lock, .shared)) != true { return }
    _ = readManifests(root)
    for (path, generation) in orphans where generation <= knownGeneration && !isNamed(path, generation) {
      let file = StoreFolder.Name.segments + "/" + path
      guard hasFile(file, in: root) else { continue }
      let reason = "no manifest names it"
      findings.append(Finding(.orphanSegment, file, reason))
      removable.append((file, .unusedSegment, reason))
    }
  }

  /// Whether a manifest needs a segment or digest file.
  private func isNamed(_ path: String, _ generation: Int) -> Bool {
    CollectionName(path).isOfDigests ? generations.contains(generation) : named.contains(path)
  }

  // MARK: manifests

  /// Reads the manifests' file names; returns the problems found.
  private mutating func readManifests(_ root: Descriptor) -> [Finding] {
    var found: [Finding] = []
    removable.removeAll { $0.kind == .damagedManifest }
    let files = ManifestFiles(folder: folder, root: root)
    var newest = 0
    var isCurrentKnown = false
    defer { if !isCurrentKnown { knownGeneration = min(knownGeneration, newest) } }
    for name in [ManifestFiles.Name.current] + ((try? files.predecessors()) ?? []).map(ManifestFiles.Name.predecessor) {
      var report = RecoveryReport()
      switch try? files.read(name, &report) {
      case .readable(let manifest, let file):
        fileSystem.close(file)
        newest = max(newest, manifest.generation)
        if name == ManifestFiles.Name.current { isCurrentKnown = true }
        named.formUnion(manifest.segments.map(\.path))
        generations.insert(manifest.generation)
      case .unusable:
        for finding in report.findings where finding.kind == .damagedManifest {
          found.append(finding)
          if name != ManifestFiles.Name.current { removable.append((name, .damagedManifest, finding.reason)) }
        }
      // The files it names cannot be told from unneeded ones.
      case .newer, nil: knownGeneration = 0
      case .absent: break
      }
    }
    return found
  }

  // MARK: names

  private mutating func examine(directory name: String, _ parent: Descriptor) {
    guard let directory = try? fileSystem.openDirectory(name, in: parent) else { return }
    defer { fileSystem.close(directory) }
    for inner in names(directory) {
      let path = name + "/" + inner
      guard let status = status(inner, directory, path) else { continue }
      switch name {
      case StoreFolder.Name.journal: if JournalFile.number(of: inner) == nil { examine(path, status) }
      case StoreFolder.Name.segments:
        if status.kind == .directory, CollectionName(inner).isFileName {
          examine(segmentsIn: path, inner, directory)
        } else if status.kind == .file, named.contains(where: { $0.hasPrefix(inner + "/") }) {
          note(fileForFolder: path)
        } else {
          examine(path, status)
        }
      // The quarantine is not part of the store, and backups are verified elsewhere.
      default: break
      }
    }
  }

  private mutating func examine(segmentsIn path: String, _ name: String, _ parent: Descriptor) {
    guard let directory = try? fileSystem.openDirectory(name, in: parent) else { return }
    defer { fileSystem.close(directory) }
    for inner in names(directory) {
      guard let status = status(inner, directory, path + "/" + inner) else { continue }
      guard let parsed = SegmentFileName(inner) else {
        examine(path + "/" + inner, status)
        continue
      }
      if CollectionName(name).isOfDigests {
        examine(digests: inner, parsed.generation, of: name, directory)
      } else if !named.contains(name + "/" + inner) {
        orphans.append((name + "/" + inner, parsed.generation))
      }
    }
  }

  private mutating func examine(digests file: String, _ generation: Int, of name: String, _ directory: Descriptor) {
    guard generations.contains(generation) else { return orphans.append((name + "/" + file, generation)) }
    guard let (bytes, failure, _) = try? fileSystem.contents(of: file, in: directory) else { return }
    if failure == nil, bytes.withUnsafeBytes(DigestFile.content) != nil { return }
    let reason = failure?.description ?? "its checksum does not match"
    findings.append(Finding(.damagedDigest, "\(StoreFolder.Name.segments)/\(name)/\(file)", reason))
  }

  private mutating func examine(_ small: SmallFile.Name) {
    var ignored = RecoveryReport()
    guard case .damaged(let reason) = folder.read(small, &ignored) else { return }
    findings.append(Finding(small == .secrets ? .damagedSecrets : .damagedSmallFile, small.rawValue, reason))
    // Secrets are never copied.
    if small != .secrets { removable.append((small.rawValue, .unusedSegment, reason)) }
  }

  /// Classifies a name that is not the store's.
  private mutating func examine(_ path: String, _ status: FileStatus) {
    let name = String(path.split(separator: "/").last ?? "")
    if name.hasPrefix(RestoreRequest.stagingPrefix), status.kind == .directory {
      var finding = Finding(.temporaryFile, path, "it holds a backup staged for a restore")
      finding.severity = .note
      findings.append(finding)
    } else if StorePlace.isConflictCopy(name) {
      let reason = "its name looks like a sync program's"
      findings.append(Finding(.conflictCopy, path, reason))
      if status.kind == .file { removable.append((path, .sequenceFork, "conflict copy: \(reason)")) }
    } else if name.hasPrefix("failed-"), name.hasSuffix(".json") {
      findings.append(Finding(.failedRestore, path, "it was given up"))
    } else if FolderSurvey.isTemporary(name) {
      let modified = folder.root.flatMap { fileSystem.modificationTime(of: path, in: $0) }
      let age = modified.map { now.milliseconds.subtractingReportingOverflow($0).partialValue } ?? 0
      let isOld = age > Doctor.leftoverAge
      var finding = Finding(.temporaryFile, path, isOld ? "it is older than a day" : "it may still be in use")
      if !isOld { finding.severity = .note }
      findings.append(finding)
      // Unfinished secrets are never copied; the next write of the secrets removes them.
      if isOld, status.kind == .file, SmallFile.Name(ofTemporary: name) != .secrets {
        removable.append((path, .unusedSegment, "a temporary file older than a day"))
      }
    } else {
      note(unknown: path)
    }
  }

  private mutating func note(fileForFolder path: String) {
    findings.append(Finding(.fileForFolder, path, "it is a file"))
    obstacles.append(path)
  }

  private mutating func note(unknown path: String) {
    findings.append(Finding(.unknownFile, path, "the store uses no such name"))
  }

  // MARK: one name

  /// The status of a name, if it is a file or folder of ours.
  private mutating func status(_ name: String, _ directory: Descriptor, _ path: String) -> FileStatus? {
    guard let status = try? fileSystem.status(of: name, in: directory) else { return nil }
    switch status.kind {
    case .symbolicLink: findings.append(Finding(.linkedFile, path, "it is a symbolic link"))
    case .other: findings.append(Finding(.linkedFile, path, "it is a device, a pipe or a socket"))
    case .file, .directory:
      if status.owner == fileSystem.userID {
        if status.mode & 0o077 != 0 { note(open: path, status) }
        return status
      }
      findings.append(Finding(.foreignFile, path, "it belongs to user \(status.owner), not \(fileSystem.userID)"))
    }
    if isOwn(path) { obstacles.append(path) }
    return nil
  }

  private mutating func note(open path: String, _ status: FileStatus) {
    tooOpen.append(path)
    findings.append(.openToOthers(path, status))
  }

  private mutating func examineLock(_ root: Descriptor) {
    guard let file = try? fileSystem.openFile(StoreFolder.Name.lock, in: root, for: .reading) else { return }
    defer { fileSystem.close(file) }
    guard (try? fileSystem.lock(file, .shared)) == false else { return }
    let text = fileSystem.contents(of: file, size: 256).bytes.prefix { $0 >= 0x20 && $0 < 0x7F }
    findings.append(Finding(.busy, StoreFolder.Name.lock, String(decoding: text, as: UTF8.self)))
  }
}
