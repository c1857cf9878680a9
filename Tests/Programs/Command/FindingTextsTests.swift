import FileStore
import Testing

@testable import DaybookCommand

struct FindingTextsTests {
  @Test("Every kind of finding is explained: the finding, its meaning, and advice", arguments: Finding.Kind.allCases)
  func explained(_ kind: Finding.Kind) {
    let (what, meaning, advice) = kind.explanation
    #expect(!what.isEmpty && !meaning.isEmpty && !advice.isEmpty)
  }
}
