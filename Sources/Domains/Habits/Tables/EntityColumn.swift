import DaybookProtocol
import Tables

/// A column of Daybook's own tables: how an entity's member is written, read, compared and copied.
struct EntityColumn<Entity: Sendable>: Sendable {
  /// The name of the member and the column.
  let field: String
  let write: @Sendable (Entity, inout TableWriter) -> Void
  /// Reads the cell into an entity; problems are recorded in the reader.
  let read: @Sendable (inout RowReader, inout Entity) -> Void
  let isSame: @Sendable (Entity, Entity) -> Bool
  /// Copies the member from the second entity.
  let take: @Sendable (inout Entity, Entity) -> Void

  /// The column of a required member.
  init<Value: Equatable & SendableMetatype>(
    _ field: String, _ path: any WritableKeyPath<Entity, Value> & Sendable, _ form: CellForm<Value>
  ) {
    self.init(field, path) { entity, writer in
      form.write(entity[keyPath: path], &writer)
    } read: { reader, entity in
      guard reader.raw(field) != nil else {
        return reader.refuse(.missing, field, "it is empty", allowed: form.allowed)
      }
      if let value = form.read(&reader, field) { entity[keyPath: path] = value }
    }
  }

  /// The column of an optional member; its cell is empty when it is absent.
  init<Value: Equatable & SendableMetatype>(
    optional field: String, _ path: any WritableKeyPath<Entity, Value?> & Sendable, _ form: CellForm<Value>
  ) {
    self.init(field, path) { entity, writer in
      if let value = entity[keyPath: path] { form.write(value, &writer) } else { writer.plain("") }
    } read: { reader, entity in
      entity[keyPath: path] = reader.verbatim(field) == nil ? nil : form.read(&reader, field)
    }
  }

  private init<Value: Equatable & SendableMetatype>(
    _ field: String, _ path: any WritableKeyPath<Entity, Value> & Sendable,
    write: @escaping @Sendable (Entity, inout TableWriter) -> Void,
    read: @escaping @Sendable (inout RowReader, inout Entity) -> Void
  ) {
    self.field = field
    self.write = write
    self.read = read
    isSame = { $0[keyPath: path] == $1[keyPath: path] }
    take = { $0[keyPath: path] = $1[keyPath: path] }
  }
}

extension Array {
  /// The names of covered members that differ.
  func differences<Entity>(_ entity: Entity, _ row: Entity, _ covered: Set<String>) -> [String]
  where Element == EntityColumn<Entity> {
    filter { covered.contains($0.field) && !$0.isSame(entity, row) }.map(\.field)
  }

  /// The entity with the covered members of a row.
  func applied<Entity>(_ row: Entity, to entity: Entity, _ covered: Set<String>) -> Entity
  where Element == EntityColumn<Entity> {
    var applied = entity
    for column in self where covered.contains(column.field) { column.take(&applied, row) }
    return applied
  }
}
