/// Where generated records go.
protocol RecordSink {
  /// Takes the next one.
  mutating func take(_ record: GeneratedRecord) throws(BenchError)
  /// Everything taken is whole and on disk when this returns.
  mutating func finish() throws(BenchError)
}
