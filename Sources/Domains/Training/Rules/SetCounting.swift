import DaybookProtocol

extension SetKind {
  /// Whether a set of the kind counts in volume: all but warm-ups.
  package var countsInVolume: Bool { self != .warmup }

  /// Whether a set of the kind can be a record: working sets alone.
  package var countsInRecords: Bool { self == .normal }
}
