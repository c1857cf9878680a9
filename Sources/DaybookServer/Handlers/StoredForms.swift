import CivilTime
import DaybookProtocol
import Estimation
import FileStore
import JSON
import Nutrition
import SettingsDocument
import Subscriptions
import Values

/// What records of the collections look like that this program knows.
package enum StoredForms {
  /// What is wrong with a record that is to be imported; nil when nothing is, or nobody here knows its collection.
  package static func problem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    switch candidate.collection {
    case SessionConstants.meals: loggedProblem(Meal.self, candidate) ?? mealProblem(candidate)
    case SessionConstants.weights: loggedProblem(WeightEntry.self, candidate) ?? weightProblem(candidate)
    case SessionConstants.exercises: loggedProblem(Exercise.self, candidate) ?? exerciseProblem(candidate)
    case SessionConstants.water: loggedProblem(WaterEntry.self, candidate) ?? waterProblem(candidate)
    case SessionConstants.measurements: loggedProblem(Measurement.self, candidate)
    case SessionConstants.foods: loggedProblem(Favourite.self, candidate) ?? favouriteProblem(candidate)
    case SessionConstants.recipes: loggedProblem(Recipe.self, candidate) ?? recipeProblem(candidate)
    case SessionConstants.subscriptions:
      loggedProblem(DaybookProtocol.Subscription.self, candidate) ?? subscriptionProblem(candidate)
    case SessionConstants.budgets:
      loggedProblem(DaybookProtocol.Budget.self, candidate) ?? budgetProblem(candidate)
    case SessionConstants.days: entryProblem(candidate)
    case SessionConstants.settings: settingsProblem(candidate)
    case SessionConstants.rates: ratesProblem(candidate)
    case SessionConstants.onboarding: onboardingProblem(candidate)
    default: nil
    }
  }

  private static func loggedProblem<Entity: KeptEntity>(
    _ type: Entity.Type, _ candidate: borrowing ImportCandidate
  ) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    do throws(JSONError) {
      let entity = try read(Entity.self, candidate.body)
      guard entity.id == candidate.id else {
        return StoreImportProblem(pointer: "/body/id", reason: "it is another id")
      }
      return placeProblem(candidate, day: entity.recordDay, createdAt: entity.createdAt, updatedAt: entity.updatedAt)
    } catch { return problem(error, candidate.body) }
  }

  private static func entryProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    do throws(JSONError) {
      let entry = try read(DayEntry.self, candidate.body)
      guard entry.id == candidate.id else { return StoreImportProblem(pointer: "/body/id", reason: "it is another id") }
      let id = DayEntryRules.id(of: entry.day)
      guard entry.id == id else {
        return StoreImportProblem(pointer: "/id", reason: "a day has one entry, \(entry.day) has \(id)")
      }
      return placeProblem(candidate, day: entry.day, createdAt: entry.createdAt, updatedAt: entry.updatedAt)
    } catch { return problem(error, candidate.body) }
  }

  /// A meal whose estimate is none, or has led to another number.
  private static func mealProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let meal = try read(Meal.self, candidate.body)
      return MealNumbers.problem(calories: meal.calories, estimate: meal.estimate)
        .map { StoreImportProblem(pointer: "/body" + $0.pointer, reason: $0.message) }
    } catch { return problem(error, candidate.body) }
  }

  /// A weight whose kilograms are not what was typed.
  private static func weightProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let entry = try read(WeightEntry.self, candidate.body)
      guard case .unknown = entry.typed.unit else {
        return (try? WeightUnits.kilograms(entry.typed)) == entry.weight
          ? nil : StoreImportProblem(pointer: "/body/weight", reason: "it is not what was typed")
      }
      return nil
    } catch { return problem(error, candidate.body) }
  }

  /// A volume that is not what was typed.
  private static func waterProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let entry = try read(WaterEntry.self, candidate.body)
      guard VolumeUnit.known.contains(entry.typed.unit) else { return nil }
      return (try? VolumeUnits.millilitres(entry.typed)) == entry.volume
        ? nil : StoreImportProblem(pointer: "/body/volume", reason: "it is not what was typed")
    } catch { return problem(error, candidate.body) }
  }

  /// An exercise whose source makes no sense, or that would count a training session a second time.
  private static func exerciseProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let source = try read(Exercise.self, candidate.body).source
      if let problem = ExerciseRules.problem(source) {
        return StoreImportProblem(pointer: "/body/source/\(problem.member)", reason: problem.message)
      }
      guard let id = ExerciseRules.identity(source), id != candidate.id else { return nil }
      return StoreImportProblem(
        pointer: "/body/source/id", reason: "the exercise of a training session has the session's id, \(id)")
    } catch { return problem(error, candidate.body) }
  }

  /// A favourite whose id does not follow from its name: there would be two of one food.
  private static func favouriteProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let id = DerivedID.favourite(FoodName.folded(try read(Favourite.self, candidate.body).name))
      return id == candidate.id
        ? nil : StoreImportProblem(pointer: "/id", reason: "a food is a favourite once, this one as \(id)")
    } catch { return problem(error, candidate.body) }
  }

  /// A saved meal that makes no portions, or that nothing goes into.
  private static func recipeProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let recipe = try read(Recipe.self, candidate.body)
      guard recipe.portions > .zero else {
        return StoreImportProblem(pointer: "/body/portions", reason: "it has to be more than 0")
      }
      guard RecipeRules.itemCounts.contains(recipe.items.count) else {
        return StoreImportProblem(pointer: "/body/items", reason: "1 to 100 items are allowed")
      }
      return nil
    } catch { return problem(error, candidate.body) }
  }

  /// A subscription that no rule allows.
  private static func subscriptionProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      let subscription = try read(DaybookProtocol.Subscription.self, candidate.body)
      return SubscriptionProblem.all(in: subscription).first
        .map { StoreImportProblem(pointer: "/body" + $0.pointer, reason: "\($0.message); allowed: \($0.allowed)") }
    } catch { return problem(error, candidate.body) }
  }

  /// A budget that leaves nothing to spend, or is of no currency.
  private static func budgetProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    do throws(JSONError) {
      return try read(DaybookProtocol.Budget.self, candidate.body).problem
        .map { StoreImportProblem(pointer: "/body" + $0.pointer, reason: $0.message) }
    } catch { return problem(error, candidate.body) }
  }

  /// What is wrong when the text of a record says something else than what stands beside it.
  private static func placeProblem(
    _ candidate: borrowing ImportCandidate, day: CivilDay?, createdAt: Instant, updatedAt: Instant
  ) -> StoreImportProblem? {
    guard day == candidate.day else { return StoreImportProblem(pointer: "/body/day", reason: "it is another day") }
    guard createdAt == candidate.createdAt else {
      return StoreImportProblem(pointer: "/body/createdAt", reason: "“created” is another instant")
    }
    guard updatedAt == candidate.updatedAt else {
      return StoreImportProblem(pointer: "/body/updatedAt", reason: "“updated” is another instant")
    }
    return nil
  }

  private static func settingsProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    guard candidate.id == SessionConstants.settingsID, candidate.day == nil else {
      return StoreImportProblem(pointer: "/id", reason: "the settings are one record, \(SessionConstants.settingsID)")
    }
    let present = RecordMigrations.daybook.presentForm(
      of: candidate.body, schema: candidate.schema, in: candidate.collection)
    guard let present else { return formProblem(Settings.self, candidate.body) ?? typedProblem(candidate.body) }
    return present.withUnsafeBytes { formProblem(Settings.self, $0) ?? typedProblem($0) }
  }

  /// Settings whose measures are not what was typed.
  private static func typedProblem(_ body: UnsafeRawBufferPointer) -> StoreImportProblem? {
    guard let settings = try? read(Settings.self, body), let problem = TypedMeasures.problem(in: settings) else {
      return nil
    }
    return StoreImportProblem(pointer: "/body" + problem.pointer, reason: problem.message)
  }

  /// Exchange rates that could not have been set.
  private static func ratesProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    guard candidate.id == SessionConstants.ratesID, candidate.day == nil else {
      return StoreImportProblem(
        pointer: "/id", reason: "the exchange rates are one record, \(SessionConstants.ratesID)")
    }
    do throws(JSONError) {
      let stored = try read(ExchangeRates.self, candidate.body)
      guard stored.rates[stored.base] == nil else {
        return StoreImportProblem(pointer: "/body/rates/\(stored.base)", reason: "the base has no rate")
      }
      do throws(SubscriptionProblem) {
        _ = try Subscriptions.RateTable(typedBase: stored.base, date: stored.date, rates: stored.rates)
        return nil
      } catch { return StoreImportProblem(pointer: "/body" + error.pointer, reason: error.message) }
    } catch { return problem(error, candidate.body) }
  }

  private static func onboardingProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    if let problem = formProblem(candidate) { return problem }
    guard candidate.id == SessionConstants.onboardingID, candidate.day == nil else {
      return StoreImportProblem(
        pointer: "/id", reason: "the introduction is one record, \(SessionConstants.onboardingID)")
    }
    return formProblem(OnboardingRecord.self, candidate.body)
  }

  private static func formProblem<Entity: JSONDecodable>(
    _ type: Entity.Type, _ body: UnsafeRawBufferPointer
  ) -> StoreImportProblem? {
    do throws(JSONError) { _ = try read(type, body) } catch { return problem(error, body) }
    return nil
  }

  private static func formProblem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    let known = RecordMigrations.daybook.schema(of: candidate.collection)
    guard candidate.schema > known else { return nil }
    return StoreImportProblem(
      pointer: "/schema", reason: "a newer version of this program wrote it; this one knows \(known)")
  }

  /// As when it is read from the store: members and values of a later version are passed over.
  static func read<Entity: JSONDecodable>(
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
