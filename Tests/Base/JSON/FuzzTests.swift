import Testing

@testable import JSON

/// A small deterministic random generator (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

struct FuzzTests {
  private static let documents: [String] = [
    #"{"jsonrpc":"2.0","id":7,"method":"meals/add","params":{"name":"Oat \u00e9 bowl 😀","calories":350,"protein":"12.5"}}"#,
    #"[{"a":[1,2,{"b":[true,false,null,-1.5e-3]}]},"\uD83D\uDE00\n\t\"\\",{"":{}}]"#,
    #"{"x":{"y":{"z":[[[[[["deep"]]]]]]}},"n":[0,-0,1e5,1E-5,123456789012345678901234567890]}"#,
  ]

  @Test("A hundred thousand mutated documents trap nothing, and skipping agrees with reading")
  func mutations() {
    var random = SeededRandom(seed: 20_260_105)
    let sources = FuzzTests.documents.map { Array($0.utf8) }
    for round in 0..<100_000 {
      var bytes = sources[round % sources.count]
      for _ in 0...Int.random(in: 0...3, using: &random) { mutate(&bytes, &random) }
      let skipped = (try? JSONReader.read(bytes) { reader throws(JSONError) in try reader.skipValue() }) != nil
      let read: Bool
      do throws(JSONError) {
        let value = try JSONValue(json: bytes)
        read = true
        if round % 16 == 0 { #expect((try? JSONValue(json: value.json)) == value) }
      } catch {
        read = false
        let pointer = bytes.withUnsafeBytes { error.pointer(in: $0) }
        if !(error.offset >= 0 && error.offset <= bytes.count && (pointer.isEmpty || pointer.hasPrefix("/"))) {
          Issue.record("offset \(error.offset) of \(bytes.count), pointer \(pointer): \(bytes)")
        }
      }
      if skipped != read { Issue.record("skipping \(skipped), reading \(read): \(bytes)") }
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let at = Int.random(in: 0..<bytes.count, using: &random)
    let structural = Array("{}[]\",:\\u0eE-+.tfn \u{0}\u{FF}".utf8)
    switch Int.random(in: 0...5, using: &random) {
    case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[at] = structural[Int.random(in: 0..<structural.count, using: &random)]
    case 2: bytes.remove(at: at)
    case 3: bytes.insert(structural[Int.random(in: 0..<structural.count, using: &random)], at: at)
    case 4: bytes.removeLast(bytes.count - at)
    default:
      let end = Int.random(in: at..<bytes.count, using: &random)
      bytes.insert(contentsOf: bytes[at...end], at: at)
    }
  }
}
