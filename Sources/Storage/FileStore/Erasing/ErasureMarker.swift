import JSON
import Values

/// The content of `erasing.json`: that everything stored is to be removed, and what else.
struct ErasureMarker: Sendable, Equatable {
  static let fileName = "erasing.json"
  /// How long an opening waits for the erasing process, in milliseconds.
  static let timeout = 2000

  /// The store to remove; nil when it is unknown.
  var store: EntityID?
  var parts: Erasure.Parts

  private var text: [UInt8] {
    let removed = Erasure.Part.allCases.filter(parts.contains).map { JSONValue.string($0.rawValue) }
    let store = store.map { JSONValue.string($0.description) } ?? .null
    return SmallFile.text(of: JSONObject([("store", store), ("removes", .array(removed))]))
  }

  /// Writes the marker durably; after a failure it does not exist.
  func put(in folder: StoreFolder, _ root: Descriptor) throws(StoreError) {
    let fileSystem = folder.fileSystem
    do throws(FileSystemError) { try folder.replaceUnderLock(ErasureMarker.fileName, in: root, with: text) } catch {
      try? fileSystem.unlink(ErasureMarker.fileName, in: root)
      try? fileSystem.synchronizeDirectory(root)
      throw StoreError(writing: error)
    }
  }
}

extension ErasureMarker {
  /// Nil when the text is invalid.
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
  /// The unfinished erasure in this folder; nil also when the marker is damaged, or was copied here from another
  /// store.
  var erasure: ErasureMarker? {
    guard let root, let text = ownContents(ErasureMarker.fileName, in: root, limit: 65536),
      let marker = ErasureMarker(reading: text)
    else { return nil }
    if let meant = marker.store, let present = storedIdentity?.store, present != meant { return nil }
    return marker
  }

  /// The identity now in `store.json`, read without registering as a user of the store.
  var storedIdentity: StoreIdentity? {
    guard let root, let text = ownContents(Name.identity, in: root, limit: 65536) else { return nil }
    return StoreIdentityReading(text).identity
  }

  /// Completes an unfinished erasure in this folder, if any, as nothing of it may be read.
  ///
  /// - Throws: Why it could not; then nothing may be read.
  func finishErasing() throws(StoreError) {
    guard erasure != nil else { return }
    try Erasure.finish(path, fileSystem)
  }
}
