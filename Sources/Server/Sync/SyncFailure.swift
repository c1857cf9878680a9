import DaybookProtocol
import FileStore
import JSONRPC
import SyncEngine

/// Why no pass ran, or why it ended early.
enum SyncFailure: Error {
  /// There is no remote.
  case off
  case paused
  /// The user has to say which state stays.
  case undecided
  /// A pass is running, of this process or another.
  case busy
  /// The request was cancelled.
  case cancelled
  /// It failed, as the report says.
  case failed(SyncReport.Problem)
  /// The own data folder failed.
  case store(StoreError)

  /// The client's error.
  var error: RPCError {
    switch self {
    case .off: RPCError(.syncOff, "there is no remote", hint: "“sync/configure” names one")
    case .paused: RPCError(.syncPaused, "sync is paused", hint: "“sync/resume” ends the pause")
    case .undecided:
      RPCError(
        .syncPaused, "sync waits, as a backup was restored or an import replaced everything",
        hint: "“sync/resume” with “keep”: \(SyncRoom.sides)")
    case .busy: RPCError(.syncBusy, "a pass is running", hint: "send the request again in a moment")
    case .cancelled: RPCError(.requestCancelled, "cancelled; what was exchanged stays")
    case .failed(let problem): problem.error
    case .store(let error): RPCError(ofWork: error)
    }
  }
}

extension SyncReport.Problem {
  /// The cause and the phase of a pass that failed; nil if it was cancelled, or the data folder was in use.
  init?(_ failure: PassFailure, id: EntityID, at now: Instant) {
    switch failure {
    case .remote(let failure, let phase):
      self.init(id: id, phase: phase, cause: failure.cause.rawValue, message: failure.message, at: now)
    case .needsUpdate:
      self.init(
        id: id, phase: .pull, cause: RemoteFailure.Cause.newerFormat.rawValue,
        message: "A device uses a newer version of daybook; use that version here too.", at: now)
    case .store(let error):
      guard error.code != .cancelled, error.code != .storeBusy else { return nil }
      let cause = error.code == .diskFull ? RemoteFailure.Cause.localFull.rawValue : "local"
      self.init(id: id, phase: .apply, cause: cause, message: error.message, at: now)
    }
  }

  private var kind: RemoteFailure.Cause? { RemoteFailure.Cause(rawValue: cause) }

  /// Whether the next pass may succeed without the user.
  var isRetryable: Bool {
    switch kind {
    case .missing, .timedOut, .lost, .awaited, .localFull: true
    default: false
    }
  }

  /// What helps.
  var hint: String {
    switch kind {
    case .missing: "connect or mount the folder; the next pass goes on where this one ended"
    case .timedOut, .lost: "look whether the folder is reachable; the next pass tries again"
    case .awaited: "wait until the program that keeps the folders alike has finished"
    case .localFull: "make room where the data folder is"
    case .notAFolder: "name a folder: “sync/configure”"
    case .notPermitted: "permit this user to read and write the folder"
    case .full: "make room in the folder"
    case .foreignFiles: "use an empty folder, or one that daybook has made"
    case .remoteEmpty: "“create” makes the folder a remote, if it is really meant to be empty"
    case .storeMissing: "look whether the right folder is mounted, and has arrived completely"
    case .storeChanged: "“sync/configure” with “replace” joins the devices of that folder"
    case .newerFormat: "update daybook on this device"
    case .damaged where phase == .open: "restore “store.json” from a backup of the folder, or use another folder"
    case .damaged: "delete that file in the shared folder: the device that wrote it then says everything again"
    case nil: "“daybook doctor” looks at the data folder"
    }
  }

  /// The client's error for a request that failed because of it.
  var error: RPCError {
    RPCError(
      isRetryable ? .remoteUnavailable : .remoteRefused, message, hint: hint, cause: cause, phase: SyncPhase(phase))
  }

  /// As clients see it.
  var wire: SyncError {
    SyncError(
      id: id, message: message, at: at, retryable: isRetryable, phase: SyncPhase(phase), cause: SyncCause(word: cause),
      hint: hint)
  }
}

extension SyncPhase {
  init(_ phase: PassFailure.Phase) {
    self = SyncPhase.known.first { $0.rawValue == phase.rawValue } ?? .unknown(phase.rawValue)
  }
}

extension SyncCause {
  fileprivate init(word: String) { self = SyncCause.known.first { $0.rawValue == word } ?? .unknown(word) }
}
