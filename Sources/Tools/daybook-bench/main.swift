// daybook-bench: how fast the service is, measured beside what it has to be compared with.
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
