import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import NutritionTables
import Tables
import Values

/// What importing a table comes to, given what is stored.
struct TablePlan: Sendable {
  /// What becomes of a row.
  enum Outcome: Sendable, Equatable {
    case new(EntityID)
    /// It is there. When it was logged by hand, `link` is the identity that the row would have had, unless that is noted already.
    case present(EntityID, link: EntityID?)
    /// It is there with other content; `link` as above.
    case different(EntityID, [String], link: EntityID?)
    case ignored
    case refused
  }

  /// Of each row, in order.
  private(set) var outcomes: [Outcome] = []
  private(set) var new = 0
  private(set) var present = 0
  private(set) var different = 0
  /// The records that rows differ from, by row.
  private(set) var records: [Int: Record] = [:]

  mutating func add(_ outcome: Outcome) {
    outcomes.append(outcome)
    switch outcome {
    case .new: new += 1
    case .present: present += 1
    case .different: different += 1
    case .ignored, .refused: break
    }
  }

  mutating func add(_ outcome: Outcome, _ record: Record) {
    records[outcomes.count] = record
    add(outcome)
  }
}

extension Session {
  /// Compares a table with what is stored. Takes as long as reading all there is of its kind.
  nonisolated func plan(_ table: ImportedTable, _ snapshot: Snapshot) -> TablePlan {
    switch table.kind {
    case .weights: plan(WeightEntry.self, table, snapshot)
    case .days: plan(DayEntry.self, table, snapshot)
    default: plan(Meal.self, table, snapshot)
    }
  }

  private nonisolated func plan<Entity: TableEntity>(
    _ type: Entity.Type, _ table: ImportedTable, _ snapshot: Snapshot
  ) -> TablePlan {
    let ids = table.rows.map { row in row.id ?? (row.key.isEmpty ? nil : DerivedID.row(ofKey: row.key)) }
    // Which row a record is, by its own identity or by what was noted when it was found to be the same.
    var rows: [EntityID: Int] = [:]
    var days: Set<CivilDay> = []
    for (index, row) in table.rows.enumerated() {
      guard let id = ids[index] else { continue }
      rows[id] = index
      if row.id == nil, let day = row.content.day { days.insert(day) }
    }
    for (target, row) in links(in: Entity.collection, to: rows, snapshot) where rows[target] == nil {
      rows[target] = row
    }
    var found: [Int: Record] = [:]
    var others: [CivilDay: [Entity]] = [:]
    let entities: [Int: Entity]
    do {
      var read: [Int: Entity] = [:]
      snapshot.forEachRecord(in: Entity.collection) { record in
        if let row = rows[record.id] {
          // Of two, the one that the row itself has made.
          if found[row] == nil || record.id == ids[row] {
            found[row] = copy record
            read[row] = try? decode(Entity.self, copy record)
          }
        } else if let day = record.day, days.contains(day), let entity = try? decode(Entity.self, copy record) {
          others[day, default: []].append(entity)
        }
        return true
      }
      entities = read
    }
    var plan = TablePlan()
    for (index, row) in table.rows.enumerated() {
      guard let id = ids[index] else {
        plan.add(row.content == .ignored ? .ignored : .refused)
        continue
      }
      if let record = found[index] {
        // What a later version wrote in a form that is not known here is left alone.
        let names = entities[index].map { $0.differences(from: row.content, table.covered) } ?? ["form"]
        if names.isEmpty {
          plan.add(.present(record.id, link: nil))
        } else {
          plan.add(.different(record.id, names, link: nil), record)
        }
        continue
      }
      if row.id == nil, let day = row.content.day,
        let place = others[day]?.lastIndex(where: { $0.differences(from: row.content, table.covered).isEmpty }),
        let same = others[day]?.remove(at: place)
      {
        plan.add(.present(same.id, link: id))
        continue
      }
      plan.add(.new(id))
    }
    return plan
  }

  /// What rows were found to be, by the rows' identities: the row of each target.
  nonisolated func links(
    in collection: CollectionName, to rows: [EntityID: Int], _ snapshot: Snapshot
  ) -> [(target: EntityID, row: Int)] {
    var links: [(EntityID, Int)] = []
    snapshot.forEachRecord(in: SessionConstants.importLinks) { record in
      guard let row = rows[record.id], let link = try? decode(ImportLink.self, copy record),
        link.collection == collection.rawValue
      else { return true }
      links.append((link.target, row))
      return true
    }
    return links
  }
}

extension RowContent {
  /// The day that it is of.
  fileprivate var day: CivilDay? {
    switch self {
    case .meal(let meal): meal.day
    case .weight(let weight): weight.day
    case .day(let entry): entry.day
    case .ignored, .refused: nil
    }
  }
}
