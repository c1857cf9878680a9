import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Premium
import Values

/// What a domain's service is given for one request, and what it leaves behind beside the result.
package struct Context {
  /// The method called; the label of the change.
  package let method: Method
  package let folder: DataFolder
  /// What the domains offer each other of a day.
  package let offers: DayOffers
  /// When the request is worked on.
  package let now: Instant
  /// By which clock days are counted.
  package let days: DayContext
  /// The day meant when none is named.
  package let currentDay: CivilDay
  /// The user's locale, as the client said.
  package let locale: String?
  /// Whether premium is open now.
  package let hasPremiumAccess: Bool
  /// The id that the caller gives the change, so that the request may come again.
  package let transaction: EntityID?
  /// The revision that has to be on disk before the answer leaves.
  package var revision: Int?
  /// What the request is to be ended with, away from the session.
  package private(set) var planned: PlannedChange?

  package init(
    method: Method, folder: DataFolder, offers: DayOffers, now: Instant, days: DayContext, selectedDay: CivilDay?,
    locale: String?, hasPremiumAccess: Bool, transaction: EntityID?
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
  }

  /// Today in the user's zone.
  package var today: CivilDay { days.today }

  /// On which day the user's weeks begin.
  package var firstWeekday: Weekday {
    WeekStart.firstWeekday(set: (try? settings())?.firstWeekday, locale: locale)
  }

  /// The name of the zone that days are counted in.
  package var zoneName: TimeZoneName { days.name }

  /// Leaves a change to be worked out away from the session, and the request to be answered with it. What is returned is to be thrown.
  package mutating func handOff(_ change: PlannedChange) -> RPCError {
    planned = change
    return RPCError(.internalError, "the request goes on later")
  }

  /// An identity that was never used.
  package func newID() -> EntityID { folder.newID() }

  /// Refuses what needs a feature that is closed.
  ///
  /// - Throws: `premiumRequired` with the feature.
  package func require(_ feature: Feature, pointer: String? = nil) throws(RPCError) {
    guard !Gates.answer(feature, hasAccess: hasPremiumAccess).available else { return }
    throw RPCError(
      .premiumRequired, "this needs premium: \(feature.rawValue)", pointer: pointer,
      hint: "“products/list” has what can be bought; after a purchase send “paywall/report”",
      feature: feature)
  }

  /// Everything stored, as it is now.
  package func snapshot() throws(RPCError) -> Snapshot { try folder.snapshot() }

  /// The revision of the latest change known.
  package func storeRevision() throws(RPCError) -> Int { try folder.revision() }

  /// The settings in force.
  package func settings() throws(RPCError) -> Settings { try folder.settings() }

  /// The records of some collections that changed after a revision, in the order of their latest changes; nil when that is not known
  /// any more, or they were changed more than `limit` times: an import is one change of any length, and to read all again takes less
  /// time than to follow it.
  package func changes(since revision: Int, of collections: [CollectionName], atMost limit: Int) -> [ChangedRecord]? {
    try? folder.store?.changes(since: revision, of: collections, atMost: limit)
  }

  /// Makes changes and returns their revision, or the present one when there are none.
  package mutating func commit(_ operations: [Operation], ofNewRecords: Bool = false) throws(RPCError) -> Int {
    let present = try folder.revision()
    guard !operations.isEmpty else { return present }
    let made = try folder.commit(
      operations, label: method.name, transaction: transaction, at: now, ofNewRecords: ofNewRecords)
    revision = made
    return made
  }
}

/// An entity as a plain JSON value.
package func jsonValue(_ entity: some JSONEncodable) -> JSONValue { (try? JSONValue(json: entity.json)) ?? .null }
