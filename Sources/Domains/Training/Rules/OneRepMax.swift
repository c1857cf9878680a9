import DaybookProtocol
import Values

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Estimates of the most weight for one repetition. One repetition is itself the most, by every formula.
package enum OneRepMax {
  /// By what the weight of a set is multiplied; nil where the formula does not reach.
  ///
  /// Brzycki 1993: 36 ÷ (37 − r), of at most 12 repetitions. Epley 1985: 1 + r ÷ 30. Lombardi 1989: r^0.1. O'Conner et al. 1989:
  /// 1 + r ÷ 40. Wathan 1994: 100 ÷ (48.8 + 53.8 · e^(−0.075 · r)).
  package static func factor(_ reps: Int, _ formula: OneRepMaxFormula) -> Double? {
    guard reps >= 1 else { return nil }
    guard reps > 1 else { return 1 }
    let count = Double(reps)
    switch formula {
    case .brzycki, .unknown: return reps <= 12 ? 36 / (37 - count) : nil
    case .epley: return 1 + count / 30
    case .lombardi: return pow(count, 0.1)
    case .oconner: return 1 + count / 40
    case .wathan: return 100 / (48.8 + 53.8 * exp(-0.075 * count))
    }
  }

  /// The most for one repetition by a set, in the unit of its weight, rounded to two digits; nil where the formula does not reach.
  package static func estimate(_ weight: Decimal, reps: Int, _ formula: OneRepMaxFormula) -> Decimal? {
    factor(reps, formula).flatMap { Decimal(rounding: weight.double * $0, toScale: 2) }
  }
}
