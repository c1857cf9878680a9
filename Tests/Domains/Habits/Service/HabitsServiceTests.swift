import Testing

@testable import HabitsService

@Suite("Habits")
struct HabitsServiceTests {}
