import DaybookProtocol
import Values

/// A habit, with its frequency in thousandths per day.
struct Habit {
  let name: String
  let unit: String
  let values: ClosedRange<Int>
  let perDay: Int
  var id = EntityID(high: 0, low: 0)

  init(_ name: String, _ unit: String, _ values: ClosedRange<Int>, perDay: Int) {
    self.name = name
    self.unit = unit
    self.values = values
    self.perDay = perDay
  }
}

/// Sample habits, exercises, workouts and subscriptions.
enum Habits {
  static let all = [
    Habit("Water", "glass", 1...2, perDay: 7250), Habit("Coffee", "cup", 1...1, perDay: 2950),
    Habit("Steps", "step", 300...5200, perDay: 4750), Habit("Fruit and vegetables", "portion", 1...2, perDay: 3300),
    Habit("Stretching", "min", 2...12, perDay: 2050), Habit("Reading", "page", 4...40, perDay: 1700),
    Habit("Mood", "point", 1...10, perDay: 3050), Habit("Meditation", "min", 5...20, perDay: 900),
    Habit("Vitamin D", "", 1...1, perDay: 950), Habit("Phone unlocked", "time", 1...40, perDay: 2150),
    Habit("Spanish words", "word", 5...30, perDay: 1000), Habit("No sweets", "", 0...1, perDay: 800),
    Habit("Piano", "min", 10...60, perDay: 500), Habit("Sleep", "min", 310...560, perDay: 1050),
  ]

  static let exercises = [
    "Back squat", "Bench press", "Deadlift", "Overhead press", "Barbell row", "Pull-up", "Dip", "Lunge",
    "Romanian deadlift", "Plank", "Leg press", "Lat pulldown", "Biceps curl", "Face pull",
  ]

  static let workouts = ["Push", "Pull", "Legs", "Full body", "Upper body", "Running, easy"]

  static let subscriptions: [(name: String, category: SubscriptionCategory)] = [
    ("Spotify", .music), ("Netflix", .streaming), ("iCloud+", .cloud), ("Gym", .fitness), ("The Guardian", .news),
    ("Mobile plan", .utilities), ("Broadband", .utilities), ("Deutschlandticket", .other), ("GitHub", .productivity),
    ("Disney+", .streaming), ("Audible", .education), ("Duolingo", .education), ("Password manager", .productivity),
    ("Domain name", .productivity), ("Le Monde", .news), ("Bike insurance", .other), ("Meal kit", .other),
  ]
}
