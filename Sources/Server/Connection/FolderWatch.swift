import DomainKit
import Platform
import Premium

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
  private var store: FileStore?
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
    premium = WatchedPremium(options)
  }

  /// Waits for a change, at most `milliseconds`. Returns true when it is time to poll.
  package mutating func rest(milliseconds: Int32) -> Bool {
    rested += milliseconds
    let paths = store?.watchedPaths ?? [options.dataFolder]
    let isTime = events?.wait(at: paths, milliseconds: milliseconds) ?? false
    guard isTime || rested >= FolderWatch.interval else { return false }
    rested = 0
    return true
  }

  /// Reads the changes since the last poll.
  package mutating func poll() -> Outcome {
    do throws(StoreError) {
      guard let store else {
        let opened = try FileStore.open(options.readerConfiguration)
        revision = try opened.revision
        isIntroduced = try FolderWatch.introduction(opened)?.completed == true
        store = opened
        return .events([])
      }
      try store.poll()
      let latest = try store.revision
      defer {
        revision = latest
        replacements = store.replacements
      }
      // The contents of a folder that has just appeared are not reported as changes.
      if store.replacements != replacements {
        return .events([text(Event(StoreReplacedParams.method, StoreReplacedParams(revision: latest)))])
      }
      return .events(try news(store).filter { isWanted($0) }.map { text($0) })
    } catch {
      store = nil
      return .failed(error.message)
    }
  }

  /// The events since the last poll.
  private mutating func news(_ store: FileStore) throws(StoreError) -> [Event] {
    var events: [Event] = []
    if try store.revision > revision {
      let page = try store.changes(since: revision)
      events = Session.events(for: Session.recordChanges(page), origin: .otherProcess)
      let (snapshot, methods) = (try store.snapshot, events.map(\.method))
      events += Services.types.flatMap {
        $0.consequences(of: methods, in: snapshot, .daybook, origin: .otherProcess)
      }
      if !isIntroduced, let change = page.records.last(where: { $0.collection == OnboardingRecord.collection }),
        let record = try FolderWatch.introduction(store), record.completed
      {
        isIntroduced = true
        events.append(
          Event(
            OnboardingCompletedParams.method,
            OnboardingCompletedParams(
              revision: change.revision, origin: .otherProcess, cause: record.cause ?? .completed)))
      }
    }
    if let event = premium.poll() { events.append(event) }
    return events
  }

  private static func introduction(_ store: FileStore) throws(StoreError) -> OnboardingRecord? {
    try store.snapshot.record(OnboardingRecord.singleID, in: OnboardingRecord.collection)
      .flatMap { try? RecordMigrations.daybook.decode(OnboardingRecord.self, $0) }
  }

  private func isWanted(_ event: Event) -> Bool {
    guard !wanted.isEmpty, let domain = Session.domain(ofEvent: event.method) else { return true }
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
