import DaybookProtocol

/// What a table shows of how it writes days and numbers: looked for in all its rows before any of them is read.
package struct TableStyle: Sendable, Equatable {
  /// The order of a day's parts, as said or as found.
  package var order: TableDateFormat?
  /// What stands before fractions, as said or as found.
  package var mark: TableDecimalMark?
  private var orders: Set<TableDateFormat> = []
  private var marks: Set<TableDecimalMark> = []
  private let isOrderStated: Bool
  private let isMarkStated: Bool

  package init(order: TableDateFormat? = nil, mark: TableDecimalMark? = nil) {
    self.order = order
    self.mark = mark
    isOrderStated = order != nil
    isMarkStated = mark != nil
  }

  /// Takes in a cell with a day.
  package mutating func note(day text: String) {
    guard !isOrderStated, orders.count < 2, let found = DateText.evidence(text), orders.insert(found).inserted else {
      return
    }
    // Where both are seen, neither decides for the rest.
    order = orders.count == 1 ? found : nil
  }

  /// Takes in a cell with a number, perhaps with a unit beside it.
  package mutating func note(number text: String) {
    guard !isMarkStated, marks.count < 2, !NumberText.agrees(text, with: mark),
      let found = NumberText.evidence(text) ?? NumberText.evidence(NumberText.core(text)), marks.insert(found).inserted
    else { return }
    mark = marks.count == 1 ? found : nil
  }
}
