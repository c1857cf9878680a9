import DaybookProtocol
import FileStoreTesting
import Training

func number(_ text: String) -> Decimal { Decimal(text) ?? Decimal(-1) }

func day(_ number: Int) -> CivilDay { CivilDay(daysSinceEpoch: Int32(20_000 + number)) }

func identity(_ number: Int) -> EntityID { EntityID(high: 7, low: UInt64(number)) }

/// A done set.
func done(
  _ number: Int, _ values: SetValues, kind: SetKind? = nil, side: SetSide? = nil
) -> SetRecord {
  SetRecord(
    id: identity(1_000_000 + number * 4 + (side == .right ? 1 : 0)), number: number, side: side, kind: kind,
    actual: (try? values.normalized()) ?? values, done: true)
}

/// A weight in kilograms and repetitions.
func lifted(_ weight: String, _ reps: Int, rpe: String? = nil) -> SetValues {
  SetValues(weight: number(weight), reps: reps, rpe: rpe.map(number))
}

func exercise(
  _ name: String, id: Int? = nil, _ sets: [SetRecord], kind: TrainingKind = .strength,
  _ change: (inout TrainingTraits) -> Void = { _ in }
) -> SessionExercise {
  var traits = TrainingTraits(name: name, kind: kind)
  change(&traits)
  return SessionExercise(
    id: identity(5), exerciseId: id.map(identity), traits: traits, groups: [SessionGroup(id: identity(6), sets: sets)])
}

func session(
  _ number: Int, day: CivilDay, _ exercises: [SessionExercise], seconds: Int = 3600, body: String? = nil
) -> WorkoutSession {
  let start = Instant(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000 + Int64(number % 1000) * 1000)
  return WorkoutSession(
    id: identity(10_000 + number), day: day, zone: TimeZoneName("UTC") ?? .utc, version: 1, startedAt: start,
    endedAt: start.advanced(by: Int64(seconds) * 1000), seconds: seconds, name: "Session \(number)",
    modules: [SessionModule(id: identity(9), name: "Main", kind: .strength, exercises: exercises)],
    bodyWeight: body.map { Decimal($0) ?? .zero }, createdAt: start, updatedAt: start)
}

/// The statistics over sessions.
func statistics(
  _ sessions: [WorkoutSession], formula: OneRepMaxFormula = .brzycki, only id: EntityID? = nil
) -> TrainingStatistics {
  var index = SessionIndex()
  let facts = sessions.map { index.facts(of: $0) }
  index.sessions = facts.sorted(by: SessionFacts.isBefore)
  return TrainingStatistics(index, formula: formula, TrainingLibrary(), only: id)
}

/// The stored progression state of an exercise.
func remembered(
  _ outcome: ProgressionOutcome? = nil, confidence: String = "0.5", successes: Int = 0, failures: Int = 0
) -> ProgressionState {
  let at = Instant(milliseconds: 20_000 * 86_400_000)
  return ProgressionState(
    id: identity(2), programId: identity(3), exerciseId: identity(1), outcomes: outcome.map { [$0] } ?? [],
    successes: successes, failures: failures, confidence: number(confidence), presented: 0, accepted: 0, dismissed: 0,
    createdAt: at, updatedAt: at)
}
