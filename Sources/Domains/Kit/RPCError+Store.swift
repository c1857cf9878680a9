import DaybookProtocol
import FileStore
import JSONRPC

extension RPCError {
  /// The client's error for a failure of the store.
  package init(_ error: StoreError) {
    let name: ErrorName
    var hint: String?
    switch error.code {
    case .storeBusy:
      name = .storeBusy
      hint = "send the request again; “_meta.timeoutMs” says how long to wait for the other process"
    case .storeReadOnly:
      name = .storeReadOnly
      hint =
        error.details[StoreError.outcome] == StoreError.unknown
        ? "check the disk, start daybook again, and look whether the change is there before you send it again"
        : "reading still works; check the folder's permissions and the disk"
    case .diskFull:
      name = .diskFull
      hint = "free disk space and send the request again"
    case .revisionTooOld:
      name = .revisionTooOld
      hint = "read everything again and continue from its revision"
    case .recordTooLarge:
      name = .recordTooLarge
      hint = "split it up or shorten it"
    case .invalidTransaction: name = .internalError
    case .rollBackPending where error.details["cause"] == StoreError.Code.diskFull.rawValue: name = .diskFull
    case .rollBackPending where error.details["cause"] == StoreError.Code.storeReadOnly.rawValue: name = .storeReadOnly
    default:
      name = .storeUnavailable
      hint = error.path.map { "check \($0), or use another folder with --data" }
    }
    self.init(
      name, error.message.detailed(cause: error.systemText),
      pointer: name == .revisionTooOld ? "/revision" : nil, hint: hint, holder: error.details["holder"])
  }
}
