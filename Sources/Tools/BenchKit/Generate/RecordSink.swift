/// A destination of generated records.
protocol RecordSink {
  /// Writes the next record.
  mutating func add(_ record: GeneratedRecord) throws(BenchError)
  /// Completes the output; everything is on disk when this returns.
  mutating func finish() throws(BenchError)
}
