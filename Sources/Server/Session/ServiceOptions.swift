import CivilTime
import DaybookProtocol
import Estimation
import FileStore
import JSONRPC
import Platform
import Premium
import Values

/// What a service is started with: everything from outside that its answers depend on.
package struct ServiceOptions: Sendable {
  /// The framing to use; found by the first byte when nil.
  package var framing: Framing?
  /// The path of the data folder.
  package var dataFolder: String
  /// Whether requests are served without `initialize`, as for scripts.
  package var skipsHandshake = false
  package var logLevel: Log.Level
  /// What is kept in the data folder's log file: lines of this level and graver ones; nil for nothing.
  package var logFileLevel: Log.Level? = ServiceOptions.defaultLogFileLevel
  /// Whether only one request is served, so that no launch task is run but what it needs.
  package var isSingleCall = false
  /// Whether the introduction shows although it was completed.
  package var forcesOnboarding = false
  /// The path of the file that is the store of record; nil for none.
  package var storeOfRecord: String?
  /// The path of the program that carries HTTP requests; nil for the one beside this program.
  package var httpCarrier: String?
  /// Who estimates meals, once that is turned on, instead of what is configured; nil for that.
  package var estimator: (any MealEstimator)?
  /// Tells a variable of the environment; nil when it is not set or empty.
  package var environment: @Sendable (String) -> String? = { Processes.environment($0) }
  /// A number from 0 up to 1, for pauses.
  package var randomFraction: @Sendable () -> Double = ServiceOptions.randomFraction
  /// What can be bought. The embedded catalogue is read by the first request that asks for it, not by the start.
  package var catalogue: ProductCatalogue {
    get { replacedCatalogue ?? .embedded }
    set { replacedCatalogue = newValue }
  }
  private var replacedCatalogue: ProductCatalogue?
  /// When the process began, in monotonic nanoseconds.
  package var startedAt = Clock.monotonicNanoseconds()
  /// Whether what other processes do is looked for between requests too.
  package var followsFolder = true
  /// Tells the time.
  package var now: @Sendable () -> Instant = { Clock.now() }
  /// Whether that is the machine's clock, which goes on.
  package var usesSystemClock = true
  /// Makes identities.
  package var newID: @Sendable () -> EntityID = ServiceOptions.randomID
  /// Whether no identity is ever made twice, so that nothing has to be looked for before one is used.
  package var newIDsAreUnique = true
  /// Tells the machine's time zone.
  package var systemZone: @Sendable () -> SystemTimeZone = { SystemTimeZone.current() }
  package var zones: any TimeZoneDatabase = SystemTimeZoneDatabase.fromEnvironment()
  /// How records of older forms are read.
  package var migrations = RecordMigrations.daybook
  /// Whose changes `undo` takes back when no client names itself.
  package var author = ""
  /// Whether a backup is made on the first change of a day.
  package var makesDailyBackups = false
  /// How long that waits for the answers of the moment, in milliseconds.
  package var dailyBackupDelay: Int32 = 2000
  /// For how long nothing must have been asked, in milliseconds, before everything is verified if that is due; nil for never.
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

  /// Warnings and errors in a release build, everything but the requests in a debug build.
  package static var defaultLogFileLevel: Log.Level {
    #if DEBUG
      .info
    #else
      .warning
    #endif
  }

  /// The program's version.
  package static let version = "0.1.0"

  /// A number from 0 up to 1 out of the machine's randomness.
  @Sendable package static func randomFraction() -> Double { Double(RandomSource.next().0 >> 11) * 0x1p-53 }

  /// An identity out of the machine's randomness.
  @Sendable package static func randomID() -> EntityID {
    let (high, low) = RandomSource.next()
    return EntityID(randomHigh: high, randomLow: low)
  }
}
