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

  @Test("Messages that wait for another process's lock keep their order, and one retry at a time is scheduled")
  func locked() {
    check(ConnectionModel([[.write, .read], [.write]], isLocked: true))
    check(ConnectionModel([[.write], [.read]], isLocked: true, cancelled: [0, 1]))
    check(ConnectionModel([[.write], [.read]], isLocked: true, looks: 1))
  }

  @Test("When a commit fails, every reply that depends on it is computed again")
  func failures() {
    check(ConnectionModel([[.write, .read], [.heavy]], failures: 1))
    check(ConnectionModel([[.write], [.write]], failures: 2))
  }

  @Test("Messages wait while too many replies are held, and are processed once these have left")
  func bounded() {
    check(ConnectionModel([[.write, .read], [.write]], isBounded: true))
    check(ConnectionModel([[.write], [.heavy, .read]], isBounded: true))
    check(ConnectionModel([[.write, .read], [.write]], failures: 1, isBounded: true))
    check(ConnectionModel([[.write], [.write]], isLocked: true, looks: 1, isBounded: true))
    check(ConnectionModel([[.write], [.read]], failures: 1, ends: true, isBounded: true))
  }

  @Test("The end of the input waits for every reply, wherever the work runs")
  func ends() {
    check(ConnectionModel([[.write, .read], [.heavy]], failures: 1, ends: true))
    check(ConnectionModel([[.write], [.write]], isLocked: true, ends: true))
  }

  @Test("A signal waits for the reply to the current change")
  func signals() {
    check(ConnectionModel([[.write], [.write]], isSignalled: true))
    check(ConnectionModel([[.write]], isLocked: true, failures: 1, isSignalled: true))
  }

  @Test("Every omitted step is found", arguments: ConnectionModel.Mistake.allCases.filter { $0 != .none })
  func mistakes(_ mistake: ConnectionModel.Mistake) {
    let model =
      switch mistake {
      case .none, .opening: ConnectionModel([[.write]], mistake)
      case .scheduling, .stopping: ConnectionModel([[.write, .read], [.write]], isLocked: true, mistake)
      case .retrying: ConnectionModel([[.write]], isLocked: true, mistake)
      case .counting: ConnectionModel([[.write]], isLocked: true, looks: 1, mistake)
      case .overtaking: ConnectionModel([[.write], [.write]], isLocked: true, mistake)
      case .failing, .takingBack: ConnectionModel([[.write], [.read]], failures: 1, mistake)
      case .settling: ConnectionModel([[.write]], isLocked: true, ends: true, mistake)
      case .asking: ConnectionModel([[.write], [.heavy]], failures: 1, ends: true, mistake)
      case .releasing, .leaving: ConnectionModel([[.write, .write]], isBounded: true, mistake)
      case .withdrawing: ConnectionModel([[.write], [.write]], failures: 1, isBounded: true, mistake)
      case .signalling: ConnectionModel([[.write]], isSignalled: true, mistake)
      }
    #expect(Interleavings(from: model).failure != nil)
  }

  private func check(_ model: ConnectionModel, sourceLocation: SourceLocation = #_sourceLocation) {
    let all = Interleavings(from: model)
    #expect(all.failure == nil && all.done > 0, "\(all)", sourceLocation: sourceLocation)
  }
}
