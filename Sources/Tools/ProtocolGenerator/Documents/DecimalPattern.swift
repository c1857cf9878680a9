/// A regular expression for decimal texts within bounds; it is exact where it restricts, and omits bounds that it
/// cannot express.
package struct DecimalPattern {
  private let minimum: Int?
  private let maximum: Int?
  private let scale: Int

  /// Takes the bounds of a member: whole numbers, and a maximum number of fraction digits (default 9).
  package init(minimum: Int? = nil, maximum: Int? = nil, scale: Int? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.scale = scale ?? 9
  }

  package var text: String {
    guard let minimum, minimum >= 0 else { return "^-?\(Self.whole)\(fraction("[0-9]"))$" }
    // Zero may have a sign.
    let zero = minimum == 0 ? "-0\(fraction("0"))|" : ""
    return "^(\(zero)\(positive))$"
  }

  /// The texts without a sign.
  private var positive: String {
    guard let (digit, zeros) = leading else { return "\(first)\(fraction("[0-9]"))" }
    var below = zeros == 0 ? [] : minimum == 0 ? ["0"] : []
    if zeros == 0 { below = digit > 1 ? ["[\(minimum == 0 ? 0 : 1)-\(digit - 1)]"] : minimum == 0 ? ["0"] : [] }
    if zeros > 0 {
      below.append("[1-9]" + (zeros > 1 ? "[0-9]{0,\(zeros - 1)}" : ""))
      if digit > 1 { below.append("[1-\(digit - 1)][0-9]{\(zeros)}") }
    }
    let greatest = "\(digit)" + (zeros > 0 ? "0{\(zeros)}" : "") + fraction("0")
    guard !below.isEmpty else { return greatest }
    return "(\(below.joined(separator: "|")))\(fraction("[0-9]"))|\(greatest)"
  }

  /// The integer part when no maximum can be expressed.
  private var first: String { minimum == 0 ? Self.whole : "[1-9][0-9]*" }

  private static let whole = "(0|[1-9][0-9]*)"

  /// The maximum, if it is one digit followed by zeros.
  private var leading: (digit: Int, zeros: Int)? {
    guard var rest = maximum, rest > 0 else { return nil }
    var zeros = 0
    while rest % 10 == 0 { (rest, zeros) = (rest / 10, zeros + 1) }
    return rest < 10 ? (rest, zeros) : nil
  }

  private func fraction(_ digit: String) -> String { scale == 0 ? "" : "(\\.\(digit){1,\(scale)})?" }
}
