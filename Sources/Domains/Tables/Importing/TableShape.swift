/// How a table that some program exports is recognized by its headers.
package struct TableShape: Sendable {
  /// The headers, without units, that identify the table; empty for an unknown program's.
  package let signature: [String]
  /// The headers that suffice when the caller states the format.
  let statedSignature: [String]
  package let fields: [TableField]
  /// Headers that exclude the table.
  let foreign: Set<String>
  /// Headers of which one alone reveals the table, even if its signature is incomplete.
  let telling: Set<String>
  /// Whether any program may have written it, so that it needs no signature.
  let isAnybodys: Bool
  /// Whether its program always writes decimal points, as ours does.
  let hasPoints: Bool
  /// The fields whose cells show how the table writes days.
  let days: [String]
  /// The fields whose cells show how the table writes numbers; a unit may follow the number.
  let numbers: [String]

  package init(
    signature: [String], statedSignature: [String]? = nil, fields: [TableField], foreign: Set<String> = [],
    telling: Set<String> = [],
    isAnybodys: Bool = false, hasPoints: Bool = false, days: [String], numbers: [String]
  ) {
    self.signature = signature
    self.statedSignature = statedSignature ?? signature
    self.fields = fields
    self.foreign = foreign
    self.telling = telling
    self.isAnybodys = isAnybodys
    self.hasPoints = hasPoints
    self.days = days
    self.numbers = numbers
  }

  func isExcluded(by headers: [TableHeader]) -> Bool { headers.contains { foreign.contains($0.base) } }

  func matches(_ headers: [TableHeader], isStated: Bool) -> Bool {
    let signature = isStated ? statedSignature : signature
    return !signature.isEmpty && signature.allSatisfy { name in headers.contains { $0.base == name } }
      && !isExcluded(by: headers)
  }

  /// Whether a single header reveals that this is the table, or a rest of it.
  func isRevealed(by headers: [TableHeader]) -> Bool { headers.contains { telling.contains($0.base) } }
}
