import DaybookProtocol

/// An entity that table rows can become.
package protocol TableEntity: Sendable {
  var id: EntityID { get }
  var updatedAt: Instant { get set }
}

/// How a domain matches, compares and makes the entities of table rows; the rest of an import is common to all domains.
package protocol TableTarget: Sendable {
  associatedtype Draft: Sendable & Equatable
  associatedtype Entity: TableEntity
  /// The key that a row without an id and an entity logged by hand share if they can match.
  associatedtype Likeness: Hashable & Sendable

  func likeness(of draft: Draft) -> Likeness?
  func likeness(of entity: Entity) -> Likeness
  /// Whether only equal entities match.
  var takesOnlySame: Bool { get }
  /// Whether earlier imports match by `resemblance`.
  var takesResembling: Bool { get }
  /// The key that a row and an earlier import share even if the latter was edited; nil for no match.
  func resemblance(of draft: Draft) -> String?
  func resemblance(of entity: Entity) -> String?
  /// Sorts the candidates of one likeness; the last matches first.
  func order(_ alike: inout [Entity])

  /// The day of the entity's record.
  func day(of entity: Entity) -> CivilDay?
  /// The day on which a match of the draft is stored; nil for any day.
  func day(of draft: Draft) -> CivilDay?
  /// Whether the entity has a known form; others are never replaced.
  func understands(_ entity: Entity) -> Bool

  /// The members, of those that the table covers, in which an entity differs from a draft.
  func differences(of entity: Entity, from draft: Draft) -> [String]
  /// Whether an entity may be the row's although it says less: without a time of day, it is one of any.
  func isSame(_ entity: Entity, as draft: Draft) -> Bool
  /// The entity with the members that the table covers as in the draft.
  func applied(_ draft: Draft, to entity: Entity) throws(Refusal) -> Entity?
  /// A new entity.
  func made(of draft: Draft, id: EntityID, at instant: Instant) -> Entity?
  /// The entity in order behind `count` others that the import made.
  func placed(_ entity: Entity, behind count: Int) -> Entity
}

extension TableTarget {
  package func isSame(_ entity: Entity, as draft: Draft) -> Bool { differences(of: entity, from: draft).isEmpty }
  package func placed(_ entity: Entity, behind count: Int) -> Entity { entity }
  package var takesResembling: Bool { false }
  package func resemblance(of draft: Draft) -> String? { nil }
  package func resemblance(of entity: Entity) -> String? { nil }
  package func order(_ alike: inout [Entity]) {}
  package func day(of entity: Entity) -> CivilDay? { nil }
  package func day(of draft: Draft) -> CivilDay? { nil }
  package func understands(_ entity: Entity) -> Bool { true }
}

/// The outcome of a row.
package enum TableOutcome: Sendable, Equatable {
  case new(EntityID)
  /// An equal entity is stored. If it was logged by hand, `link` is the id that the row would have had, unless a link is stored.
  case present(EntityID, link: EntityID?)
  /// The entity is stored with other values of these members; `link` as above.
  case different(EntityID, [String], link: EntityID?)
  case ignored
  case refused
}

/// The outcomes of a table's rows.
package struct TableOutcomes: Sendable, Equatable {
  package private(set) var list: [TableOutcome] = []
  package private(set) var new = 0
  package private(set) var present = 0
  package private(set) var different = 0

  mutating func add(_ outcome: TableOutcome) {
    list.append(outcome)
    switch outcome {
    case .new: new += 1
    case .present: present += 1
    case .different: different += 1
    case .ignored, .refused: break
    }
  }
}

/// A change that an import writes.
package enum TableChange<Entity: TableEntity>: Sendable {
  case add(Entity)
  /// Replaces the stored entity.
  case put(Entity)
  /// Links the id that a row would have had to the entity it matches.
  case link(EntityID, target: EntityID)
}

/// Matches the rows of a table with the stored entities.
package struct TablePlan<Target: TableTarget>: Sendable {
  package private(set) var outcomes = TableOutcomes()
  private let target: Target
  private let rows: [ImportedRow<Target.Draft>]
  /// The id that each row has or would have.
  private let ids: [EntityID?]
  /// The row of a stored id.
  private var rowOf: [EntityID: Int] = [:]
  /// The stored match of each row; without an entity if its form is unknown.
  private var found: [Int: (id: EntityID, entity: Target.Entity?)] = [:]
  /// The stored entities that are not matched by id.
  private var others: [Target.Likeness: [Target.Entity]] = [:]
  /// Link targets of any earlier imports.
  private let imported: Set<EntityID>
  /// The days on which a match can be stored; nil for all.
  private let days: Set<CivilDay>?

  /// - Parameters:
  ///   - identity: The id of a row without one, by its key.
  ///   - links: The stored links of the rows' ids, with the rows.
  ///   - imported: The targets of all stored links.
  package init(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target, identity: (String) -> EntityID,
    links: ([EntityID: Int]) -> [(target: EntityID, row: Int)], imported: () -> Set<EntityID> = { [] }
  ) {
    self.imported = target.takesResembling ? imported() : []
    self.rows = rows
    self.target = target
    ids = rows.map { row in row.id ?? (row.key.isEmpty ? nil : identity(row.key)) }
    var days: Set<CivilDay>? = []
    for (index, row) in rows.enumerated() {
      if let id = ids[index] { rowOf[id] = index }
      guard row.id == nil, case .draft(let draft) = row.content else { continue }
      if let day = target.day(of: draft) { days?.insert(day) } else { days = nil }
    }
    self.days = days
    for (target, row) in links(rowOf) where rowOf[target] == nil { rowOf[target] = row }
  }

  /// Offers a stored entity. `read` is called only if it can match a row, and returns nil for an unreadable entity.
  package mutating func take(_ id: EntityID, day: CivilDay?, _ read: () -> Target.Entity?) {
    func understood() -> Target.Entity? { read().flatMap { target.understands($0) ? $0 : nil } }
    if let row = rowOf[id] {
      // The row's own id takes precedence over a link.
      if found[row] == nil || id == ids[row] { found[row] = (id, understood()) }
    } else if days.map({ days in day.map(days.contains) ?? false }) ?? true, let entity = understood() {
      others[target.likeness(of: entity), default: []].append(entity)
    }
  }

  /// Determines the outcomes. `check` is called before each row.
  package mutating func compare<Failure: Error>(_ check: () throws(Failure) -> Void) throws(Failure) {
    for key in others.keys { target.order(&others[key, default: []]) }
    var links: [Int: EntityID] = [:]
    for (index, row) in rows.enumerated() {
      try check()
      guard case .draft(let draft) = row.content, row.id == nil, found[index] == nil, let alike = takeAlike(draft)
      else { continue }
      found[index] = (alike.id, alike)
      links[index] = ids[index]
    }
    if target.takesResembling { takeResembling(&links) }
    for (index, row) in rows.enumerated() {
      try check()
      outcomes.add(outcome(of: row, at: index, link: links[index]))
    }
    others = [:]
  }

  /// Matches a row with an earlier import that resembles it, if neither has another candidate.
  private mutating func takeResembling(_ links: inout [Int: EntityID]) {
    var rowsOf: [String: [Int]] = [:]
    for (index, row) in rows.enumerated() where row.id == nil && found[index] == nil {
      guard case .draft(let draft) = row.content, let name = target.resemblance(of: draft) else { continue }
      rowsOf[name, default: []].append(index)
    }
    guard !rowsOf.isEmpty else { return }
    var entities: [String: [Target.Entity]] = [:]
    for entity in others.values.joined() {
      guard let name = target.resemblance(of: entity), rowsOf[name] != nil else { continue }
      entities[name, default: []].append(entity)
    }
    for (name, alike) in entities {
      guard let entity = alike.first, alike.count == 1, entity.id.isDerived || imported.contains(entity.id),
        let indices = rowsOf[name], let index = indices.first, indices.count == 1
      else { continue }
      found[index] = (entity.id, entity)
      links[index] = ids[index]
    }
  }

  private func outcome(of row: ImportedRow<Target.Draft>, at index: Int, link: EntityID?) -> TableOutcome {
    guard case .draft(let draft) = row.content, let id = ids[index] else {
      return row.content == .ignored ? .ignored : .refused
    }
    guard let there = found[index] else { return .new(id) }
    // An unknown form of a later version is never replaced.
    let names = there.entity.map { target.differences(of: $0, from: draft) } ?? ["form"]
    return names.isEmpty ? .present(there.id, link: link) : .different(there.id, names, link: link)
  }

  private mutating func takeAlike(_ draft: Target.Draft) -> Target.Entity? {
    guard let likeness = target.likeness(of: draft),
      let place = others[likeness]?.lastIndex(where: {
        !target.takesOnlySame || target.isSame($0, as: draft)
      })
    else { return nil }
    return others[likeness]?.remove(at: place)
  }

  /// Calls `body` with the changes of an import, in the order of the rows. Differing entities are replaced if `replaces`; `refuse`
  /// receives those that cannot be, and throws or skips them.
  package func visitChanges<Failure: Error>(
    replaces: Bool, at now: Instant, refuse: (Refusal, Int) throws(Failure) -> Void,
    _ body: (TableChange<Target.Entity>) throws(Failure) -> Void
  ) throws(Failure) {
    var added = 0
    for (index, row) in rows.enumerated() {
      guard case .draft(let draft) = row.content else { continue }
      switch outcomes.list[index] {
      case .new(let id):
        guard let entity = target.made(of: draft, id: id, at: now) else { continue }
        try body(.add(target.placed(entity, behind: added)))
        added += 1
      case .present(let id, let link?): try body(.link(link, target: id))
      case .different(let id, _, let link):
        if let link { try body(.link(link, target: id)) }
        guard replaces, let old = found[index]?.entity else { continue }
        let applied: Result<Target.Entity?, Refusal>
        do throws(Refusal) { applied = .success(try target.applied(draft, to: old)) } catch {
          applied = .failure(error)
        }
        switch applied {
        case .failure(let conflict): try refuse(conflict, row.number)
        case .success(var entity?):
          entity.updatedAt = now.following(old.updatedAt)
          try body(.put(entity))
        case .success(nil): continue
        }
      case .present, .ignored, .refused: continue
      }
    }
  }
}
