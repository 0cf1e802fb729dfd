// Commands of bash itself.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { mayBeFlag, type Argument } from '../parse/argument.ts';
import { judgeVariableNames } from '../parse/variables.ts';

const declares: CommandSpec = {
  flags: '-a -A -r -g -x -p',
  check: ({ name, operands }) => judgeVariableNames(operands, name) ?? arrayReason(name, operands),
};

export const builtins: Record<string, CommandSpec> = {
  ...each(
    'echo : true false pwd cd pushd popd dirs type times exit return break continue shift help logout sleep yes',
    { flags: 'any' },
  ),
  // -x runs a command
  jobs: { flags: '-l -p -r -s' },
  ...each('export declare typeset local readonly', declares),
  ...each('test [', { flags: 'any', check: judgeTest }),
  printf: { flags: 'any', check: judgePrintf },
  read: { flags: '-r -s -p: -n: -N: -t: -d: -a: -u: -i:', check: (call) => judgeNames(call, ['-a']) },
  ...each('mapfile readarray', { flags: '-t -n: -s: -O: -d: -u:', check: (call) => judgeNames(call, []) }),
  unset: { flags: '-v', check: (call) => judgeNames(call, []) },
  set: {
    flags: '-e -u -o:',
    check: ({ flags, operands }) =>
      flags.every(
        ({ name, value }) => name !== '-o' || /^(?:pipefail|errexit|nounset)$/.test(value?.value ?? ''),
      ) && operands.every(({ value }) => /^\+[eu]+$/.test(value ?? ''))
        ? undefined
        : { reason: 'set changes how the shell reads commands' },
  },
  shopt: { flags: '-p -q' },
  alias: {
    check: ({ operands }) =>
      operands.every(({ value }) => value !== undefined && !value.includes('='))
        ? undefined
        : { reason: 'alias gives a command another meaning' },
  },
  history: { operands: 1 },
  hash: { operands: 0 },
  wait: { flags: '-n -f' },
  umask: { flags: '-S -p', operands: 0 },
  ulimit: { flags: '-S -H -a -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x', operands: 0 },
  kill: {
    flags: '-l -0',
    unless: [/^-(?!l|0$|-$)/, 'sends a signal, which may end processes'],
    check: ({ flags }) =>
      flags.some(({ name }) => name === '-l' || name === '-0')
        ? undefined
        : { reason: 'kill sends a signal, which may end processes' },
  },
  trap: { changes: 'runs commands later', ask: true },
  ...each('let getopts', { changes: 'sets variables from text that can hold commands' }),
  ...each('enable bind complete compgen compopt disown fg bg suspend unalias', {
    changes: 'changes the shell',
  }),
  ...each('eval source .', { changes: 'runs text as commands', ask: true }),
};

const harmlessFormat =
  /^(?:[^%]|%%|%[-+ #0']*(?:[1-9]\d*|\*)?(?:\.(?:\d+|\*)?)?(?:hh?|ll?|[jzLtq])?(?:[diouxXeEfFgGaAcsbqQ]|\([^()]*\)T))*$/;

// `printf "$format"` may be `-vPATH`, so a first word that is not literal must be the only one
function judgePrintf({ args }: Call): Finding | undefined {
  const [format, ...values] = args[0]?.value === '--' ? args.slice(1) : args;
  if (format === undefined) return undefined;
  // alone it has no name to set
  if (values.length === 0 && !format.many && (args.length > 1 || format.value === undefined))
    return undefined;
  if (args.length === values.length + 1 && mayBeFlag(format)) return { reason: 'printf -v sets a variable' };
  if (format.value === undefined || !harmlessFormat.test(format.value))
    return { reason: `printf may set a variable with %n: ${format.text}` };
  return undefined;
}

// text in brackets becomes an array, and is expanded again, if the variable is an array already or -a makes it one
function arrayReason(name: string, operands: Argument[]): Finding | undefined {
  const bad = operands.find(({ value, prefix }) => {
    const set = /^\w+\+?=(.*)$/s.exec(value ?? prefix);
    return set !== null && (set[1]?.startsWith('(') || (set[1] === '' && value === undefined));
  });
  return bad && { reason: `${name} may expand the value again as an array: ${bad.text}` };
}

function judgeNames({ name, flags, operands, isOwn }: Call, naming: string[]): Finding | undefined {
  const named = flags.flatMap((flag) => (naming.includes(flag.name) && flag.value ? [flag.value] : []));
  const bad = [...named, ...operands].find(({ value }) => value === undefined || !isOwn(value));
  return bad && { reason: `${name} sets ${bad.text}, which is not a plain lower-case variable` };
}

/**
 * `-v name` expands a subscript in the name, which can hold a command. So no word may become -v before unknown text: `[
 * "$a" = "$b" ]` is fine, `[ $a = b ]` and `[ "$a" "$b" ]` are not.
 */
function testReason(args: Argument[]): string | undefined {
  for (const [index, { value, many, text }] of args.entries()) {
    if (value === '-v' || value === '-R')
      return `${value} reads a variable by a name that can hold a command`;
    if (value !== undefined && /\[.*(?:\$\(|`)/s.test(value)) return `${text} holds a command`;
    if (many) return `${text} may become an operator when bash splits it: put it in quotes`;
    const afterUnknown = index > 0 && args[index - 1]?.value === undefined;
    if (afterUnknown && (value === undefined || value.includes('[')))
      return `${text} may follow an operator that evaluates it`;
  }
  return undefined;
}

function judgeTest({ args }: Call): Finding | undefined {
  const reason = testReason(args);
  return reason === undefined ? undefined : { reason };
}
