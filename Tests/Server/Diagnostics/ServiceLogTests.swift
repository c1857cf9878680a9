import DaybookProtocol
import Platform
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("The log of a service")
struct ServiceLogTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Runs a service that meets a defect of its own; returns the incident number.
  private func run(_ method: String, _ params: String, _ change: @escaping @Sendable (inout ServiceOptions) -> Void)
    async -> String?
  {
    let data = folder.data
    return await onThread {
      guard let service = InProcessService(folder: data, change) else { return nil }
      _ = service.call(method, params)
      let failed = service.call("debug/fail", "{}")
      service.close()
      return failed["error"]?["data"]?["incident"]?.string
    }
  }

  @Test("Logged lines are in the file when the service has ended")
  func file() async throws {
    let incident = try #require(await run("meals/add", #"{"name":"Soup","calories":1}"#) { _ in })
    let found = try LogTail(dataFolder: folder.data).last(10, level: .error)
    #expect(found.lines.map(\.category) == ["session"] && found.damagedLines == 0)
    #expect(found.lines.first?.message.contains(incident) == true)
    #expect(found.lines.first?.pid == Processes.current)
  }

  @Test("Without a level for the file there is no file")
  func none() async throws {
    _ = try #require(await run("meals/add", #"{"name":"Soup","calories":1}"#) { $0.logFileLevel = nil })
    #expect(!Files.exists(folder.data + "/logs") && Files.exists(folder.data + "/store.json"))
  }

  @Test("A service that only reads creates no data folder for its log")
  func reading() async throws {
    _ = try #require(await run("meals/list", "{}") { _ in })
    #expect(!Files.exists(folder.data))
  }

  @Test("User data is in no line, at any level")
  func privacy() async throws {
    _ = try #require(
      await run("meals/add", #"{"name":"Geheimnis","calories":1,"Geheimnis":2}"#) { $0.logFileLevel = .trace })
    _ = try #require(await run("meals/add", #"{"name":"Geheimnis","calories":1}"#) { $0.logFileLevel = .trace })
    let lines = try LogTail(dataFolder: folder.data).last(1000).lines
    #expect(lines.contains { $0.message == "params …" && $0.level == .trace })
    #expect(!lines.contains { $0.message.contains("Geheimnis") })
  }
}
