import DaybookProtocol
import FileStore
import JSONRPC
import Premium

/// What a domain service gets for one request, and what the request leaves for the session.
package struct Context {
  /// The method called; it labels the change.
  package let method: Method
  package let folder: DataFolder
  /// The measures, agenda items and entries that domains offer each other.
  package let offers: DayMeasureRegistry
  /// The time of the request.
  package let now: Instant
  /// The clock that days are counted by.
  package let days: DayContext
  /// The day a request means when it names none.
  package let currentDay: CivilDay
  /// The client's locale.
  package let locale: String?
  /// Whether the user has premium access.
  package let hasPremiumAccess: Bool
  /// The caller's id for the change, which makes a retry idempotent.
  package var transaction: EntityID?
  /// The revision that must be durable before the answer is sent.
  package var revision: Int?
  /// The state of the message that the request came in.
  package private(set) var turn: MessageTurn

  package init(
    method: Method, folder: DataFolder, offers: DayMeasureRegistry, now: Instant, days: DayContext,
    selectedDay: CivilDay?,
    locale: String?, hasPremiumAccess: Bool, transaction: EntityID?,
    turn: MessageTurn
  ) {
    self.method = method
    self.folder = folder
    self.offers = offers
    self.now = now
    self.days = days
    currentDay = selectedDay ?? days.today
    self.locale = locale
    self.hasPremiumAccess = hasPremiumAccess
    self.transaction = transaction
    self.turn = turn
  }

  /// Today in the user's zone.
  package var today: CivilDay { days.today }

  /// The first day of the user's weeks.
  package var firstWeekday: Weekday {
    WeekStart.firstWeekday(set: (try? settings())?.firstWeekday, locale: locale)
  }

  /// The local time of an instant.
  package func time(at instant: Instant) -> WallTime? {
    WallTime(minutesOfDay: days.zone.wallClock(at: instant).secondOfDay / 60)
  }

  /// The name of the zone that days are counted in.
  package var zoneName: TimeZoneName { days.name }

  /// A fresh id.
  package func newID() -> EntityID { folder.newID() }

  /// Refuses a request that needs a premium feature.
  ///
  /// - Throws: `premiumRequired` with the feature.
  package func require(_ feature: Feature, pointer: String? = nil) throws(RPCError) {
    guard !Gates.answer(feature, hasAccess: hasPremiumAccess).available else { return }
    throw RPCError(premiumFor: feature, pointer: pointer)
  }

  /// A snapshot of the store.
  package func snapshot() throws(RPCError) -> Snapshot { try folder.snapshot() }

  /// The latest known revision.
  package func storeRevision() throws(RPCError) -> Int { try folder.revision() }

  /// The settings in force.
  package func settings() throws(RPCError) -> Settings { try folder.settings() }

  /// The records of `collections` that changed after `revision`, ordered by their latest change. Nil when that history
  /// is no longer known or has more than `limit` changes: an import is a single change of any size, and rereading is
  /// then faster than following it.
  package func changes(since revision: Int, of collections: [CollectionName], atMost limit: Int) -> [ChangedRecord]? {
    try? folder.store?.changes(since: revision, of: collections, atMost: limit)
  }

  /// Commits operations and returns the revision; the current revision when there are none.
  package mutating func commit(_ operations: [Operation], ofNewRecords: Bool = false) throws(RPCError) -> Int {
    let present = try folder.revision()
    guard !operations.isEmpty else { return present }
    let made = try folder.commit(
      operations, label: method.name, transaction: transaction, at: now, ofNewRecords: ofNewRecords, &turn)
    revision = made
    return made
  }
}

/// An entity as a generic JSON value.
package func jsonValue(_ entity: some JSONEncodable) -> JSONValue { (try? JSONValue(json: entity.json)) ?? .null }

extension RPCError {
  /// The error for a request that needs a premium feature.
  package init(premiumFor feature: Feature, pointer: String? = nil) {
    self.init(
      .premiumRequired, "this requires premium: \(feature.rawValue)", pointer: pointer,
      hint: "“products/list” lists the products; after a purchase send “paywall/report”", feature: feature)
  }
}
