import CivilTime
import FileStore
import Values

/// Names and numbers the session is built on.
enum SessionConstants {
  static let meals = CollectionName("meals")
  static let weights = CollectionName("weights")
  static let exercises = CollectionName("exercises")
  static let water = CollectionName("water")
  static let measurements = CollectionName("measurements")
  /// Favourites.
  static let foods = CollectionName("foods")
  /// Saved meals.
  static let recipes = CollectionName("recipes")
  static let subscriptions = CollectionName("subscriptions")
  static let budgets = CollectionName("budgets")
  static let days = CollectionName("days")
  static let importLinks = CollectionName("table-links")
  /// Collections that the service has for itself: clients are told of none of their records.
  static let ownCollections: Set = [importLinks]
  static let settings = CollectionName("settings")
  static let rates = CollectionName("rates")
  static let onboarding = CollectionName("onboarding")
  /// The one record of the introduction.
  static let onboardingID = EntityID(high: 0, low: 2)
  /// The one record of the settings.
  static let settingsID = EntityID(high: 0, low: 1)
  /// The one record of the exchange rates.
  static let ratesID = EntityID(high: 0, low: 3)
  /// The member of a body that repeats when the record last changed.
  static let updateStamp = "updatedAt"
  /// How many items a page has when nobody says.
  static let pageSize = 1000
  /// So many Unicode scalars of a client's name are kept: it goes into every journal line.
  static let longestAuthor = 200
  /// How long a write waits for the folder's lock when its caller does not say, in milliseconds.
  static let lockTimeout = 5000
  /// The most days that a series has.
  static let longestSeries = 4000
  /// How many days' summaries are remembered.
  static let rememberedDays = 64
  /// How many days or points a list has at most.
  static let longestList = 5000
  /// After more changes than these, what was remembered of days is dropped as a whole.
  static let followedDayChanges = 256
  /// After more changes than these, what is known of foods is made anew.
  static let followedMealChanges = 2048
  /// How many foods are listed when nobody says.
  static let listedFoods = 20
  /// What a meal is called that has energy and no name.
  static let quickAddName = "Quick add"
}
