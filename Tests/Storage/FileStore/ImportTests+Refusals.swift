import FileStoreTesting
import Testing

@testable import FileStore

/// Refused imports.
extension ImportTests {
  @Test("An unusable line refuses the import with its number and the place in it")
  func badLines() throws {
    let bad: [(String, String)] = [
      ("nonsense", ""), ("{}", "/collection"), ("[]", ""), (line(1, in: "../x"), "/collection"),
      (line(1, day: "2024-02-30"), "/day"), (line(1, "[]"), "/body"), (line(1, "{\"a\":}"), "/body/a"),
      (line(0), "/id"), (line(1).replacing("1970-01-01T", with: "x"), "/created"),
      ("{\"daybook\":\"export\",\"version\":1}", ""),
      (line(1).replacing("\"schema\":1", with: "\"schema\":\"1\""), "/schema"),
    ]
    for (text, pointer) in bad {
      let disk = try emptyDisk()
      do throws(StoreError) {
        _ = try run(disk, [line(0), text, line(2)])
        Issue.record("“\(text)” was taken")
      } catch {
        #expect(error.code == .importInvalid && error.details["line"] == "2", "\(text): \(error)")
        #expect(error.details["pointer"] == pointer, "\(text): \(error)")
      }
      #expect(disk.changes == 0, "\(text)")
      let preview = try run(disk, [line(0), text, line(2)], .preview)
      #expect(preview.refused == 1 && preview.problems.first?.line == 2)
      #expect(preview.collections.first?.added == 2)
    }
    let disk = try emptyDisk()
    do throws(StoreError) {
      _ = try run(disk, [line(0, "{\"x\":\"\(String(repeating: "x", count: 1 << 20))\"}")])
      Issue.record("it is too large")
    } catch { #expect(error.code == .recordTooLarge) }
  }

  @Test("A domain validates the records of its collections")
  func checks() throws {
    let disk = try emptyDisk()
    let check: ImportCheck = { candidate in
      guard candidate.collection == meals else { return nil }
      let isShort = candidate.body.count <= 2
      return isShort ? nil : StoreImportProblem(pointer: "/body", reason: "too much")
    }
    do throws(StoreError) {
      _ = try run(disk, [line(0), line(1, "{\"a\":1}", in: "habits"), line(2, "{\"a\":1}")], check: check)
      Issue.record("it was refused")
    } catch { #expect(error.details == ["line": "3", "pointer": "/body"]) }
    let summary = try run(disk, [line(0), line(1, "{\"a\":1}", in: "habits")], check: check)
    #expect(summary.collections.map(\.added) == [1, 1], "unknown collections are kept as they are")
  }

  @Test("A file that was cut off or changed is refused, at any byte")
  func damagedFiles() throws {
    let disk = try diskWithStore()
    let text = try exported(disk)
    let target = try emptyDisk()
    for at in stride(from: 0, to: text.count, by: 7) {
      target.setContents(path, Array(text[..<at]))
      #expect(throws: StoreError.self, "cut at \(at)") {
        try FileStore.importRecords(.file(path), .merge, inline(target), author: "test")
      }
      var changed = text
      changed[at] ^= 1
      target.setContents(path, changed)
      let outcome = Result { try FileStore.importRecords(.file(path), .merge, inline(target), author: "test") }
      if case .success = outcome {
        // Unchecked members of the header and footer may change.
        let last = text.dropLast().lastIndex(of: 0x0A) ?? 0
        #expect(at > last, "changed at \(at)")
      }
    }
    #expect(throws: StoreError.self) {
      try FileStore.importRecords(.file("/home/someone/none"), .merge, inline(target), author: "test")
    }
  }
}
