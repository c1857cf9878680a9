import DaybookProtocol
import FileStore

/// The state that was last announced to the client, so that each change is announced once.
struct AnnouncedState {
  var route = Route.main
  var day: CivilDay?
  /// Whether the completion of the onboarding was announced.
  var onboarding = false
  /// How often the folder had been replaced when that was last announced.
  var replacements = 0
  /// The number of findings when they were last announced.
  private var findingCount: Int?
  private var findings: Set<String> = []

  /// Updates the route; returns the previous one if it differs.
  mutating func updateRoute(_ present: Route) -> Route? {
    defer { route = present }
    return present == route ? nil : route
  }

  /// Updates the day; returns the previous one if it is known and differs.
  mutating func updateDay(_ present: CivilDay) -> CivilDay? {
    defer { day = present }
    return day == present ? nil : day
  }

  /// Updates the number of findings; returns whether it differs.
  mutating func updateFindingCount(_ count: Int) -> Bool {
    defer { findingCount = count }
    return count != findingCount
  }

  /// The findings that have not been announced yet. The revision that follows damage in a journal becomes known later,
  /// so it does not identify a finding.
  mutating func unannounced(in all: [Finding]) -> [Finding] {
    all.filter { findings.insert("\($0.kind.rawValue) \($0.file) \($0.offset)").inserted }
  }
}
