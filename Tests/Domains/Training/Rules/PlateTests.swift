import CollectionTables
import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("Plates, warm-ups and the estimated 1RM")
struct PlateTests {
  /// The greatest weight up to `room` that pairs of plates make, by exhaustive search.
  private func best(_ room: Int64, _ pairs: ArraySlice<(weight: Int64, count: Int)>) -> Int64 {
    guard let first = pairs.first else { return 0 }
    var greatest: Int64 = 0
    for count in 0...first.count where Int64(count) * first.weight <= room {
      let made = Int64(count) * first.weight
      greatest = max(greatest, made + best(room - made, pairs.dropFirst()))
    }
    return greatest
  }

  @Test("The metric defaults are those that the domain file declares as the values that nobody chose")
  func declaredDefaults() throws {
    guard case .byMember(let defaults, _)? = Collections.declaration(of: .trainingSettings)?.merging else {
      Issue.record("training settings are merged by member")
      return
    }
    #expect("\(defaults)" == String(decoding: TrainingSettings.defaults(.metric).json, as: UTF8.self))
  }

  @Test(
    "No other plates come closer, only available ones are used, and no heavier one fits",
    arguments: 0..<300 as Range<UInt64>)
  func nearest(seed: UInt64) throws {
    var source = SeededGenerator(seed: seed)
    let scale = source.below(4)
    var plates: [Plate] = []
    for _ in 0..<source.among(1...5) {
      let weight = try #require(Decimal(significand: Int64(source.among(1...60)), scale: scale))
      guard !plates.contains(where: { $0.weight == weight }) else { continue }
      plates.append(Plate(weight: weight, count: source.once(in: 4) ? nil : source.among(1...7)))
    }
    let bar = Decimal(Int64(source.below(3) * 10))
    let more = try #require(Decimal(significand: Int64(source.below(500)), scale: scale))
    let weight = try #require(bar.adding(more))
    let load = try #require(PlateLoad(weight, bar: bar, plates: plates))
    let room = try #require(more.units(ofScale: 3))
    let pairs = plates.sorted { $0.weight > $1.weight }.map { plate in
      let pair = (plate.weight.units(ofScale: 3) ?? 0) * 2
      return (weight: pair, count: plate.count.map { $0 / 2 } ?? Int(room / pair))
    }
    let made = (load.reached.units(ofScale: 3) ?? 0) - (bar.units(ofScale: 3) ?? 0)
    #expect(made == best(room, pairs[...]))
    var rest = made
    for (place, plate) in plates.sorted(by: { $0.weight > $1.weight }).enumerated() {
      let used = load.perSide.first { $0.weight == plate.weight }?.count ?? 0
      #expect(used <= pairs[place].count)
      rest -= Int64(used) * pairs[place].weight
      // With one more of this size, the lighter ones could not make the rest.
      let other = rest - pairs[place].weight
      #expect(used == pairs[place].count || other < 0 || best(other, pairs[(place + 1)...]) < other)
    }
    #expect(rest == 0)
  }

  @Test("No load exists below the bar's weight, and without plates the bar is the load")
  func edges() {
    #expect(PlateLoad(Decimal(19), bar: Decimal(20), plates: []) == nil)
    #expect(PlateLoad(Decimal(50), bar: Decimal(20), plates: [])?.reached == Decimal(20))
    #expect(PlateLoad(Decimal(50), bar: Decimal(20), plates: [Plate(weight: Decimal(15), count: 1)])?.perSide == [])
  }

  @Test(
    "Warm-ups increase, stay below the working weight and can be loaded",
    arguments: [("20", ""), ("22.5", "20"), ("50", "20 30 40"), ("101", "20 40 60 80"), ("0", "")])
  func warmups(weight: String, expected: String) throws {
    let sets = WarmupRules.sets(
      try #require(Decimal(weight)), bar: Decimal(20), plates: TrainingSettings.defaultPlates(.kg))
    #expect(sets.map { "\($0.weight)" }.joined(separator: " ") == expected)
  }

  @Test(
    "The estimated 1RM for 100 kg",
    arguments: [
      (OneRepMaxFormula.brzycki, 10, 133.333), (.epley, 10, 133.333), (.lombardi, 10, 125.893), (.oconner, 10, 125),
      (.wathan, 10, 134.747), (.brzycki, 1, 100), (.epley, 1, 100), (.lombardi, 1, 100), (.oconner, 1, 100),
      (.wathan, 1, 100),
    ])
  func oneRepMax(formula: OneRepMaxFormula, reps: Int, expected: Double) throws {
    #expect(abs(try #require(formula.oneRepMax(100, reps: reps)) - expected) < 0.001)
  }

  @Test("No formula covers zero repetitions, and each has an upper limit", arguments: OneRepMaxFormula.known)
  func reach(formula: OneRepMaxFormula) {
    let last = formula == .brzycki ? 12 : 30
    #expect(formula.factor(reps: 0) == nil)
    #expect(formula.factor(reps: last + 1) == nil)
    let factors = (1...last).compactMap { formula.factor(reps: $0) }
    #expect(factors.count == last)
    #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 < $1 })
  }
}
