import DaybookProtocol
import DomainKit

/// What is known of the store before it is first read, and of the introduction after that.
struct StorePreview {
  /// The settings and the introduction's record as they were previewed at the start.
  var settings: DataFolder.SettingsInForce?
  var onboarding: OnboardingRecord?
  var hasReadableSettings = true
  /// The introduction's record as it was last read.
  var knownOnboarding: OnboardingRecord?
}
