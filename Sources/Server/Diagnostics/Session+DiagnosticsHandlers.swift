import DomainKit
import Platform

extension Session {
  nonisolated func diagnosticsBundle(
    _ params: DiagnosticsBundleParams, _ work: HeavyWork
  ) async throws(RPCError) -> DiagnosticsBundleResult {
    try RPCError.checkAbsolute(params.path)
    let isPersonal = params.includePersonalData ?? false
    var bundle = DiagnosticsBundle(
      dataFolder: options.dataFolder, home: Processes.environment("HOME"), now: now())
    bundle.reports = await reports()
    if let health = try? await storeHealth(StoreHealthParams(), work) {
      bundle.reports.append(.init(name: "health.json", content: health.json))
    }
    bundle.includesPersonalData = isPersonal
    if isPersonal { bundle.personalData = try await personalData(work) }
    log.finish(within: 500)
    let (path, replaces, ready) = (params.path, params.overwrite ?? false, bundle)
    work.progress.begin("Collecting")
    defer { work.progress.end() }
    let written = await work.offSession { () -> Result<DiagnosticsBundle.Written, DiagnosticsError> in
      do throws(DiagnosticsError) { return .success(try ready.write(to: path, replacing: replaces)) } catch {
        return .failure(error)
      }
    }
    switch written {
    case .success(let written):
      return DiagnosticsBundleResult(
        path: path, bytes: written.length, entries: written.names, hasPersonalData: isPersonal)
    case .failure(let error):
      throw RPCError(
        error.code == .alreadyExists ? .fileExists : .fileUnusable, error.message, pointer: "/path",
        hint: error.code == .alreadyExists ? "“overwrite”: true replaces the file" : nil)
    case nil: throw RPCError(.requestCancelled, "cancelled before anything was committed")
    }
  }

  /// Reports of this process about itself, without user data.
  private func reports() -> [DiagnosticsBundle.Entry] {
    var reports: [DiagnosticsBundle.Entry] = []
    func add(_ name: String, _ write: (inout JSONWriter) throws(RPCError) -> Void) {
      let text = JSONWriter.text { try? write(&$0) }
      if !text.isEmpty { reports.append(.init(name: name, content: text)) }
    }
    add("server.json") { (writer) throws(RPCError) in try serverInfo(NoParams()).encode(to: &writer) }
    add("status.json") { (writer) throws(RPCError) in try serverStatus(NoParams()).encode(to: &writer) }
    add("startup.json") { (writer) throws(RPCError) in try startupReport(NoParams()).encode(to: &writer) }
    add("premium.json") { (writer) throws(RPCError) in premiumStatus.encode(to: &writer) }
    return reports
  }

  private nonisolated func personalData(_ work: HeavyWork) async throws(RPCError) -> [DiagnosticsBundle.Entry] {
    let settings = try await settingsGet(NoParams())
    let export = StoreExport(folderConfiguration)
    let text = try await work.onThread(nil) { monitor throws(StoreError) in
      var text: [UInt8] = []
      _ = try export.run(monitor) { part throws(StoreError) in text += part }
      return text
    }
    return [
      .init(name: "settings.json", content: JSONWriter.text { settings.encode(to: &$0) }),
      .init(name: "export.jsonl", content: text),
    ]
  }
}
