import ChecksumInstructions

extension SHA256 {
  /// The eight state words (FIPS 180-4 §6.2), with their initial values (§5.3.3).
  struct State: Sendable {
    private var a: UInt32 = 0x6a09_e667
    private var b: UInt32 = 0xbb67_ae85
    private var c: UInt32 = 0x3c6e_f372
    private var d: UInt32 = 0xa54f_f53a
    private var e: UInt32 = 0x510e_527f
    private var f: UInt32 = 0x9b05_688c
    private var g: UInt32 = 0x1f83_d9ab
    private var h: UInt32 = 0x5be0_cd19

    /// The state as a digest.
    var digest: SHA256Digest {
      SHA256Digest(
        UInt64(a) &<< 32 | UInt64(b), UInt64(c) &<< 32 | UInt64(d), UInt64(e) &<< 32 | UInt64(f),
        UInt64(g) &<< 32 | UInt64(h))
    }

    /// Processes consecutive blocks of 64 bytes.
    mutating func update(_ source: UnsafeRawPointer, blocks: Int) {
      guard blocks > 0 else { return }
      SHA256.constants.withUnsafeBufferPointer { constants in
        guard let constants = constants.baseAddress else { return }
        if SHA256Instructions.isSupported {
          var words = SIMD8(a, b, c, d, e, f, g, h)
          SHA256Instructions.update(source, blocks: blocks, into: &words, constants: constants)
          (a, b, c, d, e, f, g, h) = (words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7])
        } else {
          updateByWords(source, blocks, constants)
        }
      }
    }

    /// Processes blocks without the processor's instructions.
    mutating func updateByWords(_ source: UnsafeRawPointer, _ blocks: Int, _ constants: UnsafePointer<UInt32>) {
      var state = self
      for block in 0..<blocks { state.update(source + block &* SHA256.blockLength, constants) }
      self = state
    }

    @inline(__always) private mutating func update(_ block: UnsafeRawPointer, _ constants: UnsafePointer<UInt32>) {
      var words = Schedule(block)
      let before = self
      // Sixteen rounds per iteration return every word to its own variable, so none is moved.
      sixteenRounds(words, constants)
      for turn in 1..<4 {
        words.advance()
        sixteenRounds(words, constants + turn &* 16)
      }
      a = a &+ before.a
      b = b &+ before.b
      c = c &+ before.c
      d = d &+ before.d
      e = e &+ before.e
      f = f &+ before.f
      g = g &+ before.g
      h = h &+ before.h
    }

    @inline(__always) private mutating func sixteenRounds(_ words: Schedule, _ constants: UnsafePointer<UInt32>) {
      eightRounds(words.first, constants)
      eightRounds(words.second, constants + 8)
    }

    @inline(__always) private mutating func eightRounds(_ words: Schedule.Half, _ constants: UnsafePointer<UInt32>) {
      State.round(a, b, c, &d, e, f, g, &h, words.w0 &+ constants[0])
      State.round(h, a, b, &c, d, e, f, &g, words.w1 &+ constants[1])
      State.round(g, h, a, &b, c, d, e, &f, words.w2 &+ constants[2])
      State.round(f, g, h, &a, b, c, d, &e, words.w3 &+ constants[3])
      State.round(e, f, g, &h, a, b, c, &d, words.w4 &+ constants[4])
      State.round(d, e, f, &g, h, a, b, &c, words.w5 &+ constants[5])
      State.round(c, d, e, &f, g, h, a, &b, words.w6 &+ constants[6])
      State.round(b, c, d, &e, f, g, h, &a, words.w7 &+ constants[7])
    }

    /// One round. The words stay in place; the caller permutes the arguments.
    @inline(__always) private static func round(
      _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
      _ h: inout UInt32, _ input: UInt32
    ) {
      let high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = g ^ e & (f ^ g)
      let sum = h &+ input &+ high &+ choice
      let low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = a & b | c & (a | b)
      d = d &+ sum
      h = sum &+ low &+ majority
    }
  }

  /// Sixteen words of the message schedule.
  private struct Schedule {
    struct Half { var w0: UInt32, w1: UInt32, w2: UInt32, w3: UInt32, w4: UInt32, w5: UInt32, w6: UInt32, w7: UInt32 }
    var first: Half
    var second: Half

    @inline(__always) init(_ block: UnsafeRawPointer) {
      @inline(__always) func word(_ index: Int) -> UInt32 {
        UInt32(bigEndian: (block + index &* 4).loadUnaligned(as: UInt32.self))
      }
      first = Half(
        w0: word(0), w1: word(1), w2: word(2), w3: word(3), w4: word(4), w5: word(5), w6: word(6), w7: word(7))
      second = Half(
        w0: word(8), w1: word(9), w2: word(10), w3: word(11), w4: word(12), w5: word(13), w6: word(14), w7: word(15))
    }

    /// Computes the next sixteen words in place.
    @inline(__always) mutating func advance() {
      first.w0 = Schedule.next(first.w0, first.w1, second.w1, second.w6)
      first.w1 = Schedule.next(first.w1, first.w2, second.w2, second.w7)
      first.w2 = Schedule.next(first.w2, first.w3, second.w3, first.w0)
      first.w3 = Schedule.next(first.w3, first.w4, second.w4, first.w1)
      first.w4 = Schedule.next(first.w4, first.w5, second.w5, first.w2)
      first.w5 = Schedule.next(first.w5, first.w6, second.w6, first.w3)
      first.w6 = Schedule.next(first.w6, first.w7, second.w7, first.w4)
      first.w7 = Schedule.next(first.w7, second.w0, first.w0, first.w5)
      second.w0 = Schedule.next(second.w0, second.w1, first.w1, first.w6)
      second.w1 = Schedule.next(second.w1, second.w2, first.w2, first.w7)
      second.w2 = Schedule.next(second.w2, second.w3, first.w3, second.w0)
      second.w3 = Schedule.next(second.w3, second.w4, first.w4, second.w1)
      second.w4 = Schedule.next(second.w4, second.w5, first.w5, second.w2)
      second.w5 = Schedule.next(second.w5, second.w6, first.w6, second.w3)
      second.w6 = Schedule.next(second.w6, second.w7, first.w7, second.w4)
      second.w7 = Schedule.next(second.w7, first.w0, second.w0, second.w5)
    }

    /// The word sixteen after `old`, from those one, nine and fourteen after it.
    @inline(__always) private static func next(_ old: UInt32, _ one: UInt32, _ nine: UInt32, _ fourteen: UInt32)
      -> UInt32
    {
      let low = rotate(one, 7) ^ rotate(one, 18) ^ one &>> 3
      let high = rotate(fourteen, 17) ^ rotate(fourteen, 19) ^ fourteen &>> 10
      return old &+ low &+ nine &+ high
    }
  }

  @inline(__always) private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  /// The round constants (FIPS 180-4 §4.2.2).
  static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98,
    0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8,
    0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819,
    0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
