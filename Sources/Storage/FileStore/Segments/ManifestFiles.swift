import Values

/// The manifests of one data folder: choosing the one to use, and replacing it.
struct ManifestFiles {
  /// The manifest chosen for use.
  struct Loaded: Sendable {
    var manifest: Manifest
    /// The manifest's file, locked so that the files it names are not removed while it is open; nil for a rebuilt one.
    var pin: Descriptor?
    var source: Source
    /// A generation that, as far as is known, no manifest of this folder has had.
    var nextGeneration: Int

    init(_ manifest: Manifest, _ pin: Descriptor?, _ source: Source, above lost: Int = 0) {
      (self.manifest, self.pin, self.source) = (manifest, pin, source)
      nextGeneration = ManifestFiles.next(max(lost, manifest.generation))
    }
  }

  enum Source: Sendable, Equatable {
    case current
    case predecessor
    case rebuilt
  }

  enum Name {
    static let current = "manifest.json"

    /// The name of a manifest that was replaced.
    static func predecessor(_ generation: Int) -> String { "manifest-\(generation).json" }

    /// The generation in such a name; nil for other names.
    static func generation(of name: String) -> Int? {
      guard name.hasPrefix("manifest-"), name.hasSuffix(".json"), let number = Int(name.dropFirst(9).dropLast(5)),
        number > 0, predecessor(number) == name
      else { return nil }
      return number
    }
  }

  /// The maximum size of a manifest that is read, in bytes.
  static let longestFile = 1 << 28
  /// How often reading is retried when the manifest is replaced meanwhile.
  private static let attempts = 32

  let folder: StoreFolder
  let root: Descriptor

  var fileSystem: any FileSystem { folder.fileSystem }

  /// Chooses the manifest to use: the current one, else the newest readable predecessor, else one rebuilt from the
  /// existing segments with the identity `store`. Nil when there never was a manifest or a segment. Writes nothing.
  ///
  /// - Throws: `storeUnavailable` when a newer version wrote the folder in a way that must not be read here.
  func load(store: EntityID, _ report: inout RecoveryReport) throws(StoreError) -> Loaded? {
    var wasThere = true
    switch try read(Name.current, &report) {
    case .readable(let manifest, let pin): return Loaded(manifest, pin, .current)
    case .newer(let reason): throw unreadable(reason)
    case .absent: wasThere = false
    case .unusable: break
    }
    let generations = try predecessors()
    // The lost manifest's generation follows its predecessor's.
    let lost = ManifestFiles.next(generations.first ?? 0)
    if !wasThere, !generations.isEmpty {
      report.note(Finding(.missingManifest, Name.current, "only older ones exist"))
    }
    for generation in generations {
      let name = Name.predecessor(generation)
      switch try read(name, &report) {
      case .readable(let manifest, let pin):
        report.note(Finding(.olderManifest, name, "no newer one is usable"))
        return Loaded(manifest, pin, .predecessor, above: lost)
      case .newer(let reason): throw unreadable(reason)
      case .absent, .unusable: break
      }
    }
    guard var manifest = try rebuild(store: store, &report) else {
      guard wasThere || !generations.isEmpty else { return nil }
      // A manifest has existed: everything is left to the journals.
      report.note(Finding(.rebuiltManifest, Name.current, "there is no usable segment"))
      let empty = Manifest(generation: lost, store: store, revision: 0, journal: try firstJournal())
      return Loaded(empty, nil, .rebuilt)
    }
    manifest.generation = max(manifest.generation, lost)
    return Loaded(manifest, nil, .rebuilt)
  }

  private func unreadable(_ reason: String) -> StoreError {
    StoreError(
      .storeUnavailable, "A newer version of this program wrote the store, and this one cannot read it: \(reason).",
      path: folder.path)
  }

  /// The generations of the existing older manifests, newest first.
  func predecessors() throws(StoreError) -> [Int] {
    let names = try StoreError.reading(fileSystem.names(in: root))
    return names.compactMap(Name.generation).sorted(by: >)
  }

  static func next(_ generation: Int) -> Int { generation < .max ? generation + 1 : generation }

  enum Found: Sendable {
    case absent
    /// For a reason given in the report.
    case unusable
    case newer(String)
    case readable(Manifest, Descriptor)
  }

  /// Reads a manifest and pins it. If its file is replaced between opening and locking, the pin may be too late, so
  /// the new file is read.
  ///
  /// - Parameter didOpen: A test hook called between opening and locking.
  func read(_ name: String, _ report: inout RecoveryReport, didOpen: () throws(StoreError) -> Void = {})
    throws(StoreError) -> Found
  {
    for attempt in 1...ManifestFiles.attempts {
      guard let (file, status) = try folder.openTrusted(name, in: root, .file, &report) else { return .absent }
      try didOpen()
      var isLocked = false
      var failure = "it is locked for removal"
      do throws(FileSystemError) { isLocked = try fileSystem.lock(file, .shared) } catch { failure = error.description }
      let named = try? fileSystem.status(of: name, in: root)
      let isSame = named?.isSameFile(as: status) ?? false
      guard isLocked && isSame || attempt == ManifestFiles.attempts else {
        fileSystem.close(file)
        continue
      }
      if !isLocked || !isSame { report.note(Finding(.notPinned, name, failure)) }
      let (contents, isRefused) = contents(file, status)
      if case .readable(let manifest) = contents { return .readable(manifest, file) }
      fileSystem.close(file)
      if case .newer(let reason) = contents { return .newer(reason) }
      if case .damaged(let reason) = contents {
        report.note(Finding(isRefused ? .unreadableRange : .damagedManifest, name, reason))
      }
      return .unusable
    }
    return .absent
  }

  func pinned(_ name: String) throws(StoreError) -> (manifest: Manifest, pin: Descriptor)? {
    var ignored = RecoveryReport()
    guard case .readable(let manifest, let pin) = try read(name, &ignored) else { return nil }
    return (manifest, pin)
  }

  /// A manifest without a pin; nil when it is missing or unusable.
  func manifest(_ name: String) throws(StoreError) -> Manifest? {
    guard let (manifest, pin) = try pinned(name) else { return nil }
    fileSystem.close(pin)
    return manifest
  }

  private func contents(_ file: Descriptor, _ status: FileStatus) -> (ManifestReading<Manifest>, isRefused: Bool) {
    guard status.size <= ManifestFiles.longestFile else { return (.damaged("the file is too long"), false) }
    let (bytes, failure) = fileSystem.contents(of: file, size: status.size)
    if let failure { return (.damaged(failure.description), true) }
    return (Manifest.read(bytes), false)
  }
}

extension StoreFolder {
  /// The manifests; nil while the folder does not exist.
  var manifests: ManifestFiles? { root.map { ManifestFiles(folder: self, root: $0) } }
}
