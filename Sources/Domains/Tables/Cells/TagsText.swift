/// Tags in one cell: `work; tv`. A backslash escapes semicolons and backslashes in a tag.
package enum TagsText {
  package static func text(_ tags: [String]) -> String {
    tags.map { tag in
      var text = ""
      for character in tag.unicodeScalars {
        if character == ";" || character == "\\" { text.unicodeScalars.append("\\") }
        text.unicodeScalars.append(character)
      }
      return text
    }.joined(separator: "; ")
  }

  package static func tags(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var tags: [String] = []
    var tag = String.UnicodeScalarView()
    var isEscaped = false
    var isFirst = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        tag.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == ";" {
        tags.append(String(tag))
        tag = String.UnicodeScalarView()
        isFirst = true
        continue
      } else if !(isFirst && scalar == " ") {
        tag.append(scalar)
      }
      isFirst = false
    }
    if isEscaped { tag.append("\\") }
    tags.append(String(tag))
    return tags
  }
}
