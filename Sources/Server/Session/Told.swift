import CivilTime
import DaybookProtocol
import FileStore

/// What the client knows, so that it is told of what is new, once.
struct Told {
  var route = Route.main
  var day: CivilDay?
  /// Whether it knows that the introduction is complete, as far as it is.
  var onboarding = false
  /// How often the folder was exchanged, as far as it was told.
  var exchanges = 0
  /// How much was found wrong with the folder when it was last told.
  private var findingCount: Int?
  private var findings: Set<String> = []

  /// The route before, if `present` is another one; from now on the client knows it.
  mutating func route(_ present: Route) -> Route? {
    defer { route = present }
    return present == route ? nil : route
  }

  /// The day before, if the client knew one and `present` is another; from now on it knows this one.
  mutating func day(_ present: CivilDay) -> CivilDay? {
    defer { day = present }
    return day == present ? nil : day
  }

  /// Whether so many findings are more, or others, than it was told of.
  mutating func isNews(findingCount count: Int) -> Bool {
    defer { findingCount = count }
    return count != findingCount
  }

  /// Those findings that it was not told of. What follows a journal's damage is known only later, so that is no part of what makes a
  /// finding new.
  mutating func news(of all: [Finding]) -> [Finding] {
    all.filter { findings.insert("\($0.kind.rawValue) \($0.file) \($0.offset)").inserted }
  }
}
