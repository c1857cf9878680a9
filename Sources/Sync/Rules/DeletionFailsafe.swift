/// The rule that holds back deletions which look like an accident elsewhere.
package enum DeletionFailsafe {
  /// Whether the user has to confirm the deletions of a pull: more than 20, and more than a fifth of the records.
  ///
  /// - Parameters:
  ///   - removed: The records here that would be deleted.
  ///   - records: All records here that travel, before the pull.
  package static func asks(removed: Int, of records: Int) -> Bool { removed > 20 && removed > records / 5 }
}
