import DaybookProtocol
import FileStoreTesting
import Testing
import Training

@Suite("Training statistics")
struct TrainingStatisticsTests {
  @Test("The first value is the baseline; a record exceeds the best by more than 0.1 (H2)")
  func baseline() {
    let weights = ["100", "100.1", "100.15", "100.26", "90", "100.3", "110"]
    let sessions = weights.enumerated().map { place, weight in
      session(place, day: day(place), [exercise("Bench Press", id: 1, [done(1, lifted(weight, 1))])])
    }
    let history = statistics(sessions).histories[0]
    let found = history.points.flatMap(\.records).filter { $0.kind == .weight }.map(\.value)
    #expect(found == [1_002_600, 1_100_000])
  }

  @Test("Warm-ups never count; drop, failure, myo and partial sets count in volume but not in records")
  func kinds() {
    func history(_ kind: SetKind) -> ExerciseHistory? {
      statistics([
        session(1, day: day(0), [exercise("Row", [done(1, lifted("50", 10))])]),
        session(2, day: day(1), [exercise("Row", [done(1, lifted("50", 10)), done(2, lifted("80", 10), kind: kind)])]),
      ]).histories.first
    }
    for (kind, volume, sets) in [(SetKind.warmup, 5_000_000, 1), (.drop, 13_000_000, 2), (.normal, 13_000_000, 2)] {
      let point = history(kind)?.points.last
      #expect(point?.volume == Int64(volume) && point?.sets == sets)
      #expect(point?.records.contains { $0.kind == .weight } == (kind == .normal))
    }
  }

  @Test("Two sides of a set count once, and both add volume")
  func sides() {
    let sets = [
      done(1, lifted("20", 10), side: .left), done(1, lifted("20", 8), side: .right),
      done(2, lifted("20", 10), side: .left), done(3, lifted("20", 10), side: .right),
    ]
    let point = statistics([session(1, day: day(0), [exercise("Split Squat", sets)])]).histories[0].points[0]
    #expect(point.sets == 3 && point.volume == 20 * 38 * 10_000)
  }

  @Test("The load of bodyweight exercises includes added weight and excludes assistance")
  func bodyWeight() {
    func point(_ weight: String?, assisted: Bool, body: String?) -> ExerciseHistory.Point {
      var values = SetValues(reps: 10)
      values.weight = weight.map(number)
      let pull = exercise("Pull-up", [done(1, values)]) { ($0.bodyweight, $0.assisted) = (true, assisted ? true : nil) }
      return statistics([session(1, day: day(0), [pull], body: body)]).histories[0].points[0]
    }
    #expect(point("10", assisted: false, body: "80").volume == 900 * 10_000)
    #expect(point("30", assisted: true, body: "80").all.weight == 50 * 10_000)
    #expect(point("90", assisted: true, body: "80").volume == 0)
    #expect(point(nil, assisted: false, body: "80").all.weight == 80 * 10_000)
    // Unknown loads are not compared.
    let unknown = point("10", assisted: false, body: nil)
    #expect(unknown.volume == 100 * 10_000 && unknown.all.weight == 0 && !unknown.isLoadKnown)
  }

  @Test("An exercise without an id is the library's with its name, else one of its own (H8)")
  func keys() throws {
    let bench = try #require(TrainingLibrary().exercise(named: "Bench Press"))
    var named = exercise("bench  PRESS", [done(1, lifted("60", 5))])
    var known = named
    known.exerciseId = bench.id
    named.traits.name = "bench press"
    let own = exercise("My own", [done(1, lifted("60", 5))])
    let all = statistics([
      session(1, day: day(0), [named, own]), session(2, day: day(1), [known]), session(3, day: day(2), [own]),
    ])
    #expect(all.histories.map(\.points.count) == [2, 2])
    #expect(all.history(of: .id(bench.id))?.points.count == 2)
    #expect(all.history(of: TrainingStatistics.key(nil, "MY OWN", TrainingLibrary()))?.points.count == 2)
  }

  @Test("Pounds and miles are converted")
  func units() {
    let run = exercise(
      "Run", [done(1, SetValues(seconds: 600, distance: number("1"), distanceUnit: .mi))], kind: .cardio)
    let press = exercise("Press", [done(1, SetValues(weight: number("100"), weightUnit: .lb, reps: 10))])
    let all = statistics([session(1, day: day(0), [run, press])])
    let points = all.points(.day, day(0)...day(0), firstWeekday: 0, muscle: nil)
    #expect(points[0].distance == number("1609.344") && points[0].volume == number("453.59"))
  }

  // MARK: against a plain reference implementation

  /// Sessions on some hundred days, some on the same day, with sets of all kinds.
  private func history(_ seed: UInt64) -> [WorkoutSession] {
    var random = SeededGenerator(seed: seed)
    let kinds: [SetKind?] = [nil, nil, nil, .warmup, .drop, .failure]
    return (0..<120).map { place in
      let exercises = (0..<random.among(0...4)).map { _ -> SessionExercise in
        let which = random.below(5)
        let sets = (0..<random.among(1...5)).map { index -> SetRecord in
          let weight = Decimal(Int64(random.below(80)))
          var set = done(
            index + 1, SetValues(weight: weight, reps: random.below(16)), kind: kinds[random.below(kinds.count)])
          set.done = !random.once(in: 6)
          return set
        }
        return exercise("Exercise \(which)", id: which < 3 ? 100 + which : nil, sets) {
          $0.muscles = which == 4 ? nil : [MuscleGroup.known[which]]
          $0.secondaryMuscles = [MuscleGroup.known[which], MuscleGroup.known[which + 1]]
        }
      }
      return session(place, day: day(random.below(150)), exercises, seconds: random.below(5000))
    }
  }

  /// The counted sets of an exercise, each with its weight and repetitions.
  private func counted(
    _ session: WorkoutSession, _ name: String, onlyNormal: Bool = false
  ) -> [(weight: Double, reps: Int)] {
    var found: [(Double, Int)] = []
    for exercise in session.modules[0].exercises where exercise.traits.name == name {
      for set in exercise.groups[0].sets where set.done == true && set.kind != .warmup {
        if onlyNormal, set.kind != nil { continue }
        found.append((set.actual?.kg?.double ?? 0, set.actual?.reps ?? 0))
      }
    }
    return found
  }

  private func sorted(_ sessions: [WorkoutSession]) -> [WorkoutSession] {
    sessions.sorted { ($0.day, $0.startedAt, $0.id) < ($1.day, $1.startedAt, $1.id) }
  }

  @Test("Records and points equal those of a plain reference implementation", arguments: 0..<20)
  func records(_ seed: Int) {
    let sessions = sorted(history(UInt64(seed)))
    let all = statistics(sessions)
    for which in 0..<5 {
      let name = "Exercise \(which)"
      guard let history = all.histories.first(where: { $0.name == name }) else { continue }
      var best: [Double] = [0, 0, 0, 0]
      var points = history.points[...]
      for session in sessions {
        let sets = counted(session, name)
        guard !sets.isEmpty else { continue }
        let point = points.removeFirst()
        let volume = sets.reduce(0) { $0 + $1.weight * Double($1.reps) }
        #expect(abs(Double(point.volume) / 10_000 - volume) < 0.001 && point.sets == sets.count)
        let normal = counted(session, name, onlyNormal: true)
        let maximum =
          normal.filter { (1...12).contains($0.reps) }.map { $0.weight * 36 / Double(37 - $0.reps) }.max() ?? 0
        let values = [
          normal.map(\.weight).max() ?? 0, maximum, Double(normal.map(\.reps).max() ?? 0), volume,
        ]
        for (place, kind) in [RecordKind.weight, .oneRepMax, .reps, .volume].enumerated() {
          let isRecord = best[place] > 0 && values[place] > best[place] + 0.1 + 1e-6
          let found = point.records.first { $0.kind == kind }
          #expect((found != nil) == isRecord, "\(name) \(kind) \(values[place]) after \(best[place])")
          best[place] = max(best[place], values[place])
        }
      }
      #expect(points.isEmpty)
    }
  }

  @Test("Period sums equal those of a plain reference implementation", arguments: 0..<20)
  func series(_ seed: Int) {
    let sessions = sorted(history(UInt64(seed)))
    let all = statistics(sessions)
    for step in [SeriesBucket.day, .week, .month, .year] {
      let points = all.points(step, day(5)...day(140), firstWeekday: seed % 7, muscle: nil)
      for (before, after) in zip(points, points.dropFirst()) { #expect(after.from == before.to.advanced(by: 1)) }
      #expect(points.first?.from ?? day(0) <= day(5) && points.last?.to ?? day(0) >= day(140))
      for point in points {
        let own = sessions.filter { (point.from...point.to).contains($0.day) }
        let sets = own.flatMap { session in (0..<5).flatMap { counted(session, "Exercise \($0)") } }
        #expect(point.sessions == own.count && point.sets == sets.count)
        #expect(point.seconds == own.reduce(0) { $0 + $1.seconds })
        #expect(abs(point.volume.double - sets.reduce(0) { $0 + $1.weight * Double($1.reps) }) < 0.01)
        for (place, muscle) in MuscleGroup.known.prefix(6).enumerated() {
          // Full sets for its muscle and half sets for its secondary muscle; the fifth exercise has none.
          let main = place < 4 ? own.flatMap { counted($0, "Exercise \(place)") }.count : 0
          let helps = [place - 1, place].filter { $0 >= 0 && $0 < 5 && ($0 != place || place == 4) }
          let half = helps.map { which in own.flatMap { counted($0, "Exercise \(which)") }.count }.reduce(0, +)
          let expected = Double(main) + Double(half) / 2
          #expect(point.muscles.first { $0.muscle == muscle }?.sets.double ?? 0 == expected)
        }
      }
    }
  }

  @Test("Streaks equal those of a plain reference implementation", arguments: 0..<20)
  func streaks(_ seed: Int) {
    let sessions = history(UInt64(seed))
    let all = statistics(sessions)
    let days = Set(sessions.map(\.day))
    for today in [60, 100, 149, 150, 151, 160] {
      let overview = all.overview(today: day(today), firstWeekday: 0)
      func length(endingOn last: Int) -> Int {
        var count = 0
        while days.contains(day(last - count)) { count += 1 }
        return count
      }
      let current = length(endingOn: today)
      #expect(overview.streak == (current > 0 ? current : length(endingOn: today - 1)))
      #expect(overview.longestStreak == (0...today).map { length(endingOn: $0) }.max())
      let own = sessions.filter { $0.day <= day(today) }
      #expect(overview.sessions == own.count && overview.weekdays.reduce(0, +) == own.count)
      let week = day(today).week(from: 0)
      #expect(overview.thisWeek == own.filter { week.contains($0.day) }.count)
      func isTrained(_ week: Int) -> Bool {
        let days = day(today - 7 * week).week(from: 0)
        return own.contains { days.contains($0.day) }
      }
      let first = isTrained(0) ? 0 : 1
      #expect(overview.weekStreak == (first...40).prefix { isTrained($0) }.count)
    }
  }

  @Test("Statistics limited to one session's exercises give the same records for it", arguments: 0..<5)
  func alone(place: Int) {
    var random = SeededGenerator(seed: UInt64(place))
    let sessions = (0..<5).map { place in
      session(
        place, day: day(place),
        ["Row", "Squat", "Press"].filter { _ in random.below(3) > 0 }.map {
          exercise($0, [done(1, lifted("\(50 + random.below(50))", 1 + random.below(10)))])
        })
    }
    let all = statistics(sessions)
    let id = all.sessions[place].id
    let one = statistics(sessions, only: id)
    #expect(one.records(setBy: id) { _ in nil } == all.records(setBy: id) { _ in nil })
    #expect(one.histories.allSatisfy { $0.points.contains { $0.session == place } })
  }

  @Test("The slope of the estimated 1RM is that of the line through its points")
  func slope() {
    let sessions = (0..<4).map { place in
      session(
        place, day: day(place * 10), [exercise("Squat", id: 1, [done(1, lifted("\(100 + place * 2)", 1))])])
    }
    let all = statistics(sessions)
    #expect(all.trend(all.histories[0], name: nil).slope == number("6"))
    #expect(all.trend(all.histories[0], day(0)...day(5), name: nil).slope == nil)
  }
}
