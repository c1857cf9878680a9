import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

#if os(Linux)
  /// The greatest memory of a process, compared with that of a small request.
  @Suite("Memory of large requests", .serialized, .processes)
  struct MemoryTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// The most memory that a process has used so far, in bytes.
    private func peak(of daybook: Daybook) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(daybook.process.pid)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
        * 1024
    }

    @Test("Many small lines of an import take a few times their text", arguments: ["1,", "{},", "[],"])
    func smallLines(_ line: String) async throws {
      let daybook = try await Daybook.serve(folder.data)
      let one = #"{"mode":"merge","lines":[\#(Meals.lines(0..<1))]}"#
      #expect(try await daybook.call("one", "data/import", one)["changed"]?.boolean == true)
      let base = try peak(of: daybook)
      let text = String(repeating: line, count: (4 << 20) / line.utf8.count) + line.dropLast()
      #expect(
        try await daybook.refusal("many", "data/import", #"{"mode":"merge","lines":[\#(text)]}"#) == "importInvalid")
      let used = try peak(of: daybook) - base
      #expect(used < 6 * text.utf8.count, "\(used) bytes for \(text.utf8.count)")
    }

    @Test(
      "Inline exports at once take hardly more than one of them",
      arguments: [("data/export", "{}"), ("nutrition/export", #"{"what":"meals"}"#)])
    func exports(_ method: String, _ params: String) async throws {
      let lines = #"{"mode":"merge","lines":[\#(Meals.lines(0..<16_000))]}"#
      let first = try await Daybook.serve(folder.data)
      #expect(try await first.call("import", "data/import", lines)["changed"]?.boolean == true)
      first.closeInput()
      _ = try await first.exitStatus()
      let daybook = try await Daybook.serve(folder.data)
      _ = try await daybook.call("small", "days/get")
      let base = try peak(of: daybook)
      let bytes = try #require(try await daybook.call("one", method, params)["bytes"]?.integer)
      let one = try peak(of: daybook) - base
      #expect(bytes > 800_000 && one < 12 * bytes, "\(one) bytes for an export of \(bytes)")
      daybook.post((0..<24).flatMap { daybook.frame(Daybook.request("\($0)", method, params)) })
      for number in 0..<24 { _ = try await daybook.result("\(number)") }
      let all = try peak(of: daybook) - base
      #expect(all < one + 2 * bytes + (8 << 20), "\(all) bytes for 24 exports, \(one) for one of \(bytes)")
    }
  }
#endif
