import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

/// Consecutive ids.
final class Ids {
  private var next: UInt64 = 0

  func new() -> EntityID {
    next += 1
    return EntityID(high: 0, low: next)
  }
}

let noon = Instant(milliseconds: 1_767_614_400_000)

extension RunningWorkout {
  /// A session from a drawing: modules are separated by bars, exercises by spaces. An exercise is a letter and the
  /// number of sets of each group, `A3` or `A21`; a following `*` makes it unilateral, and `~` with a digit names its
  /// superset.
  init(_ drawing: String, ids: Ids = Ids()) {
    let session = RunningSession(
      id: ids.new(), day: CivilDay(daysSinceEpoch: 20_458), zone: .utc, startedAt: noon, name: "Drawn",
      modules: [], pausedMs: 0, startedBy: "test", heldBy: "test", createdAt: noon, updatedAt: noon)
    self.init(session, [:])
    let builder = SessionBuilder(ids.new)
    var supersets: [Character: EntityID] = [:]
    for module in drawing.split(separator: "|") {
      var list: [SessionExercise] = []
      for text in module.split(separator: " ") {
        let parts = text.split(separator: "~")
        let marks = parts[0].dropFirst()
        let groups = marks.compactMap { $0.wholeNumberValue.map { SetGroup(id: ids.new(), sets: $0) } }
        let traits = TrainingTraits(
          name: String(parts[0].prefix(1)), kind: .strength, unilateral: marks.last == "*" ? true : nil)
        var exercise = builder.exercise(traits, nil, groups)
        exercise.plannedId = ids.new()
        exercise.plannedSets = exercise.logicalSets.count
        if parts.count > 1, let name = parts[1].first {
          let superset = supersets[name] ?? ids.new()
          supersets[name] = superset
          exercise.supersetId = superset
        }
        list.append(exercise)
      }
      do {
        try append(
          RunningModule(
            id: ids.new(), moduleId: ids.new(), name: "Module", kind: .strength,
            plannedIds: list.compactMap(\.plannedId), exerciseIds: []), list)
      } catch { Issue.record("no session can be like that: \(error)") }
    }
  }

  /// The sets in order, each as its exercise and number: `A1 B1 A2 B2`; `l` and `r` name the side.
  var drawnOrder: String {
    SessionOrder(self).places.map { place in
      guard let found = self[place.position] else { return "?" }
      let side = found.set.side.map { $0 == .left ? "l" : "r" } ?? ""
      return "\(found.exercise.traits.name)\(found.set.number)\(side)"
    }.joined(separator: " ")
  }

  /// The current set in the same notation.
  var drawnPlace: String { current.map { "\($0.exercise.traits.name)\($0.set.number)" } ?? "nowhere" }

  /// A session of random shape.
  static func random(_ random: inout SeededGenerator, ids: Ids) -> RunningWorkout {
    var names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".makeIterator()
    let modules = (0..<random.below(4) + 1).map { _ in
      (0..<random.below(5) + 1).map { _ in
        let name = names.next() ?? "?"
        let groups = (0..<random.below(3) + 1).map { _ in "\(random.below(4) + 1)" }.joined()
        let side = random.once(in: 5) ? "*" : ""
        let superset = random.once(in: 2) ? "~\(random.below(3))" : ""
        return "\(name)\(groups)\(side)\(superset)"
      }.joined(separator: " ")
    }
    return RunningWorkout(modules.joined(separator: "|"), ids: ids)
  }
}
