/// Where generated records go.
protocol RecordSink {
  /// Takes the next one.
  mutating func take(_ record: GeneratedRecord) throws(BenchError)
  /// Everything taken is whole and on disk when this returns.
  mutating func finish() throws(BenchError)
}

extension RecordSink {
  /// Takes all records and finishes; returns how many there were.
  @discardableResult
  mutating func takeAll(_ records: some Sequence<GeneratedRecord>) throws(BenchError) -> Int {
    var count = 0
    for record in records {
      try take(record)
      count += 1
    }
    try finish()
    return count
  }
}
