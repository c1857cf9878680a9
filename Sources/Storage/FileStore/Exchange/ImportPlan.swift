import CivilTime
import Platform
import Values

/// How an import deals with what is there.
package enum StoreImportMode: String, Sendable, CaseIterable {
  /// Nothing is changed; it is said what would be.
  case preview
  /// What is missing is added, and what was changed later in the file is updated.
  case merge
  /// Afterwards there is exactly what the file has.
  case replace
}

/// What an import comes to in one collection.
package struct StoreImportCounts: Sendable, Equatable {
  package var collection: CollectionName
  /// Records that were not there.
  package var added = 0
  /// Records that become the file's.
  package var updated = 0
  /// Records that are the same in the file.
  package var same = 0
  /// Records that stay as they are because they were not changed later in the file.
  package var kept = 0
  /// Records that the file does not have, and that go.
  package var removed = 0
  /// Lines that cannot be used.
  package var refused = 0
}

/// What an import changes in a store as it is at one revision.
struct ImportPlan: Sendable {
  let revision: Int
  private(set) var counts: [CollectionName: StoreImportCounts] = [:]
  /// Of each line of the content, whether it is to be put.
  private(set) var puts: [Bool]
  private(set) var removals: [(collection: CollectionName, id: EntityID)] = []
  /// The months whose segments hold records that go or are replaced.
  private(set) var touched: Set<SegmentKey> = []
  /// Bytes of the bodies to be put.
  private(set) var bytes = 0
  private(set) var putCount = 0

  /// Compares a file with what is there.
  init(_ content: ImportContent, _ snapshot: Snapshot, _ mode: StoreImportMode, _ monitor: WorkMonitor)
    throws(StoreError)
  {
    revision = snapshot.revision
    puts = Array(repeating: true, count: content.lines.count)
    let numbers = Dictionary(uniqueKeysWithValues: content.collections.enumerated().map { ($1, $0) })
    for collection in Set(snapshot.collections).union(content.collections).union(content.refusedIn.keys) {
      counts[collection] = StoreImportCounts(collection: collection, refused: content.refusedIn[collection] ?? 0)
    }
    for collection in snapshot.collections {
      let number = numbers[collection]
      // Nothing of it is in the file, and nothing of it goes.
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
    for (number, collection) in content.collections.enumerated() {
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
      && record.body.withUnsafeBytes { body in content.body(of: line).withUnsafeBytes { body.isSame(as: $0) } }
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

  /// Whether there is nothing to do.
  var isEmpty: Bool { putCount == 0 && removals.isEmpty }

  /// Whether it is small enough for one line of the journal, so that it can be undone.
  func isSmall(_ configuration: FileStore.Configuration) -> Bool {
    putCount + removals.count <= configuration.journaledImportLimit && bytes <= configuration.journaledImportBytes
  }

  /// The operations of that one line.
  func operations(_ content: ImportContent) -> [Operation] {
    var operations: [Operation] = []
    operations.reserveCapacity(removals.count + putCount)
    for removal in removals { operations.append(.delete(removal.collection, id: removal.id)) }
    for (line, isPut) in zip(content.lines, puts) where isPut { operations.append(content.operation(line)) }
    return operations
  }
}
