#if os(Linux)
  import Foundation
  import Pacing
  import ProcessTesting
  import Spawning
  import Testing

  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  @Suite("The descriptors of a new process", .processes)
  struct DescriptorTests {
    /// A pipe whose ends are inherited by every carelessly started process.
    private final class Leak: Sendable {
      let ends: [Int32]
      /// The system's name for it: `pipe:[NUMBER]`.
      let name: String

      init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        self.ends = ends
        name = try #require(DescriptorTests.descriptors(of: getpid())[ends[0]])
      }

      deinit { for end in ends { close(end) } }
    }

    /// The open descriptors of a process, with their targets.
    private static func descriptors(of pid: pid_t) throws -> [Int32: String] {
      let folder = "/proc/\(pid)/fd"
      var found: [Int32: String] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        guard let number = Int32(name) else { continue }
        found[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
      }
      return found
    }

    /// A shell script that reports its start, and ends with its input.
    private static let shell = ["/bin/sh", "-c", "echo begun; read line"]

    @Test("A leaked pipe is detected in a process that inherits it")
    func careless() throws {
      let leak = try Leak()
      var words = [strdup("/bin/sleep"), strdup("1000"), nil]
      defer { for word in words { free(word) } }
      var pid = pid_t()
      try #require(posix_spawn(&pid, "/bin/sleep", nil, nil, &words, nil) == 0)
      defer {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
      }
      #expect(try Self.descriptors(of: pid).values.filter { $0 == leak.name }.count == 2)
    }

    @Test("A process has only its three standard descriptors, even if others leak")
    func plain() throws {
      let leak = try Leak()
      let process = try SpawnedProcess(Self.shell, environment: [:])
      var begun = [UInt8](repeating: 0, count: 100)
      #expect(begun.withUnsafeMutableBytes { Descriptor.read(process.output, into: $0) } == 6)
      let own = try Self.descriptors(of: process.pid)
      #expect(own.keys.sorted() == [0, 1, 2])
      #expect(!own.values.contains(leak.name))
      Descriptor.close(process.input)
      #expect(process.waitForEnd() == .exited(1))
      for descriptor in [process.output, process.error] { Descriptor.close(descriptor) }
    }

    @Test("A service inherits none of our pipes except its own three")
    func service() async throws {
      let leak = try Leak()
      let folder = try TemporaryFolder()
      let others = try await Daybook.serve(folder.path + "/others")
      let daybook = try await Daybook.serve(folder.data)
      try await daybook.call("a", "meals/add", Meals.params(1))
      let ours = try Self.descriptors(of: getpid())
      let process = daybook.process
      // It moves its output to another descriptor.
      let shared = [process.input, process.output, process.error].compactMap { ours[$0] }
      let foreign = Set(ours.values.filter { $0.hasPrefix("pipe:") }).subtracting(shared)
      #expect(foreign.contains(leak.name))
      #expect(foreign.isDisjoint(with: try Self.descriptors(of: process.pid).values))
      try await others.call("a", "server/info")
    }

    @Test("An input that is closed ends the service, though other services were started meanwhile")
    func closedInput() async throws {
      let folders = try (0..<4).map { _ in try TemporaryFolder() }
      let first = try await Daybook.serve(folders[0].data)
      var others: [Daybook] = []
      for folder in folders.dropFirst() { others.append(try await Daybook.serve(folder.data)) }
      first.closeInput()
      #expect(try await first.exitStatus() == .exited(0))
      for other in others { try await other.call("a", "server/info") }
    }
  }
#endif
