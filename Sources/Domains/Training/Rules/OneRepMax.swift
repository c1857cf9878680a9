import DaybookProtocol
import Values

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

extension OneRepMaxFormula {
  /// How often as heavy the most for one repetition is as the most for so many: 1 for one. Nil where the formula does not reach: for no
  /// repetitions, for more than 12 by Brzycki (1993), for more than 30 by Epley (1985), Lombardi (1989), O'Conner (1989) and Wathan (1994).
  package func factor(reps: Int) -> Double? {
    guard reps != 1 else { return 1 }
    guard (2...(self == .brzycki ? 12 : 30)).contains(reps) else { return nil }
    let reps = Double(reps)
    return switch self {
    case .brzycki: 36 / (37 - reps)
    case .epley: 1 + reps / 30
    case .lombardi: pow(reps, 0.1)
    case .oconner: 1 + reps / 40
    case .wathan: 100 / (48.8 + 53.8 * exp(-0.075 * reps))
    case .unknown: nil
    }
  }

  /// The most for one repetition of who lifts a weight so often, in its unit; nil where the formula does not reach.
  package func oneRepMax(_ weight: Double, reps: Int) -> Double? { factor(reps: reps).map { weight * $0 } }
}
