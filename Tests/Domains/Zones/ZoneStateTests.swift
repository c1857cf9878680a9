import CivilTime
import Testing

@testable import Zones

struct ZoneStateTests {
  private let database = SystemTimeZoneDatabase.fromEnvironment()
  private let noon = Instant(milliseconds: 1_778_400_000_000)
  private let berlin = ZoneState(installedIn: "Europe/Berlin", at: Instant(milliseconds: 0))

  /// The state after the device was found in a zone.
  private func travelled(to name: String, from state: ZoneState) throws -> ZoneState {
    let detection = try #require(state.detect(device: try database.rules(named: name), database: database))
    return state.moved(detection, at: noon)
  }

  @Test("At the first start the device is at home")
  func install() {
    #expect(berlin.home == "Europe/Berlin")
    #expect(berlin.current == berlin.home)
    #expect(berlin.display == .current)
    #expect(berlin.history.map(\.trigger) == [.install])
  }

  @Test("The last seen zone is no change, and detection does not change the state")
  func detect() throws {
    #expect(berlin.detect(device: try database.rules(named: "Europe/Berlin"), database: database) == nil)
    let detection = berlin.detect(device: try database.rules(named: "Asia/Tokyo"), database: database)
    #expect(
      detection
        == ZoneDetection(from: "Europe/Berlin", to: "Asia/Tokyo", home: "Europe/Berlin", showsSameClock: false))
    #expect(detection?.isTravelling == true)
  }

  @Test("An alias of the zone is recognized, another zone with the same offset is not")
  func sameClock() throws {
    let state = ZoneState(installedIn: "Asia/Calcutta", at: noon)
    let renamed = state.detect(device: try database.rules(named: "Asia/Kolkata"), database: database)
    #expect(renamed?.showsSameClock == true)
    let other = berlin.detect(device: try database.rules(named: "Europe/Paris"), database: database)
    #expect(other?.showsSameClock == false)
    let unknown = ZoneState(installedIn: "No/Where", at: noon)
    #expect(unknown.detect(device: .utc, database: database)?.showsSameClock == false)
  }

  @Test("The device is travelling until it is back home")
  func travel() throws {
    let away = try travelled(to: "Asia/Tokyo", from: berlin)
    #expect(away.current != away.home)
    #expect(away.home == "Europe/Berlin")
    #expect(away.history.last == ZoneChange(at: noon, from: "Europe/Berlin", to: "Asia/Tokyo", trigger: .deviceChange))
    #expect(try travelled(to: "Europe/Berlin", from: away).current == "Europe/Berlin")
  }

  @Test("Applying a detection twice changes nothing")
  func twice() throws {
    let detection = try #require(berlin.detect(device: try database.rules(named: "Asia/Tokyo"), database: database))
    let away = berlin.moved(detection, at: noon)
    #expect(away.moved(detection, at: noon) == away)
  }

  @Test(
    "Each answer to a change has its effect",
    arguments: [
      (ZoneChoice.keepHome, "Europe/Berlin", ZoneDisplay.home, "Europe/Berlin", true),
      (.useCurrent, "Europe/Berlin", .current, "Asia/Tokyo", true),
      (.movedHere, "Asia/Tokyo", .home, "Asia/Tokyo", false),
    ])
  func choices(_ choice: ZoneChoice, _ home: String, _ display: ZoneDisplay, _ shown: String, _ away: Bool) throws {
    let state = try travelled(to: "Asia/Tokyo", from: berlin).choosing(choice, at: noon)
    #expect(state.home == home)
    #expect(state.display == display)
    #expect(state.displayName(device: "Asia/Tokyo") == shown)
    #expect((state.current != state.home) == away)
    #expect(state.choosing(choice, at: noon) == state)
  }

  @Test("An unknown chosen zone is refused, and nothing changes")
  func unknownNames() throws {
    for name in ["No/Where", "", "../etc/passwd"] {
      #expect(throws: TimeZoneError.self) { try berlin.displaying(.custom(name), at: noon, database: database) }
    }
    let chosen = try berlin.displaying(.custom("Asia/Tokyo"), at: noon, database: database)
    #expect(chosen.history.last?.to == "Asia/Tokyo")
  }

  @Test("The latest hundred changes are kept, oldest first")
  func history() throws {
    var state = berlin
    for index in 0..<250 {
      let name = index % 2 == 0 ? "Asia/Tokyo" : "Europe/Berlin"
      let detection = ZoneDetection(from: state.current, to: name, home: state.home, showsSameClock: false)
      state = state.moved(detection, at: Instant(milliseconds: Int64(index)))
    }
    #expect(state.history.map(\.at.milliseconds) == Array(150..<250))
  }
}
