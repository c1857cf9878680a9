import CivilTime
import DaybookProtocol
import FileStore
import JSON
import Platform
import Premium

/// The cached record on disk, which all processes on the folder share.
extension Session {
  var premiumPath: String { options.dataFolder + "/" + SmallFile.Name.premium.rawValue }

  /// The record of the last answer, as it is on disk.
  func cachedPremium() -> CachedPremium {
    premiumFile = FileMark(path: premiumPath)
    switch smallFile(.premium).read() {
    case .missing: return .missing
    case .damaged(let reason):
      log.warning(.premiumCache, "premium.json is passed over: \(public: reason)")
      return .damaged
    case .value(let object):
      do throws(PremiumError) { return .record(try PremiumRecord(object)) } catch {
        log.warning(.premiumCache, "premium.json is passed over: \(public: error.message)")
        return .damaged
      }
    }
  }

  /// Takes over what another process on this folder was told meanwhile, and lets time pass: an entitlement may have ended.
  func lookAtPremium() {
    let now = now()
    let monotonic = Session.monotonicMilliseconds()
    // A clock that was set by hand stands where it was put.
    let isOurClock = options.usesSystemClock && clockOverride.instant == nil
    premium.saw(now, elapsed: isOurClock ? monotonic - (lookedAtPremiumAt ?? monotonic) : 0)
    lookedAtPremiumAt = monotonic
    let mark = FileMark(path: premiumPath)
    if mark != premiumFile {
      if case .record(let record) = cachedPremium() {
        apply(premium.adopt(record, now: now), .otherProcess)
      }
    }
    if premium.statusChanged(now) {
      var effects = PremiumEffects()
      effects.statusChanged = true
      apply(effects, .expiry)
      // It may have been renewed.
      if hasLaunched, storeOfRecord.kind != .none, !premium.isLoading { verify(.expiry) }
    }
    if let mark = premium.clockMarkToStore() { changeFlags { $0.clockMark = mark } }
  }
}
