import Foundation

/// A measured row of the table.
struct Row: Encodable {
  let measure: String
  let unit: String
  /// Nil when the measure failed.
  private(set) var value: Double?
  /// The value of an earlier build, if measured.
  private(set) var before: Double?
  private(set) var anchorName: String?
  /// The reference value, if any.
  private(set) var anchor: Double?
  /// The value as a multiple of the reference.
  private(set) var ratio: Double?
  private(set) var goal: String?
  /// `met`, `missed`, `no anchor`, `not available`, `failed`; nil when there is no goal.
  private(set) var verdict: String?
  /// Why there is no value.
  private(set) var reason: String?
  /// Whether that is a defect of the measured program.
  private(set) var isWrong = false

  private enum CodingKeys: CodingKey {
    case measure, unit, value, before, anchorName, anchor, ratio, goal, verdict, reason
  }

  /// Nil when it has no figures.
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

  /// A row for a failed measure.
  init(_ measure: Measure, failure: BenchError) {
    self.measure = measure.name
    unit = ""
    verdict = failure.kind == .unavailable ? "not available" : "failed"
    reason = failure.message
    isWrong = failure.kind == .wrong
  }

  /// The texts of the columns.
  var cells: [String] {
    [
      measure, value.map { "\(Row.number($0)) \(unit)" } ?? "–", before.map { "\(Row.number($0)) \(unit)" } ?? "",
      anchor.map { "\(Row.number($0)) (\(anchorName ?? ""))" } ?? (anchorName == nil ? "" : "–"),
      ratio.map { "\(Row.number($0))×" } ?? "", goal ?? "", verdict ?? "",
    ]
  }

  /// A number with about three significant digits.
  static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1000 { return String(Int(value)) }
    return String(format: abs(value) < 10 ? "%.2f" : abs(value) < 100 ? "%.1f" : "%.0f", value)
  }
}
