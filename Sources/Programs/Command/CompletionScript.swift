/// A shell with completions.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// The completions of a shell. Commands and options stand in the script; for all else it asks `daybook __complete`.
struct CompletionScript {
  let shell: Shell

  var text: String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private var commands: [CommandEntry] { CommandTable.shown }

  /// The options that a command offers.
  private func options(_ command: CommandEntry?) -> [OptionEntry] {
    guard let command else { return OptionTable.all.filter { $0.reach != .named } }
    return HelpTexts.options(of: command)
  }

  /// The forms of an option: long, and one letter.
  private static func forms(_ option: OptionEntry) -> [String] { [option.name] + (option.short.map { [$0] } ?? []) }

  private var optionsWithValues: [OptionEntry] { OptionTable.all.filter { $0.value != nil } }
  private var optionsWithFiles: [OptionEntry] { OptionTable.all.filter { $0.values == .file || $0.values == .folder } }
  private var commandsWithFiles: [CommandEntry] { commands.filter { $0.operands.first == .file } }

  /// Texts between apostrophes.
  private func quoted(_ texts: [String]) -> String {
    texts.map(\.inApostrophes).joined(separator: " ")
  }

  /// A `case` branch for each command with what `line` makes of its options, and one for no command.
  private func branches(_ line: (OptionEntry) -> String) -> String {
    let none = "    '') set -- \(quoted(options(nil).map(line))) ;;\n"
    return commands.map { "    \($0.name)) set -- \(quoted(options($0).map(line))) ;;\n" }.joined() + none
  }

  /// Finds the command among `typed`, and sets `command` and `previous`.
  private var search: String {
    """
      local command= previous= skips= word
      for word in "${typed[@]}"; do
        previous=$word
        if [[ -n $skips ]]; then skips=; continue; fi
        case $word in
        \(optionsWithValues.map(\.name).joined(separator: "|"))) skips=1 ;;
        -*) ;;
        *) [[ -n $command ]] || command=$word ;;
        esac
      done
      [[ -n $skips ]] || previous=
    """
  }

  private var bash: String {
    """
    # Completions of bash for daybook; made by “daybook completions bash”.
    _daybook() {
      # Words as the shell has them: readline also breaks them at “=” and “:”.
      local rest=${COMP_LINE:0:COMP_POINT} typed=() glued= gap index line
      for ((index = 0; index < COMP_CWORD; index++)); do
        gap=${rest%%[![:space:]]*} rest=${rest:${#gap}}
        if [[ -n $gap || $index -eq 0 ]]; then typed+=("${COMP_WORDS[index]}")
        else typed[${#typed[@]} - 1]+=${COMP_WORDS[index]}; fi
        rest=${rest:${#COMP_WORDS[index]}}
      done
      gap=${rest%%[![:space:]]*} rest=${rest:${#gap}}
      if [[ -z $gap ]]; then
        glued=${typed[${#typed[@]} - 1]}
        unset "typed[${#typed[@]} - 1]"
      fi
      local current=$glued$rest quote=
      case $current in \\"*|\\'*) quote=${current:0:1} current=${current:1} ;; esac
      [[ $quote == \\' ]] || current=${current//\\\\/}
      typed=("${typed[@]:1}")
      for index in "${!typed[@]}"; do
        case ${typed[index]} in
        \\"*\\"|\\'*\\') typed[index]=${typed[index]:1:${#typed[index]} - 2} ;;
        *) typed[index]=${typed[index]//\\\\/} ;;
        esac
      done
    \(search)
      COMPREPLY=()
      case $previous:$command in
      \(filePattern)) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
      esac
      if [[ -z $previous && $current == -* ]]; then
        case $command in
    \(branches(\.name))    *) set -- ;;
        esac
      elif [[ -z $previous && -z $command ]]; then
        set -- \(quoted(commands.map(\.name)))
      else
        set --
        while IFS= read -r line; do set -- "$@" "${line%%$'\\t'*}"; done < <(
          "${COMP_WORDS[0]}" __complete -- "${typed[@]}" "$current" 2>/dev/null)
      fi
      for line in "$@"; do
        [[ $line == "$current"* || $# -eq 1 ]] || continue
        case $quote in
        \\") line=${line//\\\\/\\\\\\\\} line=${line//\\"/\\\\\\"} line=${line//\\$/\\\\$} line=${line//\\`/\\\\\\`} ;;
        \\') line=${line//\\'/\\'\\\\\\'\\'} ;;
        *) case $line in *=) ;; *) printf -v line %q "$line" ;; esac ;;
        esac
        COMPREPLY+=("${line#"$glued"}")
      done
      case ${COMPREPLY[*]} in *=) compopt -o nospace ;; esac
    }
    complete -F _daybook daybook

    """
  }

  private var filePattern: String {
    let options = optionsWithFiles.map { $0.name + ":*" }
    return (options + commandsWithFiles.map { ":" + $0.name }).joined(separator: "|")
  }

  private var zsh: String {
    """
    #compdef daybook
    # Completions of zsh for daybook; made by “daybook completions zsh”.
    _daybook() {
      local -a before values texts
      local line
      before=("${(@Q)words[2,CURRENT-1]}")
      (( CURRENT > 2 )) || before=()
      () {
        local -a typed=("$@")
    \(search)
        case $previous:$command in
        \(filePattern)) _files; return ;;
        esac
        if [[ -z $previous && $PREFIX == -* ]]; then
          case $command in
    \(branches { $0.name + "\t" + $0.sentence })    *) set -- ;;
          esac
        elif [[ -z $previous && -z $command ]]; then
          set -- \(quoted(commands.map { $0.name + "\t" + $0.sentence }))
        else
          set -- "${(@f)$(daybook __complete -- "${typed[@]}" "${(Q)PREFIX}" 2>/dev/null)}"
        fi
        for line in "$@"; do
          [[ -n $line ]] || continue
          values+=("${line%%$'\\t'*}")
          texts+=("${line%%$'\\t'*}  ${line#*$'\\t'}")
        done
      } "${before[@]}"
      (( $#values )) || return 1
      # Nothing follows what ends with “=”.
      local -a space=()
      [[ ${values[1]} != *= ]] || space=(-S '')
      compadd -l -d texts "${space[@]}" -M 'm:{a-zA-Z}={A-Za-z}' -a values
    }
    if [[ $funcstack[1] == _daybook ]]; then _daybook "$@"; else compdef _daybook daybook; fi

    """
  }

  private var fish: String {
    var lines = [
      "# Completions of fish for daybook; made by “daybook completions fish”.",
      "function __daybook_complete",
      "  set -l words (commandline -opc)",
      "  daybook __complete -- $words[2..-1] (commandline -ct | string unescape) 2>/dev/null",
      "end",
      "complete -c daybook -f",
    ]
    let names = commands.map(\.name).joined(separator: " ")
    let none = "not __fish_seen_subcommand_from \(names)"
    for command in commands {
      lines.append("complete -c daybook -n \(quoted([none])) -a \(command.name) -d \(quoted([command.sentence]))")
    }
    for option in OptionTable.all {
      let owners = commands.filter { options($0).contains { $0.name == option.name } }.map(\.name)
      let isOfAll = option.reach == .every
      let seen = "__fish_seen_subcommand_from \(owners.joined(separator: " "))"
      let when = isOfAll ? "" : " -n " + quoted([option.reach == .named ? seen : "\(none); or \(seen)"])
      let value =
        option.value == nil
        ? "" : option.values == .file || option.values == .folder ? " -r -F" : " -x -a '(__daybook_complete)'"
      let short = option.short.map { " -s " + $0.dropFirst() } ?? ""
      lines.append(
        "complete -c daybook\(when)\(short) -l \(option.name.dropFirst(2))\(value) -d \(quoted([option.sentence]))")
    }
    let files = commandsWithFiles.map(\.name).joined(separator: " ")
    lines.append("complete -c daybook -n '__fish_seen_subcommand_from \(files)' -F")
    let others = commands.filter { $0.operands.first != .file }.map(\.name).joined(separator: " ")
    lines.append("complete -c daybook -n '__fish_seen_subcommand_from \(others)' -a '(__daybook_complete)'")
    return lines.joined(separator: "\n") + "\n"
  }
}
