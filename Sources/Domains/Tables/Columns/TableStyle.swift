import CivilTime
import DaybookProtocol

/// How a table writes days and numbers, detected in all its rows before any is read.
package struct TableStyle: Sendable, Equatable {
  /// The order of a day's parts, stated or detected.
  package var order: TableDateFormat?
  /// The decimal mark, stated or detected.
  package var mark: TableDecimalMark?
  /// The user's zone, in which instants have their day.
  package let zone: TimeZoneRules
  /// Whether times stand behind its days. Midnight in every row is how programs write a day alone.
  package private(set) var hasTimes = false
  private var orders: Set<TableDateFormat> = []
  private var marks: Set<TableDecimalMark> = []
  private let isOrderStated: Bool
  private let isMarkStated: Bool

  package init(order: TableDateFormat? = nil, mark: TableDecimalMark? = nil, zone: TimeZoneRules = .utc) {
    self.order = order
    self.mark = mark
    self.zone = zone
    isOrderStated = order != nil
    isMarkStated = mark != nil
  }

  /// Takes a day as evidence.
  package mutating func note(day text: String) {
    if !hasTimes, DateText.mayHaveTime(text), let moment = DateText.moment(text, order: order).readings.first {
      hasTimes = CellDay(moment, in: zone)?.second ?? 0 > 0
    }
    guard !isOrderStated, orders.count < 2, let found = DateText.evidence(text), orders.insert(found).inserted else {
      return
    }
    // Contradicting evidence decides nothing.
    order = orders.count == 1 ? found : nil
  }

  /// Takes a number, which may have a unit, as evidence.
  package mutating func note(number text: String) {
    guard !isMarkStated, marks.count < 2, !NumberText.agrees(text, with: mark),
      let found = NumberText.evidence(text) ?? NumberText.evidence(NumberText.core(text)), marks.insert(found).inserted
    else { return }
    mark = marks.count == 1 ? found : nil
  }
}
