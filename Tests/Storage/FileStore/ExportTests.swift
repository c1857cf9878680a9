import CivilTime
import FileStoreTesting
import JSON
import Testing
import Values

@testable import FileStore

/// The text of an export of the store on a disk.
func exported(_ disk: any FileSystem, folder: String = folder) throws -> [UInt8] {
  var text: [UInt8] = []
  _ = try StoreExport(inline(disk, folder: folder)).run { text += $0 }
  return text
}

@Suite("Exports")
struct ExportTests {
  private let target = "/home/someone/export.jsonl"

  private func lines(_ text: [UInt8]) throws -> [JSONObject] {
    try text.split(separator: 0x0A).map { line in
      guard case .object(let object) = try JSONValue(json: Array(line)) else {
        throw JSONError(.syntax, at: 0, expected: "")
      }
      return object
    }
  }

  @Test("An export has a header, a line per record in order, and a last line with their number and hash")
  func format() throws {
    let disk = try diskWithStore()
    let store = try FileStore.open(inline(disk))
    #expect(store.commitAndWait(transaction(30, [put(30, day: nil, "{\"x\":\"é\\n\"}", in: CollectionName("habits"))])))
    let text = try exported(disk)
    let lines = try lines(text)
    #expect(lines.first?["daybook"] == .string("export"))
    #expect(lines.first?["revision"] == .number(JSONNumber(7)))
    let names = lines.dropFirst().dropLast().map { $0["collection"] }
    #expect(names == [.string("habits")] + Array(repeating: .string("meals"), count: 5))
    let days = lines.dropFirst(2).dropLast().compactMap { line -> String? in
      if case .string(let day)? = line["day"] { day } else { nil }
    }
    #expect(days.count == 5 && days == days.sorted())
    let last = try #require(text.dropLast().lastIndex(of: 0x0A)) + 1
    #expect(lines.last?["count"] == .number(JSONNumber(6)))
    #expect(lines.last?["sha256"] == .string(SHA256.hash(Array(text[..<last])).description))
  }

  @Test("An export into a file appears complete or not at all, and replaces nothing unasked")
  func file() throws {
    let disk = try diskWithStore()
    let export = StoreExport(inline(disk))
    let summary = try export.write(to: target, overwrites: false)
    #expect(summary.records == 5 && summary.revision == 6 && !summary.isDamaged)
    #expect(disk.contents(target) == (try exported(disk)))
    #expect(summary.bytes == disk.contents(target)?.count)
    do throws(StoreError) {
      _ = try export.write(to: target, overwrites: false)
      Issue.record("it is there already")
    } catch { #expect(error.code == .fileExists) }
    disk.setContents(target, [1, 2, 3])
    _ = try export.write(to: target, overwrites: true)
    #expect(disk.contents(target) == (try exported(disk)))
    #expect(disk.walk("/home/someone").filter { !$0.path.hasPrefix("daybook") }.map(\.path) == ["export.jsonl"])
    for path in ["/nowhere/x", "/home/someone/", "", "/home/someone/.."] {
      do throws(StoreError) {
        _ = try export.write(to: path, overwrites: false)
        Issue.record("“\(path)” names no file that can be made")
      } catch { #expect(error.code == .fileUnusable, "\(path)") }
    }
  }

  @Test("A full disk and a cancelled export leave no file")
  func failures() throws {
    let disk = try diskWithStore()
    disk.setFaults { $0.freeBytes = 100 }
    do throws(StoreError) {
      _ = try StoreExport(inline(disk)).write(to: target, overwrites: false)
      Issue.record("the disk is full")
    } catch { #expect(error.code == .diskFull) }
    disk.setFaults { $0.freeBytes = nil }
    do throws(StoreError) {
      _ = try StoreExport(inline(disk)).write(to: target, overwrites: false, WorkMonitor(isCancelled: { true }))
      Issue.record("it was cancelled")
    } catch { #expect(error.code == .cancelled) }
    #expect(disk.walk("/home/someone").filter { !$0.path.hasPrefix("daybook") }.isEmpty)
  }

  @Test("An empty folder exports no records and stays unchanged")
  func empty() throws {
    let disk = SimulatedDisk()
    #expect(try lines(exported(disk)).count == 2)
    #expect(disk.changes == 0)
  }
}
