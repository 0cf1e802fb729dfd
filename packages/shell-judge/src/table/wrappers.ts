// Programs that run other programs. The inner command is judged by its own name and options, so a rule that allows
// `timeout *` or `env *` never allows the rest of the line. If that is not certain, they must be asked about.
import { parse, type SyntaxNode } from 'unbash';
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { literal, unknownArguments, withMark, type Argument } from '../parse/argument.ts';
import { literalValue } from '../parse/literal.ts';
import { judgeVariableNames } from '../parse/variables.ts';

const rest = ({ operands }: Call): Finding => ({ runs: operands.length === 0 ? [] : [operands] });
const other =
  (reason: string) =>
  (call: Call): Finding => ({ ...rest(call), reason: `${call.name} ${reason}` });

export const wrappers: Record<string, CommandSpec> = {
  timeout: {
    wraps: true,
    flags: '-s: -k: -v --signal= --kill-after= --preserve-status --foreground --verbose',
    check: ({ operands: [duration, ...command] }) =>
      duration === undefined || duration.many
        ? { reason: 'timeout needs a duration that is one word', decision: 'ask' }
        : { runs: [command] },
  },
  nice: { wraps: true, flags: '-n: --adjustment= -0-9', check: rest },
  ionice: { wraps: true, flags: '-c: -n: -t --class= --classdata= --ignore', check: rest },
  nohup: { wraps: true, check: rest },
  stdbuf: { wraps: true, flags: '-i: -o: -e: --input= --output= --error=', check: rest },
  time: { wraps: true, flags: '-p -v -f: --format= --portability --verbose', check: rest },
  setsid: { wraps: true, flags: '-w --wait', check: rest },
  builtin: { wraps: true, check: rest },
  exec: { wraps: true, check: rest },
  command: {
    wraps: true,
    flags: '-p -v -V',
    check: (call) => (call.flags.some(({ name }) => name === '-v' || name === '-V') ? {} : rest(call)),
  },
  env: { wraps: true, flags: '-0 -u: --null --unset=', check: judgeEnv },
  xargs: {
    wraps: true,
    files: true,
    flags: `-0 -r -t -x -n: -P: -L: -l=? -I: -i=? -d: -s: -a: -E: -e=? --null --no-run-if-empty --verbose --max-args=
      --max-procs= --max-lines=? --replace=? --delimiter= --max-chars= --arg-file= --exit --show-limits`,
    // the command may print the files that it reads
    check: (call) => ({ ...judgeXargs(call), files: valuesOf(call, /^-a$|^--arg-file$/) }),
  },
  watch: {
    wraps: true,
    flags: '-n: -d=? -t -b -e -g -c -x --interval= --differences=? --no-title --exec --color',
    check: judgeWatch,
  },
  ...each('sudo doas', {
    wraps: true,
    flags: '-n -u: -g: --non-interactive --user= --group=',
    check: other('runs a command as another user'),
  }),
  ...each('strace ltrace perf', { wraps: true, ask: true, check: other('follows another program') }),
  ...each(
    `su runuser pkexec setpriv chroot nsenter unshare flock parallel script systemd-run dbus-run-session start-stop-daemon
    proot fakeroot at batch screen tmux setarch capsh cgexec numactl xvfb-run coproc entr inotifywait`,
    { changes: 'runs commands elsewhere or in another way', ask: true },
  ),
  // they approve calls and make schedules
  ...each('holdfast temporal', { changes: 'may act on sessions as a person does', ask: true }),
};

// without some variables of the runner programs write more, for example git its index, so -i is not listed
function judgeEnv(call: Call): Finding {
  const { operands } = call;
  const isAssignment = ({ value, prefix }: Argument): boolean => /^\w+=/.test(value ?? prefix);
  const end = operands.findIndex((operand) => !isAssignment(operand));
  const assignments = end === -1 ? operands : operands.slice(0, end);
  const runs = end === -1 ? [] : [operands.slice(end)];
  const removed = valuesOf(call, /^-u$|^--unset$/);
  return { runs, ...judgeVariableNames([...removed, ...assignments], 'env') };
}

function valuesOf({ flags }: Call, name: RegExp): Argument[] {
  return flags.flatMap((flag) => (name.test(flag.name) && flag.value ? [flag.value] : []));
}

// words that xargs reads become words of the command: anything, options too
function judgeXargs({ flags, operands }: Call): Finding {
  const [command = literal('echo'), ...args] = operands;
  const [replaces, another] = flags.filter(({ name }) => /^(?:-I|-i|--replace)$/.test(name));
  if (another !== undefined) return { reason: 'xargs has more than one mark', decision: 'ask' };
  if (replaces === undefined) return { runs: [[command, ...args, unknownArguments('...')]] };
  const given = replaces.name === '-i' && replaces.value?.value === '' ? undefined : replaces.value;
  const mark = given === undefined ? '{}' : given.value || undefined;
  if (mark === undefined) return { reason: 'the mark that xargs replaces is not known', decision: 'ask' };
  const runs = [command, ...args].map((word) => withMark(word, mark, ''));
  // a number of words or lines ends the replacing, so that the words follow the command, too
  const counts = flags.some(({ name }) => /^(?:-[nLl]|--max-(?:args|lines))$/.test(name));
  return { runs: [counts ? [...runs, unknownArguments('...')] : runs] };
}

/** A line of plain words, quotes without a `$` and pipes: every shell parses it alike. */
const plainLine = /^(?:[\w@%+=:,./ |-]|'[^'\\!]*'|"[^"$`\\!]*")+$/;

// watch passes the words, joined by spaces, to a shell
function judgeWatch({ flags, operands }: Call): Finding {
  if (flags.some(({ name }) => name === '-x' || name === '--exec')) return { runs: [operands] };
  const line = operands.map(({ value = '$' }) => value).join(' ');
  const script = plainLine.test(line) ? parse(line) : undefined;
  const found = script?.errors === undefined ? (script?.commands ?? []).map(({ command }) => command) : [];
  const nodes: SyntaxNode[] = found.flatMap((node) =>
    node.type === 'Pipeline' && node.prefixes.length === 0 ? [...node.commands] : [node],
  );
  const runs = nodes.flatMap((node) => wordsOf(node) ?? []);
  return nodes.length > 0 && runs.length === nodes.length
    ? { runs, givesInput: runs.length > 1 }
    : { reason: 'watch gives its words to a shell: write the command without it', decision: 'ask' };
}

/** For a simple command of literal words. */
function wordsOf(node: SyntaxNode): [Argument[]] | undefined {
  if (node.type !== 'Command' || node.prefix.length > 0 || node.name === undefined) return undefined;
  const values = [node.name, ...node.suffix].map((item) =>
    item.type === 'Word' ? literalValue(item) : undefined,
  );
  return values.every((value) => value !== undefined) ? [values.map((value) => literal(value))] : undefined;
}
