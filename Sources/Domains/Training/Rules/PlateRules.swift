import DaybookProtocol
import Values

/// Which plates make a weight.
package struct PlateLoad: Equatable, Sendable {
  /// The plates of one side, heaviest first, with how many.
  package var perSide: [Plate] = []
  /// What that weighs with the bar.
  package var reached: Decimal

  /// The plates that come nearest to a weight from below, as many of the heaviest as possible. Nil below the weight of the bar.
  ///
  /// - Parameter plates: Each size once; of a counted one half is on each side.
  /// - Complexity: The number of sizes, times the weight divided by what all sizes are multiples of.
  package init?(_ weight: Decimal, bar: Decimal, plates: [Plate]) {
    guard let wanted = weight.units(ofScale: 3), let empty = bar.units(ofScale: 3), wanted >= empty else { return nil }
    let lightestFirst = Plate.sorted(plates).reversed().compactMap { plate in
      plate.weight.units(ofScale: 3).map {
        (plate: plate, pair: Int($0) * 2, pairs: plate.count.map { $0 / 2 } ?? Int.max)
      }
    }.filter { $0.pair > 0 && $0.pairs > 0 }
    let unit = lightestFirst.reduce(0) { PlateLoad.commonDivisor($0, $1.pair) }
    reached = bar
    guard unit > 0 else { return }
    // By how many of the lightest sizes each weight can be made at the least.
    let room = Int(wanted - empty) / unit
    let unmade = UInt8.max
    var sizes = [UInt8](repeating: unmade, count: room + 1)
    sizes[0] = 0
    for (number, size) in lightestFirst.enumerated() {
      let step = size.pair / unit
      guard step <= room else { break }
      var used = [Int32](repeating: 0, count: room + 1)
      for place in step...room where sizes[place] == unmade && sizes[place - step] != unmade {
        guard used[place - step] < size.pairs else { continue }
        used[place] = used[place - step] + 1
        sizes[place] = UInt8(number + 1)
      }
    }
    var rest = sizes.lastIndex { $0 != unmade } ?? 0
    let made = rest
    for (number, size) in lightestFirst.enumerated().reversed() where rest > 0 {
      let step = size.pair / unit
      var count = min(size.pairs, rest / step)
      // The lighter sizes have to make the rest.
      while count > 0, sizes[rest - count * step] > number { count -= 1 }
      guard count > 0 else { continue }
      rest -= count * step
      perSide.append(Plate(weight: size.plate.weight.normalized, count: count))
    }
    reached = Decimal(significand: empty + Int64(made * unit), scale: 3)?.normalized ?? bar
  }

  private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}

/// Sets to warm up with.
package enum WarmupRules {
  /// The parts of the working weight, percent, and the repetitions of each, behind ten with the empty bar.
  private static let steps: [(percent: Int64, reps: Int)] = [(40, 5), (60, 3), (80, 2)]
  private static let repsOfBar = 10

  /// The weights and repetitions, lightest first, each lighter than the working weight; none when that is not above the bar.
  package static func sets(_ weight: Decimal, bar: Decimal, plates: [Plate]) -> [(weight: Decimal, reps: Int)] {
    guard weight > bar else { return [] }
    var sets = bar > .zero ? [(weight: bar.normalized, reps: repsOfBar)] : []
    for step in steps {
      guard let part = weight.multiplied(by: step.percent, over: 100, roundedTo: 3),
        let load = PlateLoad(part, bar: bar, plates: plates), load.reached > sets.last?.weight ?? .zero
      else { continue }
      sets.append((load.reached, step.reps))
    }
    return sets
  }
}
