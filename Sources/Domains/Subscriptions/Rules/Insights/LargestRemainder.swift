/// Percentages that add up to a hundred.
package enum LargestRemainder {
  /// Whole percentages of amounts that are not negative: each rounded down, then what is missing goes to the largest remainders,
  /// and of equal ones to the first. They add up to 100, or are all 0 when there is nothing. (Hare quota, largest remainder.)
  package static func percentages(of amounts: [ExactAmount]) -> [Int] {
    let total = amounts.reduce(.zero, +)
    guard ExactAmount.zero < total else { return amounts.map { _ in 0 } }
    // In units of the total's denominator, which is a multiple of every other one unless it got too large; then they are
    // rounded to it.
    let units = amounts.map { max($0.units(of: total.denominator), 0) }
    let whole = units.reduce(Int128(0)) { $0.addingReportingOverflow($1).partialValue }
    guard whole > 0 else { return amounts.map { _ in 0 } }
    var percentages: [Int] = []
    var remainders: [Int128] = []
    for unit in units {
      let (product, overflow) = unit.multipliedReportingOverflow(by: 100)
      let (quotient, rest) =
        overflow ? (unit / max(whole / 100, 1), 0) : product.quotientAndRemainder(dividingBy: whole)
      percentages.append(Int(clamping: quotient))
      remainders.append(rest)
    }
    let missing = min(max(100 - percentages.reduce(0, +), 0), percentages.count)
    let order = remainders.indices.sorted { left, right in
      remainders[left] != remainders[right] ? remainders[left] > remainders[right] : left < right
    }
    for index in order.prefix(missing) { percentages[index] += 1 }
    return percentages
  }
}
