#if DEBUG
  import DaybookProtocol
  import JSON
  import JSONRPC
  import Platform

  extension Session {
    nonisolated func debugWork(_ params: DebugWorkParams, _ work: HeavyWork) async throws(RPCError) -> DebugWorkResult {
      work.progress.begin("Counting")
      defer { work.progress.end() }
      var items: [Int] = []
      for step in 0..<params.steps {
        try work.checkCancellation()
        // A request without a reply: cancelling ends the pause early.
        if let rest = params.restMs, rest > 0 { _ = await ClientRequests().ask(timeout: rest) { _ in } }
        try work.checkCancellation()
        if work.progress.sendsParts { work.progress.send([step + 1]) } else { items.append(step + 1) }
        work.progress.report(percentage: (step + 1) * 100 / params.steps)
      }
      return DebugWorkResult(items: items, revision: work.revision)
    }

    func debugPrint(_ params: DebugPrintParams, _ call: inout Call) throws(RPCError) -> Null {
      if let text = params.text {
        Swift.print(text)
        StandardStreams.flushPrintBuffers()
      }
      for _ in 0..<(params.errorLines ?? 0) { log.last(String(repeating: "x", count: 90)) }
      return Null()
    }

    func debugFail(_ params: NoParams) throws(RPCError) -> Null {
      throw defect("debug/fail was called")
    }

    nonisolated func debugAsk(_ params: DebugAskParams, _ work: HeavyWork) async throws(RPCError) -> DebugAskResult {
      guard let client = work.client else {
        return DebugAskResult(confirmed: params.default, asked: false, answered: false)
      }
      let question = ClientConfirmParams(message: params.message, default: params.default)
      let answer = await client.ask(timeout: params.timeoutMs ?? RequestTimeout.clientConfirm) { id in
        work.progress.request(id, ClientConfirmParams.method, question)
      }
      try work.checkCancellation()
      guard case .result(let text) = answer,
        let result = text.withUnsafeBytes({ try? ClientConfirmResult(json: $0, strict: false) })
      else { return DebugAskResult(confirmed: params.default, asked: true, answered: false) }
      return DebugAskResult(confirmed: result.confirmed, asked: true, answered: true)
    }
  }
#endif
