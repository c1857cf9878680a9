// daybook-bench: measures the service next to reference implementations.
import BenchKit
import Foundation
import HabitsBench
import NutritionBench
import SubscriptionsBench
import TrainingBench

exit(
  BenchCommand.run(
    Array(CommandLine.arguments.dropFirst()),
    NutritionBench.groups + SubscriptionsBench.groups + HabitsBench.groups
      + TrainingBench.groups))
