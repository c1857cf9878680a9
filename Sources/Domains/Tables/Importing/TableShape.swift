/// A table that some program exports, as it is recognized: by its headers.
package struct TableShape: Sendable {
  /// Headers, units aside, that are all there when it is this table; none for a table that can be anybody's.
  package let signature: [String]
  /// Those that are enough where it is said whose it is.
  let statedSignature: [String]
  package let fields: [TableField]
  /// Headers that it never has: a table with one of them is somebody else's.
  package let foreign: Set<String>
  /// Headers that nobody else's table has: one with any of them is this one, even if parts of its signature are missing.
  package let telling: Set<String>
  /// Whether its headers need not be its signature: a table that anybody may write.
  package let isAnybodys: Bool
  /// Whether we write it ourselves, with points before fractions.
  package let isOurs: Bool
  /// The fields whose cells are days, and those whose cells are numbers, perhaps with a unit beside: they show how the table
  /// writes such.
  package let days: [String]
  package let numbers: [String]

  package init(
    signature: [String], statedSignature: [String]? = nil, fields: [TableField], foreign: Set<String> = [],
    telling: Set<String> = [],
    isAnybodys: Bool = false, isOurs: Bool = false, days: [String], numbers: [String]
  ) {
    self.signature = signature
    self.statedSignature = statedSignature ?? signature
    self.fields = fields
    self.foreign = foreign
    self.telling = telling
    self.isAnybodys = isAnybodys
    self.isOurs = isOurs
    self.days = days
    self.numbers = numbers
  }

  /// Whether the headers are this table's; fewer tell where it is stated whose it is.
  func matches(_ headers: [TableHeader], isStated: Bool) -> Bool {
    let signature = isStated ? statedSignature : signature
    return !signature.isEmpty && signature.allSatisfy { name in headers.contains { $0.base == name } }
      && !headers.contains { foreign.contains($0.base) }
  }

  /// Whether one of the headers tells that it is this table, or what is left of it.
  func isTold(by headers: [TableHeader]) -> Bool { headers.contains { telling.contains($0.base) } }
}
