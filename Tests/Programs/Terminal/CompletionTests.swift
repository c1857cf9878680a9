import Foundation
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Sessions of real shells, where they are installed.
@Suite("Completions", .processes)
struct CompletionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let shells = ["bash", "zsh", "fish"].filter { isInstalled($0) }

  private static func isInstalled(_ name: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
  }

  private func add(_ names: String...) async throws {
    for name in names {
      let added = try await Program.run(["call", "meals/add", "name=\(name)", "calories=350", "--data", folder.data])
      #expect(added.status == .exited(0), "\(added.error)")
    }
  }

  /// What a shell runs after these keys, or `shown` once it shows a text.
  private func session(_ shell: String, _ keys: String, shown: String? = nil) async throws -> [String] {
    let script = Program.repository + "/Tests/Programs/Shells/complete.py"
    let finished = try await Program.command(
      ["/usr/bin/env", "python3", script, shell, try Program.path(), folder.data, keys] + (shown.map { [$0] } ?? []),
      environment: ProcessInfo.processInfo.environment, patience: 2)
    #expect(finished.status == .exited(0), "\(finished.error)")
    return finished.output.split(separator: "\n").map(String.init)
  }

  @Test("In CI all three shells are there")
  func installed() {
    if ProcessInfo.processInfo.environment["CI"] != nil { #expect(Self.shells.count == 3) }
  }

  @Test("Commands, options and their values, methods, params, values and days are completed", arguments: shells)
  func words(_ shell: String) async throws {
    #expect(try await session(shell, "daybook --da\t /tmp und\t") == ["--data", "/tmp", "undo"])
    #expect(try await session(shell, "daybook log --ki\tmea\tx") == ["log", "--kind", "meal", "x"])
    let call = try await session(shell, "daybook call meals/up\tmealT\tbr\tday=yest\t")
    #expect(
      call == ["call", "meals/update", "mealType=breakfast", "day=yest"] || call.last == "day=yesterday", "\(call)")
    #expect(try await session(shell, "daybook day yes\t") == ["day", "yesterday"])
    #expect(try await session(shell, "daybook completions f\t") == ["completions", "fish"])
  }

  @Test("Names with spaces, quotes, $, colons and emoji become one correctly quoted word", arguments: shells)
  func names(_ shell: String) async throws {
    let names = ["Crème brûlée", "It's $5 \"x\"", "Tea: green", "🍲 Soup", "a`b\\c"]
    for name in names { try await add(name) }
    for name in names {
      let start = String(name.prefix(2)).replacing("`", with: "")
      let keys = start == "🍲 " ? "🍲" : start
      #expect(try await session(shell, "daybook log \(keys)\t") == ["log", name])
    }
    #expect(try await session(shell, "daybook log \"cr\t") == ["log", "Crème brûlée"])
  }

  @Test("Ids are completed by what they begin with", arguments: shells)
  func ids(_ shell: String) async throws {
    let id = "a1111111-1111-4111-8111-111111111111"
    let words = ["call", "meals/add", "id=\(id)", "name=Soup", "calories=1", "--data", folder.data]
    #expect(try await Program.run(words).status == .exited(0))
    #expect(try await session(shell, "daybook call meals/delete id=a\t") == ["call", "meals/delete", "id=\(id)"])
  }

  @Test("zsh and fish show descriptions", arguments: shells.filter { $0 != "bash" })
  func descriptions(_ shell: String) async throws {
    try await add("Soup", "Stew")
    #expect(try await session(shell, "daybook h\t\t", shown: "explain a command") == ["shown"])
    #expect(try await session(shell, "daybook log \t\t", shown: "350 kcal") == ["shown"])
  }

  @Test("Scripts are valid for their shells", arguments: shells)
  func syntax(_ shell: String) async throws {
    let file = folder.path + "/script"
    try await Program.run(["completions", shell]).output.write(toFile: file, atomically: true, encoding: .utf8)
    let checked = try await Program.command(
      ["/usr/bin/env", shell, "-n", file], environment: ProcessInfo.processInfo.environment, patience: 1)
    #expect(checked.status == .exited(0) && checked.error.isEmpty, "\(checked.error)")
  }

  @Test(
    "What cannot be told is silence: an unknown command, a foreign folder, a file as the folder",
    arguments: [
      ["nope", ""], ["call", "nope/nope", ""], ["--data", "/etc", "log", ""], ["--data", "/etc/passwd", "log", ""],
    ])
  func silence(_ words: [String]) async throws {
    let run = try await Program.run(["__complete", "--"] + words, environment: ["DAYBOOK_HOME": folder.data])
    #expect(run.status == .exited(0) && run.output.isEmpty && run.error.isEmpty, "\(run.output)\(run.error)")
  }

  @Test("Completing reads only: an absent folder stays absent")
  func writesNothing() async throws {
    for words in [["log", ""], ["call", "meals/get", "id="], ["restore", ""]] {
      let run = try await Program.run(["__complete", "--"] + words, environment: ["DAYBOOK_HOME": folder.data])
      #expect(run.status == .exited(0) && run.error.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.data))
  }

  @Test("The manual page has no fault that mandoc finds", .enabled(if: isInstalled("mandoc")))
  func manual() async throws {
    let file = folder.path + "/daybook.1"
    try await Program.run(["man"]).output.write(toFile: file, atomically: true, encoding: .utf8)
    let checked = try await Program.command(
      ["/usr/bin/env", "mandoc", "-T", "lint", "-W", "warning", file],
      environment: ProcessInfo.processInfo.environment, patience: 1)
    #expect(checked.status == .exited(0) && checked.output.isEmpty && checked.error.isEmpty, "\(checked.output)")
  }

  @Test("The install script puts programs, page and completions under a prefix, and prints a line for the shell")
  func install() async throws {
    let built = (try Program.path() as NSString).deletingLastPathComponent
    let prefix = folder.path + "/pre fix"
    let finished = try await Program.command(
      ["/bin/sh", Program.repository + "/Clients/install.sh", "--prefix", prefix, "--built", built],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "SHELL": "/bin/bash"], patience: 2)
    #expect(finished.status == .exited(0), "\(finished.error)")
    let files = Set(try FileManager.default.subpathsOfDirectory(atPath: prefix))
    #expect(
      files.isSuperset(of: [
        "bin/daybook", "bin/daybook-http", "share/man/man1/daybook.1", "share/bash-completion/completions/daybook",
        "share/zsh/site-functions/_daybook", "share/fish/vendor_completions.d/daybook.fish",
      ]), "\(files)")
    let line = try #require(finished.output.split(separator: "\n").last.map(String.init))
    let used = try await Program.command(
      ["/bin/bash", "-c", line + "; daybook --version; complete -p daybook"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path], patience: 1)
    #expect(used.output.contains("daybook 0.") && used.output.contains("_daybook"), "\(line): \(used.error)")
    let wrong = try await Program.command(
      ["/bin/sh", Program.repository + "/Clients/install.sh", "--prefxi"], environment: [:], patience: 1)
    #expect(wrong.status == .exited(2) && wrong.error.contains("--prefix"))
  }
}
