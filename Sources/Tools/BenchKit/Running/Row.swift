import Foundation

/// A line of the table as it was taken.
struct Row: Encodable {
  let measure: String
  let unit: String
  /// Nil when it could not be taken.
  private(set) var value: Double?
  /// The same of an earlier build, if one was measured in the same rounds.
  private(set) var before: Double?
  private(set) var anchorName: String?
  /// Nil when there was nothing to compare with.
  private(set) var anchor: Double?
  /// How many times the anchor it is.
  private(set) var ratio: Double?
  private(set) var goal: String?
  /// `met`, `missed`, `no anchor`, `not available`, `failed`; nil when there is no goal.
  private(set) var verdict: String?
  /// Why there is no value.
  private(set) var reason: String?
  /// Whether that is a defect of what was measured.
  private(set) var isWrong = false

  private enum CodingKeys: CodingKey {
    case measure, unit, value, before, anchorName, anchor, ratio, goal, verdict, reason
  }

  /// Nil when none of its figures was taken.
  init?(_ measure: Measure, _ figures: Figures, before: Figures?) {
    guard let value = figures.value(measure.key, measure.statistic) else { return nil }
    let unit = measure.unit
    let anchor = measure.anchor.flatMap { figures.value($0.key, measure.statistic) }
    self.measure = measure.name
    self.unit = unit.rawValue
    self.value = value / unit.divisor
    self.before = before?.value(measure.key, measure.statistic).map { $0 / unit.divisor }
    anchorName = measure.anchor?.name
    self.anchor = anchor.map { $0 / unit.divisor }
    ratio = anchor.flatMap { $0 == 0 ? nil : value / $0 }
    goal = measure.goal?.text(unit)
    let ratio = ratio
    verdict = measure.goal.map { goal in
      switch goal {
      case .atMost(let limit): value / unit.divisor <= limit ? "met" : "missed"
      case .atLeast(let limit): value / unit.divisor >= limit ? "met" : "missed"
      case .ratioAtMost(let limit): ratio.map { $0 <= limit ? "met" : "missed" } ?? "no anchor"
      case .ratioAtLeast(let limit): ratio.map { $0 >= limit ? "met" : "missed" } ?? "no anchor"
      }
    }
  }

  /// A measure that could not be taken.
  init(_ measure: Measure, failure: BenchError) {
    self.measure = measure.name
    unit = ""
    verdict = failure.kind == .unavailable ? "not available" : "failed"
    reason = failure.message
    isWrong = failure.kind == .wrong
  }

  /// Its texts under the headings of the table.
  var cells: [String] {
    [
      measure, value.map { "\(Row.number($0)) \(unit)" } ?? "–", before.map { "\(Row.number($0)) \(unit)" } ?? "",
      anchor.map { "\(Row.number($0)) (\(anchorName ?? ""))" } ?? (anchorName == nil ? "" : "–"),
      ratio.map { "\(Row.number($0))×" } ?? "", goal ?? "", verdict ?? "",
    ]
  }

  /// A number with about three digits that matter.
  static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1000 { return String(Int(value)) }
    return String(format: abs(value) < 10 ? "%.2f" : abs(value) < 100 ? "%.1f" : "%.0f", value)
  }
}
