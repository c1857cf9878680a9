import CivilTime
import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Nutrition

/// Answers what is asked of meals, days, foods, weights, exercise, water and measurements, and remembers what that takes.
/// Dropping any of what it remembers changes no answer.
package final class NutritionService {
  /// What the days asked for lately come to.
  var summaries = RevisionCache<[CivilDay: KeptSummary]>()
  /// That of them which was asked for last.
  var latestSummary = RevisionCache<KeptSummary>()
  var weightTrend = RevisionCache<WeightTrend>()
  var dayMemory = DayMemory()
  var foods = FoodMemory()

  package init() {}

  /// What is wrong with the params of a request. Energy burned, logged as food, is told where it belongs.
  package func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    let problem = RPCError(params: error, in: text)
    guard method != .exercisesAdd, method != .exercisesUpdate, NutritionService.isNegativeFood(error, in: text) else {
      return problem
    }
    return RPCError(
      .invalidParams, problem.message, pointer: error.pointer(in: text), allowed: error.expected,
      hint: "energy burned is logged with “exercises/add”")
  }

  /// Whether somebody tries to log exercise as food.
  private static func isNegativeFood(_ error: JSONError, in text: UnsafeRawBufferPointer) -> Bool {
    error.code == .outOfRange && text.indices.contains(error.offset) && text[error.offset] == UInt8(ascii: "-")
      && error.pointer(in: text).hasSuffix("/calories")
  }
}

/// Names and numbers of nutrition.
enum NutritionConstants {
  /// The most days that a series has.
  static let longestSeries = 4000
  /// How many days' summaries are remembered.
  static let rememberedDays = 64
  /// How many days or points a list has at most.
  static let longestList = 5000
  /// After more changes than these, what was remembered of days is dropped as a whole.
  static let followedDayChanges = 256
  /// After more changes than these, what is known of foods is made again.
  static let followedMealChanges = 2048
  /// How many foods are listed when the request does not say.
  static let listedFoods = 20
  /// What a meal is called that has energy and no name.
  static let quickAddName = "Quick add"
}
