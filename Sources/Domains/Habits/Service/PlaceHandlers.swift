import DomainKit
import Habits
import Premium

extension HabitsService {
  func placesPlan(_ params: PlacesPlanParams, _ context: inout Context) throws(RPCError) -> PlacesPlanResult {
    var position: PlaceRules.Position?
    switch (params.latitude, params.longitude) {
    case (let latitude?, let longitude?): position = PlaceRules.Position(latitude, longitude)
    case (nil, nil): break
    case (let latitude, _):
      throw RPCError(
        .invalidParams, "the position is incomplete", pointer: latitude == nil ? "/latitude" : "/longitude",
        allowed: "both, or neither")
    }
    let regions = try regions(around: position, context)
    return PlacesPlanResult(
      regions: Array(regions.prefix(params.limit ?? PlaceRules.maxRegions)), total: regions.count,
      revision: try context.storeRevision())
  }

  /// The places that may remind; none without premium.
  private func regions(around position: PlaceRules.Position?, _ context: Context) throws(RPCError) -> [PlaceRegion] {
    guard Gates.answer(.habitLocations, hasAccess: context.hasPremiumAccess).available else { return [] }
    return PlaceRules.regions(of: try book(context).active.map(\.habit), around: position)
  }

  func deviceLocationEvent(
    _ params: DeviceLocationEventParams, _ context: inout Context
  ) throws(RPCError) -> DeviceLocationEventResult {
    let entry = try entry(params.habitId, context, pointer: "/habitId")
    let record = try context.snapshot().record(params.habitId, in: HabitVisit.collection)
    let old = try record.map { record throws(RPCError) in try context.decode(HabitVisit.self, record) }
    let why = try answer(params, entry, old, context)
    guard why == .reminds else {
      return DeviceLocationEventResult(reminds: false, why: why, revision: try context.storeRevision())
    }
    var visit = old ?? HabitVisit(id: params.habitId, createdAt: context.now, updatedAt: context.now)
    if params.event == .entry { visit.enteredAt = context.now } else { visit.leftAt = context.now }
    let put = try context.put(&visit, keeping: record, readAs: old)
    let revision = try context.commit([put])
    return DeviceLocationEventResult(
      reminds: true, why: why, title: entry.habit.name,
      text: entry.habit.question ?? entry.habit.place?.label ?? "", actions: HabitReminders.actions(entry.habit),
      revision: revision)
  }

  private func answer(
    _ params: DeviceLocationEventParams, _ entry: HabitBook.Entry, _ visit: HabitVisit?, _ context: Context
  ) throws(RPCError) -> PlaceAnswer {
    guard Gates.answer(.habitLocations, hasAccess: context.hasPremiumAccess).available else { return .premiumRequired }
    guard try context.settings().notificationsEnabled else { return .off }
    let days = context.days
    return PlaceRules.answer(
      params.event, entry.habit, try habitDay(params.habitId, context.today, context),
      last: params.event == .entry ? visit?.enteredAt : visit?.leftAt, now: context.now,
      dayOf: { days.dayStart.day(at: $0, in: days.zone) })
  }
}
