// Programs about files: readers and changers.
import { defined } from '@holdfast/base/defined';
import { each, splitWords, type CommandSpec } from '../command-spec.ts';
import { type Argument, literal, meaningsOf } from '../parse/argument.ts';
import { toHosts } from '../programs/hosts.ts';
import { judgeFind } from '../programs/find-expression.ts';
import { judgeTar } from '../programs/tar-letters.ts';
import { namesInFile } from './text.ts';

/** Without `walks` the whole content of a folder counts: it is moved too, or further names come from an archive or a file. */
const changing: [names: string, changes: string, walks?: boolean | RegExp][] = [
  ['rm', 'removes files', /^-[A-Za-z]*[rR]|^--r/],
  ['rmdir unlink shred', 'removes files', false],
  ['wipe srm', 'removes files'],
  ['mv rename prename', 'moves files'],
  ['cp install ln link ditto', 'makes files'],
  ['mkdir touch mktemp mkfifo mknod truncate fallocate tee tempfile', 'makes or changes files', false],
  ['chmod chown chgrp chattr', 'changes rights or owners', /^-[A-Za-z]*R|^--r/],
  ['setfacl setfattr setcap', 'changes rights or owners'],
  ['dd', 'copies bytes to files or devices', false],
  ['patch ed ex vi vim nvim nano emacs pico', 'edits files'],
  [
    'bzip2 bunzip2 gunzip xz unxz zstd unzstd zip unzip 7z rar unrar cpio ar compress pax',
    'packs or unpacks files',
  ],
];

/** All of these families have --help and --version. */
const ofCoreutils = /^(?:removes|moves|makes|changes|copies) /;

/** The name of its backup is not in its words: `cp -b -S .md a SOUL`. */
const suffix: CommandSpec = { ask: /^-[A-Za-z]*S|^--su/ };
const keepsCopies = /^(?:mv|cp|install|ln)$/;

/** The host in `tcp@host:80`. There is none after a colon; an unknown word may have one. */
function addressOf(word: Argument, isAsked: boolean): Argument[] {
  const meanings = meaningsOf(word);
  const texts = meanings.flatMap(({ text, whole }) => (whole && text !== undefined ? [text] : []));
  if (texts.length < meanings.length)
    return word.prefix.includes('@') || (isAsked && !word.prefix.includes(':')) ? [word] : [];
  return texts.flatMap((text) => {
    const host = /@(.*?)(?::[\w,-]*)?$/s.exec(text)?.[1];
    return host === undefined ? [] : [literal(host)];
  });
}

export const files: Record<string, CommandSpec> = {
  ...each('stat readlink realpath df locate plocate namei', { flags: 'any' }),
  ...each('ls dir vdir', {
    flags: 'any',
    walks: /^-[A-Za-z0-9]*R|^--rec/,
    values: `-I: -T: -w: --block-size= --format= --hide= --ignore= --indicator-style= --quoting-style= --sort= --tabsize=
      --time= --time-style= --width=`,
  }),
  du: {
    flags: 'any',
    walks: true,
    lists: namesInFile,
    values:
      '-B: -d: -t: -X: --block-size= --exclude= --exclude-from= --files0-from= --max-depth= --threshold= --time-style=',
  },
  ...each('getfacl lsattr', { flags: 'any', walks: /^-[A-Za-z]*R|^--rec/ }),
  ...each('getfattr getcap', {
    flags: 'any',
    walks: /^-[A-Za-z]*[rR]|^--rec/,
    values: '-n: -m: -e: --name= --match= --encoding=',
  }),
  ...each('basename dirname whereis which', { flags: 'any', files: false }),
  // -C compiles, -p restores the time of access
  file: {
    lists: /^-[A-Za-z0]*f|^--files-from/,
    flags: `-b -i -k -L -h -r -s -z -0 -f: -F: -e: -m: --brief --mime --mime-type --mime-encoding --keep-going
      --dereference --no-dereference --raw --special-files --uncompress --files-from= --separator= --magic-file=`,
  },
  // -o writes a file, and -R writes one into every folder
  tree: {
    walks: true,
    flags: `-a -d -f -l -x -L: -P: -I: -p -u -g -s -h -D -i -A -S -n -C -N -q -Q -F -t -c -U -r -v -J -X
      --dirsfirst --filelimit= --gitignore --ignore-case --inodes --device --noreport --prune --du --si --sort=
      --timefmt= --charset= --matchdirs --info`,
  },
  find: { flags: 'any', check: judgeFind },
  fd: {
    pattern: '',
    walks: true,
    flags: `-H -I -u -s -i -g -F -a -l -L -p -d: -E: -t: -e: -S: -0 -1 -q -c: --hidden --no-ignore --case-sensitive
      --ignore-case --glob --regex --fixed-strings --absolute-path --follow --full-path --max-depth= --min-depth=
      --exclude= --type= --extension= --size= --changed-within= --changed-before= --owner= --max-results= --color=
      --print0 --quiet`,
  },
  tar: {
    flags: `-t -v -f: -z -j -J -O -a --list --verbose --file= --gzip --bzip2 --xz --zstd --auto-compress --exclude=
      --wildcards --strip-components= --show-transformed-names --utc --full-time --numeric-owner`,
    check: judgeTar,
  },
  fuser: { flags: '-v -m -n: -u -a -4 -6 --all --mount --verbose --namespace=' },
  // -i may name a host, which is looked up
  lsof: {
    flags: `-n -P -i=? -p: -u: -c: -t -l -a -w -b -R -s=? -d: -g=? -N -O -o -T=? -U -V -X -F=? -K=? -S=?`,
    check: ({ flags, operands }) => {
      const given = flags.filter(({ name }) => name === '-i');
      const words = [...given.flatMap(({ value }) => value ?? []), ...operands];
      return toHosts(
        words.flatMap((word) => addressOf(word, given.length > 0)),
        'lsof',
      );
    },
  },
  ...Object.fromEntries(
    changing.flatMap(([names, changes, walks]) => {
      const usage = ofCoreutils.test(changes);
      const spec = defined({ changes, changesOperands: true, usage, walks });
      return splitWords(names).map((name): [string, CommandSpec] => [
        name,
        keepsCopies.test(name) ? { ...spec, ...suffix } : spec,
      ]);
    }),
  ),
};
