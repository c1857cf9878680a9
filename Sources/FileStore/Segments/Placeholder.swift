import CivilTime
import Values

struct SegmentKey: Hashable { let collection: CollectionName; let month: MonthKey }
struct SegmentEntry: Sendable, Equatable {
  let key: SegmentKey
  let generation: Int
  let count: Int
  let bytes: Int
  var fileName: String { "" }
}
extension SegmentKey: Sendable {}
struct Segment: Sendable {
  var count: Int { 0 }
  var memory: Int { 0 }
  func record(at index: Int) -> Record { Record(holeAt: Position(startOf: CivilDay(daysSinceEpoch: 0)), since: 0) }
  func position(at index: Int) -> Position { record(at: index).position }
  func lowerBound(of: Position) -> Int { 0 }
  func index(ofID: EntityID) -> Int? { nil }
  func forEachID(_ body: (EntityID, Int) -> Void) {}
}
extension CollectionName {
  var isFileName: Bool { true }
}
extension StoreBase {
  var isDamaged: Bool { false }
  func refusal(_ path: String) -> StoreError? { nil }
}
final class SegmentLoader: Sendable {
  init(_ fileSystem: any FileSystem, cacheLimit: Int) {}
  func open(_ folder: StoreFolder, _ report: inout RecoveryReport) throws(StoreError) -> StoreBase {
    StoreBase(generation: 0, revision: 0, journal: 1, segments: [], loader: self)
  }
  func later(_ folder: StoreFolder, than base: StoreBase, _ report: inout RecoveryReport) throws(StoreError) -> StoreBase? { nil }
  func segment(_ entry: SegmentEntry) -> Segment { Segment() }
  func mayHave(_ id: EntityID, in entry: SegmentEntry) -> Bool { false }
  var findings: [RecoveryFinding] { [] }
  func close() {}
}

struct HistoryEntry: Sendable, Equatable { let number: Int; let firstRevision: Int }
