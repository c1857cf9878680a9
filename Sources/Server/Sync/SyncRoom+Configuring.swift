import DomainKit
import JSONRPC
import Platform
import SyncEngine
import SyncRemotes

/// Which remote, and whether passes run.
extension SyncRoom {
  func syncConfigure(_ params: SyncConfigureParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    let (path, name) = (try SyncRoom.path(params.remote), params.deviceName)
    var conditions = self.conditions(desk)
    guard conditions.hasPremium else { throw RPCError(premiumFor: .sync) }
    conditions.isRunning = false
    let (options, after) = (desk.options, conditions)
    let (creates, replaces) = (params.create == true, params.replace == true)
    return Deferred { work throws(RPCError) in
      let worker = SyncWorker(configuration: work.configuration, options: options)
      let real = try SyncRoom.folder(path, dataFolder: options.dataFolder)
      let result = try await work.onThread(nil) { _ throws(StoreError) in
        worker.configure(real, name: name, creates: creates, replaces: replaces)
      }
      switch result {
      case .failure(let failure): throw failure.error
      case .success: return try await worker.status(after, work)
      }
    }
  }

  func syncForget(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    changing(&desk) { replica throws(StoreError) in if try replica.profile() != nil { try replica.forget() } }
  }

  func syncPause(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    guard try SyncProfile(desk) != nil else { throw SyncFailure.off.error }
    return changing(&desk) { replica throws(StoreError) in try replica.update("sync/pause") { $0.isPaused = true } }
  }

  func syncResume(_ params: SyncResumeParams, _ desk: inout Desk) throws(RPCError) -> Deferred<SyncStatus> {
    guard let profile = try SyncProfile(desk) else { throw SyncFailure.off.error }
    guard let side = params.keep else {
      guard !profile.isUndecided else {
        throw RPCError(
          .invalidParams, "it is not known which state stays", pointer: "/keep", allowed: "remote or local",
          hint: SyncRoom.sides)
      }
      return changing(&desk) { replica throws(StoreError) in try replica.update("sync/resume") { $0.isPaused = false } }
    }
    guard profile.isUndecided else {
      throw RPCError(.nothingToDecide, "no backup was restored, and no import replaced everything, since the last pass")
    }
    return changing(&desk, excludesPasses: true) { replica throws(StoreError) in
      // Another process may have decided meanwhile.
      if try replica.profile()?.isUndecided == true { try replica.resume(keeping: side == .local ? .local : .remote) }
    }
  }

  /// What the answers to the question mean.
  static let sides = "“remote” merges what the devices hold, “local” gives the others the state of this device"

  private static func path(_ remote: SyncRemote) throws(RPCError) -> String {
    guard remote.kind == .folder else {
      throw RPCError(
        .invalidParams, "remotes of the kind “\(remote.kind.rawValue)” are not known here", pointer: "/remote/kind",
        allowed: "folder")
    }
    guard let path = remote.path, path.hasPrefix("/") else {
      throw RPCError(
        .invalidParams, "the path of the folder is not absolute", pointer: "/remote/path", allowed: "an absolute path")
    }
    return path
  }

  /// The folder that a path names once links are resolved.
  ///
  /// - Throws: `remoteUnavailable` if there is none; `invalidParams` if it is the data folder, in it or around it.
  private static func folder(_ path: String, dataFolder: String) throws(RPCError) -> String {
    guard let real = Files.resolved(path) else {
      throw SyncFailure.failed(
        SyncReport.Problem(
          id: EntityID(high: 0, low: 0), phase: .open, cause: RemoteFailure.Cause.missing.rawValue,
          message: "There is no folder at “\(path)”.", at: Instant(milliseconds: 0))
      ).error
    }
    let data = Files.resolved(dataFolder) ?? dataFolder
    guard !(real + "/").hasPrefix(data + "/"), !(data + "/").hasPrefix(real + "/") else {
      throw RPCError(
        .invalidParams, "the remote cannot be the data folder, nor in it, nor around it", pointer: "/remote/path",
        allowed: "another folder")
    }
    return real
  }
}

extension SyncWorker {
  /// Makes a folder the remote of this device.
  func configure(
    _ path: String, name: String?, creates: Bool, replaces: Bool
  ) -> Result<Void, ConfigureFailure> {
    do throws(StoreError) {
      let known = try step { replica throws(StoreError) in try replica.profile() }
      let identity: RemoteIdentity
      do throws(RemoteFailure) {
        let remote = remote(at: path)
        identity =
          creates && (known == nil || replaces)
          ? try RemoteIdentity.create(in: remote, id: options.newID()) : try RemoteIdentity(of: remote)
        try RemoteIdentity.probe(remote, id: options.newID())
      } catch {
        // An empty folder is another one than the known remote.
        if let known, creates, error.cause == .remoteEmpty { return .failure(.configured(known.path)) }
        return .failure(.remote(error))
      }
      if let known, known.storeID != identity.id, !replaces { return .failure(.configured(known.path)) }
      let profile = SyncProfile(
        path: path, storeID: identity.id, deviceName: name ?? known?.deviceName ?? Processes.hostName ?? "This device")
      try step { replica throws(StoreError) in
        if known?.storeID == identity.id {
          // The same remote, perhaps at another place: what was exchanged stays known.
          return try replica.update("sync/configure") { ($0.path, $0.deviceName) = (profile.path, profile.deviceName) }
        }
        if known != nil { try replica.forget() }
        try replica.configure(profile)
      }
      try forbidOlderWriters()
      return .success(())
    } catch { return .failure(.store(error)) }
  }
}

extension SyncWorker {
  /// Has versions of the program that know nothing of sync write no more into the data folder. The new manifest says so,
  /// and a process of such a version that is running heeds it before its next write.
  private func forbidOlderWriters() throws(StoreError) {
    let store = try FileStore.open(configuration)
    defer { store.close() }
    try store.checkpoint()
  }
}

/// Why a remote was not configured.
enum ConfigureFailure: Error {
  case remote(RemoteFailure)
  /// Another one is, at this path.
  case configured(String)
  case store(StoreError)

  var error: RPCError {
    switch self {
    case .remote(let failure):
      SyncReport.Problem(
        id: EntityID(high: 0, low: 0), phase: .open, cause: failure.cause.rawValue, message: failure.message,
        at: Instant(milliseconds: 0)
      ).error
    case .configured(let path):
      RPCError(
        .remoteConfigured, "the folder “\(path)” is configured", pointer: "/remote",
        hint: "“replace”: true forgets it first")
    case .store(let error): RPCError(ofWork: error)
    }
  }
}
