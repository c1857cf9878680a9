import Testing

/// A trait for suites with long-running or waiting tests: limits concurrent suites, and runs their tests on dedicated
/// threads.
///
/// The runner starts all tests at once, on a pool with a thread per core. Without this trait a long simulation would
/// occupy one of them, and a hang guard would count the time in which its process gets no request. With it, suites
/// finish one after the other, as the output shows.
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
  /// For CPU-bound tests: simulated disks, random histories, large imports. Two at once.
  package static var simulated: Pace { .simulations }

  /// For tests that start processes and wait for them. Four at once.
  package static var processes: Pace { .processTests }
}
