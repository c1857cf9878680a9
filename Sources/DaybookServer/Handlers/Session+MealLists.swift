import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

extension Session {
  func mealsGet(_ params: MealsGetParams) throws(RPCError) -> MealsGetResult {
    let record = try mealRecord(params.id)
    return MealsGetResult(meal: fragment(record), revision: try revision())
  }

  func mealsList(_ params: MealsListParams) throws(RPCError) -> MealsListResult {
    let days = try days(params)
    let after = try params.cursor.map { text throws(RPCError) in
      guard let cursor = Cursor(text) else {
        throw RPCError(
          .invalidParams, "this is no cursor of “meals/list”", pointer: "/cursor",
          allowed: "the “nextCursor” of the page before")
      }
      return cursor.position
    }
    let limit = params.limit ?? SessionConstants.pageSize
    let snapshot = try self.snapshot()
    var meals: [JSONFragment<Meal>] = []
    meals.reserveCapacity(min(limit, 256))
    var last: Position?
    var hasMore = false
    snapshot.forEachRecord(in: SessionConstants.meals, days: days, after: after) { record in
      guard meals.count < limit else {
        hasMore = true
        return false
      }
      meals.append(fragment(record))
      if meals.count == limit { last = record.position }
      return true
    }
    return MealsListResult(
      meals: meals, nextCursor: hasMore ? last.map { Cursor(position: $0).text } : nil, revision: snapshot.revision)
  }

  /// The days asked for; nil for all.
  private func days(_ params: MealsListParams) throws(RPCError) -> ClosedRange<CivilDay>? {
    if let day = params.day {
      guard params.from == nil, params.to == nil else {
        throw RPCError(
          .invalidParams, "“day” goes without “from” and “to”", pointer: "/day", allowed: "either one day or a range")
      }
      return day...day
    }
    guard params.from != nil || params.to != nil else { return nil }
    let from = params.from ?? CivilDay.allowed.lowerBound
    let to = params.to ?? CivilDay.allowed.upperBound
    guard from <= to else {
      throw RPCError(
        .invalidParams, "the range ends before it begins", pointer: "/to", allowed: "a day from \(from) on")
    }
    return from...to
  }
}

/// A place in a list as clients have it: opaque text that stays good while records come and go.
struct Cursor {
  let position: Position

  init(position: Position) { self.position = position }

  /// Reads `v1.DAY.MILLISECONDS.ID`.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "v1", let milliseconds = Int64(parts[2]), let id = EntityID(String(parts[3]))
    else { return nil }
    var day: CivilDay?
    if !parts[1].isEmpty {
      day = CivilDay(String(parts[1]))
      if day == nil { return nil }
    }
    position = Position(day: day, createdAt: Instant(milliseconds: milliseconds), id: id)
  }

  var text: String {
    "v1.\(position.day.map { "\($0)" } ?? "").\(position.createdAt.milliseconds).\(position.id)"
  }
}
