import CivilTime
import FileStore
import JSON
import Testing

@testable import DaybookServer

@Suite("This device's flags of a folder")
struct DeviceFlagsTests {
  private let now = Instant(milliseconds: 1_767_614_400_000)

  private func flags(_ change: (inout Flags) -> Void) -> Flags {
    var flags = Flags()
    change(&flags)
    return flags
  }

  /// The content of the file after a change, given `content`.
  private func merged(_ device: DeviceFlags, _ change: FlagsFile.Change, onto content: SmallFile.Content) -> Flags {
    Flags(device.file.merged(change, onto: content, device: "UTC", at: now), device: "UTC", now: now)
  }

  /// Notes the outcome of a write, in the file and in memory.
  private func note(_ change: FlagsFile.Change, isSaved: Bool, _ device: inout DeviceFlags) {
    device.file.note(change, isSaved: isSaved)
    device.endWriting(isSaved, in: device.file)
  }

  @Test("A change is applied to what another process wrote meanwhile; an empty change is not written")
  func changes() throws {
    var device = DeviceFlags()
    device.load(flags { $0.cleanups = ["one"] })
    let same = device.change { $0.cleanups = ["one"] }
    #expect(same == nil && device.isSaved)
    let change = try #require(device.change { $0.hasShownPremiumRestartToast = true })
    #expect(!device.isSaved && !device.needsSaving, "it is being written")
    let others = flags { $0.cleanups = ["one", "two"] }
    let written = merged(device, change, onto: .value(others.json))
    #expect(written.cleanups == ["one", "two"] && written.hasShownPremiumRestartToast)
  }

  @Test("A change that could not be written goes with the next one, and undoes nothing of another process")
  func unsaved() throws {
    var device = DeviceFlags()
    device.load(Flags())
    let change = try #require(device.change { $0.hasCompletedOnboarding = true })
    note(change, isSaved: false, &device)
    #expect(device.needsSaving)
    let again = try #require(device.change { _ in }, "it is tried again without another change")
    let others = flags { $0.cleanups = ["two"] }
    let written = merged(device, again, onto: .value(others.json))
    #expect(written.hasCompletedOnboarding && written.cleanups == ["two"])
    note(again, isSaved: true, &device)
    let further = device.change { _ in }
    #expect(device.isSaved && further == nil)
  }

  @Test("A change queued before an earlier one failed includes that one")
  func behindAFailure() throws {
    var device = DeviceFlags()
    device.load(Flags())
    let first = try #require(device.change { $0.hasCompletedOnboarding = true })
    let second = try #require(device.change { $0.cleanups.append("one") })
    note(first, isSaved: false, &device)
    #expect(!device.isSaved && !device.needsSaving, "the second is under way, with the first in it")
    let others = flags { $0.cleanups = ["two"] }
    let written = merged(device, second, onto: .value(others.json))
    #expect(written.hasCompletedOnboarding && written.cleanups == ["two", "one"])
    note(second, isSaved: true, &device)
    #expect(device.isSaved)
  }

  @Test("A write for an earlier folder does not affect the next one")
  func left() throws {
    var device = DeviceFlags()
    let change = try #require(device.change { $0.hasCompletedOnboarding = true })
    let file = device.file
    device.dropUnsaved()
    #expect(device.isSaved)
    file.note(change, isSaved: false)
    device.endWriting(false, in: file)
    #expect(device.isSaved)
  }

  @Test("After everything was deleted nothing comes back; a damaged or missing file gets all flags")
  func gone() throws {
    var device = DeviceFlags()
    device.load(flags { $0.hasCompletedOnboarding = true })
    let change = try #require(device.change { $0.cleanups = ["one"] })
    let afterDeletion = merged(device, change, onto: .missing)
    #expect(!afterDeletion.hasCompletedOnboarding && afterDeletion.cleanups == ["one"])
    #expect(merged(device, change, onto: .damaged("torn")).hasCompletedOnboarding)
    var fresh = DeviceFlags()
    fresh.load(nil)
    let first = try #require(fresh.change { $0.hasCompletedOnboarding = true })
    #expect(merged(fresh, first, onto: .missing).hasCompletedOnboarding)
  }
}
