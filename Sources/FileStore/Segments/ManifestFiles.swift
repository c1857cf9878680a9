import Values

/// Something about a store's manifests that is not as it should be. Loading changes none of it.
struct ManifestNote: Sendable, Equatable {
  enum Kind: String, Sendable {
    /// A manifest is not what was once written.
    case damagedManifest
    /// The medium refused to give up a manifest.
    case unreadableManifest
    /// There is no `manifest.json`, though there has been one.
    case missingManifest
    /// An older manifest is used.
    case usedPredecessor
    /// No manifest could be used; what the store consists of was found by looking at the files.
    case rebuilt
    /// A segment without its last line, which was never finished, or one that an unreadable folder hides; it is not used.
    case unusedSegment
    /// A segment that is used although it is damaged.
    case damagedSegment
    /// A manifest could not be pinned: its files may disappear while they are used.
    case notPinned
  }

  var kind: Kind
  /// The file's name within the data folder.
  var file: String
  /// What exactly is wrong, for people.
  var reason: String
}

/// The manifests of one data folder: finding the one to use, and replacing it.
struct ManifestFiles {
  /// Opens a file or folder that must be the store's own if it is there at all, by the rules of trust.
  typealias Opening =
    (_ name: String, _ directory: Descriptor, _ kind: FileStatus.Kind) throws(StoreError) -> (
      descriptor: Descriptor, status: FileStatus
    )?

  /// What the folder's manifests come to.
  enum Loading: Sendable {
    /// There never was a manifest or a segment.
    case none
    case loaded(Loaded)
    /// A newer version wrote it, in a way that this one must not touch, for the reason given.
    case newer(String)
  }

  /// A manifest to use.
  struct Loaded: Sendable {
    var manifest: Manifest
    /// The manifest's own file, locked so that nobody removes what it names while this is open; nil for a rebuilt one.
    var pin: Descriptor?
    var source: Source
    /// A generation that no manifest of this folder has had, as far as can be told.
    var nextGeneration: Int
  }

  /// Where a manifest comes from.
  enum Source: Sendable, Equatable {
    case current
    case predecessor
    case rebuilt
  }

  /// Names within the data folder.
  enum Name {
    static let current = "manifest.json"
    static let segments = "segments"
    static let journal = "journal"

    /// The name that a manifest keeps when it has been replaced.
    static func predecessor(_ generation: Int) -> String { "manifest-\(generation).json" }

    /// The generation in such a name; nil for other names.
    static func generation(of name: String) -> Int? {
      guard name.hasPrefix("manifest-"), name.hasSuffix(".json"), let number = Int(name.dropFirst(9).dropLast(5)),
        number > 0, predecessor(number) == name
      else { return nil }
      return number
    }
  }

  /// Manifests above this are not read into memory.
  static let longestFile = 1 << 28
  /// How often a manifest is opened again that was replaced meanwhile.
  private static let attempts = 32

  let fileSystem: any FileSystem
  /// The data folder.
  let root: Descriptor

  /// The manifest to use: the current one, else the newest of its predecessors, else what can be rebuilt out of the
  /// segments there are; `store` is the identity that a rebuilt one gets. Writes nothing.
  func load(
    store: EntityID, _ notes: inout [ManifestNote], _ open: Opening
  ) throws(StoreError) -> Loading {
    var wasThere = true
    switch try read(Name.current, &notes, open) {
    case .readable(let manifest, let pin):
      return .loaded(
        Loaded(
          manifest: manifest, pin: pin, source: .current, nextGeneration: ManifestFiles.next(manifest.generation)))
    case .newer(let reason): return .newer(reason)
    case .absent: wasThere = false
    case .unusable: break
    }
    let generations = try predecessors()
    // The one that is lost had the number after that of its predecessor.
    let lost = ManifestFiles.next(generations.first ?? 0)
    if !wasThere, !generations.isEmpty {
      notes.append(ManifestNote(kind: .missingManifest, file: Name.current, reason: "only older ones are there"))
    }
    for generation in generations {
      let name = Name.predecessor(generation)
      switch try read(name, &notes, open) {
      case .readable(let manifest, let pin):
        notes.append(ManifestNote(kind: .usedPredecessor, file: name, reason: "no newer one can be used"))
        return .loaded(
          Loaded(
            manifest: manifest, pin: pin, source: .predecessor,
            nextGeneration: ManifestFiles.next(max(lost, manifest.generation))))
      case .newer(let reason): return .newer(reason)
      case .absent, .unusable: break
      }
    }
    guard var manifest = try rebuild(store: store, &notes, open) else {
      return wasThere || !generations.isEmpty ? .loaded(try empty(store, lost, &notes, open)) : .none
    }
    manifest.generation = max(manifest.generation, lost)
    return .loaded(
      Loaded(
        manifest: manifest, pin: nil, source: .rebuilt, nextGeneration: ManifestFiles.next(manifest.generation)))
  }

  /// The generations of the older manifests that are there, newest first.
  func predecessors() throws(StoreError) -> [Int] {
    let names = try StoreError.reading { () throws(FileSystemError) in try fileSystem.names(in: root) }
    return names.compactMap(Name.generation).sorted(by: >)
  }

  /// The number after `generation`.
  static func next(_ generation: Int) -> Int { generation < .max ? generation + 1 : generation }

  /// What came of one file.
  enum Found: Sendable {
    case absent
    /// It was noted why.
    case unusable
    case newer(String)
    case readable(Manifest, Descriptor)
  }

  /// Reads a manifest and pins it. Its file may be replaced between opening and locking; then its pin might come too late,
  /// and the new one is read.
  func read(_ name: String, _ notes: inout [ManifestNote], _ open: Opening) throws(StoreError) -> Found {
    for attempt in 1...ManifestFiles.attempts {
      guard let (file, status) = try open(name, root, .file) else { return .absent }
      var isLocked = false
      var failure = "somebody has it locked for removal"
      do throws(FileSystemError) { isLocked = try fileSystem.lock(file, .shared) } catch { failure = error.description }
      let named = try? fileSystem.status(of: name, in: root)
      let isSame = named?.isSameFile(as: status) ?? false
      guard isLocked && isSame || attempt == ManifestFiles.attempts else {
        fileSystem.close(file)
        continue
      }
      if !isLocked || !isSame { notes.append(ManifestNote(kind: .notPinned, file: name, reason: failure)) }
      let (contents, isRefused) = contents(file, status)
      switch contents {
      case .readable(let manifest): return .readable(manifest, file)
      case .newer(let reason):
        fileSystem.close(file)
        return .newer(reason)
      case .damaged(let reason):
        fileSystem.close(file)
        let kind: ManifestNote.Kind = isRefused ? .unreadableManifest : .damagedManifest
        notes.append(ManifestNote(kind: kind, file: name, reason: reason))
        return .unusable
      }
    }
    return .absent
  }

  private func contents(
    _ file: Descriptor, _ status: FileStatus
  ) -> (ManifestReading<Manifest>, isRefused: Bool) {
    guard status.size <= ManifestFiles.longestFile else { return (.damaged("the file is too long"), false) }
    let (bytes, failure) = fileSystem.contents(of: file, size: status.size)
    if let failure { return (.damaged(failure.description), true) }
    return (Manifest.read(bytes), false)
  }
}
