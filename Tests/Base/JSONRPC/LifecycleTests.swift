import Testing

@testable import JSONRPC

/// The requests served in each state (M8), and the exit status (M9).
struct LifecycleTests {
  private static let states: [Lifecycle] = [
    .awaitingInitialize, .running(hasConfirmed: false), .running(hasConfirmed: true), .shutDown,
  ]

  @Test(
    "Every request has an answer in every state",
    arguments: zip(
      states,
      [
        [.served, .served, .notInitialized], [.initializedTwice, .served, .served],
        [.initializedTwice, .served, .served], [.afterShutdown, .afterShutdown, .afterShutdown],
      ] as [[Lifecycle.Admission]]))
  func admission(_ state: Lifecycle, _ expected: [Lifecycle.Admission]) {
    #expect(state.admits(isInitialize: true, isAlwaysAnswered: true) == expected[0])
    #expect(state.admits(isInitialize: true, isAlwaysAnswered: false) == expected[0])
    #expect(state.admits(isInitialize: false, isAlwaysAnswered: true) == expected[1])
    #expect(state.admits(isInitialize: false, isAlwaysAnswered: false) == expected[2])
  }

  @Test("Only a connection that was shut down ends successfully", arguments: zip(states, [1, 1, 1, 0] as [Int32]))
  func exitStatus(_ state: Lifecycle, _ status: Int32) {
    #expect(state.exitStatus == status)
  }
}
