import DaybookProtocol
import FileStore
import JSONRPC
import Platform

/// A value derived from records, built once and then moved on by the changes of its collections.
package protocol Projection: Sendable {
  /// What it is derived from.
  static var collections: [CollectionName] { get }

  /// The most changes that it follows; after more it is built again.
  static var followedChanges: Int { get }

  /// Whether building it takes more than a few milliseconds.
  static func isSlow(_ source: ProjectionSource) -> Bool

  /// Builds it, on any thread.
  init(_ source: ProjectionSource) throws(RPCError)

  /// Moves on to the revision of the source.
  mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) throws(RPCError)
}

/// The records of one revision, on any thread: what a projection is derived from, and what domains let others read.
package struct ProjectionSource: Sendable {
  package let snapshot: Snapshot
  package let migrations: RecordMigrations
  /// Logs a warning. The text may contain user data.
  package let warn: @Sendable (String) -> Void

  package init(_ context: Context) throws(RPCError) {
    snapshot = try context.snapshot()
    migrations = context.folder.migrations
    warn = context.folder.warn
  }

  /// The entity of a record; nil, with a warning, if it is unreadable.
  package func readable<Entity: CollectionEntity>(_ record: borrowing Record) -> Entity? {
    migrations.readable(Entity.self, record, warn: warn)
  }
}

/// A projection at the revision of each request. A method names in its domain file the projections it `needs`; the
/// session has those that are slow to build built on another thread before the handler runs. Elsewhere, and if a request
/// cannot wait, they are built where they are used.
@usableFromInline
package struct Projected<Value: Sendable> {
  // Not with `?`, as in `RevisionCache`.
  @usableFromInline var value: Optional<Value>
  @usableFromInline var revision: Int
  @usableFromInline var epoch: Int
  @usableFromInline var building: Optional<ProjectionBuilding<Value>>
  /// How often the value was built; what is derived from an earlier one is void.
  @usableFromInline package internal(set) var generation: Int

  /// Inlined: an unspecialized body would look up the type metadata of `Value` at run time.
  @inlinable
  @inline(__always)
  package init() {
    value = nil
    revision = 0
    epoch = 0
    building = nil
    generation = 0
  }
}

extension Projected where Value: Projection {
  /// The value at the present revision.
  ///
  /// - Throws: The error of a store that cannot be read, or of building.
  package mutating func current(_ context: Context) throws(RPCError) -> Value {
    let source = try ProjectionSource(context)
    if let known = try present(source, context) { return known }
    let made = try Value(source)
    keep(made, source)
    return made
  }

  /// The work after which `current` takes no time; nil when it takes none now.
  ///
  /// - Parameter always: Whether a value that is missing is always worth it, however fast it is built; for tests.
  package mutating func preparation(
    _ context: Context, always: Bool
  ) throws(RPCError) -> (@Sendable () -> Void)? {
    let source = try ProjectionSource(context)
    guard try present(source, context) == nil, always || Value.isSlow(source) else { return nil }
    let revision = source.snapshot.revision
    let work = building.flatMap { $0.source.snapshot.revision == revision ? $0 : nil } ?? ProjectionBuilding(source)
    building = work
    return { work.build() }
  }

  /// Adds to the value what was read from the records of its revision.
  package mutating func extend(_ body: (inout Value) -> Void) {
    guard var known = value else { return }
    value = nil
    body(&known)
    value = known
  }

  /// The value moved on to the source's revision; nil when it has to be built.
  private mutating func present(_ source: ProjectionSource, _ context: Context) throws(RPCError) -> Value? {
    if epoch != context.folder.epoch { (value, building, epoch) = (nil, nil, context.folder.epoch) }
    if value == nil, let building {
      do throws(RPCError) {
        if let made = try building.take() { keep(made, building.source) }
      } catch {
        // The next request builds it again.
        self.building = nil
        throw error
      }
    }
    let present = source.snapshot.revision
    guard revision != present else { return value }
    guard var known = value else { return nil }
    // No other reference may remain, or `follow` would copy the value.
    value = nil
    guard revision < present,
      let changes = context.changes(since: revision, of: Value.collections, atMost: Value.followedChanges)
    else { return nil }
    try known.follow(changes, in: source)
    (value, revision) = (known, present)
    return known
  }

  private mutating func keep(_ made: Value, _ source: ProjectionSource) {
    (value, revision, building) = (made, source.snapshot.revision, nil)
    generation += 1
  }
}

/// The building of a projection outside the session, for all requests that wait for it.
@usableFromInline
final class ProjectionBuilding<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case done(Result<Value, RPCError>)
    case taken
  }

  let source: ProjectionSource
  /// Held while building; never by the session.
  private let turn = Guarded(())
  private let state = Guarded(State.pending)

  init(_ source: ProjectionSource) { self.source = source }

  /// Builds the value, or waits for another thread doing so.
  func build() where Value: Projection {
    turn.withLock { _ in
      guard case .pending = state.withLock({ $0 }) else { return }
      let made: Result<Value, RPCError>
      do throws(RPCError) { made = .success(try Value(source)) } catch { made = .failure(error) }
      state.withLock { $0 = .done(made) }
    }
  }

  /// Moves the value to the session, which can then change it without a copy; nil while it is not built.
  func take() throws(RPCError) -> Value? {
    let made: Result<Value, RPCError>? = state.withLock { state in
      guard case .done(let made) = state else { return nil }
      state = .taken
      return made
    }
    switch made {
    case .success(let value): return value
    case .failure(let error): throw error
    case nil: return nil
    }
  }
}
