import DaybookProtocol
import FileStore
import Platform
import Premium

/// The cached record on disk, which all processes on the folder share.
extension Session {
  var premiumPath: String { options.dataFolder + "/" + SmallFile.Name.premium.rawValue }

  /// The cached record of the last answer.
  func cachedPremium() -> CachedPremium {
    entitlement.file = FileMark(path: premiumPath)
    return CachedPremium(smallFile(.premium)) { [log] reason in
      log.warning(.premiumCache, "premium.json is passed over: \(public: reason)")
    }
  }

  /// Adopts an answer that another process on this folder has received, and applies the passage of time: an entitlement
  /// may have expired.
  func refreshPremium() {
    let now = now()
    let monotonic = Session.monotonicMilliseconds()
    // A clock that was set by hand does not advance.
    let isOurClock = options.usesSystemClock && host.clockOverride == nil
    entitlement.state.saw(now, elapsed: isOurClock ? monotonic - (entitlement.lookedAt ?? monotonic) : 0)
    entitlement.lookedAt = monotonic
    let mark = FileMark(path: premiumPath)
    // While our own answer is being written, it is the latest.
    if !entitlement.isBeingWritten, mark != entitlement.file {
      if case .record(let record) = cachedPremium() {
        apply(entitlement.state.adopt(record, now: now), .otherProcess)
      }
    }
    if entitlement.state.statusChanged(now) {
      var effects = PremiumEffects()
      effects.statusChanged = true
      apply(effects, .expiry)
      // It may have been renewed.
      if start.hasLaunched, storeOfRecord.kind != .none, !entitlement.state.isLoading { verify(.expiry) }
    }
    if let mark = entitlement.state.clockMarkToStore() { changeFlags { $0.clockMark = mark } }
  }
}

extension CachedPremium {
  /// Reads `premium.json`; passes the reason to `complain` when it is ignored.
  init(_ file: SmallFile, complain: (String) -> Void) {
    switch file.read() {
    case .missing: self = .missing
    case .damaged(let reason):
      complain(reason)
      self = .damaged
    case .value(let object):
      do throws(PremiumError) { self = .record(try PremiumRecord(object)) } catch {
        complain(error.message)
        self = .damaged
      }
    }
  }
}
