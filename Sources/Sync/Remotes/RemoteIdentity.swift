import JSON
import SyncEngine
import Values

/// What makes a folder a remote: the file `store.json` with an id. It is to be checked before each pass, so that an empty
/// mount point, or another folder at the same path, is never taken for the remote.
package struct RemoteIdentity: Hashable, Sendable {
  package let id: EntityID

  private static let name = "store.json"
  private static let format = 1

  /// Reads the identity of a remote.
  ///
  /// - Parameter expected: The id that it must have; nil if any will do.
  package init(of remote: FolderRemote, expected: EntityID? = nil) throws(RemoteFailure) {
    guard let bytes = try remote.get(RemoteIdentity.name) else {
      throw try RemoteIdentity.absence(in: remote, expected)
    }
    guard case .object(let object)? = bytes.withUnsafeBytes({ try? JSONValue(json: $0) }),
      case .number(let format)? = object["format"], let format = format.integer, format > 0
    else { throw RemoteFailure(.damaged, "“store.json” of the folder cannot be read.") }
    guard format <= RemoteIdentity.format else {
      throw RemoteFailure(.newerFormat, "The folder was made by a newer version of daybook; use that version.")
    }
    guard case .string(let text)? = object["id"], let id = EntityID(text) else {
      throw RemoteFailure(.damaged, "“store.json” of the folder has no id.")
    }
    guard expected == nil || id == expected else {
      throw RemoteFailure(.storeChanged, "The folder belongs to another set of devices than the configured one.")
    }
    self.id = id
  }

  /// Makes an empty folder a remote. Nothing but hidden files may be in it.
  ///
  /// - Returns: Its identity, or that which somebody has made meanwhile.
  package static func create(in remote: FolderRemote, id: EntityID) throws(RemoteFailure) -> RemoteIdentity {
    if try remote.get(name) == nil {
      let absence = try absence(in: remote, nil)
      guard absence.cause == .remoteEmpty else { throw absence }
      let object = JSONObject([("format", .number(JSONNumber(format))), ("id", .string("\(id)"))])
      try remote.put(name, JSONValue.object(object).json + [UInt8(ascii: "\n")])
    }
    return try RemoteIdentity(of: remote)
  }

  /// Writes, reads back and deletes a file, which shows what the folder permits before anything depends on it.
  package static func probe(_ remote: FolderRemote, id: EntityID) throws(RemoteFailure) {
    let name = "probe-\(id)"
    try remote.put(name, Array("daybook\n".utf8))
    try remote.delete(name)
  }

  /// Why there is no identity.
  private static func absence(in remote: FolderRemote, _ expected: EntityID?) throws(RemoteFailure) -> RemoteFailure {
    if expected != nil {
      return RemoteFailure(
        .storeMissing, "The folder has no “store.json”: it is another one, or not mounted, or has not arrived yet.")
    }
    guard try remote.list("").isEmpty else {
      return RemoteFailure(.foreignFiles, "The folder has files of others and is not one of daybook; use an empty one.")
    }
    return RemoteFailure(.remoteEmpty, "The folder is empty; “create” makes it the folder of your devices.")
  }
}
