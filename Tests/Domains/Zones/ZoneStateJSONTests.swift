import CivilTime
import JSON
import Testing

@testable import Zones

struct ZoneStateJSONTests {
  private let noon = Instant(milliseconds: 1_778_400_000_000)

  /// The state read from JSON on a device in Tokyo.
  private func read(_ text: String) throws -> (state: ZoneState, unread: [String]) {
    guard case .object(let object) = try JSONValue(json: Array(text.utf8)) else {
      throw JSONError(.wrongType, at: 0, expected: "an object")
    }
    return ZoneState.read(object, device: "Asia/Tokyo", at: noon)
  }

  @Test(
    "A state survives a JSON round trip",
    arguments: [ZoneDisplay.current, .home, .custom("America/New_York")])
  func roundTrip(_ display: ZoneDisplay) {
    var state = ZoneState(installedIn: "Europe/Berlin", at: noon)
    let detection = ZoneDetection(from: "Europe/Berlin", to: "Asia/Tokyo", home: "Europe/Berlin", showsSameClock: false)
    state = state.moved(detection, at: noon)
    state.display = display
    let (again, unread) = ZoneState.read(state.json, device: "UTC", at: noon)
    #expect(again == state)
    #expect(unread.isEmpty)
  }

  @Test(
    "Bare texts of earlier versions are read",
    arguments: [("\"current\"", ZoneDisplay.current), ("\"original\"", .current), ("\"home\"", .home)])
  func legacy(_ text: String, _ display: ZoneDisplay) throws {
    let (state, unread) = try read("{\"home\":\"A/B\",\"current\":\"A/B\",\"display\":\(text),\"history\":[]}")
    #expect(state.display == display)
    #expect(unread.isEmpty)
  }

  @Test("Unreadable members are reported, and the device's zone is used")
  func damaged() throws {
    let change = #"{"at":"2026-05-10T08:00:00.000Z","from":"A","to":"B","trigger":"later","more":1}"#
    let text = #"{"home":7,"display":{"type":"custom"},"history":[\#(change),3,{"at":"now"}],"new":true}"#
    let (state, unread) = try read(text)
    #expect(state.home == "Asia/Tokyo")
    #expect(state.current == "Asia/Tokyo")
    #expect(state.display == .current)
    #expect(state.history.map(\.trigger.rawValue) == ["later"])
    #expect(unread == ["/home", "/current", "/display", "/history/1", "/history/2"])
  }

  @Test("An empty object is a first start")
  func empty() throws {
    let (state, unread) = try read("{}")
    #expect(state == ZoneState(installedIn: "Asia/Tokyo", at: noon))
    #expect(unread == ["/home", "/current", "/display", "/history"])
  }
}
