import DomainKit
import Platform
import Premium
import SettingsDocument

/// Reports the changes that other processes make to a data folder, without taking its lock or writing to it.
package struct FolderWatch: ~Copyable {
  package enum Outcome: Sendable {
    /// Notifications since the last poll, as JSON texts, in order.
    case events([[UInt8]])
    case failed(String)
  }

  /// The domains to choose from: those whose events come from the folder rather than from one connection.
  package static let domains =
    (Collections.all.filter { $0.event != nil }.map(\.domain) + [EventDomain.premium]).map(\.rawValue)

  /// The interval between two polls when the folder is quiet, in milliseconds.
  private static let interval: Int32 = 1000

  private let options: ServiceOptions
  private let wanted: Set<String>
  private let events = FolderEvents()
  private var rested: Int32 = 0
  private let folder: DataFolder
  private let feed: ChangeFeed
  /// The last revision reported.
  private var revision = 0
  /// How often the folder had been replaced when that was last reported.
  private var replacements = 0
  private var premium: WatchedPremium
  /// Whether the completion of the onboarding was reported.
  private var isIntroduced = false

  /// Watches the folder of `options` for some domains, or for all when `domains` is empty.
  package init(options: ServiceOptions, domains: Set<String>) {
    self.options = options
    wanted = domains
    folder = DataFolder(
      newID: options.newID, newIDsAreUnique: options.newIDsAreUnique, migrations: options.migrations,
      author: options.author, settings: SettingsRules.inForce, warn: { _ in }, defect: { RPCError(.internalError, $0) })
    feed = ChangeFeed(folder, Services())
    premium = WatchedPremium(options)
  }

  /// Waits for a change, at most `milliseconds`. Returns true when it is time to poll.
  package mutating func rest(milliseconds: Int32) -> Bool {
    rested += milliseconds
    let paths = folder.store?.watchedPaths ?? [options.dataFolder]
    let isTime = events?.wait(at: paths, milliseconds: milliseconds) ?? false
    guard isTime || rested >= FolderWatch.interval else { return false }
    rested = 0
    return true
  }

  /// Reads the changes since the last poll.
  package mutating func poll() -> Outcome {
    do throws(RPCError) {
      return .events(try news().map { text($0) })
    } catch {
      // The folder is opened again by the next poll.
      folder.opened = nil
      folder.invalidateCaches()
      return .failed(error.message)
    }
  }

  /// The wanted events since the last poll.
  private mutating func news() throws(RPCError) -> [Event] {
    guard let store = folder.store else {
      try open()
      return []
    }
    let latest: Int
    do throws(StoreError) {
      try store.poll()
      latest = try store.revision
    } catch { throw RPCError(error) }
    defer {
      revision = latest
      replacements = store.replacements
    }
    folder.seenRevision = latest
    // The contents of a folder that has just appeared are not reported as changes.
    if store.replacements != replacements {
      folder.invalidateCaches()
      return [Event(StoreReplacedParams.method, StoreReplacedParams(revision: latest))]
    }
    var events = latest > revision ? try feed.events(since: revision).all : []
    if latest > revision, let event = try introductionEvent(store) { events.append(event) }
    if let event = premium.poll() { events.append(event) }
    return events.filter { isWanted($0) }
  }

  /// Opens the folder; what is in it is not reported.
  private mutating func open() throws(RPCError) {
    do throws(StoreError) {
      let opened = try FileStore.open(options.readerConfiguration)
      revision = try opened.revision
      isIntroduced = try FolderWatch.introduction(opened)?.completed == true
      folder.opened = .success(opened)
      folder.seenRevision = revision
    } catch { throw RPCError(error) }
  }

  /// The event for the completion of the onboarding since the last poll, if there is one.
  private mutating func introductionEvent(_ store: FileStore) throws(RPCError) -> Event? {
    guard !isIntroduced else { return nil }
    let change: ChangedRecord?
    let record: OnboardingRecord?
    do throws(StoreError) {
      change = try store.changes(since: revision, of: [OnboardingRecord.collection], atMost: .max)?.last
      record = try change.flatMap { _ throws(StoreError) in try FolderWatch.introduction(store) }
    } catch { throw RPCError(error) }
    guard let change, let record, record.completed else { return nil }
    isIntroduced = true
    return Event(
      OnboardingCompletedParams.method,
      OnboardingCompletedParams(
        revision: change.revision, origin: .otherProcess, cause: record.cause ?? .completed))
  }

  private static func introduction(_ store: FileStore) throws(StoreError) -> OnboardingRecord? {
    try store.snapshot.record(OnboardingRecord.singleID, in: OnboardingRecord.collection)
      .flatMap { try? RecordMigrations.daybook.decode(OnboardingRecord.self, $0) }
  }

  private func isWanted(_ event: Event) -> Bool {
    guard !wanted.isEmpty, let domain = Collections.domain(ofEvent: event.method) else { return true }
    return wanted.contains(domain.rawValue)
  }

  private func text(_ event: Event) -> [UInt8] {
    var frames = OutgoingFrames(framing: .newline)
    frames.notify(event)
    return Array(frames.take().pieces.joined().dropLast())
  }
}

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
