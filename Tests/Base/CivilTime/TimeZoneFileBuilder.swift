@testable import CivilTime

/// Writes TZif files for tests: valid by default, invalid by changing a part.
struct TimeZoneFileBuilder {
  var version = UInt8(ascii: "2")
  var types: [(offset: Int32, flag: UInt8, designation: UInt8)] = [(3600, 0, 0), (7200, 1, 4)]
  var designations = Array("CET\0CEST\0".utf8)
  var transitions: [(time: Int64, type: UInt8)] = [(0, 1), (10_000_000, 0), (25_664_400, 0)]
  var leapSeconds: [(time: Int64, correction: Int32)] = []
  var standardFlags: [UInt8] = []
  var utcFlags: [UInt8] = []
  var footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

  /// The file: one 32-bit block for version 1, else a 32-bit stub, a 64-bit block and the footer.
  var bytes: [UInt8] {
    guard version != 0 else { return block(timeSize: 4) }
    var stub = TimeZoneFileBuilder(version: version, types: [(0, 0, 0)], designations: [0], transitions: [])
    stub.footer = ""
    return stub.block(timeSize: 4) + block(timeSize: 8) + Array(footer.utf8)
  }

  /// A header and its block.
  private func block(timeSize: Int) -> [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    let counts = [
      utcFlags.count, standardFlags.count, leapSeconds.count, transitions.count, types.count, designations.count,
    ]
    for count in counts { bytes += number(Int64(count), 4) }
    for transition in transitions { bytes += number(transition.time, timeSize) }
    bytes += transitions.map(\.type)
    for type in types { bytes += number(Int64(type.offset), 4) + [type.flag, type.designation] }
    bytes += designations
    for leap in leapSeconds { bytes += number(leap.time, timeSize) + number(Int64(leap.correction), 4) }
    return bytes + standardFlags + utcFlags
  }

  /// The low `size` bytes of a number, most significant first.
  private func number(_ value: Int64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
  }
}
