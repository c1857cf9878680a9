import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Nutrition

extension Session {
  /// What is known of the days of a range, ascending; days of which nothing is known are left out. Months are remembered.
  func facts(_ days: ClosedRange<CivilDay>) throws(RPCError) -> [DayFacts] {
    let snapshot = try snapshot()
    let store = try openStore()
    dayMemory.follow(to: snapshot.revision) { revision in
      try? store.changes(since: revision, limit: SessionConstants.followedDayChanges)
    }
    guard let span = loggedSpan(snapshot), span.overlaps(days) else { return [] }
    let months = Session.months(of: days.clamped(to: span))
    let missing = months.filter { dayMemory[$0] == nil }
    if let first = missing.first, let last = missing.last {
      let hull = first.lowerBound...last.upperBound
      dayMemory.remember(hull, try readFacts(hull, in: snapshot))
    }
    var facts: [DayFacts] = []
    for month in months { facts += dayMemory[month] ?? [] }
    return Array(facts.within(days))
  }

  /// What is known of all days there are.
  func allFacts() throws(RPCError) -> [DayFacts] { try facts(CivilDay.allowed) }

  /// The same as `facts`, out of the records themselves.
  func readFacts(_ days: ClosedRange<CivilDay>, in snapshot: Snapshot) throws(RPCError) -> [DayFacts] {
    var facts: [DayFacts] = []
    var problem: RPCError?
    let presentForm = options.migrations.schema(of: SessionConstants.meals)
    // Newest first, so that the meals of a day come together.
    snapshot.forEachRecord(in: SessionConstants.meals, days: days) { record in
      guard let day = record.day else { return true }
      do throws(RPCError) {
        let plain = record.schema == presentForm ? record.body.withUnsafeBytes { MealAmounts(plain: $0) } : nil
        let amounts =
          if let plain { plain } else { try read(MealAmounts.self, record, in: SessionConstants.meals) }
        if facts.last?.day != day { facts.append(DayFacts(day)) }
        facts[facts.count - 1].totals.add(
          calories: amounts.calories, protein: amounts.protein, carbs: amounts.carbs, fat: amounts.fat)
        return true
      } catch {
        problem = error
        return false
      }
    }
    if let problem { throw problem }
    var entries: [CivilDay: DayEntry] = [:]
    for record in snapshot.records(in: SessionConstants.days, days: days) {
      let entry = try decode(DayEntry.self, record)
      entries[entry.day] = entry
    }
    facts.reverse()
    guard !entries.isEmpty else { return facts }
    for index in facts.indices {
      if let entry = entries.removeValue(forKey: facts[index].day) { facts[index].note(entry) }
    }
    for (day, entry) in entries {
      var alone = DayFacts(day)
      alone.note(entry)
      facts.append(alone)
    }
    return facts.sorted { $0.day < $1.day }
  }

  /// From the first to the last month in which something was logged; nil when nothing was.
  private func loggedSpan(_ snapshot: Snapshot) -> ClosedRange<CivilDay>? {
    DayMemory.collections.compactMap { snapshot.span(of: $0) }.reduce(nil) { span, other in
      guard let span else { return other }
      return min(span.lowerBound, other.lowerBound)...max(span.upperBound, other.upperBound)
    }
  }

  /// The months that a range touches, oldest first, each whole.
  private static func months(of days: ClosedRange<CivilDay>) -> [ClosedRange<CivilDay>] {
    var months: [ClosedRange<CivilDay>] = []
    var month = days.lowerBound.month
    while month.lowerBound <= days.upperBound {
      months.append(month)
      month = month.upperBound.advanced(by: 1).month
    }
    return months
  }
}

extension DayFacts {
  /// Takes in what is noted of the day as a whole.
  fileprivate mutating func note(_ entry: DayEntry) {
    fasted = entry.fasted
    hasNote = entry.note != nil
  }
}
