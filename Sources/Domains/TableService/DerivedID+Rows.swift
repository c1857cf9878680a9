import DomainKit
import Values

extension DerivedID {
  /// The identity of a row of a table, by what tells it from others.
  package static func row(ofKey key: String) -> EntityID { id("table row\u{1F}", Array(key.utf8)) }
}
