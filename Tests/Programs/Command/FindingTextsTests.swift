import FileStore
import Testing

@testable import DaybookCommand

struct FindingTextsTests {
  @Test("Every kind of finding is explained: what it is, what it means, what to do", arguments: Finding.Kind.allCases)
  func explained(_ kind: Finding.Kind) {
    let (what, meaning, advice) = kind.explanation
    #expect(!what.isEmpty && !meaning.isEmpty && !advice.isEmpty)
  }
}
