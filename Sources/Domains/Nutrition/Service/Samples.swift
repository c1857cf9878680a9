#if DEBUG
  import DomainKit

  extension NutritionService {
    package static let sampled: [EventDomain] = [.meals]

    /// Three meals a day of the current week; none if the week has any.
    package func samples(_ context: Context, fraction: () -> Double) throws(RPCError) -> [Operation] {
      let week = context.today.week(from: context.firstWeekday.index)
      guard try context.snapshot().records(in: Meal.collection, days: week, limit: 1).isEmpty else { return [] }
      var operations: [Operation] = []
      for day in week.days {
        for (name, kind) in [("Breakfast", MealType.breakfast), ("Lunch", .lunch), ("Dinner", .dinner)] {
          let meal = Meal(
            id: context.newID(), day: day, zone: context.zoneName, name: "Debug \(name)", calories: 700,
            mealType: kind, protein: Decimal(25), carbs: Decimal(50), fat: Decimal(50), createdAt: context.now,
            updatedAt: context.now)
          operations.append(try context.put(new: meal))
        }
      }
      return operations
    }
  }
#endif
