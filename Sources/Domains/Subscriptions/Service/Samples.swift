#if DEBUG
  import DomainKit
  import Subscriptions

  extension SubscriptionsService {
    package static let sampled: [EventDomain] = [.subscriptions]

    /// The seven samples; none if there are subscriptions.
    package func samples(_ context: Context, fraction: () -> Double) throws(RPCError) -> [Operation] {
      guard try context.snapshot().records(in: Subscription.collection, limit: 1).isEmpty,
        let currency = Currency(try context.settings().currency)
      else { return [] }
      let lengths = SampleSubscriptions.leadDays
      let samples = SampleSubscriptions.make(
        today: context.today, now: context.now, currency: currency, id: context.newID
      ) { lengths.lowerBound + Int(fraction() * Double(lengths.count)) }
      return try samples.map { sample throws(RPCError) in try context.put(new: sample) }
    }
  }
#endif
