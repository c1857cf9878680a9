import Values

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
  func segment(_ entry: SegmentEntry) -> Segment { Segment.load([], entry: entry) }
  func mayHave(_ id: EntityID, in entry: SegmentEntry) -> Bool { false }
  var findings: [RecoveryFinding] { [] }
  func close() {}
}
struct HistoryEntry: Sendable, Equatable { let number: Int; let firstRevision: Int }
