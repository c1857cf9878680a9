import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Nutrition

/// What the days of the months looked at come to, at one revision. No settings enter; dropping any of it changes no answer.
struct DayMemory {
  /// The revision that all of it is of.
  private(set) var revision = 0
  private var epoch = 0
  /// By the first day of the month.
  private var months: [CivilDay: [DayFacts]] = [:]

  /// The days of a month of which something is known; nil when that is not remembered.
  subscript(month: ClosedRange<CivilDay>) -> [DayFacts]? { months[month.lowerBound] }

  /// Takes in what the days of some whole months come to; `facts` is ascending by day.
  mutating func remember(_ days: ClosedRange<CivilDay>, _ facts: [DayFacts]) {
    var month = days.lowerBound.month
    while month.lowerBound <= days.upperBound {
      months[month.lowerBound] = Array(facts.within(month))
      month = month.upperBound.advanced(by: 1).month
    }
  }

  /// Goes over to a later revision, dropping the months that changes touch. `changes` gives those of `collections`
  /// since a revision, or nil when they are not known or too many, and then everything is dropped.
  mutating func follow(to present: Int, epoch newEpoch: Int, changes: (Int) -> [ChangedRecord]?) {
    if epoch != newEpoch { (self, epoch) = (DayMemory(), newEpoch) }
    guard present != revision else { return }
    let since = revision
    revision = present
    guard !months.isEmpty else { return }
    guard since < present, let records = changes(since) else {
      months = [:]
      return
    }
    for record in records {
      for day in [record.day, record.previousDay, record.lastDay] {
        if let day { months[day.month.lowerBound] = nil }
      }
    }
  }

  /// The collections that it rests on.
  static let collections = [
    Meal.collection, DayEntry.collection, Exercise.collection, WaterEntry.collection,
  ]
}
