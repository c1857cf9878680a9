import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

/// Answers what is asked of exercises, plans, the running workout and finished ones, and remembers what that takes.
/// Dropping any of what it remembers changes no answer.
package final class TrainingService {
  /// The running session as it was last read or stored.
  var runningMemory: RunningMemory?
  /// When timers were last checked, and the timer that was announced last.
  var checkedAt: Instant?
  var announcedTimer: SessionTimer?
  var lastMemory = RevisionCache<LastSessions>()
  /// How the user trains, in an array of one: otherwise a start looks up at run time how so large a value is copied.
  var settingsMemory = RevisionCache<[TrainingSettings]>()
  var libraryMemory = RevisionCache<TrainingLibrary>()
  var searchMemory = RevisionCache<LibrarySearch>()
  var bookMemory = RevisionCache<SessionBook>()
  /// Sessions that were read whole, with the revisions of their records.
  var sessionMemory = RevisionCache<[(revision: Int, session: WorkoutSession)]>()
  var numbersMemory = RevisionCache<TrainingNumbers>()
  var equipmentMemory = RevisionCache<[Equipment]>()

  /// The series that was asked for last, as text.
  var keptSeries = RevisionCache<(params: TrainingSeriesParams, today: CivilDay, text: [UInt8])>()

  package init() {}
}
