import FileStore
import JSON
import Values

/// With whom this device syncs, in one internal record; there is none without a remote.
package struct SyncProfile: Equatable, Sendable {
  /// The absolute path of the remote's folder.
  package var path: String
  /// What identifies the remote: its `store.json`.
  package var storeID: EntityID
  /// The name of this device.
  package var deviceName: String
  /// Whether the user paused sync.
  package var isPaused = false
  /// Whether the user has to decide which state stays, that of the remote or the local one, as a backup was restored or
  /// an import replaced everything. Until then no pass runs.
  package var isUndecided = false
  /// While it is: the revisions of the changes that replaced everything, and of undos of these.
  package var replacements: [Int] = []

  package init(path: String, storeID: EntityID, deviceName: String) {
    self.path = path
    self.storeID = storeID
    self.deviceName = deviceName
  }
}

extension SyncProfile {
  static let id = EntityID(high: 0x8000, low: 0x8000_0000_0000_0002)

  private enum Name {
    static let (path, store, device, paused, undecided) = ("path", "store", "device", "paused", "undecided")
    static let replacements = "replacements"
  }

  var json: JSONObject {
    var object = JSONObject([
      (Name.path, .string(path)), (Name.store, .text(storeID)), (Name.device, .string(deviceName)),
      (Name.paused, .bool(isPaused)), (Name.undecided, .bool(isUndecided)),
    ])
    if !replacements.isEmpty { object[Name.replacements] = .array(replacements.map { .int($0) }) }
    return object
  }

  init?(_ object: JSONObject) {
    guard let path = object.text(Name.path), let store = object.id(Name.store), let device = object.text(Name.device)
    else { return nil }
    self.init(path: path, storeID: store, deviceName: device)
    (isPaused, isUndecided) = (object[Name.paused] == .bool(true), object[Name.undecided] == .bool(true))
    replacements = object.ints(Name.replacements)
  }
}
