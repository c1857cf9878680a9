import Interleaving
import Testing

@Suite("A connection's threads, in all interleavings")
struct ConnectionModelTests {
  private typealias Kind = ConnectionModel.Kind

  @Test(
    "Every request is answered, once",
    arguments: [
      [[.write, .read], [.write]], [[.write], [.heavy, .read]], [[.heavy], [.write, .heavy]],
    ] as [[[ConnectionModel.Kind]]])
  func answered(_ chunks: [[ConnectionModel.Kind]]) {
    check(ConnectionModel(chunks))
  }

  @Test("Behind the lock of another process messages keep their turn, and are tried by one at a time")
  func locked() {
    check(ConnectionModel([[.write, .read], [.write]], isLocked: true))
    check(ConnectionModel([[.write], [.read]], isLocked: true, cancelled: [0, 1]))
    check(ConnectionModel([[.write], [.write]], isLocked: true, looks: 2))
  }

  @Test("When a commit fails, everything that rests on it is answered again")
  func failures() {
    check(ConnectionModel([[.write, .read], [.heavy]], failures: 1))
    check(ConnectionModel([[.write], [.write]], failures: 2))
  }

  @Test("The end of the input waits for every answer, wherever the work is")
  func ends() {
    check(ConnectionModel([[.write, .read], [.heavy]], failures: 1, ends: true))
    check(ConnectionModel([[.write], [.write]], isLocked: true, ends: true))
  }

  @Test("A signal waits for the answer to the change in hand")
  func signals() {
    check(ConnectionModel([[.write], [.write]], isSignalled: true))
    check(ConnectionModel([[.write]], isLocked: true, failures: 1, isSignalled: true))
  }

  @Test(
    "A step that is left out is found",
    arguments: [
      .scheduling, .retrying, .counting, .opening, .failing, .takingBack, .settling, .signalling, .stopping,
      .overtaking, .asking,
    ] as [ConnectionModel.Mistake])
  func mistakes(_ mistake: ConnectionModel.Mistake) {
    let models = [
      ConnectionModel([[.write, .read], [.write]], isLocked: true, mistake),
      ConnectionModel([[.write], [.read]], failures: 1, mistake),
      ConnectionModel([[.write], [.write]], isLocked: true, looks: 1, mistake),
      ConnectionModel([[.write], [.heavy]], failures: 1, ends: true, mistake),
      ConnectionModel([[.write]], isLocked: true, ends: true, mistake),
      ConnectionModel([[.write]], isSignalled: true, mistake),
    ]
    let failures = models.map { Interleavings(from: $0) }.compactMap(\.failure)
    #expect(!failures.isEmpty)
  }

  private func check(_ model: ConnectionModel, sourceLocation: SourceLocation = #_sourceLocation) {
    let all = Interleavings(from: model)
    #expect(all.failure == nil && all.done > 0, "\(all)", sourceLocation: sourceLocation)
  }
}
