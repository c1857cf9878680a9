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
      let problems = reader.problems.count
      if reader.trimmed(field) != nil, let value = form.read(&reader, field) {
        entity[keyPath: path] = value
      } else if reader.problems.count == problems {
        reader.refuse(.missing, field, "it is empty", allowed: form.allowed)
      }
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

/// How values of a type are written to and read from cells of Daybook's own tables.
struct CellForm<Value: SendableMetatype>: Sendable {
  /// A description of the allowed values.
  let allowed: String
  let write: @Sendable (Value, inout TableWriter) -> Void
  /// Reads a nonempty cell; nil when it is refused or blank.
  let read: @Sendable (inout RowReader, String) -> Value?

  /// Values with a text form of their own.
  static func words(
    _ allowed: String, kind: TableProblemKind = .malformed, _ write: @escaping @Sendable (Value) -> String,
    _ read: @escaping @Sendable (String) -> Value?
  ) -> CellForm {
    CellForm(allowed: allowed) { value, writer in
      writer.text(write(value))
    } read: { reader, field in
      guard let text = reader.verbatim(field).map({ CellText.restored($0) }), text.isVisible else { return nil }
      let value = read(text) ?? read(text.trimmedCell)
      if value == nil, reader.raw(field) != nil { reader.refuse(kind, field, "it is malformed", allowed: allowed) }
      return value
    }
  }

  /// Values with fixed names.
  static func name(_ known: [Value], _ name: @escaping @Sendable (Value) -> String) -> CellForm where Value: Sendable {
    words(known.map(name).joined(separator: ", "), kind: .unknownValue, name) { text in known.first { name($0) == text }
    }
  }
}

extension CellForm<String> {
  /// A trimmed text of limited length.
  static func text(_ longest: Int) -> CellForm {
    CellForm(allowed: "1 to \(longest) characters") { text, writer in
      writer.text(text)
    } read: { reader, field in
      guard let text = reader.trimmed(field).map({ CellText.restored($0).trimmedCell }) else { return nil }
      if !text.isVisible { reader.refuse(.missing, field, "it is empty", allowed: "1 to \(longest) characters") }
      return limited(text, longest, field, &reader)
    }
  }

  /// A text of limited length with its white space.
  static func verbatim(_ longest: Int) -> CellForm {
    CellForm(allowed: "at most \(longest) characters") { text, writer in
      writer.text(text)
    } read: { reader, field in
      reader.verbatim(field).flatMap { limited(CellText.restored($0), longest, field, &reader) }
    }
  }

  private static func limited(_ text: String, _ longest: Int, _ field: String, _ reader: inout RowReader) -> String? {
    guard text.unicodeScalars.count > longest else { return text.isEmpty ? nil : text }
    reader.refuse(.tooLong, field, "it is too long", allowed: "at most \(longest) characters")
    return nil
  }
}

extension CellForm<CivilDay> {
  static let day = CellForm(
    allowed: "a day from 1900-01-01 to 2200-12-31", write: { $1.day($0) }, read: { $0.day($1) })
}

extension CellForm<EntityID> {
  static let id = CellForm(allowed: "a UUID", write: { $1.plain("\($0)") }, read: { $0.id($1) })
}

extension CellForm<Bool> {
  static let flag = CellForm(
    allowed: "true, false", write: { $1.plain($0 ? "true" : "false") }, read: { $0.flag($1) })
}

extension CellForm<WallTime> {
  static let time = CellForm(allowed: "HH:MM", write: { $1.plain("\($0)") }, read: { $0.time($1) })
}

extension CellForm<Decimal> {
  static let amount = CellForm(
    allowed: Amounts.allowed, write: { $1.number($0) },
    read: { $0.number($1, in: Amounts.range, allowed: Amounts.allowed) { $0.scale <= 3 ? $0 : nil } })
}

extension CellForm<Int> {
  static func whole(_ range: ClosedRange<Int>) -> CellForm {
    .words("a whole number from \(range.lowerBound) to \(range.upperBound)", kind: .outOfRange, { "\($0)" }) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

/// The bounds of logged amounts.
enum Amounts {
  static let range = Decimal(0)...Decimal(1_000_000)
  static let allowed = "a number from 0 to 1000000 with at most 3 digits after the point"
}
