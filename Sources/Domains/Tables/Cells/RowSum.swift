/// The sum of a number of rows, to tell whether another row is their total.
package struct RowSum: Sendable {
  private var total = 0.0
  /// The number of rows.
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ number: Double) {
    total += number
    count += 1
  }

  /// Whether a number is the sum of the rows, each of which may be rounded. The total of a single row is that row's
  /// number.
  package func isSum(_ number: Double) -> Bool {
    count > 0 && (number - total).magnitude <= Double(count) * 0.5 + 0.01
  }
}
