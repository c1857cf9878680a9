import DaybookProtocol

/// Words that indicate traits, and the sentences of a profile.
enum PersonalityWords {
  /// Word stems that indicate a trait.
  private static let stems: [PersonalityTrait: [String]] = [
    .openness: [
      "art", "blog", "book", "cours", "creat", "cultur", "danc", "discover", "draw", "explor", "film", "guitar",
      "histor", "idea", "imagin", "instrument", "language", "learn", "museum", "music", "novel", "paint", "philosoph",
      "photo", "piano", "poem", "poet", "read", "science", "sketch", "stud", "travel", "vocabular", "writ",
    ],
    .conscientiousness: [
      "bill", "budget", "chore", "clean", "deadline", "declutter", "disciplin", "exercis", "file", "financ", "focus",
      "goal", "gym", "inbox", "laundr", "organi", "plan", "prepar", "review", "routine", "run", "sav", "schedul",
      "task", "tidy", "todo", "train", "wake", "work",
    ],
    .extraversion: [
      "call", "chat", "club", "colleague", "communit", "dance", "date", "dinner", "friend", "game", "group", "guest",
      "host", "invit", "meet", "network", "party", "people", "social", "speak", "talk", "team",
    ],
    .agreeableness: [
      "babysit", "caring", "charit", "child", "compliment", "donat", "family", "father", "forgiv", "gift", "give",
      "grandm", "grandp", "gratitud", "help", "kids", "kindness", "listen", "mentor", "mother", "parent", "share",
      "support", "thank", "volunteer",
    ],
  ]
  private static let stress = [
    "anger", "angry", "anxi", "cope", "coping", "fear", "nervous", "panic", "sad", "stress", "worr",
  ]
  private static let coping = [
    "breath", "calm", "mindful", "meditat", "nature", "relax", "sleep", "therap", "unwind", "yoga",
  ]

  /// How much the names of a habit and its category indicate a trait, −1 to 1: 0.5 for a matching word, little for any
  /// other. A high completion rate indicates conscientiousness, a low one neuroticism.
  static func weight(of trait: PersonalityTrait, _ name: String, completion: Double) -> Double {
    switch trait {
    case .neuroticism:
      let (hasStress, hasCoping) = (matches(name, stress), matches(name, coping))
      let base = hasStress && hasCoping ? 0.1 : hasStress ? 0.5 : hasCoping ? -0.3 : 0.05
      return base + (completion < 0.3 ? 0.3 : 0)
    case .conscientiousness: return (matches(name, trait) ? 0.5 : 0.05) + (completion > 0.7 ? 0.3 : 0)
    default: return matches(name, trait) ? 0.5 : 0.05
    }
  }

  /// Whether a name has a word that indicates a trait.
  static func matches(_ name: String, _ trait: PersonalityTrait) -> Bool { matches(name, stems[trait] ?? []) }

  private static func matches(_ name: String, _ stems: [String]) -> Bool {
    name.lowercased().split { !$0.isLetter }.contains { word in stems.contains { word.hasPrefix($0) } }
  }

  /// The sentence on the habits of a category.
  static func reason(
    _ category: String, _ habits: Int, _ percent: Int, _ trait: PersonalityTrait
  ) -> (_ isFor: Bool) -> String {
    { isFor in
      let what =
        habits == 1
        ? "1 habit of “\(category)”, met \(percent) %, speaks"
        : "\(habits) habits of “\(category)”, met \(percent) %, speak"
      return "\(what) \(isFor ? "for" : "against") \(trait.rawValue)."
    }
  }

  /// The traits by descending score; ties keep their order.
  static func ranked(_ traits: [TraitScore]) -> [TraitScore] {
    traits.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
  }

  /// The advice for the traits.
  static func insights(_ traits: [TraitScore]) -> [String] {
    let ranked = ranked(traits)
    func amount(_ hundredths: Int64) -> Decimal { Decimal(significand: hundredths, scale: 2) ?? .zero }
    var insights = ranked.prefix(3).filter { $0.score > amount(60) }.compactMap { recommendations[$0.trait] }
    if let first = ranked.first, first.score > amount(80), let pattern = patterns[first.trait] {
      insights.append(pattern)
    }
    if traits.count(where: { $0.score >= amount(35) && $0.score <= amount(65) }) >= 3 {
      insights.append("Most traits are near the middle: these habits keep a balance.")
    }
    return insights
  }

  private static let recommendations: [PersonalityTrait: String] = [
    .openness: "Openness is high: a habit that tries something new each week may suit.",
    .conscientiousness: "Conscientiousness is high: a larger goal, cut into daily steps, may suit.",
    .extraversion: "Extraversion is high: habits shared with others may be easier to keep.",
    .agreeableness: "Agreeableness is high: a habit that does somebody good may suit.",
    .neuroticism: "Neuroticism is high: fewer habits with smaller targets, and one for rest, may be easier to keep.",
  ]
  private static let patterns: [PersonalityTrait: String] = [
    .openness: "The habits turn to what is new again and again.",
    .conscientiousness: "The habits are kept with great regularity.",
    .extraversion: "The habits are about other people more than anything else.",
    .agreeableness: "The habits are about doing good to others more than anything else.",
    .neuroticism: "The habits show strain more than anything else.",
  ]
}
