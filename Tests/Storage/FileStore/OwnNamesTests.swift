import Testing

@testable import FileStore

@Suite("Folders that may be data folders")
struct OwnNamesTests {
  @Test(
    "A folder that another process is creating is ours, one with other files is not",
    arguments: [
      ([], true), ([".git"], true), (["flags.json.71.new"], true), (["lock", "notes.txt"], true),
      (["notes.txt"], false), (["notes.71.new"], false), (["flags.json.new"], false),
    ])
  func allow(_ names: [String], _ isOurs: Bool) {
    #expect(OwnNames.allow(names) == isOurs)
  }
}
