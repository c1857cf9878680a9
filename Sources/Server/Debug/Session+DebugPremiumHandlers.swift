#if DEBUG
  import DomainKit
  import CivilTime
  import DaybookProtocol
  import JSON
  import JSONRPC
  import Platform
  import Premium

  /// The debug builds' store of record: a file in the data folder.
  extension Session {
    nonisolated var debugStorePath: String { options.storeOfRecord ?? options.dataFolder + "/debug-store.json" }

    nonisolated func debugForcePremium(
      _ params: DebugForcePremiumParams, _ work: HeavyWork
    ) async throws(RPCError) -> DaybookProtocol.PremiumStatus {
      let (catalogue, now) = (options.catalogue, now())
      // In one job: otherwise the start could ask in between, and announce the result before this reply.
      let answered = await awaitCallback { (session, done: @escaping @Sendable (Result<[Event], RPCError>?) -> Bool) in
        do throws(RPCError) {
          try session.changeDebugStore { file throws(PremiumError) in
            file = .empty
            guard params.active else { return }
            let plan = params.plan ?? .yearly
            guard let product = catalogue.products.first(where: { $0.plan == plan }) else {
              throw PremiumError(.unknownProduct, "no product has the plan \(plan.rawValue)", at: "/plan")
            }
            file = try file.buying(product.id, isTrial: params.trial ?? false, catalogue: catalogue, now: now)
          }
          session.verify(.request) { _, events in done(.success(events)) }
        } catch { _ = done(.failure(error)) }
      }
      switch answered {
      case .success(let events): for event in events { work.progress.follow(with: event) }
      case .failure(let error): throw error
      case nil: throw RPCError(.requestCancelled, "cancelled before the store of record answered")
      }
      return await premiumStatus
    }

    nonisolated func debugShop(_ params: DebugShopParams, _ work: HeavyWork) async throws(RPCError)
      -> DebugShopResult
    {
      let (catalogue, now) = (options.catalogue, now())
      let file = try await changeDebugStore { file throws(PremiumError) in
        try Session.play(params, &file, catalogue, now)
      }
      return DebugShopResult(transactions: file.transactions)
    }

    private static func play(
      _ params: DebugShopParams, _ file: inout StoreFile, _ catalogue: ProductCatalogue, _ now: Instant
    ) throws(PremiumError) {
      let yearly = catalogue.products.first { $0.plan == .yearly }?.id
      let product = params.productId ?? file.transactions.last?.productId ?? yearly ?? ""
      let isFirst = file.transactions.isEmpty
      switch params.action {
      case .buy: file = try file.buying(product, isTrial: isFirst, catalogue: catalogue, now: now)
      case .restore, .decline: break
      case .expire: file = try file.expiring(product, now: now)
      case .refund: file = try file.refunding(product, now: now)
      case .billingRetry: file = try file.expiring(product, isRetrying: true, now: now)
      case .billingGrace:
        file = try file.grantingGrace(product, until: now.advanced(by: 16 * 86_400_000), now: now)
      case .askToBuy: file = try file.askingToBuy(product, isTrial: isFirst, catalogue: catalogue, now: now)
      case .approve:
        file = try file.approvingPending(file.waiting.last?.productId ?? product, catalogue: catalogue, now: now)
      case .goOffline: file = try file.behaving(.offline)
      case .goOnline: file = try file.behaving(.online)
      case .slow: file = try file.behaving(.slow, delayMilliseconds: params.delayMs ?? 10_000)
      }
    }

    @discardableResult
    private func changeDebugStore(
      _ change: (inout StoreFile) throws(PremiumError) -> Void
    ) throws(RPCError) -> StoreFile {
      var file = FilePurchaseStore(path: debugStorePath).read() ?? .empty
      do throws(PremiumError) { try change(&file) } catch {
        throw RPCError(
          error.code == .unknownProduct ? .unknownProduct : .invalidParams, error.message,
          pointer: error.code == .unknownProduct ? "/productId" : "/action")
      }
      makeFolder()
      guard Files.replace(debugStorePath, with: file.json) else {
        throw RPCError(.storeUnavailable, "the store file cannot be written")
      }
      return file
    }
  }
#endif
