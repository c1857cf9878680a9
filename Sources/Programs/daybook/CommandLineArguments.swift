#if !DEBUG
  // The runtime's own pair of functions comes with a search for the arguments in `/proc/self/maps`, before `main`, in each start. A
  // linker that finds the pair here leaves that part of the runtime out. Nobody asks: `main` is handed the arguments.

  /// What the standard library's `CommandLine` would read: no arguments.
  @c(_swift_stdlib_getUnsafeArgvArgc)
  func noArguments(
    _ count: UnsafeMutablePointer<Int32>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    count.pointee = 0
    // The end of the list; a process that asks once may keep it.
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
    list.initialize(to: nil)
    return list
  }

  /// What would replace them.
  @c(_swift_stdlib_overrideUnsafeArgvArgc)
  func replaceArguments(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ count: Int32
  ) {}
#endif
