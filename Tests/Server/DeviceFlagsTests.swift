import CivilTime
import FileStore
import JSON
import Testing

@testable import DaybookServer

@Suite("What this device remembers of a folder")
struct DeviceFlagsTests {
  private let now = Instant(milliseconds: 1_767_614_400_000)

  private func flags(_ change: (inout Flags) -> Void) -> Flags {
    var flags = Flags()
    change(&flags)
    return flags
  }

  private func merged(
    _ device: DeviceFlags, onto content: SmallFile.Content, _ change: (inout Flags) -> Void
  ) -> Flags {
    Flags(device.merged(onto: content, change, device: "UTC", at: now), device: "UTC", now: now)
  }

  @Test("A change is made on what another process wrote meanwhile; one that changes nothing is not written")
  func changes() {
    var device = DeviceFlags()
    device.take(flags { $0.cleanups = ["one"] })
    #expect(!device.change { $0.cleanups = ["one"] })
    #expect(device.change { $0.hasShownPremiumRestartToast = true })
    let others = flags { $0.cleanups = ["one", "two"] }
    let written = merged(device, onto: .value(others.json)) { $0.hasShownPremiumRestartToast = true }
    #expect(written.cleanups == ["one", "two"] && written.hasShownPremiumRestartToast)
  }

  @Test("What could not be written goes with the next change, and takes nothing of another process back")
  func unsaved() {
    var device = DeviceFlags()
    device.take(Flags())
    #expect(device.change { $0.hasCompletedOnboarding = true })
    device.noteSaved(false)
    #expect(device.hasUnsaved && device.change { _ in }, "it is tried again without another change")
    let others = flags { $0.cleanups = ["two"] }
    let written = merged(device, onto: .value(others.json)) { _ in }
    #expect(written.hasCompletedOnboarding && written.cleanups == ["two"])
    device.noteSaved(true)
    #expect(!device.hasUnsaved && !device.change { _ in })
  }

  @Test("After everything was deleted nothing of it comes back; a damaged file, or one that never was, gets all")
  func gone() {
    var device = DeviceFlags()
    device.take(flags { $0.hasCompletedOnboarding = true })
    let isChanged = device.change { $0.cleanups = ["one"] }
    #expect(isChanged)
    let afterDeletion = merged(device, onto: .missing) { $0.cleanups = ["one"] }
    #expect(!afterDeletion.hasCompletedOnboarding && afterDeletion.cleanups == ["one"])
    #expect(merged(device, onto: .damaged("torn")) { _ in }.hasCompletedOnboarding)
    var fresh = DeviceFlags()
    fresh.take(nil)
    #expect(fresh.change { $0.hasCompletedOnboarding = true })
    #expect(merged(fresh, onto: .missing) { _ in }.hasCompletedOnboarding)
  }
}
