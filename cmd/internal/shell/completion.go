package shell

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"sinew/cmd/internal/cli"
)

// Complete is the command completion.
type Complete struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Choose the shell: bash, zsh or fish."`
}

// Help explains how to install the script.
func (*Complete) Help() string {
	return `For the current shell, and permanently:

    bash: source <(PROGRAM completion bash)      the same line in ~/.bashrc
    zsh:  source <(PROGRAM completion zsh)       after compinit in ~/.zshrc
    fish: PROGRAM completion fish | source       the same in ~/.config/fish/config.fish`
}

// Run prints a script for the shell.
func (c *Complete) Run(e *cli.Env, app *kong.Kong) error {
	verbs := verbsOf(app.Model, e)
	switch c.Shell {
	case "fish":
		printFish(e.Stdout, app.Model.Name, verbs)
	case "zsh":
		fmt.Fprintln(e.Stdout, "autoload -U +X bashcompinit && bashcompinit")
		fallthrough // zsh takes the functions of bash
	default:
		printBash(e.Stdout, app.Model.Name, verbs)
	}
	return nil
}

// word is a completion: a command or a flag.
type word struct {
	name, help string
	values     []string // values of the flag or command; empty: files
	alone      bool     // nothing follows
}

// verbWords is a command with its flags.
type verbWords struct {
	word
	flags []word
}

// verbsOf returns the commands that --help lists.
func verbsOf(app *kong.Application, e *cli.Env) (verbs []verbWords) {
	for _, n := range app.Children {
		if n.Hidden {
			continue
		}
		v := verbWords{word: word{name: n.Name, help: n.Help, alone: len(n.Positional) == 0}}
		for _, p := range n.Positional {
			v.values = append(v.values, values(p)...)
		}
		if n.Name == "init" {
			for _, r := range e.Robot.Builtin {
				v.values = append(v.values, r.Name)
			}
		}
		for _, f := range n.Flags {
			v.flags = append(v.flags, word{"--" + f.Name, f.Help, values(f.Value), f.IsBool()})
		}
		verbs = append(verbs, v)
	}
	return verbs
}

// values returns the values of an enumeration.
func values(v *kong.Value) (all []string) {
	if v.Enum != "" {
		all = v.EnumSlice()
		slices.Sort(all)
	}
	return all
}

// printBash prints a function for bash. The command is the first word that is a command.
func printBash(w io.Writer, program string, verbs []verbWords) {
	var names, cases strings.Builder
	for _, v := range verbs {
		fmt.Fprintf(&names, "%s ", v.name)
		fmt.Fprintf(&cases, "  %s) flags='%s' words='%s'\n    case $previous in\n", v.name, joined(v.flags), strings.Join(v.values, " "))
		for _, f := range v.flags {
			switch {
			case f.values != nil:
				fmt.Fprintf(&cases, "    %s) flags= words='%s';;\n", f.name, strings.Join(f.values, " "))
			case !f.alone:
				fmt.Fprintf(&cases, "    %s) flags= words=;;\n", f.name)
			}
		}
		cases.WriteString("    esac;;\n")
	}
	fmt.Fprintf(w, `# completion of %[1]s
_%[1]s() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb= i flags= words=
  [ "$word" = = ] && word=
  [ "$previous" = = ] && previous=${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case " %[2]s" in *" ${COMP_WORDS[i]} "*) verb=${COMP_WORDS[i]}; break;; esac
  done
  case ${verb:-none} in
%[3]s  none) words='%[2]s';;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case $word in
  -*) COMPREPLY=($(compgen -W "$flags" -- "$word"));;
  esac
}
complete -o default -F _%[1]s %[1]s
`, program, names.String(), cases.String())
}

// joined returns the names of flags.
func joined(flags []word) string {
	var names []string
	for _, f := range flags {
		names = append(names, f.name)
	}
	return strings.Join(names, " ")
}

// printFish prints a line for every command and flag.
func printFish(w io.Writer, program string, verbs []verbWords) {
	for _, v := range verbs {
		fmt.Fprintf(w, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", program, v.name, quoted(v.help))
		within := fmt.Sprintf("complete -c %s -n '__fish_seen_subcommand_from %s'", program, v.name)
		if v.values != nil {
			fmt.Fprintf(w, "%s -f -a '%s'\n", within, strings.Join(v.values, " "))
		}
		for _, f := range v.flags {
			follows := " -r"
			switch {
			case f.alone:
				follows = ""
			case f.values != nil:
				follows = " -x -a '" + strings.Join(f.values, " ") + "'"
			}
			fmt.Fprintf(w, "%s -l %s%s -d %s\n", within, strings.TrimPrefix(f.name, "--"), follows, quoted(f.help))
		}
	}
}

// quoted returns text as one word of fish.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
