import DaybookProtocol
import Nutrition

extension EnergyRules.Person {
  /// The person that the settings describe.
  package init(_ settings: Settings) {
    self.init(
      sex: settings.sex, age: settings.age, height: settings.height,
      weight: settings.energyWeight?.weight ?? settings.startingWeight,
      activityLevel: settings.activityLevel)
  }
}
