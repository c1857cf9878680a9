import FileStore
import Testing

@Suite("What errors of the store say")
struct StoreErrorTests {
  @Test("Place and cause come before the full stop of a sentence, which has at most one")
  func details() {
    let message = "The store cannot be read."
    #expect(message.detailed() == message)
    #expect(message.detailed(place: "/a") == "The store cannot be read: “/a”.")
    #expect(message.detailed(cause: "no such file") == "The store cannot be read (no such file).")
    #expect("not readable".detailed(place: "/a", cause: "no such file") == "not readable: “/a” (no such file)")
    let error = StoreError(.storeUnavailable, message, path: "/a", systemText: "no such file")
    #expect("\(error)" == "storeUnavailable: The store cannot be read: “/a” (no such file).")
  }
}
