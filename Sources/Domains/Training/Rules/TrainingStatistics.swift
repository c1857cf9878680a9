import DaybookProtocol

/// The statistics over all finished sessions.
package struct TrainingStatistics: Sendable {
  /// In order.
  package let sessions: [SessionFacts]
  let identities: [ExerciseIdentity]
  /// The exercises over time: those with most sessions first, then by name.
  package let histories: [ExerciseHistory]
  /// The index of each history.
  private let places: [ExerciseKey: Int]

  /// What identifies an exercise over time.
  package enum ExerciseKey: Hashable, Sendable {
    /// An exercise of the library.
    case id(EntityID)
    /// An exercise known by its name alone, as `SearchText.folded` returns it.
    case name(String)
  }

  /// - Parameters:
  ///   - index: Its sessions are in order.
  ///   - library: Resolves names to exercises.
  ///   - id: The session to whose exercises the histories are limited; nil for all exercises.
  package init(_ index: SessionIndex, formula: OneRepMaxFormula, _ library: TrainingLibrary, only id: EntityID? = nil) {
    (sessions, identities) = (index.sessions, index.identities)
    let keys = identities.map { TrainingStatistics.key($0.exerciseId, $0.name, library) }
    var made: [ExerciseHistory] = []
    var found: [ExerciseKey: Int] = [:]
    let slots = zip(keys, identities).map { key, identity in
      if let slot = found[key] { return slot }
      found[key] = made.count
      var id: EntityID?
      if case .id(let known) = key { id = known }
      made.append(ExerciseHistory(exerciseId: id, name: identity.name, kind: identity.kind))
      return made.count - 1
    }
    var isWanted = Array(repeating: id == nil, count: made.count)
    if let id, let session = sessions.last(where: { $0.id == id }) {
      for exercise in session.exercises { isWanted[slots[exercise.identity]] = true }
    }
    for (place, session) in sessions.enumerated() {
      for exercise in session.exercises where isWanted[slots[exercise.identity]] {
        let (slot, identity) = (slots[exercise.identity], identities[exercise.identity])
        made[slot].add(exercise, place, session.lifts, formula)
        (made[slot].name, made[slot].kind) = (identity.name, identity.kind)
      }
    }
    for slot in made.indices { made[slot].findRecords() }
    histories = made.filter { !$0.points.isEmpty }.sorted { left, right in
      if left.points.count != right.points.count { return left.points.count > right.points.count }
      let (first, second) = (SearchText.folded(left.name), SearchText.folded(right.name))
      return first != second
        ? first < second : left.exerciseId.map { "\($0)" } ?? "" < right.exerciseId.map { "\($0)" } ?? ""
    }
    places = Dictionary(
      histories.enumerated().map { place, history in
        (history.exerciseId.map { .id($0) } ?? .name(SearchText.folded(history.name)), place)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The key of an exercise: its id, else the id of the library's exercise with its name, else its name.
  package static func key(_ id: EntityID?, _ name: String, _ library: TrainingLibrary) -> ExerciseKey {
    (id ?? library.exercise(named: name)?.id).map { .id($0) } ?? .name(SearchText.folded(name))
  }

  /// The history of an exercise; nil when no session has it.
  package func history(of key: ExerciseKey) -> ExerciseHistory? { places[key].map { histories[$0] } }

  /// The totals and streaks up to today, without `lifts`.
  package func overview(today: CivilDay, firstWeekday: Int) -> TrainingOverview {
    let sessions = sessions.prefix { $0.day <= today }
    var overview = TrainingOverview(
      sessions: sessions.count, sets: 0, volume: .zero, seconds: 0, streak: 0, longestStreak: 0, weekStreak: 0,
      thisWeek: 0, weekdays: Array(repeating: 0, count: 7), firstDay: sessions.first?.day, lastDay: sessions.last?.day,
      lifts: [])
    var volume: Int64 = 0
    var (days, weeks): ([Int], [Int]) = ([], [])
    func week(_ day: CivilDay) -> Int { Int(day.week(from: firstWeekday).lowerBound.daysSinceEpoch + 70_000) / 7 }
    for session in sessions {
      overview.seconds += session.seconds
      for exercise in session.exercises {
        overview.sets += Int(exercise.sets)
        volume += exercise.volume
      }
      overview.weekdays[session.day.weekdayIndex] += 1
      let day = Int(session.day.daysSinceEpoch)
      guard days.last != day else { continue }
      days.append(day)
      let number = week(session.day)
      if weeks.last != number { weeks.append(number) }
    }
    overview.volume = TenThousandths.decimal(volume)
    let streaks = Streaks(days, upTo: Int(today.daysSinceEpoch))
    (overview.streak, overview.longestStreak) = (streaks.current, streaks.longest)
    overview.weekStreak = Streaks(weeks, upTo: week(today)).current
    let thisWeek = today.week(from: firstWeekday)
    overview.thisWeek = sessions.reversed().prefix { $0.day >= thisWeek.lowerBound }.count
    return overview
  }
}

/// Runs of consecutive days or weeks.
private struct Streaks {
  /// The run that ends at the last number or the one before it; else 0.
  private(set) var current = 0
  private(set) var longest = 0

  /// - Parameter numbers: Ascending, without duplicates.
  init(_ numbers: [Int], upTo last: Int) {
    var length = 0
    var before: Int?
    for number in numbers {
      length = before == number - 1 ? length + 1 : 1
      before = number
      longest = max(longest, length)
    }
    if let before, before == last || before == last - 1 { current = length }
  }
}

extension Array {
  /// The index of the first element for which `holds` is true; it has to be true for all later ones.
  package func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension TrainingStatistics {
  /// The sums of each period that overlaps `days`, including periods without a session.
  ///
  /// - Parameter muscle: Limits the sums to the exercises for this muscle, and to the sessions that have one.
  package func points(
    _ step: SeriesBucket, _ days: ClosedRange<CivilDay>, firstWeekday: Int, muscle: MuscleGroup?
  ) -> [TrainingPoint] {
    let only = muscle.map { MuscleSet([$0]) }
    let periods = step.periods(in: days, firstWeekday: firstWeekday)
    var next = periods.first.map { first in sessions.partitioningIndex { $0.day >= first.lowerBound } } ?? 0
    return periods.map { period in
      var sums = PeriodSums()
      while next < sessions.count, sessions[next].day <= period.upperBound {
        sums.add(sessions[next], identities, only: only)
        next += 1
      }
      return sums.point(period)
    }
  }

  /// The sums of each day with a session, ascending.
  package func days(_ days: ClosedRange<CivilDay>) -> [(day: CivilDay, sums: PeriodSums)] {
    var found: [(day: CivilDay, sums: PeriodSums)] = []
    for session in sessions[sessions.partitioningIndex { $0.day >= days.lowerBound }...] {
      guard session.day <= days.upperBound else { break }
      if found.last?.day != session.day { found.append((session.day, PeriodSums())) }
      found[found.count - 1].sums.add(session, identities, only: nil)
    }
    return found
  }
}

/// The sums over some sessions.
package struct PeriodSums {
  package private(set) var sessions = 0
  package private(set) var seconds = 0
  package private(set) var sets = 0
  private var volume: Int64 = 0
  private var distance: Int64 = 0
  private var kcal = 0
  /// Half sets by muscle: a set counts 2 for its muscles and 1 for its secondary muscles. Empty without a session.
  private var halfSets: [Int] = []
  private var volumes: [Int64] = []

  mutating func add(_ session: SessionFacts, _ identities: [ExerciseIdentity], only: MuscleSet?) {
    if let only, !session.exercises.contains(where: { !identities[$0.identity].muscles.isDisjoint(with: only) }) {
      return
    }
    sessions += 1
    seconds += session.seconds
    kcal += session.kcal
    if halfSets.isEmpty {
      halfSets = Array(repeating: 0, count: MuscleGroup.known.count)
      volumes = Array(repeating: 0, count: MuscleGroup.known.count)
    }
    for exercise in session.exercises {
      let (muscles, helping) = (identities[exercise.identity].muscles, identities[exercise.identity].helping)
      if let only, muscles.isDisjoint(with: only) { continue }
      sets += Int(exercise.sets)
      volume += exercise.volume
      distance += exercise.distance
      muscles.forEach {
        halfSets[$0] += 2 * Int(exercise.sets)
        volumes[$0] += exercise.volume
      }
      helping.forEach { halfSets[$0] += Int(exercise.sets) }
    }
  }

  /// The sets for a muscle; sets for which it is secondary count half.
  package func sets(for muscle: MuscleGroup) -> Decimal {
    guard let place = MuscleGroup.known.firstIndex(of: muscle), place < halfSets.count else { return .zero }
    return PeriodSums.sets(halfSets[place])
  }

  private static func sets(_ halves: Int) -> Decimal {
    (Decimal(significand: Int64(halves) * 5, scale: 1) ?? .zero).normalized
  }

  func point(_ period: ClosedRange<CivilDay>) -> TrainingPoint {
    let muscles = halfSets.indices.filter { halfSets[$0] > 0 }.map { place in
      MuscleVolume(
        muscle: MuscleGroup.known[place], sets: PeriodSums.sets(halfSets[place]),
        volume: TenThousandths.decimal(volumes[place]))
    }
    return TrainingPoint(
      from: period.lowerBound, to: period.upperBound, sessions: sessions, seconds: seconds, sets: sets,
      volume: TenThousandths.decimal(volume),
      distance: (Decimal(significand: distance, scale: 3) ?? .zero).normalized, kcal: kcal, muscles: muscles)
  }
}
