import CivilTime
import DaybookProtocol
import FileStore

extension Budget: KeptEntity {
  static var collection: CollectionName { SessionConstants.budgets }
  static var noun: String { "budget" }
  static var methods: String { "budgets" }
  var recordDay: CivilDay? { nil }

  static func event(_ changes: [KeptChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map { BudgetChange(id: $0.id, kind: $0.kind) }
    return Event(
      BudgetsChangedParams.method, BudgetsChangedParams(revision: revision, origin: origin, changes: changes))
  }
}
