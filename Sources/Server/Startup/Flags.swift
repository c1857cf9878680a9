import DaybookProtocol
import FileStore
import Premium
import Zones

/// The content of `flags.json`: what a start needs before the store is open, and the state of this device alone. None
/// of it is part of sync, backups or exports.
struct Flags: Equatable {
  /// Whether the onboarding was ever completed here; the store may say so too, and either counts.
  var hasCompletedOnboarding = false
  /// Whether the onboarding shows regardless, until it is completed.
  var forceOnboarding = false
  /// Whether the user was asked to restart for sync, and nothing has happened since that permits another request.
  var hasShownPremiumRestartToast = false
  /// The latest instant that is known to have passed, so that setting the clock back extends no entitlement.
  var clockMark: Instant?
  /// The failed attempts to unlock, in a row.
  var lockAttempts = LockAttempts.none
  /// The time zones seen on this device; nil before the first start.
  var zones: Zones.ZoneState?
  /// The names of the clean-ups that were done, each once ever.
  var cleanups: [String] = []
  /// Members of later versions, kept unchanged.
  private var unknown = JSONObject()

  init() {}

  static let completedName = "hasCompletedOnboarding"

  private enum Name {
    static let onboarding = completedName
    static let force = "forceOnboarding"
    static let toast = "hasShownPremiumRestartToast"
    static let clock = "clockMark"
    static let attempts = "lockAttempts"
    static let zones = "zones"
    static let cleanups = "cleanups"
    static let all = [onboarding, force, toast, clock, attempts, zones, cleanups]
  }

  /// Decodes an object. Members that cannot be decoded count as missing; failed attempts as the worst case.
  init(_ object: JSONObject, device: String, now: Instant) {
    hasCompletedOnboarding = object[Name.onboarding] == .bool(true)
    forceOnboarding = object[Name.force] == .bool(true)
    hasShownPremiumRestartToast = object[Name.toast] == .bool(true)
    if case .string(let text)? = object[Name.clock] { clockMark = Instant(text) }
    if case .object(let attempts)? = object[Name.attempts] {
      lockAttempts = (try? LockAttempts(attempts)) ?? .assumed(now: now)
    }
    if case .object(let zones)? = object[Name.zones] {
      self.zones = Zones.ZoneState.read(zones, device: device, at: now).state
    }
    if case .array(let names)? = object[Name.cleanups] {
      cleanups = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
    unknown = JSONObject(object.members.filter { !Name.all.contains($0.name) })
  }

  /// The flags that others have written (`present`), with every member that was changed here since `base`.
  func rebased(from base: Flags, onto present: Flags) -> Flags {
    var result = present
    func rebase<Value: Equatable>(_ member: WritableKeyPath<Flags, Value>) {
      if self[keyPath: member] != base[keyPath: member] { result[keyPath: member] = self[keyPath: member] }
    }
    rebase(\.hasCompletedOnboarding)
    rebase(\.forceOnboarding)
    rebase(\.hasShownPremiumRestartToast)
    rebase(\.clockMark)
    // The home zone is that of the first start.
    if base.zones != nil || present.zones == nil { rebase(\.zones) }
    // The higher count is the later one; a success resets it.
    if lockAttempts != base.lockAttempts,
      lockAttempts == .none || lockAttempts.failedAttempts > present.lockAttempts.failedAttempts
    {
      result.lockAttempts = lockAttempts
    }
    result.cleanups += cleanups.filter { !present.cleanups.contains($0) }
    return result
  }

  var json: JSONObject {
    var object = JSONObject([
      (Name.onboarding, .bool(hasCompletedOnboarding)), (Name.force, .bool(forceOnboarding)),
      (Name.toast, .bool(hasShownPremiumRestartToast)),
    ])
    object[Name.clock] = clockMark.map { .string("\($0)") }
    if lockAttempts != .none { object[Name.attempts] = .object(lockAttempts.jsonObject) }
    object[Name.zones] = zones.map { .object($0.json) }
    if !cleanups.isEmpty { object[Name.cleanups] = .array(cleanups.map { .string($0) }) }
    for member in unknown.members { object[member.name] = member.value }
    return object
  }
}
