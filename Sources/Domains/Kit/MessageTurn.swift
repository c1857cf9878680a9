import DaybookProtocol
import JSONRPC

/// The state of one message, passed along to each of its requests: whether it may write, and what it has committed.
package struct MessageTurn {
  /// Whether it holds the folder's write lock.
  package var holdsWriteLock = false
  /// Whether another process created the store meanwhile, so that the message has to wait for the write lock.
  package var missedWriteLock = false
  /// Why it cannot write.
  package var writeRefusal: RPCError?
  /// What its present request has committed.
  package private(set) var commit: Commit?

  /// What a request has committed. A class, because every request asks for it and few have one.
  package final class Commit {
    /// The revision before the commit.
    package let since: Int
    /// The settings before the commit, if it changed them.
    package fileprivate(set) var settings: Settings?

    fileprivate init(since: Int) { self.since = since }
  }

  package init() {}

  /// Notes a commit, and the settings before it if it changed them.
  mutating func note(_ settings: Settings?, since revision: Int) {
    let noted = commit ?? Commit(since: revision)
    if noted.settings == nil { noted.settings = settings }
    commit = noted
  }

  /// Removes and returns what was committed since the last call.
  package mutating func takeCommit() -> Commit? {
    defer { commit = nil }
    return commit
  }
}
