import DaybookServer

/// The commands for scripts, editors and frontends.
extension CommandTable {
  static let service = [
    CommandEntry(
      name: "call", sentence: "make one call and print its result", synopsis: ["call METHOD [JSON|-]"],
      text: [
        "JSON is the params object; “-” reads it from standard input. The result is printed as one line of JSON on "
          + "standard output; an error as one line of JSON, {\"code\", \"message\", \"data\"}, on standard error.",
        "While another process writes to the data folder, a change waits for at most five seconds and is then refused "
          + "as “storeBusy”. If stored data is damaged, standard error says so.",
      ],
      operands: [.methods, .params],
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
        #"daybook call meals/add '{"name": "Porridge", "calories": 350}'"#,
        #"daybook call meals/list '{"day": "2026-01-05"}' | jq '.meals[].name'"#,
      ],
      run: { arguments throws(UsageError) in try CallCommand(arguments).run() }),
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
      name: "help", sentence: "explain a command", synopsis: ["help [COMMAND]"],
      operands: [.commands], statuses: [(0, "printed"), (3, "standard output cannot be written")],
      examples: ["daybook help call"],
      run: { arguments throws(UsageError) in try DaybookCommand.help(arguments.operands) }),
  ]
}
