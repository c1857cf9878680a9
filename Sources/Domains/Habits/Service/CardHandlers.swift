import DomainKit
import Habits

/// A card open on this connection.
struct OpenCard {
  let id: EntityID
  let habitId: EntityID
  let rows: GridRows
  var window: CardWindow
  /// The state that the window was read from.
  var key: Key

  /// Changes when the window must be read again.
  struct Key: Equatable {
    let generation: Int
    let figures: HabitFigures.Key
  }
}

extension HabitsService {
  private static let maxCards = 10_000

  func cardsOpen(_ params: CardsOpenParams, _ context: inout Context) throws(RPCError) -> CardsOpenResult {
    let lastDay = params.lastDay ?? context.currentDay
    try check(lastDay)
    var ids = params.habitIds ?? []
    if params.habitIds == nil { ids = try dashboardOrder(on: lastDay, context).map(\.habit.id) }
    guard params.habitIds == nil || ids.count <= 1000 else {
      throw RPCError(.invalidParams, "too many habits", pointer: "/habitIds", allowed: "at most 1000")
    }
    var opened: [OpenCard] = []
    for (index, id) in ids.enumerated() {
      let entry = try entry(id, context, pointer: "/habitIds/\(index)")
      if let other = ids[..<index].firstIndex(of: id) {
        throw RPCError(
          .invalidParams, "the habit is repeated, also at \(other)", pointer: "/habitIds/\(index)",
          allowed: "each habit once")
      }
      let known = cards.first { $0.habitId == id }?.id
      opened.append(
        OpenCard(
          id: known ?? context.newID(), habitId: id, rows: params.rows ?? .five,
          window: try freshWindow(entry, lastDay, context), key: try key(entry, context)))
    }
    for card in opened {
      if let slot = cards.firstIndex(where: { $0.id == card.id }) { cards[slot] = card } else { cards.append(card) }
    }
    if cards.count > HabitsService.maxCards { cards.removeFirst(cards.count - HabitsService.maxCards) }
    return CardsOpenResult(
      cards: try opened.map { card throws(RPCError) in try shown(card, context) }, mode: try dashboard(context).mode,
      revision: try context.storeRevision())
  }

  func cardsGet(_ params: CardsGetParams, _ context: inout Context) throws(RPCError) -> CardsGetResult {
    let slots = try slots(params.cardIds, context)
    return CardsGetResult(cards: try shown(slots, context), revision: try context.storeRevision())
  }

  func cardsShift(_ params: CardsShiftParams, _ context: inout Context) throws(RPCError) -> CardsShiftResult {
    let slots = try slots(params.cardIds, context)
    for slot in slots {
      let day = cards[slot].window.lastDay.advanced(by: params.by)
      try check(day, pointer: "/by")
    }
    for slot in slots { try move(slot, by: params.by, context) }
    return CardsShiftResult(cards: try shown(slots, context), revision: try context.storeRevision())
  }

  func cardsSeek(_ params: CardsSeekParams, _ context: inout Context) throws(RPCError) -> CardsSeekResult {
    try check(params.lastDay)
    let slots = try slots(params.cardIds, context)
    for slot in slots {
      let days = Int(params.lastDay.daysSinceEpoch) - Int(cards[slot].window.lastDay.daysSinceEpoch)
      try move(slot, by: days, context)
    }
    return CardsSeekResult(cards: try shown(slots, context), revision: try context.storeRevision())
  }

  func cardsClose(_ params: CardsCloseParams, _ context: inout Context) throws(RPCError) -> CardsCloseResult {
    let closed = Set(try slots(params.cardIds, context, follows: false).map { cards[$0].id })
    cards.removeAll { closed.contains($0.id) }
    return CardsCloseResult(closed: closed.count)
  }

  func cardsCheck(_ params: CardsCheckParams, _ context: inout Context) throws(RPCError) -> CardsCheckResult {
    var checks: [CardCheck] = []
    for slot in try slots(params.cardIds, context) {
      let card = cards[slot]
      let fresh = try freshWindow(try entry(card.habitId, context), card.window.lastDay, context)
      checks.append(
        CardCheck(
          cardId: card.id, withinThirty: card.window.isWithinThirty, ascending: card.window.isAscending,
          endsWithLastDay: card.window.endsWithLastDay, equalsFresh: card.window == fresh))
    }
    let sound = checks.allSatisfy { $0.withinThirty && $0.ascending && $0.endsWithLastDay && $0.equalsFresh }
    return CardsCheckResult(checks: checks, sound: sound)
  }

  /// Refuses a last day with which the card would leave the calendar.
  private func check(_ lastDay: CivilDay, pointer: String = "/lastDay") throws(RPCError) {
    guard !CardWindow.lastDays.contains(lastDay) else { return }
    throw RPCError(
      .invalidParams, "a card would leave the calendar", pointer: pointer,
      allowed: "a last day from \(CardWindow.lastDays.lowerBound) to \(CardWindow.lastDays.upperBound)")
  }

  private func key(_ entry: HabitBook.Entry, _ context: Context) throws(RPCError) -> OpenCard.Key {
    OpenCard.Key(generation: habitBook.generation, figures: try figures(entry, context).key)
  }

  /// A function that returns the records of a range of days.
  private func records(
    _ entry: HabitBook.Entry, _ context: Context
  ) throws(RPCError) -> (ClosedRange<CivilDay>) -> ArraySlice<HabitRecord> {
    let history = try figures(entry, context).history
    return { history[$0] }
  }

  private func freshWindow(
    _ entry: HabitBook.Entry, _ day: CivilDay, _ context: Context
  ) throws(RPCError) -> CardWindow {
    CardWindow(lastDay: day, fetch: try records(entry, context))
  }

  private func move(_ slot: Int, by days: Int, _ context: Context) throws(RPCError) {
    let entry = try entry(cards[slot].habitId, context)
    cards[slot].window.shift(by: days, fetch: try records(entry, context))
  }

  /// The indices of the given cards, or of all. Closes the cards of deleted habits and updates the windows of changed
  /// ones.
  private func slots(_ ids: [EntityID]?, _ context: Context, follows: Bool = true) throws(RPCError) -> [Int] {
    if follows {
      let book = try book(context)
      cards.removeAll { book[$0.habitId] == nil }
      for slot in cards.indices {
        guard let entry = book[cards[slot].habitId] else { continue }
        let key = try key(entry, context)
        guard cards[slot].key != key else { continue }
        cards[slot].window = try freshWindow(entry, cards[slot].window.lastDay, context)
        cards[slot].key = key
      }
    }
    guard let ids else { return Array(cards.indices) }
    return try ids.enumerated().map { index, id throws(RPCError) in
      if let slot = cards.firstIndex(where: { $0.id == id }) { return slot }
      throw RPCError(
        .cardNotFound, "no such card is open on this connection", pointer: "/cardIds/\(index)",
        hint: "“cards/open” opens one; a card of a habit that was deleted is closed")
    }
  }

  private func shown(_ slots: [Int], _ context: Context) throws(RPCError) -> [HabitCard] {
    try slots.map { slot throws(RPCError) in try shown(cards[slot], context) }
  }

  private func shown(_ card: OpenCard, _ context: Context) throws(RPCError) -> HabitCard {
    let entry = try entry(card.habitId, context)
    let lastDay = card.window.lastDay
    let timeline = try timeline(entry, through: lastDay, context)
    let rules = CardRules(entry.plan, card.window, timeline)
    return HabitCard(
      id: card.id, habitId: card.habitId, lastDay: lastDay,
      window: card.window.shown.map {
        CardValue(day: $0.day, value: Thousandths.decimal($0.value ?? 0), transient: $0.value == nil ? true : nil)
      },
      today: timeline.habitDay(
        card.habitId, lastDay, card.window[lastDay], isAutomatic: entry.habit.source != nil),
      daily: rules.period(1), weekly: rules.period(7), monthly: rules.period(30), week: rules.week,
      grid: rules.grid(firstWeekday: context.firstWeekday.index, fits: card.rows == .auto))
  }
}
