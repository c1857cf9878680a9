import DaybookProtocol

/// Matches the rows of a table with the stored entities.
///
/// A row that states an id matches the entity with that id. The others match, in this order: an entity of an earlier
/// import with equal content; the one that an equal row became and that was edited since; an equal one logged by hand;
/// and at last, among what is left of each key, the earlier import that differs in the fewest members. So neither the
/// order nor the length of a later table doubles or loses a row.
package struct TablePlan<Target: TableTarget>: Sendable {
  package private(set) var outcomes = TableOutcomes()
  private let target: Target
  private let rows: [ImportedRow<Target.Draft>]
  private let keys: TableKeys
  /// The stored match of each row.
  private var found: [Int: Match] = [:]
  /// The entities of earlier imports that can match the rows of a key, by the key's number.
  private var candidates: [Int: [Candidate]] = [:]
  /// The stored entities that are not matched by id.
  private var others: [Target.Likeness: [Target.Entity]] = [:]
  /// The targets of stored links, with the ids that rows would have had.
  private let linked: [EntityID: [EntityID]]
  /// Link targets of any earlier imports.
  private let imported: Set<EntityID>
  /// The days on which a match can be stored; nil for all.
  private let days: Set<CivilDay>?

  /// An entity that a row matches.
  private struct Match {
    let id: EntityID
    /// Nil if its form is unknown: one of a later version is never replaced.
    let entity: Target.Entity?
    /// The members in which it differs.
    let names: [String]
    /// The id that the row would have had, to be linked.
    var link: EntityID?
  }

  /// An entity of an earlier import.
  private struct Candidate {
    let id: EntityID
    let entity: Target.Entity?
    /// The id of the row that it was: its own, or a linked one.
    let row: EntityID
    /// The place of that row among those of its key, where its id tells it.
    let ordinal: Int?
  }

  /// - Parameters:
  ///   - identity: The id derived from a text.
  ///   - links: The stored links of the wanted ids, with their targets.
  ///   - imported: The targets of all stored links.
  package init(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target, identity: @escaping @Sendable (String) -> EntityID,
    links: ((EntityID) -> Bool) -> [(id: EntityID, target: EntityID)], imported: () -> Set<EntityID> = { [] }
  ) {
    self.imported = target.takesResembling ? imported() : []
    self.rows = rows
    self.target = target
    var days: Set<CivilDay>? = []
    for row in rows where row.id == nil {
      guard case .draft(let draft) = row.content else { continue }
      if let day = target.day(of: draft) { days?.insert(day) } else { days = nil }
    }
    self.days = days
    let keys = TableKeys(rows.map { ($0.id, $0.identity) }, identity)
    self.keys = keys
    linked = Dictionary(grouping: links { keys.place(of: $0) != nil }, by: \.target).mapValues { $0.map(\.id) }
  }

  /// Offers a stored entity. `read` is called only if it can match a row, and returns nil for an unreadable entity.
  package mutating func take(_ id: EntityID, day: CivilDay?, _ read: () -> Target.Entity?) {
    let ids = (keys.place(of: id) == nil ? [] : [id]) + (linked[id] ?? [])
    func understood() -> Target.Entity? { read().flatMap { target.understands($0) ? $0 : nil } }
    guard ids.isEmpty else {
      let entity = understood()
      for row in ids {
        switch keys.place(of: row) {
        case .row(let index):
          // The row's own id takes precedence over a link.
          if found[index] == nil || row == id { found[index] = match(index, id, entity) }
        case .key(let key, let ordinal):
          candidates[key, default: []].append(Candidate(id: id, entity: entity, row: row, ordinal: ordinal))
        case nil: break
        }
      }
      return
    }
    if days.map({ days in day.map(days.contains) ?? false }) ?? true, let entity = understood() {
      others[target.likeness(of: entity), default: []].append(entity)
    }
  }

  private func match(_ index: Int, _ id: EntityID, _ entity: Target.Entity?, link: EntityID? = nil) -> Match {
    Match(id: id, entity: entity, names: differences(index, entity), link: link)
  }

  private func differences(_ index: Int, _ entity: Target.Entity?) -> [String] {
    guard let entity, case .draft(let draft) = rows[index].content else { return ["form"] }
    return target.differences(of: entity, from: draft)
  }

  /// Determines the outcomes. `check` is called before each row, and before each comparison of several.
  package mutating func compare<Failure: Error>(_ check: () throws(Failure) -> Void) throws(Failure) {
    for key in others.keys { target.order(&others[key, default: []]) }
    let rowsOf = keys.rows(ofKeys: Set(candidates.keys))
    var taken: Set<EntityID> = []
    for (key, indices) in rowsOf { try takeEqual(indices, key, &taken, check) }
    if target.takesOnlySame { try takeAlike(check) }
    for (key, indices) in rowsOf { try takeLeft(indices, key, &taken, check) }
    if !target.takesOnlySame { try takeAlike(check) }
    if target.takesResembling { takeResembling() }
    var ids = TableKeys.NewIDs(
      keys, shared: Set(candidates.keys), stored: Set(candidates.values.joined().map(\.id)))
    for (index, row) in rows.enumerated() {
      try check()
      outcomes.add(outcome(of: row, at: index, &ids))
    }
    (others, candidates) = ([:], [:])
  }

  /// Matches the rows of a key with earlier imports of equal content, first those with the rows' own ids; then the rest
  /// with those of their ids.
  private mutating func takeEqual<Failure: Error>(
    _ indices: [Int], _ key: Int, _ taken: inout Set<EntityID>, _ check: () throws(Failure) -> Void
  ) throws(Failure) {
    let all = candidates[key] ?? []
    let places = Dictionary(all.enumerated().map { ($1.row, $0) }) { first, _ in first }
    func own(_ index: Int) -> Candidate? {
      keys.ownID(of: index).flatMap { places[$0] }.map { all[$0] }
    }
    for index in indices {
      try check()
      guard let candidate = own(index), !taken.contains(candidate.id) else { continue }
      let match = match(index, candidate.id, candidate.entity)
      if match.names.isEmpty { take(match, index, &taken) }
    }
    for index in indices where found[index] == nil {
      try check()
      for candidate in all where !taken.contains(candidate.id) {
        let match = match(index, candidate.id, candidate.entity)
        guard match.names.isEmpty else { continue }
        take(match, index, &taken)
        break
      }
    }
    for index in indices where found[index] == nil {
      guard let candidate = own(index), !taken.contains(candidate.id) else { continue }
      take(match(index, candidate.id, candidate.entity), index, &taken)
    }
  }

  private mutating func take(_ match: Match, _ index: Int, _ taken: inout Set<EntityID>) {
    found[index] = match
    taken.insert(match.id)
  }

  /// Matches what is left of a key: each earlier import with the row from which it differs in the fewest members, and
  /// among these with the one in its place.
  private mutating func takeLeft<Failure: Error>(
    _ indices: [Int], _ key: Int, _ taken: inout Set<EntityID>, _ check: () throws(Failure) -> Void
  ) throws(Failure) {
    var left = indices.filter { found[$0] == nil }
    let free = (candidates[key] ?? []).filter { !taken.contains($0.id) }
      .sorted { ($0.ordinal ?? .max, $0.row) < ($1.ordinal ?? .max, $1.row) }
    // Beyond this many comparisons their order decides.
    let compares = left.count.multipliedReportingOverflow(by: free.count).partialValue <= 10_000
    for candidate in free where !left.isEmpty && !taken.contains(candidate.id) {
      try check()
      var best: (place: Int, cost: (Int, Int))?
      for (place, index) in left.enumerated() where isVersion(candidate.entity, index) {
        let isPlace = candidate.ordinal == keys.ordinal(of: index)
        let cost = (compares ? differences(index, candidate.entity).count : 0, isPlace || !compares ? 0 : 1)
        if best.map({ cost < $0.cost }) ?? true { best = (place, cost) }
        if !compares { break }
      }
      guard let place = best?.place else { continue }
      let index = left.remove(at: place)
      take(match(index, candidate.id, candidate.entity), index, &taken)
    }
  }

  private func isVersion(_ entity: Target.Entity?, _ index: Int) -> Bool {
    guard let entity, case .draft(let draft) = rows[index].content else { return true }
    return target.isVersion(entity, of: draft)
  }

  /// Matches rows with entities that were logged by hand.
  private mutating func takeAlike<Failure: Error>(_ check: () throws(Failure) -> Void) throws(Failure) {
    for (index, row) in rows.enumerated() {
      try check()
      guard case .draft(let draft) = row.content, row.id == nil, found[index] == nil, let alike = takeAlike(draft)
      else { continue }
      found[index] = match(index, alike.id, alike, link: keys.id(of: index))
    }
  }

  private mutating func takeAlike(_ draft: Target.Draft) -> Target.Entity? {
    guard let likeness = target.likeness(of: draft),
      let place = others[likeness]?.lastIndex(where: {
        !target.takesOnlySame || target.isSame($0, as: draft)
      })
    else { return nil }
    return others[likeness]?.remove(at: place)
  }

  /// Matches a row with an earlier import that resembles it, if neither has another candidate.
  private mutating func takeResembling() {
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
        let indices = rowsOf[name], let index = indices.first, indices.count == 1, rows[index].identity != nil
      else { continue }
      found[index] = match(index, entity.id, entity, link: keys.id(of: index))
    }
  }

  private func outcome(of row: ImportedRow<Target.Draft>, at index: Int, _ ids: inout TableKeys.NewIDs) -> TableOutcome
  {
    guard case .draft(let draft) = row.content else { return row.content == .ignored ? .ignored : .refused }
    guard let match = found[index] else { return (row.id ?? ids.next(index)).map { .new($0) } ?? .refused }
    if match.names.isEmpty { return .present(match.id, link: match.link) }
    if let entity = match.entity, target.isPart(entity, of: draft) {
      return .extended(match.id, match.names, link: match.link)
    }
    return .different(match.id, match.names, link: match.link)
  }

  /// Calls `body` with the changes of an import, in the order of the rows. Differing entities are replaced if `replaces`,
  /// and those that are parts in any case; `refuse` receives those that cannot be, and throws or skips them.
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
      case .different(let id, _, let link), .extended(let id, _, let link):
        if let link { try body(.link(link, target: id)) }
        guard outcomes.list[index].changed(replaces: replaces) != nil, let old = found[index]?.entity else { continue }
        let applied: Result<Target.Entity?, Refusal>
        do throws(Refusal) { applied = .success(try target.applied(draft, to: old)) } catch {
          applied = .failure(error)
        }
        switch applied {
        case .failure(let conflict): try refuse(conflict, row.number)
        case .success(let entity?): try body(.put(entity))
        case .success(nil): continue
        }
      case .present, .ignored, .refused: continue
      }
    }
  }
}
