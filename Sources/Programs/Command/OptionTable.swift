/// All options, in the order of the help.
enum OptionTable {
  /// The option named `name`, in its long or one-letter form.
  static func named(_ name: String) -> OptionEntry? { all.first { $0.name == name || $0.short == name } }

  static let all = [
    OptionEntry(
      name: "--data", value: "DIR", values: .folder, reach: .every,
      sentence: "the data folder ($DAYBOOK_HOME, else $XDG_DATA_HOME/daybook, else ~/.local/share/daybook; on macOS "
        + "~/Library/Application Support/daybook)"),
    OptionEntry(name: "--help", short: "-h", reach: .every, sentence: "explain the program, a command or a method"),
    OptionEntry(name: "--version", short: "-V", reach: .service, sentence: "print the version"),
    // of the commands that people type
    OptionEntry(name: "--day", value: "DAY", values: .day, sentence: "the day meant, instead of today"),
    OptionEntry(
      name: "--kind", value: "KIND",
      values: .oneOf(["meal", "weight", "water", "habit", "exercise", "set", "charge"]),
      sentence: "the kind of entry, where a text has several readings"),
    OptionEntry(name: "--dry-run", sentence: "print what would be stored, and store nothing"),
    OptionEntry(name: "--year", sentence: "a heat map of the last year"),
    OptionEntry(name: "--watch", sentence: "go on as a frontend does, a line a pass, until a signal"),
    OptionEntry(name: "--json", sentence: "print JSON instead of text"),
    OptionEntry(
      name: "--color", value: "WHEN", values: .oneOf(["auto", "always", "never"]),
      sentence: "colour: auto (on a terminal), always or never"),
    OptionEntry(name: "--ascii", sentence: "print ASCII only"),
    OptionEntry(name: "--width", value: "N", sentence: "the greatest width of a line, 20 to 400 columns"),
    OptionEntry(name: "--compact", sentence: "print JSON as one line, also on a terminal"),
    OptionEntry(name: "--pretty", sentence: "print JSON indented, also in a pipe"),
    // of the data folder
    OptionEntry(
      name: "--repair",
      sentence: "repair what can be repaired: damaged files are first copied into quarantine/, then rebuilt from all "
        + "readable data; unneeded files are moved into quarantine/; then check again"),
    OptionEntry(name: "--note", value: "TEXT", sentence: "a note on the backup, at most 500 characters"),
    OptionEntry(name: "--overwrite", sentence: "replace an existing file"),
    OptionEntry(
      name: "--merge", sentence: "add missing records, update those changed later in the file, keep the rest (default)"),
    OptionEntry(name: "--replace", sentence: "replace all records by those in the file"),
    OptionEntry(name: "--preview", sentence: "only report what --merge would do"),
    // of the service
    OptionEntry(
      name: "--framing", value: "KIND", values: .oneOf(["header", "newline"]),
      sentence: "header (Content-Length, as language servers) or newline (one message a line); detected from the first "
        + "byte by default, and newline on a terminal"),
    OptionEntry(
      name: "--no-handshake",
      sentence: "serve requests without “initialize”, for scripts; events start after “events/subscribe”, and the end "
        + "of standard input is a success"),
    OptionEntry(name: "--force", reach: .service, sentence: "use a data folder that contains other files"),
    OptionEntry(
      name: "--store-of-record", value: "FILE", values: .file, reach: .service,
      sentence: "a file with the purchases of the user, instead of the frontend"),
    OptionEntry(
      name: "--products", value: "FILE", values: .file, reach: .service,
      sentence: "the catalogue of products, instead of the built-in one"),
    OptionEntry(
      name: "--force-onboarding", reach: .service, sentence: "show the introduction again until it is completed"),
    OptionEntry(
      name: "--http-carrier", value: "FILE", values: .file, reach: .service,
      sentence: "the program for network access, instead of daybook-http next to this program"),
    OptionEntry(
      name: "--log-level", value: "LEVEL", values: .oneOf(["error", "warning", "info", "debug", "trace"]),
      reach: .service,
      sentence:
        "error (default), warning, info or debug, on standard error: what the service does, never tracked data; "
        + "trace: everything, including your data"),
    OptionEntry(
      name: "--stdio", reach: .service, sentence: "accepted and ignored, as editors send it"),
    OptionEntry(
      name: "--clientProcessId", value: "N", reach: .service, sentence: "accepted and ignored, as editors send it"),
    OptionEntry(
      name: "--clock", value: "INSTANT", reach: .service,
      sentence: "a fixed time, for tests; refuses a folder not made with it"),
    OptionEntry(
      name: "--seed", value: "N", reach: .service,
      sentence: "fixed ids, for tests; refuses a folder not made with it"),
  ]
}
