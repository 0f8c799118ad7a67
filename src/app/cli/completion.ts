import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Output } from '../process/output.ts';
import type { Run } from './command-options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A command with what may follow it. `path` is empty for `godwit` itself. */
interface Completed {
  readonly path: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly word: string;
  readonly text: string;
}

/** `godwit completion`: the script of a shell, made of the commands that there are. Added last. */
export function addCompletion(root: Command, output: Output, run: Run): void {
  root
    .command('completion')
    .description('prints the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .option('--json', 'one document: every command with what may follow it')
    .addHelpText(
      'after',
      '\nExample: godwit completion bash > ~/.local/share/bash-completion/completions/godwit' +
        '\n         godwit completion fish > ~/.config/fish/completions/godwit.fish',
    )
    .action((shell: Shell, { json }: { readonly json?: true }) => {
      const tree = completedBy(root, '');
      if (json === true) output.data(JSON.stringify(tree));
      else output.data(scripts[shell](tree));
      return run(0);
    });
}

function completedBy(command: Command, path: string): readonly Completed[] {
  const below = command.commands.map((child) => ({ word: child.name(), text: child.description() }));
  const options = command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ word: long, text: description }] : [],
  );
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) =>
    argChoices.map((word) => ({ word, text: '' })),
  );
  const help = { word: '--help', text: 'display help for command' };
  return [
    { path, words: [...below, ...values, ...options, help] },
    ...command.commands.flatMap((child) =>
      completedBy(child, path === '' ? child.name() : `${path} ${child.name()}`),
    ),
  ];
}

/** How the words before the cursor become the path of a command: those that begin one, options and values aside. */
const bashWords = `  local word path="" words="$(_godwit_words "")" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [ -n "$(_godwit_words "\${path:+$path }$word")" ]; then path="\${path:+$path }$word"; fi
  done
  words="$(_godwit_words "$path")"`;

const scripts: Readonly<Record<Shell, (tree: readonly Completed[]) => string>> = {
  bash: (tree) => `# godwit completion bash
_godwit_words() {
  case "$1" in
${tree.map(({ path, words }) => `    "${path}") echo "${wordsOf(words)}" ;;`).join('\n')}
  esac
}
_godwit() {
${bashWords}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _godwit godwit`,
  zsh: (tree) => `#compdef godwit
_godwit() {
  local word path_="" at
  local -A known=(
${tree.map(({ path, words }) => `    ${single(path === '' ? 'godwit' : path)} ${single(wordsOf(words))}`).join('\n')}
  )
  for ((at = 2; at < CURRENT; at++)); do
    word="\${path_:+$path_ }\${words[at]}"
    if [[ -n "\${known[$word]}" ]]; then path_="$word"; fi
  done
  local -a found
  found=(\${=known[\${path_:-godwit}]})
  compadd -- $found
  _files
}
compdef _godwit godwit`,
  fish: (tree) =>
    [
      'complete -c godwit -e',
      ...tree.flatMap(({ path, words }) =>
        words.map(({ word, text }) => {
          const when = path === '' ? '__fish_use_subcommand' : seenInFish(path);
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
          return `complete -c godwit -n ${single(when)} ${what}${text === '' ? '' : ` -d ${single(text)}`}`;
        }),
      ),
    ].join('\n'),
};

function seenInFish(path: string): string {
  return path
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
}

function wordsOf(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(' ');
}

function single(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
