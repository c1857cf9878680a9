import DaybookProtocol
import DomainKit

/// Records that are read before the store, and the onboarding record after that.
struct StorePreview {
  /// The settings and the onboarding record as previewed at the start.
  var settings: DataFolder.SettingsInForce?
  var onboarding: OnboardingRecord?
  var hasReadableSettings = true
  /// The onboarding record as last read.
  var knownOnboarding: OnboardingRecord?
}
