// git. Settings that the command line brings in (-c, --git-dir, --ext-diff, -O) are not a read. git completes long options,
// so abbreviations count. The runner and `gitWords` switch off the programs that the repository's own config names; what
// starts one all the same is not a read.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { gitWords } from '../parse/git-words.ts';
import { join } from '../programs/places.ts';

/**
 * A signature is checked by a program, which may fetch the key. Each of these may start one by the repository's config: a
 * format with a name, a manual page, the differences inside a submodule, a merge that is made again.
 */
const unless: [RegExp, string] = [
  /^--(?:o|ou.*|op.*|e|ex|exec.*|ext|ext-.*|textc.*|fi|filt.*|u|up.*|help|su\w*=d.*|remerge.*|diff-merges(?:=r.*)?)$|^-[A-Za-z]*O|^--show-sig|%[-+ ]?G|%\(\*?signature|^(?:--sort=)?-?\*?signature(?::\w+)?$|^--(?:pretty|format)=(?!(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw)$)[\w-]+$/s,
  'would write a file or run a program',
];
const reads: CommandSpec = { flags: 'any', unless };
const readsBut = (further: RegExp): CommandSpec => ({
  ...reads,
  unless: [new RegExp(`${unless[0].source}|${further.source}`, 's'), unless[1]],
});

/** Kinds of files may have a program of the repository's for their differences. */
function withoutPrograms({ name, args }: Call): Finding | undefined {
  if (gitWords.every((word, at) => args[at]?.value === word)) return undefined;
  return {
    reason: `${name} may start a program that the repository names, without ${gitWords.join(' ')} right behind it`,
  };
}
const showsDifferences: CommandSpec = { ...reads, check: withoutPrograms };

const lists = (wanted: string[]) =>
  function judge({ name, flags, operands }: Call): Finding | undefined {
    if (operands.length === 0 || flags.some((flag) => wanted.includes(flag.name))) return undefined;
    return { reason: `${name} with a name and without --list makes or moves it` };
  };

/** Both read files, with --no-index even outside a repository. */
function readsFolder({ flags, args }: Call): Finding {
  const folders = flags.flatMap(({ name, value }) => (name === '-C' && value ? [value.value] : []));
  const isKnown = [...folders, ...args.map(({ value }) => value)].every((word) => word !== undefined);
  const folder = folders.reduce<string>((inside, next = '') => join(inside, next), '');
  return { walks: true, unknown: isKnown ? [`${folder || '.'}/`] : [''] };
}

/** `git log --help` opens a manual page by a program that the repository may name. */
function withoutManual(subcommands: Record<string, CommandSpec>): Record<string, CommandSpec> {
  return Object.fromEntries(
    Object.entries(subcommands).map(([name, spec]) => [name, { usage: false, ...spec }]),
  );
}

const git: CommandSpec = {
  flags: '-C: --no-pager --no-optional-locks --literal-pathspecs --bare --no-replace-objects',
  subcommands: withoutManual({
    ...each(
      `shortlog ls-files ls-tree rev-parse rev-list name-rev merge-base for-each-ref show-ref diff-tree diff-index diff-files
      cherry check-ignore check-attr count-objects version`,
      reads,
    ),
    ...each('log show blame annotate whatchanged', showsDifferences),
    diff: { ...reads, check: (call) => ({ ...readsFolder(call), ...withoutPrograms(call) }) },
    grep: { ...reads, check: readsFolder },
    status: readsBut(/^-[A-Za-z]*v|^--v/),
    // both write the index, and start a hook
    describe: readsBut(/^--(?:di|b)/),
    'range-diff': { changes: 'starts the programs that the repository names' },
    // --filters and --textconv run programs, and they have many abbreviations
    'cat-file': {
      flags: `-e -p -t -s -z -Z --batch=? --batch-check=? --batch-all-objects --buffer --unordered --follow-symlinks
        --no-textconv --no-filters`,
    },
    ...each('add rm mv restore clean checkout switch', { changes: 'changes files or what is staged' }),
    ...each('commit merge rebase cherry-pick revert am apply reset', { changes: 'changes files or commits' }),
    ...each('clone fetch pull push submodule', { changes: 'copies commits between repositories' }),
    ...each('init gc repack prune', { changes: 'changes the repository' }),
    branch: {
      unless,
      flags: `-a -r -v -l -i --list --all --remotes --verbose --show-current --contains= --no-contains= --merged= --no-merged=
        --sort= --format= --points-at= --color=? --no-color --column=? --abbrev=? --no-abbrev --ignore-case`,
      check: lists(['-l', '--list']),
    },
    tag: {
      unless,
      flags: '-l -n=? --list --sort= --contains= --points-at= --merged= --no-merged= --format= --column=? -i',
      check: lists(['-l', '--list']),
    },
    remote: {
      flags: '-v --verbose',
      check: () => ({}),
      subcommands: { 'get-url': { flags: '--all --push' } },
    },
    stash: {
      check: () => ({ reason: 'git stash puts changes away' }),
      // without --ext-diff and --textconv, show starts none
      subcommands: { list: showsDifferences, show: reads },
    },
    reflog: { check: () => ({}), subcommands: { show: showsDifferences } },
    worktree: { subcommands: { list: { flags: '-v --porcelain -z' } } },
    notes: { subcommands: each('list show', {}) },
    config: {
      operands: 0,
      flags:
        '-l -z --list --get= --get-all= --get-regexp= --global --system --local --show-origin --show-scope --name-only',
      check: ({ flags }) =>
        flags.some(({ name }) => /^-l$|^--list$|^--get/.test(name))
          ? undefined
          : { reason: 'git config sets' },
    },
  }),
};

export const repositories: Record<string, CommandSpec> = {
  git,
  ...each('svn hg gh glab', { changes: 'can change a repository' }),
};
