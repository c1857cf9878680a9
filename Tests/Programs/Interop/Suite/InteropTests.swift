import Foundation
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Sessions with third-party clients; see its README.
@Suite(.processes)
struct InteropTests {
  @Test("Neovim, Emacs, Vim and other clients complete their sessions, where they are installed")
  func sessions() async throws {
    let finished = try await Program.command(
      [
        "/usr/bin/env", "python3", Program.repository + "/Tests/Programs/Interop/run.py", "--daybook",
        try Program.path(),
      ],
      environment: ProcessInfo.processInfo.environment, patience: 10)
    print(finished.output)
    #expect(finished.status == .exited(0), "\(finished.output)\(finished.error)")
  }
}
