import DaybookServer

/// The texts of `--help`.
enum HelpTexts {
  /// The help on a command; nil for an unknown one.
  static func text(_ topic: String?) -> String? {
    switch topic {
    case nil, "help": general
    case "serve": serve
    case "call": call
    case "watch": watch
    case "doctor": doctor
    case "backup": backup
    case "restore": restore
    case "export": export
    case "import": importing
    default: nil
    }
  }

  /// Shown when the service is started in a terminal.
  static let greeting = """
    daybook speaks JSON-RPC 2.0 over standard input and output, for editors, frontends and scripts. It is waiting for a message.
    One message a line works here. Try:

      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
      {"jsonrpc":"2.0","id":2,"method":"days/get"}

    or leave with Ctrl-D and run “daybook call days/get”, or “daybook --help”.
    """

  private static let general = """
    daybook \(ServiceOptions.version): a local-first engine for what you track by the day

    USAGE
      daybook [options]                    speak the protocol over standard input and output
      daybook call METHOD [JSON|-]         make one call and print its result
      daybook watch                        print events as they happen, one a line
      daybook doctor [--repair]            check the data folder
      daybook backup [create|list|verify|delete]   create and manage backups
      daybook restore ID                   replace the stored data by a backup
      daybook export FILE|-                write all stored data as one text
      daybook import FILE|-                import such a text
      daybook help [COMMAND]               help on a command

    OPTIONS
      --data DIR             the data folder ($DAYBOOK_HOME, else $XDG_DATA_HOME/daybook,
                             else ~/.local/share/daybook; on macOS ~/Library/Application Support/daybook)
      --force                use a data folder that contains other files
      --framing KIND         header (Content-Length, as language servers) or newline (one message a
                             line); detected from the first byte by default
      --no-handshake         serve requests without “initialize”, for scripts; events start after “events/subscribe”
      --store-of-record FILE a file with the purchases of the user, instead of the frontend
      --products FILE        the catalogue of products, instead of the built-in one
      --force-onboarding     show the introduction again until it is completed
      --http-carrier FILE    the program for network access, instead of daybook-http next to this program
      --log-level LEVEL      error, warning, info, debug or trace, on standard error
      --version, --help
      --stdio, --clientProcessId=N   accepted and ignored, as editors send them
      --clock INSTANT, --seed N      fixed time and ids, for tests; refuse a folder not made with them

    ENVIRONMENT
      DAYBOOK_HOME           the data folder, unless --data names one
      XDG_DATA_HOME, HOME    where the data folder is, if neither does
      TZ, TZDIR              the time zone of days, unless a client sets one; the zone database
      DAYBOOK_ESTIMATOR_KEY, OPENAI_API_KEY    the key of the meal estimator, unless a secret or the client provides one

    FILES
      store.json             the identity of the store, and the format of its files
      lock                   held by a process while it writes; its text names the last holder
      journal/N.jsonl        the latest changes, one line each with a checksum; never rewritten
      ahead.jsonl            copies of the latest lines, durable before the journal is
      segments/NAME/MONTH.N.jsonl    the records of a month; a checkpoint writes a new file with another N
      segments/digest-NAME/all.N.jsonl    precomputed monthly totals; can be deleted without changing any answer
      manifest.json          the list of the files that make up the store
      flags.json             state of this device: the introduction, time zones, failed attempts to unlock
      premium.json           the last answer of the store of record
      reminders.json         which reminders were delivered, snoozed or handled
      estimator.json         the configuration of the meal estimator, without the key
      secrets.json           secrets; never in backups, exports or the log
      logs/daybook.log       warnings and errors, without tracked data; older logs are next to it
      quarantine/            damaged data that was set aside
      backups/ID/            a backup: a complete store, with a list of its files in backup.json

    EXAMPLE
      daybook call meals/add '{"name": "Porridge", "calories": 350}'
      daybook call days/get

    The protocol is described in Protocol/generated/reference/README.md; “daybook call rpc.discover” prints it as OpenRPC.
    """

  private static let serve = """
    daybook: speak the protocol over standard input and output

    USAGE
      daybook [serve] [--data DIR] [--framing header|newline] [--no-handshake] [--log-level LEVEL]

    The first byte determines the framing: “{” or “[” means one message a line, a letter means header blocks with Content-Length.
    Standard output carries only messages; logs go to standard error.

    A session begins with “initialize” and “initialized” and ends with “shutdown” and “exit”. With --no-handshake, requests are
    served at once, and the end of standard input ends the session successfully.

    OPTIONS
      --data DIR             the data folder; created by the first change
      --framing KIND         header or newline, instead of detecting it (on a terminal: newline)
      --no-handshake         serve without “initialize”; the end of standard input then is a success
      --store-of-record FILE a file with the purchases of the user, instead of the frontend
      --products FILE        the catalogue of products, instead of the built-in one
      --force-onboarding     show the introduction again until it is completed
      --log-level LEVEL      error (default), warning, info, debug: what the service does, never tracked data;
                             trace: everything, including your data

    EXIT STATUS
      0   after “shutdown”, or when a script closed standard input
      1   “exit” without “shutdown”, standard input closed during a session, unusable input, a signal,
          standard output closed, the client's process ended; the reason is on standard error
      2   wrong usage

    EXAMPLE
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"days/get"}' | daybook --no-handshake
    """

  private static let call = """
    daybook call: make one call and print its result

    USAGE
      daybook call METHOD [JSON|-] [--data DIR] [--log-level LEVEL]

    JSON is the params object; “-” reads it from standard input. The result is printed as one line of JSON on standard
    output; an error as one line of JSON, {"code", "message", "data"}, on standard error.

    While another process writes to the data folder, a change waits for at most five seconds and is then refused as
    “storeBusy”. If stored data is damaged, standard error says so.

    EXIT STATUS
      0   the result was printed
      1   the call failed with an error
      2   wrong usage
      3   no response came, or standard input or output cannot be used; nothing was changed
      4   the call was carried out, but its result could not be printed; standard error says “stored as revision N”.
          Do not repeat the call

    EXAMPLE
      daybook call meals/add '{"name": "Porridge", "calories": 350, "mealType": "breakfast"}'
      daybook call meals/list '{"day": "2026-01-05"}' | jq '.meals[].name'
    """

  /// The domains for “watch”, eight a line.
  private static let domains = stride(from: 0, to: FolderWatch.domains.count, by: 8).map { start in
    FolderWatch.domains[start..<min(start + 8, FolderWatch.domains.count)].joined(separator: ", ")
  }.joined(separator: ",\n  ")

  private static let watch = """
    daybook watch: print events as they happen

    USAGE
      daybook watch [DOMAIN…] [--data DIR]

    Prints each notification about the data folder as one line of JSON on standard output, until standard output is
    closed or a signal comes, except notifications for a single frontend, such as reminders and progress. Changes by other
    processes appear within a quarter of a second, changes of the entitlement within a second. Watching takes no lock and
    changes nothing.

    Domains restrict the output:
      \(domains)

    EXIT STATUS
      0   standard output was closed
      1   the data folder cannot be read, or a signal came
      2   wrong usage

    EXAMPLE
      daybook watch meals | while read -r event; do daybook-refresh; done
    """

  private static let doctor = """
    daybook doctor: check the data folder

    USAGE
      daybook doctor [--repair] [--json] [--data DIR]

    Reads and verifies everything in the data folder and explains each problem: what is wrong, what it means for your data, and
    what to do. Without --repair nothing is changed, and other programs may keep using the folder.

    OPTIONS
      --data DIR             the data folder
      --repair               repair what can be repaired: damaged files are first copied into quarantine/, then rebuilt from
                             all readable data; unneeded files are moved into quarantine/; then check again
      --json                 print one line of JSON instead of text

    EXIT STATUS
      0   everything is in order
      1   there are problems, or something could not be checked
      2   wrong usage
      3   standard output cannot be written
      4   the same, and the repair was carried out

    EXAMPLE
      daybook doctor || daybook doctor --repair
    """
}
