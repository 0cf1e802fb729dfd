// Programs that read text and write text to standard output.
import { each, type CommandSpec } from '../command-spec.ts';
import { judgeAwk } from '../programs/awk-program.ts';
import { judgeJq } from '../programs/jq-program.ts';
import { judgeSed } from '../programs/sed-script.ts';

const grepFlags = `-a -A: -b -B: -c -C: -d: -D: -e: -E -f: -F -G -h -H -i -I -l -L -m: -n -o -q -r -R -s -S -T -U -v
  -w -x -y -z -Z -0-9`;

const givesPattern = '-e -f --regexp --file';
const grepWalks = /^-[A-Za-z0-9]*[dRr]|^--(?:rec|der|di)/;
/** --files0-from, which names a file with names, and its abbreviations. */
export const namesInFile = /^--f(?!ie)/;

export const textPrograms: Record<string, CommandSpec> = {
  // no option of these writes a file, runs a program or reaches a host
  ...each(
    `cat head tail cut nl tac rev fold column expand unexpand fmt comm join paste cmp pr look tsort sum base64 base32
    basenc od hexdump hd bc`,
    { flags: 'any' },
  ),
  wc: { flags: 'any', lists: namesInFile },
  ...each('cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum', {
    flags: 'any',
    lists: /^-[A-Za-z]*c|^--c/,
  }),
  // @ names a file with further words
  strings: { flags: 'any', lists: /^@/ },
  ...each('grep egrep fgrep', {
    flags: 'any',
    pattern: givesPattern,
    walks: grepWalks,
    values: `-A: -B: -C: -D: -d: -e: -f: -m: -X: --after-context= --before-context= --context= --binary-files= --devices=
      --directories= --exclude= --exclude-from= --exclude-dir= --include= --file= --regexp= --max-count= --label=
      --group-separator=`,
  }),
  jq: { flags: 'any', pattern: '-f --from-file', lists: /^-[A-Za-z]*f|^--f/, check: judgeJq },
  ...each('tr seq factor numfmt nproc expr', { flags: 'any', files: false }),
  ...each('zcat gzcat', { flags: '-f -q -r -v -l -t' }),
  ...each('bzcat xzcat zstdcat lz4cat lzcat uncompress', { flags: '-f -q' }),
  ...each('zgrep zegrep zfgrep bzgrep xzgrep', { flags: grepFlags, pattern: givesPattern, walks: grepWalks }),
  uncompress: { flags: '-c', check: ({ flags }) => needs(flags, ['-c'], 'uncompress replaces the file') },
  gzip: {
    flags: '-c -d -l -t -k -v -q -f -0-9 --stdout --decompress --list --test',
    check: ({ flags }) =>
      needs(flags, ['-c', '-l', '-t', '--stdout', '--list', '--test'], 'gzip replaces the file'),
  },
  sort: {
    lists: namesInFile,
    unless: [/^-[a-zA-Z]*o|^--output/, 'writes a file'],
    flags: `-b -d -f -g -i -h -M -n -R -r -V -c -C -m -s -u -z -k: -t: -S: --ignore-leading-blanks --dictionary-order
      --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort
      --random-sort --reverse --sort= --version-sort --batch-size= --check=? --debug --files0-from= --key= --merge
      --stable --buffer-size= --field-separator= --parallel= --unique --zero-terminated`,
  },
  // a second operand is the file that it writes
  uniq: {
    operands: 1,
    flags: `-c -d -D -f: -i -s: -u -w: -z -0-9 --count --repeated --all-repeated=? --skip-fields= --group=?
      --ignore-case --skip-chars= --unique --zero-terminated --check-chars=`,
  },
  xxd: { operands: 1, style: 'words', flags: '-a -b -c= -e -E -g= -i -l= -o= -p -ps -plain -s= -u -d' },
  // of two folders it compares the files
  diff: {
    walks: true,
    flags: `-a -b -B -c -C: -d -e -E -F: -H -i -I: -L: -n -N -p -q -r -s -S: -t -T -u -U: -w -W: -x: -X: -y -Z -0-9
      --normal --brief --report-identical-files --context=? --unified=? --ed --rcs --side-by-side --width= --left-column
      --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --recursive
      --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --exclude= --exclude-from=
      --starting-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change
      --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --minimal
      --speed-large-files --color=?`,
  },
  iconv: { flags: '-f: -t: -c -l -s --from-code= --to-code= --list --silent' },
  shuf: { flags: '-e -i: -n: -r -z --echo --input-range= --head-count= --repeat --zero-terminated' },
  man: { flags: '-f -k -a -w -s: -S:' },
  ...each('whatis apropos', { flags: '-a -l -s:' }),
  split: { changes: 'writes files' },
  csplit: { changes: 'writes files' },
  sed: {
    flags: `-n -e: -E -r -s -u -z -i=? --in-place=? --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data
      --posix --sandbox --debug --line-length= -l:`,
    pattern: '-e -f --expression --file',
    // an unknown option could be a script
    ask: 'unclear',
    check: judgeSed,
  },
  ...each('awk gawk mawk nawk', {
    flags: '-F: -v: --field-separator= --assign=',
    pattern: '-f --file',
    ask: true,
    check: judgeAwk,
  }),
  yq: {
    // without an expression the first operand is a file
    flags: `-r -P -o: -p: -e -N -M -C -n -c -j -y -Y --prettyPrint --output-format= --input-format= --exit-status
      --no-doc --no-colors --colors --null-input --raw-output --compact-output --unwrapScalar --tojson`,
    check: ({ operands }) =>
      operands.some(({ value }) => value === undefined || /system|eval|load\w*\s*\(/.test(value))
        ? { reason: 'yq runs an expression that is not known to only read' }
        : undefined,
  },
  xmllint: {
    opens: true,
    flags: '--xpath= --format --noout --html --recover --nonet',
    check: ({ operands }) =>
      operands.some(({ value }) => value === undefined || value.includes('://'))
        ? { reason: 'xmllint fetches what is named by a URL' }
        : undefined,
  },
  rg: {
    pattern: givesPattern,
    walks: true,
    flags: `-a -A: -B: -c -C: -e: -E: -f: -F -g: -h -H -i -I -l -L -m: -M: -n -N -o -p -P -q -r: -s -S -t: -T: -u -U -v -w
      -x -z -0 -j: -d: -. --after-context= --before-context= --binary --case-sensitive --color= --colors= --column
      --context= --count --count-matches --crlf --encoding= --files --files-with-matches --files-without-match
      --fixed-strings --follow --glob= --iglob= --heading --hidden --ignore-case --invert-match --json --line-number
      --line-regexp --max-columns= --max-count= --max-depth= --max-filesize= --multiline --no-filename --no-heading
      --no-ignore --no-line-number --no-messages --null --only-matching --passthru --path-separator= --pcre2 --pretty
      --quiet --regexp= --replace= --search-zip --smart-case --sort= --sortr= --stats --text --threads= --trim --type=
      --type-list --type-not= --unrestricted --vimgrep --with-filename --word-regexp --no-config`,
  },
  // without a terminal a pager only copies; only a command after `+` and the variables around it could run a program
  ...each('less more', {
    flags: '-N -S -R -F -X -i -I -n -E -e -r -M -m -d -f -s -u -0-9',
    check: ({ operands }) =>
      operands.some(({ value, prefix }) => (value ?? prefix).startsWith('+') || value === undefined)
        ? { reason: 'a pager runs what follows a +' }
        : undefined,
  }),
};

function needs(flags: { name: string }[], wanted: string[], reason: string): { reason: string } | undefined {
  return flags.some(({ name }) => wanted.includes(name)) ? undefined : { reason };
}
