// git. The repository's own config (textconv, fsmonitor) is the host's business; settings that the command line brings in
// (-c, --git-dir, --ext-diff, -O) are not a read. git completes long options, so abbreviations count.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { join } from '../programs/places.ts';

/** A signature is checked by a program, which may fetch the key. */
const unless: [RegExp, string] = [
  /^--(?:o|ou.*|op.*|e|ex|exec.*|ext|ext-.*|textc.*|fi|filt.*|u|up.*)$|^-[A-Za-z]*O|^--show-sig|%G|%\(signature/s,
  'would write a file or run a program',
];
const reads: CommandSpec = { flags: 'any', unless };

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

const git: CommandSpec = {
  flags: '-C: --no-pager --no-optional-locks --literal-pathspecs --bare --no-replace-objects',
  subcommands: {
    ...each(
      `log show blame annotate shortlog status ls-files ls-tree rev-parse rev-list describe name-rev merge-base
      for-each-ref show-ref whatchanged diff-tree diff-index diff-files range-diff cherry check-ignore check-attr
      count-objects version`,
      reads,
    ),
    ...each('diff grep', { ...reads, check: readsFolder }),
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
      flags: `-a -r -v -l -i --list --all --remotes --verbose --show-current --contains= --no-contains= --merged= --no-merged=
        --sort= --format= --points-at= --color=? --no-color --column=? --abbrev=? --no-abbrev --ignore-case`,
      check: lists(['-l', '--list']),
    },
    tag: {
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
      subcommands: { list: reads, show: reads },
    },
    reflog: { check: () => ({}), subcommands: { show: reads } },
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
  },
};

export const repositories: Record<string, CommandSpec> = {
  git,
  ...each('svn hg gh glab', { changes: 'can change a repository' }),
};
