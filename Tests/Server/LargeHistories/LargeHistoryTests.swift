import DaybookServer
import FileStoreTesting
import Foundation
import JSON
import Pacing
import ProcessTesting
import ProtocolModel
import ServerTesting
import Testing

@Suite("Large histories", .simulated)
struct LargeHistoryTests {
  /// The domains whose requests concern the folder, the connection or the world outside.
  private static let others: Set<String> = [
    "session", "startup", "store", "backup", "changes", "premium", "onboarding", "lock", "zones", "estimation",
    "account", "diagnostics", "debug", "tables", "subscriptionTables", "habitTables", "trainingTables", "places",
  ]

  @Test("With entries as large as they may be in every domain, each result is as declared", arguments: 0..<6)
  func results(_ seed: Int) async throws {
    let specification = try Self.specification()
    let requests = specification.domains.filter { !Self.others.contains($0.name) }.flatMap(\.requests)
      .filter(\.direction.isFromClient)
    let folder = try TemporaryFolder()
    let data = folder.data
    let answered = await onThread { () -> (read: Set<String>, written: Set<String>) in
      guard let service = InProcessService(folder: data) else { return ([], []) }
      _ = service.call("debug/forcePremium", #"{"active":true}"#)
      var params = RandomParams(specification, seed: UInt64(seed))
      var (read, written): (Set<String>, Set<String>) = ([], [])
      func ask(_ request: Message) -> Bool {
        let answer = service.call(request.method, params.params(of: request).text)
        guard let result = answer["result"] else { return false }
        params.learn(result, of: request.method)
        return true
      }
      let writing = requests.filter { $0.request?.effect == .write && !$0.method.hasSuffix("/delete") }
      let adding = writing.filter { $0.method.hasSuffix("/add") || $0.method.hasSuffix("/increment") }
      for _ in 0..<Histories.steps(1500) {
        guard let request = params.pick(adding.isEmpty ? writing : adding), ask(request) else { continue }
        written.insert(request.method)
      }
      for _ in 0..<Histories.steps(1500) {
        guard let request = params.pick(writing), ask(request) else { continue }
        written.insert(request.method)
      }
      for request in requests where request.request?.effect == .read {
        for _ in 0..<8 where ask(request) { read.insert(request.method) }
      }
      service.close()
      return (read, written)
    }
    // Checked by the service itself. A history that writes or reads little proves nothing.
    #expect(answered.read.count >= 50, "\(answered.read.sorted())")
    #expect(answered.written.count >= 30, "\(answered.written.sorted())")
  }

  /// The protocol of the repository.
  static func specification() throws -> Specification {
    let folder = URL(fileURLWithPath: Program.repository).appendingPathComponent("Protocol")
    let domains = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("domains").path)
    var files: [String: [UInt8]] = [:]
    for path in ["protocol.json"] + domains.filter({ $0.hasSuffix(".json") }).map({ "domains/\($0)" }) {
      files[path] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }
    return try Specification(files: files)
  }
}
