import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Platform
import Premium

/// The entitlement as `premium.json` has it, for a process that only watches: it asks nobody and writes nothing.
struct WatchedPremium {
  private let file: SmallFile
  private let path: String
  private let now: @Sendable () -> Instant
  private var mark: FileMark?
  private var state: Premium.PremiumState

  init(_ options: ServiceOptions) {
    file = SmallFile(.premium, in: options.dataFolder)
    path = options.dataFolder + "/" + SmallFile.Name.premium.rawValue
    now = options.now
    mark = FileMark(path: path)
    state = Premium.PremiumState(cached: CachedPremium(file) { _ in }, clockMark: nil, toastFlag: true, now: now())
  }

  /// The event for a change since the last poll, if there is one.
  mutating func poll() -> Event? {
    let now = now()
    state.saw(now)
    var reason = VerificationReason.expiry
    var isNews = state.statusChanged(now)
    let present = FileMark(path: path)
    if present != mark {
      mark = present
      if case .record(let record) = CachedPremium(file, complain: { _ in }), state.adopt(record, now: now).statusChanged
      {
        reason = .otherProcess
        isNews = true
      }
    }
    guard isNews else { return nil }
    return Event(
      PremiumStatusChangedParams.method,
      PremiumStatusChangedParams(status: DaybookProtocol.PremiumStatus(state, .none, now: now), reason: reason))
  }
}
