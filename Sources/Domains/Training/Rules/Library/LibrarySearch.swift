import DaybookProtocol

/// The library made ready to be searched: each word that occurs is looked at once for each word asked for.
package struct LibrarySearch: Sendable {
  /// A word that occurs in names or aliases.
  private struct Word {
    let scalars: [Unicode.Scalar]
    let letters: UInt64
  }

  /// A name, or an alias, of an exercise.
  private struct Title {
    let exercise: Int
    let isAlias: Bool
    /// Its words, by their numbers.
    let words: [Int]
  }

  private let exercises: [LibraryExercise]
  private var vocabulary: [Word] = []
  private var titles: [Title] = []

  package init(_ library: TrainingLibrary) {
    exercises = library.exercises
    var numbers: [[Unicode.Scalar]: Int] = [:]
    for (place, exercise) in library.exercises.enumerated() {
      for (index, text) in ([exercise.traits.name] + exercise.aliases).enumerated() {
        let words = SearchText.words(text).map { scalars in
          let number = numbers[scalars] ?? vocabulary.count
          if number == vocabulary.count {
            numbers[scalars] = number
            vocabulary.append(Word(scalars: scalars, letters: WordMatch.letters(scalars)))
          }
          return number
        }
        titles.append(Title(exercise: place, isAlias: index > 0, words: words))
      }
    }
  }

  /// The exercises that have each word of a query in their name, or in one of their aliases, in any order: best match first,
  /// favourites among equals, then by name. Without a query all, by name.
  ///
  /// - Complexity: Linear in the number of distinct words, and in the number of names and aliases.
  package func find(_ query: String?, where isAskedFor: (LibraryExercise) -> Bool) -> [LibraryExercise] {
    let asked = SearchText.words(query ?? "")
    guard !asked.isEmpty else {
      // A query of signs alone finds nothing.
      return query == nil ? exercises.filter(isAskedFor) : []
    }
    let costs = asked.map { word in
      let match = WordMatch(word)
      return vocabulary.map { match.cost(of: $0.scalars, letters: $0.letters) }
    }
    var best = [Int](repeating: Int.max, count: exercises.count)
    for title in titles {
      var cost = title.words.count * 2 + (title.isAlias ? 1 : 0)
      for table in costs {
        var least = WordMatch.none
        for word in title.words { least = min(least, table[word]) }
        guard least < WordMatch.none else {
          cost = Int.max
          break
        }
        cost += least * 32
      }
      best[title.exercise] = min(best[title.exercise], cost)
    }
    return exercises.indices.filter { best[$0] < Int.max && isAskedFor(exercises[$0]) }.sorted { left, right in
      if best[left] != best[right] { return best[left] < best[right] }
      if exercises[left].favourite != exercises[right].favourite { return exercises[left].favourite }
      return left < right
    }.map { exercises[$0] }
  }
}

/// How near words are to one that is looked for.
struct WordMatch {
  private let asked: [Unicode.Scalar]
  private let letters: UInt64
  private let allowedErrors: Int

  /// The cost of a word that does not match.
  static let none = 100

  init(_ asked: [Unicode.Scalar]) {
    self.asked = asked
    letters = WordMatch.letters(asked)
    allowedErrors = asked.count < 4 ? 0 : asked.count < 8 ? 1 : 2
  }

  /// A set of the letters of a word, those that share a bit being taken for one.
  static func letters(_ word: [Unicode.Scalar]) -> UInt64 { word.reduce(0) { $0 | 1 << UInt64($1.value & 63) } }

  /// 0 for the word itself, 1 for one that begins with it, more for one that would with some letters changed, left out, put in or
  /// swapped; `none` for any other.
  func cost(of word: [Unicode.Scalar], letters: UInt64) -> Int {
    // Each letter that the word has not is an error.
    guard (self.letters & ~letters).nonzeroBitCount <= allowedErrors else { return WordMatch.none }
    if word.starts(with: asked) { return word.count == asked.count ? 0 : 1 }
    guard allowedErrors > 0, word.count + allowedErrors >= asked.count else { return WordMatch.none }
    let (whole, beginning) = errors(in: word)
    if whole <= allowedErrors { return 2 * whole }
    return beginning <= allowedErrors ? 2 * beginning + 1 : WordMatch.none
  }

  /// The least number of errors that make the word, or a beginning of it, of what was asked for (optimal string alignment: Damerau
  /// 1964, without overlapping errors).
  private func errors(in word: [Unicode.Scalar]) -> (whole: Int, beginning: Int) {
    let width = word.count + 1
    var (before, last) = ([Int](repeating: 0, count: width), Array(0..<width))
    for row in 1...asked.count {
      var current = [Int](repeating: row, count: width)
      for column in 1..<width {
        let isSame = asked[row - 1] == word[column - 1]
        var least = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, asked[row - 1] == word[column - 2], asked[row - 2] == word[column - 1] {
          least = min(least, before[column - 2] + 1)
        }
        current[column] = least
      }
      (before, last) = (last, current)
    }
    return (last[width - 1], last.min() ?? asked.count)
  }
}
