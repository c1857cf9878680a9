import Testing

/// A trait of suites whose tests take or wait long: a few suites at once, their tests on threads of their own.
///
/// The runner starts all tests at the same time, on a pool with a thread a core. Without this trait a simulation of minutes
/// would hold one of them, and a hang guard would count the time in which its process is not even asked. With it, suites end
/// one after the other, which the output shows.
package struct Pace: SuiteTrait, TestTrait, TestScoping {
  private let suites: Gate
  private let tests: Gate
  private let threads: OwnThreads

  private init(suites: Int, tests: Int) {
    self.suites = Gate(suites)
    self.tests = Gate(tests)
    threads = OwnThreads(tests)
  }

  fileprivate static let simulations = Pace(suites: 2, tests: 2)
  fileprivate static let processTests = Pace(suites: 4, tests: 4)

  // Inherited by the tests of the suite.
  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Pace? {
    test.isSuite || testCase != nil ? self : nil
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await suites.pass(function) }
    try await tests.pass { [threads] in
      try await withTaskExecutorPreference(threads) { try await function() }
    }
  }
}

extension Trait where Self == Pace {
  /// For tests that compute for long: simulated disks, random histories, large imports. Two at once.
  package static var simulated: Pace { .simulations }

  /// For tests that start processes and wait for them, asynchronously or not. Four at once.
  package static var processes: Pace { .processTests }
}
