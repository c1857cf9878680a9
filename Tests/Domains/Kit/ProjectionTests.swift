import CivilTime
import DaybookProtocol
import FileStoreTesting
import Foundation
import JSONRPC
import SettingsDocument
import Testing

@testable import DomainKit
@testable import FileStore

@Suite("Projections")
struct ProjectionTests {
  private let store: KitFolder
  private let context: Context

  init() throws {
    store = try KitFolder()
    context = store.context
  }

  @Test("A projection is built once, and then follows the changes of its collections")
  func following() throws {
    var count = Projected<Count>()
    try store.put(1, in: "things")
    #expect(try count.current(context) == Count(things: 1, builds: 0, changes: 0))
    try store.put(2, in: "things")
    try store.put(3, in: "others")
    #expect(try count.current(context) == Count(things: 2, builds: 0, changes: 1))
    #expect(count.generation == 1)
  }

  @Test("It is built again after more changes than it follows, and when all caches are void")
  func rebuilding() throws {
    var count = Projected<Count>()
    _ = try count.current(context)
    for number in 0...Count.followedChanges { try store.put(number, in: "things") }
    #expect(try count.current(context).things == Count.followedChanges + 1)
    #expect(count.generation == 2)
    store.folder.invalidateCaches()
    #expect(try count.current(context).changes == 0)
    #expect(count.generation == 3)
  }

  @Test("A slow one is built outside, once for all requests that wait, and follows what changed meanwhile")
  func preparing() throws {
    var count = Projected<SlowCount>()
    try store.put(1, in: "things")
    let first = try #require(try count.preparation(context, always: false))
    let second = try #require(try count.preparation(context, always: false))
    try store.put(2, in: "things")
    first()
    second()
    #expect(try count.preparation(context, always: true) == nil)
    #expect(try count.current(context).inner == Count(things: 2, builds: 0, changes: 1))
    #expect(count.generation == 1)
  }

  @Test("One that is fast to build needs no preparation, unless a test wants it")
  func fast() throws {
    var count = Projected<Count>()
    #expect(try count.preparation(context, always: false) == nil)
    #expect(try count.preparation(context, always: true) != nil)
    // A request that cannot wait builds it itself.
    #expect(try count.current(context).things == 0)
  }

  @Test("A build of before all caches were void is not used")
  func void() throws {
    var count = Projected<SlowCount>()
    let build = try #require(try count.preparation(context, always: false))
    build()
    store.folder.invalidateCaches()
    #expect(try count.preparation(context, always: false) != nil)
  }

  @Test("The error of a build reaches the request")
  func failing() throws {
    var count = Projected<NoCount>()
    let build = try #require(try count.preparation(context, always: false))
    build()
    #expect(throws: NoCount.error) { _ = try count.preparation(context, always: false) }
    #expect(throws: NoCount.error) { _ = try count.current(context) }
    #expect(try count.preparation(context, always: false) != nil, "it is built outside again")
  }

  @Test("What was read later extends the value, which then still follows")
  func extending() throws {
    var count = Projected<Count>()
    _ = try count.current(context)
    count.extend { $0.things += 10 }
    try store.put(1, in: "things")
    #expect(try count.current(context).things == 11)
  }
}

/// The number of records of “things”.
private struct Count: Projection, Equatable {
  var things: Int
  var builds = 0
  var changes = 0

  static let collections = [CollectionName("things")]
  static let followedChanges = 4

  static func isSlow(_ source: ProjectionSource) -> Bool { false }

  init(things: Int, builds: Int, changes: Int) { (self.things, self.builds, self.changes) = (things, builds, changes) }

  init(_ source: ProjectionSource) {
    things = 0
    source.snapshot.forEachRecord(in: Count.collections[0]) { _ in
      things += 1
      return true
    }
  }

  mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) {
    self.changes += changes.count
    things += changes.count { $0.isNew }
  }
}

/// The same, slow to build.
private struct SlowCount: Projection {
  var inner: Count

  static let collections = Count.collections
  static let followedChanges = Count.followedChanges

  static func isSlow(_ source: ProjectionSource) -> Bool { true }

  init(_ source: ProjectionSource) { inner = Count(source) }

  mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) { inner.follow(changes, in: source) }
}

/// One that cannot be built.
private struct NoCount: Projection {
  static let error = RPCError(code: 7, message: "no count", data: [])
  static let collections = Count.collections
  static let followedChanges = 0

  static func isSlow(_ source: ProjectionSource) -> Bool { true }

  init(_ source: ProjectionSource) throws(RPCError) { throw NoCount.error }

  func follow(_ changes: [ChangedRecord], in source: ProjectionSource) {}
}
