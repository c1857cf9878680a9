import DaybookProtocol
import Nutrition
import Values

extension SettingsRules {
  /// Why the lowest target of a day may be too low; nil when nothing says so.
  package static func warnings(_ settings: Settings) -> [TargetWarning]? {
    let ofDays = (settings.weekdayTargets ?? []).map { target in
      (target: settings.totalCalories - target.targetDeficit, weekday: Optional(target.weekday))
    }
    // Where every day has its own, that of all is of none.
    let ofAll: [(target: Int, weekday: Weekday?)] =
      ofDays.count < Weekday.known.count ? [(DayRules.eatingTarget(settings), nil)] : []
    guard let lowest = (ofAll + ofDays).min(by: { $0.target < $1.target }) else { return nil }
    let basal = EnergyRules.basalMetabolicRate(EnergyRules.Person(settings))?.rounded(toScale: 0)?.units(ofScale: 0)
    let limits = [
      (
        TargetWarningKind.belowBasalRate, basal.map { Int($0) },
        "basal metabolic rate, Mifflin and St Jeor 1990"
      ),
      (
        .belowMinimum, settings.sex == .male ? 1500 : 1200,
        "NHLBI, Aim for a Healthy Weight: eating plans of 1,200 to 1,500 kcal for women, 1,500 to 1,800 for men"
      ),
    ]
    let warnings = limits.compactMap { kind, limit, source -> TargetWarning? in
      guard let limit, lowest.target < limit else { return nil }
      return TargetWarning(
        kind: kind, eatingTarget: lowest.target, weekday: lowest.weekday, limit: limit, source: source)
    }
    return warnings.isEmpty ? nil : warnings
  }
}
