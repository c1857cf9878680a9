import DaybookServer

/// The commands for scripts, editors and frontends.
extension CommandTable {
  static let service = [
    CommandEntry(
      name: "call", sentence: "make one call and print its result",
      synopsis: ["call METHOD [KEY=VALUE…]", "call METHOD JSON|-", "call METHOD --help"],
      text: [
        "The params are words such as calories=350, read by the types of the method (“daybook help METHOD”): a number, "
          + "true or false, a text, a day such as yesterday. KEY:=JSON gives any other value. Or they are one JSON "
          + "object; “-” reads it from standard input. A param “path” may be relative or begin with ~/.",
        "The result is JSON on standard output: indented on a terminal, one line in a pipe. An error is JSON, "
          + "{\"code\", \"message\", \"data\"}, on standard error.",
        "While another process writes to the data folder, a change waits for at most five seconds and is then refused "
          + "as “storeBusy”. If stored data is damaged, standard error says so.",
      ],
      operands: [.methods, .params], options: ["--compact", "--pretty"],
      statuses: [
        (0, "the result was printed"), (1, "the call failed with an error"),
        (3, "no response came, or standard input or output cannot be used; nothing was changed"),
        (
          4,
          "the call was carried out, but its result could not be printed; standard error says “stored as revision N”. "
            + "Do not repeat the call"
        ),
      ],
      examples: [
        "daybook call meals/add name=Porridge calories=350",
        #"daybook call habits/add '{"name": "Read", "schedule": {"kind": "daily"}}'"#,
        #"daybook call meals/list '{"day": "2026-01-05"}' | jq '.meals[].name'"#,
      ],
      run: { arguments throws(UsageError) in try CallCommand(arguments).run() }),
    CommandEntry(
      name: "methods", sentence: "list the methods for “call”", synopsis: ["methods [TEXT…]"],
      text: ["Prints the name and the first sentence of each method whose name or description contains all the words."],
      operands: [.text],
      statuses: [(0, "printed"), (1, "no method has these words"), (3, "standard output cannot be written")],
      examples: ["daybook methods favourite"],
      run: { arguments throws(UsageError) in try DaybookCommand.listMethods(arguments) }),
    CommandEntry(
      name: "sync", sentence: "exchange changes with your other devices", synopsis: ["sync [--watch]"],
      text: [
        "Reads what the other devices have left in the shared folder, applies it, and leaves what was changed here. "
          + "Frontends do that by themselves. “daybook call sync/configure” names the folder; it needs premium."
      ],
      options: ["--watch"] + pageOptions.filter { $0 != "--day" },
      statuses: [
        (0, "everything that could be exchanged was; with --watch, a signal came"),
        (1, "the exchange failed or could not begin; the reason is on standard error"),
        (3, "it succeeded, and something waits for you"),
      ],
      examples: [
        #"daybook call sync/configure '{"remote": {"kind": "folder", "path": "/media/stick/daybook"}, "create": true}'"#,
        "daybook sync",
      ],
      run: { arguments throws(UsageError) in try SyncCommand(arguments).run() }),
    CommandEntry(
      name: "watch", sentence: "print events as they happen, one a line", synopsis: ["watch [DOMAIN…]"],
      text: [
        "Prints each notification about the data folder as one line of JSON on standard output, until standard output "
          + "is closed or a signal comes, except notifications for a single frontend, such as reminders and progress. "
          + "Changes by other processes appear within a quarter of a second, changes of the entitlement within a "
          + "second. Watching takes no lock and changes nothing.",
        "Domains restrict the output: " + FolderWatch.domains.joined(separator: ", ") + ".",
      ],
      operands: [.domains],
      statuses: [
        (0, "standard output was closed"), (1, "the data folder cannot be read, or a signal came"),
      ],
      examples: ["daybook watch meals | while read -r event; do daybook-refresh; done"],
      run: { arguments throws(UsageError) in try WatchCommand(arguments).run() }),
    CommandEntry(
      name: "serve", sentence: "speak the protocol over standard input and output", synopsis: ["[serve]"],
      text: [
        "The first byte determines the framing: “{” or “[” means one message a line, a letter means header blocks with "
          + "Content-Length. Standard output carries only messages; logs go to standard error.",
        "A session begins with “initialize” and “initialized” and ends with “shutdown” and “exit”. With "
          + "--no-handshake, requests are served at once, and the end of standard input ends the session successfully.",
      ],
      options: ["--framing", "--no-handshake"],
      statuses: [
        (0, "after “shutdown”, or when a script closed standard input"),
        (
          1,
          "“exit” without “shutdown”, standard input closed during a session, unusable input, a signal, standard "
            + "output closed, the client's process ended; the reason is on standard error"
        ),
      ],
      examples: [
        #"printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"days/get"}' | daybook --no-handshake"#
      ],
      run: { arguments throws(UsageError) in try DaybookCommand.serve(arguments) }),
    CommandEntry(
      name: "help", sentence: "explain a command or a method", synopsis: ["help [COMMAND|METHOD]"],
      operands: [.topics], statuses: [(0, "printed"), (3, "standard output cannot be written")],
      examples: ["daybook help call", "daybook help meals/add"],
      run: { arguments throws(UsageError) in try DaybookCommand.help(arguments.operands) }),
    CommandEntry(
      name: "completions", sentence: "print the completions for a shell", synopsis: ["completions bash|zsh|fish"],
      text: ["The script goes where the shell looks for it; “sh Clients/install.sh” puts it there."],
      operands: [.oneOf(Shell.allCases.map(\.rawValue))],
      statuses: [(0, "printed"), (3, "standard output cannot be written")],
      examples: ["source <(daybook completions bash)", "daybook completions fish | source"],
      run: { arguments throws(UsageError) in
        guard let shell = arguments.operands.first.flatMap(Shell.init), arguments.operands.count == 1 else {
          throw UsageError(message: "completions takes the name of a shell: bash, zsh or fish")
        }
        Terminal.write(CompletionScript(shell: shell).text, to: 1)
        return DaybookCommand.Status.done
      }),
    CommandEntry(
      name: "man", sentence: "print the manual page as roff", synopsis: ["man"],
      statuses: [(0, "printed"), (3, "standard output cannot be written")],
      examples: ["daybook man > ~/.local/share/man/man1/daybook.1"],
      run: { arguments throws(UsageError) in
        if let word = arguments.operands.first { throw UsageError(message: "man takes no operand “\(word)”") }
        Terminal.write(ManualPage.text, to: 1)
        return DaybookCommand.Status.done
      }),
    CommandEntry(
      name: "__complete", sentence: "print how a line can go on, for completions", synopsis: ["__complete -- WORD…"],
      isHidden: true,
      run: { arguments throws(UsageError) in
        Candidates(arguments.operands).print()
        return DaybookCommand.Status.done
      }),
  ]
}
