import DomainKit
import Training

/// Answers the requests about exercises, plans, the running workout and finished ones, and caches what that takes.
/// Dropping a cache changes no answer.
package final class TrainingService {
  /// The running session, in an array that is empty while none runs: an array of so large a value is cheap to copy.
  var runningMemory = RevisionCache<[RunningWorkout]>()
  /// When timers were last checked.
  var checkedAt: Instant?
  /// The timer whose end was last reported.
  var announcedTimer: SessionTimer?
  var lastMemory = RevisionCache<LastSessions>()
  /// The training settings, in an array of one: otherwise the start looks up at run time how to copy so large a value.
  var settingsMemory = RevisionCache<[TrainingSettings]>()
  var libraryMemory = RevisionCache<TrainingLibrary>()
  var searchMemory = RevisionCache<LibrarySearch>()
  var indexMemory = Projected<SessionIndex>()
  /// The sessions read whole, with the revisions of their records.
  var sessionMemory = RevisionCache<[(revision: Int, session: WorkoutSession)]>()
  var statisticsMemory = RevisionCache<TrainingStatistics>()
  var equipmentMemory = RevisionCache<[Equipment]>()
  /// The last requested series, as encoded JSON.
  var seriesMemory = RevisionCache<KnownSeries>()

  package init() {}
}

/// The last answer to `training/series`.
struct KnownSeries {
  let params: TrainingSeriesParams
  let today: CivilDay
  let text: [UInt8]
}
