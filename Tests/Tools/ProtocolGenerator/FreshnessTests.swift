import Foundation
import ProtocolGenerator
import Testing

/// The committed generated files are up to date.
struct FreshnessTests {
  @Test("No generated file is stale")
  func fresh() throws {
    for (path, text) in try Generator(files: PackageFiles.sources()).files() {
      let present = try? Data(contentsOf: PackageFiles.root.appendingPathComponent(path))
      #expect(present == Data(text.utf8), "run “swift run protocol-gen”: \(path)")
    }
  }

  @Test("Generating twice gives the same")
  func deterministic() throws {
    #expect(try Generator(files: PackageFiles.sources()).files() == Generator(files: PackageFiles.sources()).files())
  }
}
