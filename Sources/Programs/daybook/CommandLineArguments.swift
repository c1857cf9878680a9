#if !DEBUG
  // At every start, the runtime's own versions of these functions search `/proc/self/maps` for the arguments. Defining
  // both here makes the linker omit that code. Nothing calls them: `main` receives the arguments.

  /// Called by the standard library's `CommandLine`: no arguments.
  @c(_swift_stdlib_getUnsafeArgvArgc)
  func noArguments(
    _ count: UnsafeMutablePointer<Int32>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    count.pointee = 0
    // Only the terminator of the list; never freed, because `CommandLine` may keep it.
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
