import FileStore
import Platform

/// A disk in memory with two worlds: what calls see, and what would be there after a power cut. It counts its calls,
/// and can be made to fail in the ways disks do. Used as a file system it is the one of process 42; `process` gives
/// others.
package final class SimulatedDisk: SimulatedFileSystem {
  /// The state, and optional copies from before each change.
  struct Guts: Sendable {
    var state: DiskState
    var moments: [DiskState] = []
    var isRecording = false
    var isTracing = true
    var trace: [String] = []
    /// An action after a number of further calls of a process.
    var interlude: (process: Int, calls: Int, act: @Sendable () -> Void)?
  }

  let guts: Guarded<Guts>
  package let processID: Int32 = 42
  package var disk: SimulatedDisk { self }
  package var place: Int { 0 }

  package init() { guts = Guarded(Guts(state: DiskState())) }

  init(_ state: DiskState, isTracing: Bool) { guts = Guarded(Guts(state: state, isTracing: isTracing)) }

  /// The number of calls so far.
  package var calls: Int { guts.withLock { $0.state.calls } }

  /// The number of calls so far that changed something.
  package var changes: Int { guts.withLock { $0.state.changes } }

  /// The names of the calls so far, with their purposes.
  package var trace: [String] { guts.withLock { $0.trace } }

  /// Whether calls are logged, which costs more than they do; the default for new disks.
  package var isTracing: Bool {
    get { guts.withLock { $0.isTracing } }
    set { guts.withLock { $0.isTracing = newValue } }
  }

  /// The disk's clock, which only slow syncs advance.
  package var milliseconds: Int64 { guts.withLock { $0.state.milliseconds } }

  /// The number of uses of descriptors that the process does not have.
  package var misuses: Int { guts.withLock { $0.state.misuses } }

  /// How many syncs of files failed, and threw away what they should have saved, since the power last went off.
  package var failedSyncs: Int { guts.withLock { $0.state.failedSyncs } }

  /// Changes the faults.
  package func setFaults(_ change: @Sendable (inout Faults) -> Void) { guts.withLock { change(&$0.state.faults) } }

  /// The faults.
  package var faults: Faults { guts.withLock { $0.state.faults } }

  /// Makes the power fail after a number of further calls.
  package func cutPower(afterCalls count: Int) {
    guts.withLock { $0.state.faults.powerOffAtCall = $0.state.calls + count }
  }

  /// Whether a call has met the power failure.
  package var isPowerOff: Bool { guts.withLock { $0.state.isPowerOff } }

  // MARK: processes

  /// The file system as that process sees it, with descriptors and locks of its own. Asking again for one that was
  /// killed gives a new process with the old number.
  package func process(_ id: Int32) -> SimulatedProcess {
    guts.withLock { guts in
      if id == 42 { return SimulatedProcess(disk: self, place: 0, processID: id) }
      guts.state.processes.append(DiskProcess(id: id))
      return SimulatedProcess(disk: self, place: guts.state.processes.count - 1, processID: id)
    }
  }

  /// Kills a process: its descriptors and locks disappear, its calls have no effect.
  package func kill(_ process: SimulatedProcess) { guts.withLock { $0.state.kill(process.place) } }

  /// Kills a process after a number of further calls.
  package func kill(_ process: SimulatedProcess, afterCalls count: Int) {
    guts.withLock { $0.state.processes[process.place].callsLeft = count }
  }

  /// Runs an action once after a number of further calls of a process, as if another process had been faster.
  package func interrupt(
    _ process: SimulatedProcess, afterCalls count: Int, _ act: @escaping @Sendable () -> Void
  ) { guts.withLock { $0.interlude = (process.place, count, act) } }

  /// Whether the action has not run; cancels it.
  package func endInterruption() -> Bool {
    guts.withLock { guts in
      defer { guts.interlude = nil }
      return guts.interlude != nil
    }
  }

  /// Whether a process was killed.
  package func isDead(_ process: SimulatedProcess) -> Bool {
    guts.withLock { $0.state.processes[process.place].isDead || $0.state.isPowerOff }
  }

  /// The open files of a process.
  package func openDescriptors(of process: SimulatedProcess) -> [String] {
    guts.withLock { $0.state.processes[process.place].descriptors.compactMap { $0?.path } }
  }

  // MARK: moments

  /// Records the state before each change from now on; each recorded moment can crash independently.
  package func startRecording() { guts.withLock { $0.isRecording = true } }

  /// A number stored with each moment, such as the number of acknowledged changes.
  package func setMark(_ mark: Int) { guts.withLock { $0.state.mark = mark } }

  /// The moments before each change since recording began, and the present.
  package func moments() -> [DiskMoment] {
    guts.withLock { guts in (guts.moments + [guts.state]).map { DiskMoment(state: $0) } }
  }
}

/// The state of a disk before a change.
package struct DiskMoment: Sendable {
  let state: DiskState

  /// The latest stored number.
  package var mark: Int { state.mark }
  /// The number of failed syncs until then.
  package var failedSyncs: Int { state.failedSyncs }
  /// The number of calls until then.
  package var calls: Int { state.calls }

  /// The disk after a power failure at that moment.
  package func afterCrash(_ survival: Survival) -> SimulatedDisk {
    var state = state
    state.crash(survival)
    return SimulatedDisk(state, isTracing: false)
  }
}

/// A process's view of a simulated disk.
package struct SimulatedProcess: SimulatedFileSystem {
  package let disk: SimulatedDisk
  package let place: Int
  package let processID: Int32
}

/// The calls of a process on a simulated disk.
package protocol SimulatedFileSystem: FileSystem {
  var disk: SimulatedDisk { get }
  /// Which of the disk's processes it is.
  var place: Int { get }
}

extension SimulatedFileSystem {
  package func pause() -> Bool { false }

  package func room(in descriptor: Descriptor) -> Int? { disk.faults.freeBytes }

  package var userID: UInt32 { 1000 }
}
