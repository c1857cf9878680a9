import DomainKit
import Habits

extension HabitsService {
  private func choice(_ context: Context) throws(RPCError) -> PersonalityChoice? {
    guard let record = try context.snapshot().record(PersonalityChoice.singleID, in: PersonalityChoice.collection)
    else {
      return nil
    }
    return try context.decode(PersonalityChoice.self, record)
  }

  func personalityConfigure(
    _ params: PersonalityConfigureParams, _ context: inout Context
  ) throws(RPCError) -> PersonalityConfigureResult {
    let new = PersonalityChoice(enabled: params.enabled)
    let old = try choice(context)
    let isSame = old == new || old == nil && !params.enabled
    let revision = isSame ? try context.storeRevision() : try context.commit([try context.put(new)])
    return PersonalityConfigureResult(personality: new, revision: revision)
  }

  func personalityDelete(_ params: NoParams, _ context: inout Context) throws(RPCError) -> PersonalityDeleteResult {
    guard try choice(context) != nil else {
      return PersonalityDeleteResult(changed: false, revision: try context.storeRevision())
    }
    let revision = try context.commit([.delete(PersonalityChoice.collection, id: PersonalityChoice.singleID)])
    return PersonalityDeleteResult(changed: true, revision: revision)
  }
  func personalityGet(_ params: NoParams, _ context: inout Context) throws(RPCError) -> PersonalityGetResult {
    let revision = try context.storeRevision()
    guard try choice(context)?.enabled == true else { return PersonalityGetResult(enabled: false, revision: revision) }
    let days = context.today.advanced(by: 1 - Personality.dayCount)...context.today
    var logged: Set<CivilDay> = []
    for entry in try book(context).entries where entry.habit.archivedDay == nil {
      logged.formUnion(try figures(entry, context).history.records.lazy.filter { $0.value != nil }.map(\.day))
    }
    let personality = Personality(
      habits: try timelines(context), categories: try categories(context),
      logCount: try context.snapshot().count(in: HabitLog.collection, days: days), loggedDays: logged,
      today: context.today)
    return personality.result(revision: revision)
  }
}
