import JSON
import Platform
import Values

/// How an import treats existing records.
package enum StoreImportMode: String, Sendable, CaseIterable {
  /// Changes nothing, and reports what a merge would change.
  case preview
  /// Adds missing records, and updates those that were changed later in the file.
  case merge
  /// Leaves exactly the file's records.
  case replace
}

/// The effect of an import on one collection.
package struct StoreImportCounts: Sendable, Equatable {
  package var collection: CollectionName
  /// Records that did not exist.
  package var added = 0
  /// Records replaced by the file's version.
  package var updated = 0
  /// Records that equal the file's.
  package var same = 0
  /// Records that stay because the file's version was not changed later.
  package var kept = 0
  /// Records that are removed because the file does not have them.
  package var removed = 0
  package var refused = 0
}

/// The changes that an import makes to a store at one revision.
struct ImportPlan: Sendable {
  let revision: Int
  private(set) var counts: [CollectionName: StoreImportCounts] = [:]
  /// For each line, whether it is put.
  private(set) var puts: [Bool]
  private(set) var removals: [(collection: CollectionName, id: EntityID)] = []
  /// The months whose segments contain removed or replaced records.
  private(set) var touched: Set<SegmentKey> = []
  /// The total size of the bodies to put, in bytes.
  private(set) var bytes = 0
  private(set) var putCount = 0

  /// Compares a file with the present records.
  ///
  /// - Parameter leftOut: The collections that stay as they are.
  init(
    _ content: ImportContent, _ snapshot: Snapshot, _ mode: StoreImportMode, leavingOut leftOut: Set<CollectionName>,
    _ monitor: WorkMonitor
  ) throws(StoreError) {
    revision = snapshot.revision
    puts = content.lines.map { leftOut.isEmpty || !leftOut.contains(content.collections[$0.collection]) }
    let numbers = Dictionary(uniqueKeysWithValues: content.collections.enumerated().map { ($1, $0) })
    let known = Set(snapshot.collections).union(content.collections).union(content.refusedIn.keys)
    for collection in known.subtracting(leftOut) {
      counts[collection] = StoreImportCounts(collection: collection, refused: content.refusedIn[collection] ?? 0)
    }
    for collection in snapshot.collections where !leftOut.contains(collection) {
      let number = numbers[collection]
      // The file has none of it, and nothing of it is removed.
      if number == nil, mode != .replace { continue }
      for month in snapshot.months(of: collection) {
        try monitor.check()
        snapshot.visit(month, of: collection) { view in
          let id = view.id
          if let number, let line = content.index[number][id] {
            compare(view.record, content, line, mode, collection, month)
          } else if mode == .replace {
            removals.append((collection, id))
            counts[collection]?.removed += 1
            touch(collection, month)
          }
          return true
        }
      }
    }
    for (index, line) in content.lines.enumerated() where puts[index] {
      putCount += 1
      bytes += line.body.count
    }
    for (number, collection) in content.collections.enumerated() where !leftOut.contains(collection) {
      let found = counts[collection] ?? StoreImportCounts(collection: collection)
      counts[collection]?.added = content.index[number].count - found.same - found.kept - found.updated
    }
  }

  private mutating func compare(
    _ record: Record, _ content: ImportContent, _ index: Int, _ mode: StoreImportMode, _ collection: CollectionName,
    _ month: MonthKey
  ) {
    let line = content.lines[index]
    let isSame =
      record.day == line.day && record.createdAt == line.createdAt && record.updatedAt == line.updatedAt
      && record.schema == line.schema
      && record.body.withUnsafeBytes { body in
        // Another program may have written the same value differently.
        content.body(of: line).withUnsafeBytes { body.isSame(as: $0) || JSONValue.areEqualInValue(body, $0) }
      }
    if isSame {
      counts[collection]?.same += 1
      puts[index] = false
    } else if mode != .replace, record.updatedAt >= line.updatedAt {
      counts[collection]?.kept += 1
      puts[index] = false
    } else {
      counts[collection]?.updated += 1
      touch(collection, month)
    }
  }

  private mutating func touch(_ collection: CollectionName, _ month: MonthKey) {
    if let key = SegmentKey(collection, month) { touched.insert(key) }
  }

  var isEmpty: Bool { putCount == 0 && removals.isEmpty }

  /// Whether it fits into one line of the journal, so that it can be undone.
  func isSmall(_ configuration: FileStore.Configuration) -> Bool {
    putCount + removals.count <= configuration.journaledImportLimit && bytes <= configuration.journaledImportBytes
  }

  func operations(_ content: ImportContent) -> [Operation] {
    var operations: [Operation] = []
    operations.reserveCapacity(removals.count + putCount)
    forEachOperation(content) { operations.append($0) }
    return operations
  }

  func forEachOperation<Failure: Error>(
    _ content: ImportContent, _ body: (Operation) throws(Failure) -> Void
  ) throws(Failure) {
    for removal in removals { try body(.delete(removal.collection, id: removal.id)) }
    for (line, isPut) in zip(content.lines, puts) where isPut { try body(content.operation(line)) }
  }

  func touches(_ collection: CollectionName, _ content: ImportContent) -> Bool {
    if removals.contains(where: { $0.collection == collection }) { return true }
    guard let number = content.collections.firstIndex(of: collection) else { return false }
    return content.index[number].values.contains { puts[$0] }
  }

  /// Adds operations that are not in the file. They count nowhere.
  mutating func add(_ operations: [Operation], to content: inout ImportContent, _ snapshot: Snapshot) {
    for operation in operations {
      let (collection, id) = (operation.collection, operation.id)
      if let number = content.collections.firstIndex(of: collection), let line = content.index[number][id] {
        puts[line] = false
      }
      let present = snapshot.record(id, in: collection)
      if let present { touch(collection, MonthKey(present.day)) }
      if content.append(operation) {
        puts.append(true)
        removals.removeAll { $0.id == id && $0.collection == collection }
      } else if present != nil {
        removals.append((collection, id))
      }
    }
  }
}
