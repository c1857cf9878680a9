import DaybookProtocol

extension TableProblemKind {
  /// What a broken rule is to the reader of a table.
  package init(_ rule: Refusal.Rule) {
    self =
      switch rule {
      case .missing: .missing
      case .length: .tooLong
      case .range: .outOfRange
      case .precision: .tooPrecise
      case .form: .malformed
      case .repeated: .repeated
      case .order, .conflict, .other: .contradiction
      }
  }
}
