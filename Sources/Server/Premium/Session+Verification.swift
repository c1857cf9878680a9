import DomainKit
import Platform
import Premium

/// Asks the store of record, and applies its answer. Only requests for verification wait for it.
extension Session {
  /// The store of record: the file named on the command line, in debug builds the debug file, else the frontend if it
  /// can answer.
  var storeOfRecord: any StoreOfRecord {
    if let path = options.storeOfRecord { return FilePurchaseStore(path: path) }
    #if DEBUG
      if Files.exists(debugStorePath) { return FilePurchaseStore(path: debugStorePath) }
    #endif
    guard client.abilities.knowsEntitlements, client.receivesEvents else { return NoPurchaseStore() }
    return FrontendStore(requests: clientRequests, traffic: traffic, framing: client.framing)
  }

  /// Asks the store of record. `then` is called once, with the answer to this or a later verification.
  func verify(
    _ reason: VerificationReason, timeout: Int = RequestTimeout.shopCurrentEntitlements,
    then: VerificationWaiter.Completion? = nil
  ) {
    switch entitlement.begin(reason, timeout: timeout, at: Session.monotonicMilliseconds(), then: then) {
    case .ask(let id): ask(id, reason, timeout)
    case .wait(endsBefore: true): if let then { endWaiting(after: timeout, then) }
    case .wait: break
    }
  }

  private func ask(_ id: VerificationID, _ reason: VerificationReason, _ timeout: Int) {
    let store = storeOfRecord
    guard store.kind != .none else { return finish(id, .unknown(.nobodyToAsk), nil, reason) }
    store.ask(reason, timeout: timeout) { [weak self] answer in
      self?.enqueue { $0.take(answer, id, reason) }
    }
  }

  /// Times out a waiter after `timeout` milliseconds.
  private func endWaiting(after timeout: Int, _ then: @escaping VerificationWaiter.Completion) {
    let isStarted = Threads.after(milliseconds: Int32(clamping: timeout)) { _ = then(.unknown(.timedOut), []) }
    if !isStarted { _ = then(.unknown(.timedOut), []) }
  }

  /// Starts the next verification, for all queued requests.
  private func beginNext() {
    let next = entitlement.takeNext()
    guard let timeout = next.map(\.timeout).max() else { return }
    // A short timeout does not wait for a longer one.
    for waiting in next where waiting.timeout < timeout { endWaiting(after: waiting.timeout, waiting.then) }
    verify(next.last?.reason ?? .request, timeout: timeout) { verification, events in
      var events = events
      for waiting in next where waiting.then(verification, events) { events = [] }
      return events.isEmpty
    }
  }

  private func take(_ answer: StoreAnswer, _ id: VerificationID, _ reason: VerificationReason) {
    let evaluation = EntitlementRules.evaluate(answer, catalogue: options.catalogue, now: now())
    if entitlement.state.isLoading {
      if let fault = answer.fault {
        log.warning(
          .entitlement,
          "the store of record's answer cannot be understood at “\(public: fault.pointer)”: \(private: fault.message)")
      }
      for note in evaluation.notes {
        log.info(.entitlement, "a transaction of “\(private: note.productID)” is passed over: \(note.why)")
      }
    }
    finish(id, evaluation.verification, answer.fault, reason)
  }

  private func finish(
    _ id: VerificationID, _ verification: Verification, _ fault: AnswerFault?, _ reason: VerificationReason
  ) {
    let effects = entitlement.state.finished(id, verification, fault: fault, now: now())
    guard !effects.isIgnored else {
      if verification == .unknown(.timedOut) {
        for late in entitlement.giveUp(id) { _ = late.then(.unknown(.timedOut), []) }
      }
      return
    }
    let waiters = entitlement.end()
    if !waiters.isEmpty { outgoing.collectedEvents = [] }
    apply(effects, reason)
    var events = outgoing.collectedEvents ?? []
    outgoing.collectedEvents = nil
    for waiter in waiters where waiter.then(verification, events) { events = [] }
    // The requests may have been cancelled.
    for event in events { emit(event) }
    endLaunchTask(.verifyEntitlement, outcome(of: verification))
    beginNext()
  }

  private func outcome(of verification: Verification) -> TaskOutcome {
    switch verification {
    case .entitled(let entitlement): .done("entitled: \(entitlement.plan.rawValue)")
    case .notEntitled(let reason): .done("not entitled: \(reason.rawValue)")
    case .unknown(.nobodyToAsk): .skipped("there is nobody to ask")
    case .unknown(let reason): .failed("unknown: \(reason.rawValue)")
    }
  }

  /// Applies the effects of a change of premium.
  func apply(_ effects: PremiumEffects, _ reason: VerificationReason) {
    if let record = effects.record { store(record) }
    if effects.record != nil || effects.toastFlag != nil {
      // A single call of the command line shows no toast.
      let toastFlag = options.isSingleCall ? nil : entitlement.state.toastFlag
      let hasRecord = effects.record != nil
      changeFlags { flags in
        if let toastFlag { flags.hasShownPremiumRestartToast = toastFlag }
        if hasRecord { flags.clockMark = nil }
      }
    }
    if let mismatch = effects.mismatch {
      log.warning(
        .premiumCache,
        "cached \(public: mismatch.cached.map { "\($0)" } ?? "nothing"), actual \(mismatch.actual)")
    }
    for claim in effects.wrongClaims {
      log.warning(.entitlement, "the \(claim.source) claimed \(claim.isActive), actual \(!claim.isActive)")
    }
    if effects.statusChanged || !effects.wrongClaims.isEmpty {
      let claim = effects.wrongClaims.first.map { $0.isActive ? ClaimedStatus.active : .inactive }
      emit(
        PremiumStatusChangedParams.method,
        PremiumStatusChangedParams(status: premiumStatus, reason: reason, correctedClaim: claim))
    }
    if effects.showsRestartToast {
      emit(
        ShowToastParams.method,
        ShowToastParams(
          toast: .premiumRestart, type: .info, message: "Premium is active. Restart the app to sync your data."))
    }
    guard effects.statusChanged || effects.record != nil else { return }
    emitRouteChange()
    planReminders()
  }

  /// Caches a record for the next start, off the session; later events wait for the write. If it fails, the record is
  /// still in force in this process.
  func store(_ record: PremiumRecord) {
    makeFolder()
    let (file, path, folder) = (ownSmallFile(.premium), premiumPath, entitlement.beginWriting())
    notes.write { [weak self, log] in
      var written: FileMark?
      do throws(StoreError) {
        try file.replace(with: record.jsonObject)
        written = FileMark(path: path)
      } catch {
        log.error(.premiumCache, "premium.json cannot be written: \(public: error.message)")
      }
      self?.enqueue { [written] in $0.entitlement.endWriting(folder, written) }
    }
  }

  var premiumStatus: DaybookProtocol.PremiumStatus {
    DaybookProtocol.PremiumStatus(entitlement.state, storeOfRecord.kind, now: now())
  }
}

struct VerificationWaiter: Sendable {
  /// Receives the answer, and the events to send after the reply; returns whether it sends them.
  typealias Completion = @Sendable (Verification, [Event]) -> Bool

  /// The verification it waits for; the answer to a later one also completes it.
  let verification: VerificationID
  /// Called at least once.
  let then: Completion
}
