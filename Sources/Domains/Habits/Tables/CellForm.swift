import CivilTime
import DaybookProtocol
import Tables
import Values

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
      if value == nil { reader.refuse(kind, field, "it is malformed", allowed: allowed) }
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
      guard let text = reader.raw(field).map({ CellText.restored($0).trimmedCell }) else { return nil }
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
  static let day = CellForm(allowed: "a day from 1900-01-01 to 2200-12-31") { day, writer in
    writer.day(day)
  } read: { reader, field in
    reader.day(field)
  }
}

extension CellForm<EntityID> {
  static let id = CellForm(allowed: "a UUID") { id, writer in
    writer.plain("\(id)")
  } read: { reader, field in
    reader.id(field)
  }
}

extension CellForm<Bool> {
  static let flag = CellForm(allowed: "true, false") { flag, writer in
    writer.plain(flag ? "true" : "false")
  } read: { reader, field in
    reader.flag(field)
  }
}

extension CellForm<WallTime> {
  static let time = CellForm(allowed: "HH:MM") { time, writer in
    writer.plain("\(time)")
  } read: { reader, field in
    reader.time(field)
  }
}

extension CellForm<Decimal> {
  static let amount = CellForm(allowed: Amounts.allowed) { amount, writer in
    writer.number(amount)
  } read: { reader, field in
    reader.number(field, in: Amounts.range, allowed: Amounts.allowed) { $0.scale <= 3 ? $0 : nil }
  }
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
