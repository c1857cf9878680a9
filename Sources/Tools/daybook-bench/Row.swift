/// What a figure should be.
enum Goal {
  /// At most so much.
  case atMost(Double)
  /// At most so many times the anchor.
  case ratioAtMost(Double)
  /// At least so many times the anchor.
  case ratioAtLeast(Double)
  /// At least so much.
  case atLeast(Double)
}

/// One measure with what it is compared with.
struct Row {
  let measure: String
  let unit: String
  /// Nil when it could not be taken.
  let value: Double?
  /// What `anchor` is the figure of, taken in the same rounds.
  let anchorName: String
  /// Nil when there was nothing to compare with.
  let anchor: Double?
  let goal: Goal?
  /// Why there is no value.
  let failure: BenchError?

  init(
    _ measure: String, _ unit: String, _ value: Double, beside anchorName: String = "", _ anchor: Double? = nil,
    goal: Goal? = nil
  ) {
    self.measure = measure
    self.unit = unit
    self.value = value
    self.anchorName = anchorName
    self.anchor = anchor
    self.goal = goal
    failure = nil
  }

  /// A measure that could not be taken.
  init(_ measure: String, failure: BenchError) {
    self.measure = measure
    self.failure = failure
    unit = ""
    value = nil
    anchorName = ""
    anchor = nil
    goal = nil
  }

  /// How many times the anchor it is.
  var ratio: Double? {
    guard let value, let anchor, anchor != 0 else { return nil }
    return value / anchor
  }

  /// `met`, `missed`, `no anchor`, `not available`, `failed`, or nothing when there is no goal.
  var verdict: String {
    guard let value else { return failure?.kind == .unavailable ? "not available" : "failed" }
    return switch goal {
    case nil: ""
    case .atMost(let limit): value <= limit ? "met" : "missed"
    case .atLeast(let limit): value >= limit ? "met" : "missed"
    case .ratioAtMost(let limit): ratio.map { $0 <= limit ? "met" : "missed" } ?? "no anchor"
    case .ratioAtLeast(let limit): ratio.map { $0 >= limit ? "met" : "missed" } ?? "no anchor"
    }
  }
}
