import DomainKit
import SyncEngine
import Training

/// Workouts that are running on other devices.
extension TrainingService {
  /// How long a workout is shown of which nothing is heard, in milliseconds.
  private static let longestSilence: Int64 = 86_400_000

  func workoutSessionElsewhere(
    _ params: NoParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionElsewhereResult {
    let snapshot = try context.snapshot()
    let own = try running(context)?.session.id
    let oldest = context.now.advanced(by: -TrainingService.longestSilence)
    var sessions: [SessionElsewhere] = []
    for device in MirroredRecords.all(snapshot) where device.at >= oldest {
      let exercises = device.records(in: RunningExercise.collection).compactMap {
        context.readable(RunningExercise.self, $0)
      }
      for (id, exercises) in Dictionary(grouping: exercises, by: \.sessionId) where id != own {
        // The finished session may have arrived in another way.
        guard exercises.contains(where: { $0.updatedAt >= oldest }),
          snapshot.record(id, in: WorkoutSession.collection) == nil
        else { continue }
        sessions.append(
          SessionElsewhere(
            sessionId: id, deviceId: device.stream, deviceName: device.device,
            exercises: exercises.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }))
      }
    }
    return WorkoutSessionElsewhereResult(
      sessions: sessions.sorted {
        ($0.deviceName, $0.deviceId, $0.sessionId) < ($1.deviceName, $1.deviceId, $1.sessionId)
      })
  }
}
