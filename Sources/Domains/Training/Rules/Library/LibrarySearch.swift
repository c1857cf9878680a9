import DaybookProtocol
import TextFolding

/// The search index of the library: each distinct word is compared once per word of the query.
package struct LibrarySearch: Sendable {
  /// A distinct word of names and aliases.
  private struct Word {
    let scalars: [Unicode.Scalar]
    let letters: UInt64
  }

  /// A name or alias of an exercise.
  private struct Title {
    let exercise: Int
    let isAlias: Bool
    /// Indices into the vocabulary.
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

  /// The exercises with each word of a query in their name, or in one alias, in any order: best match first, favourites
  /// first among equals, then by name. Without a query, all by name.
  package func find(_ query: String?, where isAskedFor: (LibraryExercise) -> Bool) -> [LibraryExercise] {
    let asked = SearchText.words(query ?? "")
    guard !asked.isEmpty else {
      // A query without letters and digits finds nothing.
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

/// The distance of words from a word of the query.
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

  /// The letters of a word as a bit set; letters may share a bit.
  static func letters(_ word: [Unicode.Scalar]) -> UInt64 { word.reduce(0) { $0 | 1 << UInt64($1.value & 63) } }

  /// 0 for the word itself, 1 for a word that begins with it, more for a match with typing errors; `none` for no match.
  func cost(of word: [Unicode.Scalar], letters: UInt64) -> Int {
    // Each missing letter is an error.
    guard (self.letters & ~letters).nonzeroBitCount <= allowedErrors else { return WordMatch.none }
    if word.starts(with: asked) { return word.count == asked.count ? 0 : 1 }
    guard allowedErrors > 0, word.count + allowedErrors >= asked.count else { return WordMatch.none }
    let (whole, beginning) = errors(in: word)
    if whole <= allowedErrors { return 2 * whole }
    return beginning <= allowedErrors ? 2 * beginning + 1 : WordMatch.none
  }

  /// The optimal string alignment distance (Damerau 1964, without overlapping errors) from the query to the word, and
  /// to its closest prefix.
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

/// Normalizes text for searching and matching.
package enum SearchText {
  /// The words of a text: letters and digits, without case and diacritics. Everything else separates words, except
  /// apostrophes.
  package static func words(_ text: String) -> [[Unicode.Scalar]] {
    var words: [[Unicode.Scalar]] = [[]]
    var plain: [UInt8] = []
    for scalar in text.unicodeScalars where !isIgnored(scalar.value) {
      plain.removeAll(keepingCapacity: true)
      if scalar.value < 0x80
        ? isWordByte(scalar.value) : scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      {
        if scalar.value >= 0x80, LatinLetters.appendPlain(of: scalar.value, to: &plain) {
          words[words.count - 1] += plain.map { Unicode.Scalar($0) }
        } else {
          words[words.count - 1] += scalar.properties.lowercaseMapping.unicodeScalars
        }
      } else if words.last?.isEmpty == false {
        words.append([])
      }
    }
    return words.filter { !$0.isEmpty }
  }

  /// The words joined by spaces; for a text without words, the text in lowercase.
  package static func folded(_ text: String) -> String {
    let words = words(text)
    guard !words.isEmpty else { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for (place, word) in words.enumerated() {
      if place > 0 { folded.append(" ") }
      folded.append(contentsOf: word)
    }
    return String(folded)
  }

  private static func isWordByte(_ value: UInt32) -> Bool {
    (0x30...0x39).contains(value) || (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value)
  }

  /// Apostrophes and combining marks.
  private static func isIgnored(_ value: UInt32) -> Bool {
    value == 0x27 || value == 0x2019 || (0x0300...0x036F).contains(value)
  }
}
