import CivilTime
import Foundation
import JSON
import Pacing
import Platform
import ProcessTesting
import ProtocolModel
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("The times of changes", .simulated)
struct ChangeTimeTests {
  enum TestedClock: Sendable {
    /// It always shows the same instant.
    case stopped
    /// It is set back by a day before every second request.
    case setBack
  }

  /// What erases the folder with its journal, and what changes nothing without another frontend or device.
  private static let others: Set<String> = ["account/delete", "sync/now", "workoutSession/claim"]

  /// Changes that no case makes, or none twice at one instant.
  private static let ownCase = CaseRequests(
    "again and again",
    #"""
    >> {"id":1,"method":"settings/update","params":{"age":41}}
    >> {"id":2,"method":"settings/update","params":{"age":42}}
    >> {"id":3,"method":"settings/update","params":{"age":42}}
    >> {"id":4,"method":"trainingSettings/update","params":{"restSeconds":61}}
    >> {"id":5,"method":"trainingSettings/update","params":{"restSeconds":62}}
    >> {"id":6,"method":"personality/configure","params":{"enabled":true}}
    >> {"id":7,"method":"personality/configure","params":{"enabled":false}}
    >> {"id":8,"method":"personality/configure","params":{"enabled":true}}
    >> {"id":9,"method":"workoutSession/start","params":{}}
    >> {"id":10,"method":"workoutSession/addExercise","params":{"addedId":"50000000-0000-4000-8000-0000000000a1","exerciseId":"0000000c-0001-0001-0001-000000000001"}}
    >> {"id":11,"method":"workoutSession/addExercise","params":{"addedId":"50000000-0000-4000-8000-0000000000a2","exerciseId":"0000000c-0001-0001-0001-000000000001"}}
    >> {"id":12,"method":"workoutSession/deleteExercise","params":{"exerciseId":"50000000-0000-4000-8000-0000000000a2"}}
    >> {"id":13,"method":"workoutSession/logSet","params":{"values":{"weight":"60","reps":8}}}
    """#)

  @Test(
    "Every version is later than the one it replaces, and every part that changed has its time, in each request",
    arguments: [TestedClock.stopped, .setBack])
  func times(_ tested: TestedClock) async throws {
    let specification = try LargeHistoryTests.specification()
    let methods = Set(specification.requests.filter { $0.request?.effect == .write }.map(\.method)).subtracting(
      Self.others)
    let cases = try CaseRequests.all() + [Self.ownCase]
    var fixtures: [String: CaseRequests] = [:]
    for name in Set(cases.compactMap(\.fixture)) { fixtures[name] = try CaseRequests(path: "fixtures/\(name).rpc") }
    let (known, folder) = (fixtures, try TemporaryFolder())
    let changes = try await onThread { () -> Result<StoredChanges, any Error> in
      Result {
        var changes = StoredChanges()
        for (number, played) in cases.enumerated() {
          let data = "\(folder.path)/\(number)"
          try Self.play(played, known, methods, tested, in: data)
          try changes.read(data, of: played.path)
        }
        return changes
      }
    }.get()
    #expect(changes.violations.isEmpty, "\(changes.violations.prefix(20).joined(separator: "\n"))")
    #expect(changes.replacements > 1000)
    #expect(methods.subtracting(changes.methods).sorted() == [])
  }

  private static func play(
    _ played: CaseRequests, _ fixtures: [String: CaseRequests], _ methods: Set<String>, _ tested: TestedClock,
    in data: String
  ) throws {
    let noon = Instant(milliseconds: 1_767_614_400_000)
    let later = tested == .stopped ? noon : noon.advanced(by: 86_400_000)
    let clock = Guarded(later)
    let service = try #require(
      InProcessService(folder: data, hasOtherVersions: true) { options in
        options.now = { clock.withLock { $0 } }
        options.usesSystemClock = false
      })
    defer { service.close() }
    _ = service.call("debug/forcePremium", #"{"active":true}"#)
    for fixture in [played.fixture.flatMap { fixtures[$0] }, played].compactMap({ $0 }) {
      fixture.play(on: service, methods) { number in
        clock.withLock { $0 = number.isMultiple(of: 2) ? noon : later }
      }
    }
    for _ in 0..<3 { _ = service.call("changes/undo", "{}") }
  }
}
