import DaybookServer

/// What a person reads.
enum HelpTexts {
  /// The text on a command; nil when there is no such command.
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

  /// For somebody who started the service in a terminal.
  static let greeting = """
    daybook speaks JSON-RPC 2.0 over standard input and output, for editors, frontends and scripts. It waits for a message now.
    One a line works here. Try:

      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
      {"jsonrpc":"2.0","id":2,"method":"days/get"}

    or leave with Ctrl-D and ask “daybook call days/get”, or “daybook --help”.
    """

  private static let general = """
    daybook \(ServiceOptions.version): a local-first engine for what you track by the day

    USAGE
      daybook [options]                    speak the protocol over standard input and output
      daybook call METHOD [JSON|-]         make one call and print its result
      daybook watch                        print events as they happen, one a line
      daybook doctor [--repair]            look whether the data folder is in order
      daybook backup [create|list|verify|delete]   make backups and look after them
      daybook restore ID                   put a backup in the place of what is stored
      daybook export FILE|-                write everything as one text
      daybook import FILE|-                take such a text in
      daybook help [COMMAND]               more on a command

    OPTIONS
      --data DIR             the data folder ($DAYBOOK_HOME, else $XDG_DATA_HOME/daybook,
                             else ~/.local/share/daybook; on macOS ~/Library/Application Support/daybook)
      --force                use a data folder that has other files in it
      --framing KIND         header (Content-Length, as language servers) or newline (one message a
                             line); found by the first byte when not given
      --no-handshake         serve requests without “initialize”, for scripts; events come after “events/subscribe”
      --store-of-record FILE a file that knows what the user has bought, in the place of the frontend
      --products FILE        what can be bought, in the place of the built-in catalogue
      --force-onboarding     show the introduction although it was completed, until it is again
      --http-carrier FILE    the program that speaks to the network, in the place of daybook-http beside this one
      --log-level LEVEL      error, warning, info, debug or trace, on standard error
      --version, --help
      --stdio, --clientProcessId=N   accepted and ignored, as editors send them
      --clock INSTANT, --seed N      fixed time and ids, for tests; refuse a folder not made with them

    ENVIRONMENT
      DAYBOOK_HOME           the data folder, unless --data names one
      XDG_DATA_HOME, HOME    where the data folder is, if neither does
      TZ, TZDIR              the time zone days are counted in, unless a client says; the zone database
      DAYBOOK_ESTIMATOR_KEY, OPENAI_API_KEY    the key of the meal estimator, unless a secret or the client has one

    FILES
      store.json             which store this is, and the format of its files
      lock                   held by a process while it writes; its text says which one did last
      journal/N.jsonl        the latest changes, one line each with a checksum; nothing is ever rewritten
      ahead.jsonl            copies of the latest of these, safe on the disk before the journal is
      segments/NAME/MONTH.N.jsonl    the records of a month; a checkpoint writes it again under another N
      segments/digest-NAME/all.N.jsonl    sums of months, made ahead; dropping them changes no answer
      manifest.json          which of these files make up the store
      flags.json             what this device remembers: the introduction, time zones, attempts to unlock
      premium.json           what the store of record said last
      reminders.json         which reminders were given, put off or dealt with
      estimator.json         how meals are estimated, and whether they are; without the key
      secrets.json           secrets, which nothing but their user reads; never in backups, exports or the log
      logs/daybook.log       warnings and errors, without what you track; older ones beside it
      quarantine/            damage that was set aside
      backups/ID/            a backup: a store of its own, with a list of its files in backup.json

    EXAMPLE
      daybook call meals/add '{"name": "Porridge", "calories": 350}'
      daybook call days/get

    The protocol is described in Protocol/generated/reference/README.md; “daybook call rpc.discover” prints it as OpenRPC.
    """

  private static let serve = """
    daybook: speak the protocol over standard input and output

    USAGE
      daybook [serve] [--data DIR] [--framing header|newline] [--no-handshake] [--log-level LEVEL]

    The first byte decides the framing: “{” or “[” means one message a line, a letter means header blocks with Content-Length.
    Standard output carries nothing but messages; what the service has to tell about itself goes to standard error.

    A session begins with “initialize” and “initialized” and ends with “shutdown” and “exit”. With --no-handshake requests are
    served at once, and closing standard input is a proper end.

    OPTIONS
      --data DIR             the data folder; made by the first change, not before
      --framing KIND         header or newline, instead of finding it by the first byte (on a terminal: newline)
      --no-handshake         serve without “initialize”; then the end of standard input ends well
      --store-of-record FILE a file that knows what the user has bought, in the place of the frontend
      --products FILE        what can be bought, in the place of the built-in catalogue
      --force-onboarding     show the introduction although it was completed, until it is again
      --log-level LEVEL      error (as released), warning, info, debug: what the service does, never what you track;
                             trace: everything, your data included

    EXIT STATUS
      0   after “shutdown”, or when a script closed standard input
      1   “exit” without “shutdown”, standard input closed in mid-session, unusable input, a signal,
          standard output closed, the client's process gone; the reason is on standard error
      2   wrong usage

    EXAMPLE
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"days/get"}' | daybook --no-handshake
    """

  private static let call = """
    daybook call: make one call and print its result

    USAGE
      daybook call METHOD [JSON|-] [--data DIR] [--log-level LEVEL]

    JSON is the object of params; “-” reads it from standard input. The result is printed as one line of JSON on standard
    output; a refusal as one line of JSON, {"code", "message", "data"}, on standard error.

    While another process writes to the data folder a change waits, five seconds at most, and is then refused as
    “storeBusy”. If what is stored is damaged, standard error says so.

    EXIT STATUS
      0   the result was printed
      1   the call was refused
      2   wrong usage
      3   no answer came, or standard input cannot be read

    EXAMPLE
      daybook call meals/add '{"name": "Porridge", "calories": 350, "mealType": "breakfast"}'
      daybook call meals/list '{"day": "2026-01-05"}' | jq '.meals[].name'
    """

  /// The domains that “watch” takes, so many in a line.
  private static let domains = stride(from: 0, to: FolderWatch.domains.count, by: 8).map { start in
    FolderWatch.domains[start..<min(start + 8, FolderWatch.domains.count)].joined(separator: ", ")
  }.joined(separator: ",\n  ")

  private static let watch = """
    daybook watch: print events as they happen

    USAGE
      daybook watch [DOMAIN…] [--data DIR]

    Prints each notification that tells of the data folder as one line of JSON on standard output, until standard output
    is closed or a signal comes; not those that are meant for one frontend, as reminders and progress. Changes made by
    other processes on the data folder are seen within a quarter of a second, of the entitlement within a second;
    watching takes no lock and changes nothing.

    Domains narrow it:
      \(domains)

    EXIT STATUS
      0   standard output was closed
      1   the data folder cannot be read, or a signal came
      2   wrong usage

    EXAMPLE
      daybook watch meals | while read -r event; do daybook-refresh; done
    """

  private static let doctor = """
    daybook doctor: look whether the data folder is in order

    USAGE
      daybook doctor [--repair] [--json] [--data DIR]

    Reads and verifies everything in the data folder and says in plain words what is not as it should be, what that means for
    your data, and what to do. Without --repair nothing is changed, and other programs may go on using the folder meanwhile.

    OPTIONS
      --data DIR             the data folder
      --repair               repair what can be: a damaged file is first copied into quarantine/, then written again
                             out of everything that can be read; what nothing needs is moved into quarantine/; then look again
      --json                 one line of JSON in the place of the text

    EXIT STATUS
      0   all is in order
      1   something is not, or could not be looked at
      2   wrong usage

    EXAMPLE
      daybook doctor || daybook doctor --repair
    """
}
