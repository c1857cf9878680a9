#if arch(x86_64) && canImport(Glibc)
  import _Builtin_intrinsics.intel
#endif

/// SHA-256 by the processor's instructions, two rounds each.
package enum SHA256Instructions {
  #if arch(x86_64) && canImport(Glibc)
    /// Four words of the state or of the message schedule, the first in the lowest lane.
    private typealias Words = SIMD4<UInt32>

    /// Whether the processor has the instructions; required by `take`.
    package static var isSupported: Bool { ProcessorFeatures.hasSHA256 }

    /// Hashes `blocks` consecutive blocks of 64 bytes from `source` into `state`.
    ///
    /// - Parameter constants: The 64 round constants.
    package static func update(
      _ source: UnsafeRawPointer, blocks: Int, into state: inout SIMD8<UInt32>, constants: UnsafePointer<UInt32>
    ) {
      // The instructions expect the words A, B, E, F in one register and C, D, G, H in another, the first in the
      // highest lane.
      var abef = Words(state[5], state[4], state[1], state[0])
      var cdgh = Words(state[7], state[6], state[3], state[2])
      for block in 0..<blocks {
        let text = source + block &* 64
        let before = (abef, cdgh)
        var (w0, w1, w2, w3) = (words(text), words(text + 16), words(text + 32), words(text + 48))
        fourRounds(&abef, &cdgh, w0, constants)
        fourRounds(&abef, &cdgh, w1, constants + 4)
        fourRounds(&abef, &cdgh, w2, constants + 8)
        fourRounds(&abef, &cdgh, w3, constants + 12)
        for turn in 1..<4 {
          let constants = constants + turn &* 16
          w0 = next(w0, w1, w2, w3)
          fourRounds(&abef, &cdgh, w0, constants)
          w1 = next(w1, w2, w3, w0)
          fourRounds(&abef, &cdgh, w1, constants + 4)
          w2 = next(w2, w3, w0, w1)
          fourRounds(&abef, &cdgh, w2, constants + 8)
          w3 = next(w3, w0, w1, w2)
          fourRounds(&abef, &cdgh, w3, constants + 12)
        }
        abef &+= before.0
        cdgh &+= before.1
      }
      state = SIMD8(abef[3], abef[2], cdgh[3], cdgh[2], abef[1], abef[0], cdgh[1], cdgh[0])
    }

    @inline(__always) private static func words(_ text: UnsafeRawPointer) -> Words {
      let bytes = text.loadUnaligned(as: SIMD2<Int64>.self)
      return vector(_mm_shuffle_epi8(bytes, SIMD2(0x0405_0607_0001_0203, 0x0C0D_0E0F_0809_0A0B)))
    }

    @inline(__always) private static func fourRounds(
      _ abef: inout Words, _ cdgh: inout Words, _ words: Words, _ constants: UnsafePointer<UInt32>
    ) {
      let sum = words &+ UnsafeRawPointer(constants).loadUnaligned(as: Words.self)
      cdgh = vector(_mm_sha256rnds2_epu32(register(cdgh), register(abef), register(sum)))
      let upper = Words(sum[2], sum[3], sum[2], sum[3])
      abef = vector(_mm_sha256rnds2_epu32(register(abef), register(cdgh), register(upper)))
    }

    /// The next four words of the message schedule after these sixteen.
    @inline(__always) private static func next(_ a: Words, _ b: Words, _ c: Words, _ d: Words) -> Words {
      let nine = Words(c[1], c[2], c[3], d[0])
      let sum = vector(_mm_sha256msg1_epu32(register(a), register(b))) &+ nine
      return vector(_mm_sha256msg2_epu32(register(sum), register(d)))
    }

    @inline(__always) private static func register(_ words: Words) -> SIMD2<Int64> {
      unsafeBitCast(words, to: SIMD2<Int64>.self)
    }

    @inline(__always) private static func vector(_ register: SIMD2<Int64>) -> Words {
      unsafeBitCast(register, to: Words.self)
    }
  #else
    package static var isSupported: Bool { false }

    package static func update(
      _ source: UnsafeRawPointer, blocks: Int, into state: inout SIMD8<UInt32>, constants: UnsafePointer<UInt32>
    ) {}
  #endif
}
