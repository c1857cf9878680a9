import JSON
import Values

/// What `erasing.json` says: that everything stored is to go, and what else.
struct ErasureMarker: Sendable, Equatable {
  static let fileName = "erasing.json"
  /// Milliseconds that an opening waits for the process that is at it.
  static let patience = 2000

  /// The store that is to go; nil when that could not be told.
  var store: EntityID?
  var parts: Erasure.Parts

  private var text: [UInt8] {
    let removed = Erasure.Part.allCases.filter(parts.contains).map { JSONValue.string($0.rawValue) }
    let store = store.map { JSONValue.string($0.description) } ?? .null
    return SmallFile.text(of: JSONObject([("store", store), ("removes", .array(removed))]))
  }

  /// Puts the marker into the folder, durably; if that fails, it is not there.
  func put(in folder: StoreFolder, _ root: Descriptor) throws(StoreError) {
    let fileSystem = folder.fileSystem
    let temporary = "\(ErasureMarker.fileName).\(fileSystem.processID).new"
    do throws(FileSystemError) {
      // Of a process of that number that died over it.
      try? fileSystem.unlink(temporary, in: root)
      try folder.replace(ErasureMarker.fileName, in: root, with: text, temporaryName: temporary)
    } catch {
      try? fileSystem.unlink(ErasureMarker.fileName, in: root)
      try? fileSystem.synchronizeDirectory(root)
      throw StoreError(writing: error)
    }
  }
}

extension ErasureMarker {
  /// Nil when the text is not what was written.
  init?(reading bytes: [UInt8]) {
    guard case .value(let object) = SmallFile.content(of: bytes), case .array(let removed)? = object["removes"] else {
      return nil
    }
    self.init(parts: [])
    if case .string(let text)? = object["store"] {
      guard let id = EntityID(text) else { return nil }
      store = id
    }
    for value in removed {
      guard case .string(let name) = value, let part = Erasure.Part(rawValue: name) else { return nil }
      parts.insert(part)
    }
  }
}

extension StoreFolder {
  /// The deletion that was begun in this folder and is not done; nil as well when the marker is damaged or speaks of another store, as
  /// one that was copied here.
  var erasure: ErasureMarker? {
    guard let root, let text = ownContents(ErasureMarker.fileName, in: root, limit: 65536),
      let marker = ErasureMarker(reading: text)
    else { return nil }
    if let meant = marker.store, let present = storedIdentity?.store, present != meant { return nil }
    return marker
  }

  /// What `store.json` says now, without being counted as somebody who uses the store.
  var storedIdentity: StoreIdentity? {
    guard let root, let text = ownContents(Name.identity, in: root, limit: 65536) else { return nil }
    return StoreIdentityReading(text).identity
  }

  /// Brings a deletion to its end that was begun in this folder, if there is one: nothing of it may be read any more.
  ///
  /// - Throws: What kept it from that; then nothing is to be read.
  func finishErasing() throws(StoreError) {
    guard erasure != nil else { return }
    try Erasure.finish(path, fileSystem)
  }
}
