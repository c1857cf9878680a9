/// Reading one record without opening the store completely: the settings, as at start, with the revision.
enum PreviewBench {
  static let group = Group(
    "preview", ofStore: true,
    ["open, no record asked for", "preview a record in the journal", "preview a segment"].map {
      Measure($0, .milliseconds, goal: .atMost(0.5))
    }
  ) { bench throws(BenchError) in
    let (folder, folded) = (try bench.copyOfTenYears(), try bench.copyOfTenYears())
    let tail = try StoreUnderTest.addSettings(to: folder, folds: false)
    let segment = try StoreUnderTest.addSettings(to: folded, folds: true)
    return { figures throws(BenchError) in
      for _ in 0..<bench.count(40, smoke: 2) {
        for (key, folder, id) in [
          ("open, no record asked for", folder, nil), ("preview a record in the journal", folder, tail),
          ("preview a segment", folded, segment),
        ] {
          let start = Clocks.now()
          try StoreUnderTest.preview(folder, id)
          figures.add(key, Double(Clocks.now() - start))
        }
      }
    }
  }
}
