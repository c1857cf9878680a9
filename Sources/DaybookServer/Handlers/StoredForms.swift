import DaybookProtocol
import FileStore
import JSON
import Values

/// What records of the collections look like that this program knows.
package enum StoredForms {
  /// What is wrong with a record that is to be imported; nil when nothing is, or nobody here knows its collection.
  package static func problem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    switch candidate.collection {
    case SessionConstants.meals: mealProblem(candidate)
    case SessionConstants.settings: settingsProblem(candidate)
    default: nil
    }
  }

  private static func mealProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    do throws(JSONError) {
      let meal = try read(Meal.self, candidate.body)
      guard meal.id == candidate.id else { return StoreImportProblem(pointer: "/body/id", reason: "it is another id") }
      guard meal.day == candidate.day else {
        return StoreImportProblem(pointer: "/body/day", reason: "it is another day")
      }
      guard meal.createdAt == candidate.createdAt else {
        return StoreImportProblem(pointer: "/body/createdAt", reason: "“created” is another instant")
      }
      guard meal.updatedAt == candidate.updatedAt else {
        return StoreImportProblem(pointer: "/body/updatedAt", reason: "“updated” is another instant")
      }
      return nil
    } catch { return problem(error, candidate.body) }
  }

  private static func settingsProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    guard candidate.id == SessionConstants.settingsID, candidate.day == nil else {
      return StoreImportProblem(pointer: "/id", reason: "the settings are one record, \(SessionConstants.settingsID)")
    }
    do throws(JSONError) { _ = try read(Settings.self, candidate.body) } catch {
      return problem(error, candidate.body)
    }
    return nil
  }

  private static func formProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    let known = RecordMigrations.daybook.schema(of: candidate.collection)
    guard candidate.schema > known else { return nil }
    return StoreImportProblem(
      pointer: "/schema", reason: "a newer version of this program wrote it; this one knows \(known)")
  }

  /// As when it is read from the store: members and values of a later version are passed over.
  private static func read<Entity: JSONDecodable>(
    _ type: Entity.Type, _ body: UnsafeRawBufferPointer
  ) throws(JSONError) -> Entity {
    try JSONReader.read(body) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      reader.acceptsUnknownValues = true
      return try Entity(from: &reader)
    }
  }

  private static func problem(_ error: JSONError, _ body: UnsafeRawBufferPointer) -> StoreImportProblem {
    StoreImportProblem(pointer: "/body" + error.pointer(in: body), reason: error.description)
  }
}
