import Foundation
import Testing

/// Sessions with programs nobody here wrote; see Tests/Interop.
struct InteropTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    .standardized

  @Test("Neovim, Emacs, Vim and other clients complete their sessions, where they are installed")
  func sessions() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("daybook")
    process.arguments = [
      "python3", Self.root.appendingPathComponent("Tests/Interop/run.py").path, "--daybook", binary.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(text)
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
