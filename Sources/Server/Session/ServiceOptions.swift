import DaybookProtocol
import Estimation
import FileStore
import JSONRPC
import Platform
import Premium

/// The options of a service: every external input that its answers depend on.
package struct ServiceOptions: Sendable {
  /// The framing; detected from the first byte when nil.
  package var framing: Framing?
  package var dataFolder: String
  /// Whether requests are served without `initialize`, as for scripts.
  package var skipsHandshake = false
  package var logLevel: Log.Level
  /// The least severe level of the lines in the data folder's log file; nil for no file.
  package var logFileLevel: Log.Level? = ServiceOptions.defaultLogFileLevel
  /// Whether only one request is served, so that only the launch tasks it needs run.
  package var isSingleCall = false
  /// Whether no digests are kept and all that can be prepared outside the session is, which changes no answer; for tests.
  package var avoidsDigests = false
  /// Whether the onboarding shows although it was completed.
  package var forcesOnboarding = false
  /// The path of the file that is the store of record; nil for none.
  package var storeOfRecord: String?
  /// The path of the program that carries HTTP requests; nil for the one next to this program.
  package var httpCarrier: String?
  /// An estimator that replaces the configured one while estimating is enabled.
  package var estimator: (any MealEstimator)?
  /// The value of an environment variable; nil when it is unset or empty.
  package var environment: @Sendable (String) -> String? = { Processes.environment($0) }
  /// A random number in 0..<1, for pauses.
  package var randomFraction: @Sendable () -> Double = ServiceOptions.randomFraction
  /// The products for sale. The embedded catalogue is parsed on first use, not at the start.
  package var catalogue: ProductCatalogue {
    get { replacedCatalogue ?? .embedded }
    set { replacedCatalogue = newValue }
  }
  private var replacedCatalogue: ProductCatalogue?
  /// When the process began, in monotonic nanoseconds.
  package var startedAt = Clock.monotonicNanoseconds()
  /// Whether the folder is also polled between requests.
  package var followsFolder = true
  package var now: @Sendable () -> Instant = { Clock.now() }
  /// Whether that is the machine's clock, which advances.
  package var usesSystemClock = true
  package var newID: @Sendable () -> EntityID = ServiceOptions.randomID
  /// Whether `newID` never repeats an id, so that a new one need not be looked up before use.
  package var newIDsAreUnique = true
  package var systemZone: @Sendable () -> SystemTimeZone = { SystemTimeZone.current() }
  package var zones: any TimeZoneDatabase = SystemTimeZoneDatabase.fromEnvironment()
  /// The migrations of records of older forms.
  package var migrations = RecordMigrations.daybook
  /// The author of changes, for `undo`, when the client gives no name.
  package var author = ""
  /// Whether a backup is made at the first change of a day.
  package var makesDailyBackups = false
  /// The delay of that backup, in milliseconds, to let pending replies leave first.
  package var dailyBackupDelay: Int32 = 2000
  /// How long the client must have been quiet before a scrub that is due starts, in milliseconds; nil for never.
  package var scrubDelay: Int? = 60_000

  package init(dataFolder: String, logLevel: Log.Level = ServiceOptions.defaultLogLevel) {
    self.dataFolder = dataFolder
    self.logLevel = logLevel
  }

  /// Errors in a release build, warnings too in a debug build.
  package static var defaultLogLevel: Log.Level {
    #if DEBUG
      .warning
    #else
      .error
    #endif
  }

  /// Warnings and errors in a release build, everything but requests in a debug build.
  package static var defaultLogFileLevel: Log.Level {
    #if DEBUG
      .info
    #else
      .warning
    #endif
  }

  package static let version = "0.1.0"

  /// A random number in 0..<1 from the machine's random source.
  @Sendable package static func randomFraction() -> Double { Double(RandomSource.next().0 >> 11) * 0x1p-53 }

  /// An id from the machine's random source.
  @Sendable package static func randomID() -> EntityID {
    let (high, low) = RandomSource.next()
    return EntityID(randomHigh: high, randomLow: low)
  }
}
