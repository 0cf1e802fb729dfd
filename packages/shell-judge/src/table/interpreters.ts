// Programs whose input is a program, which is not judged, so they ask, whatever a broad rule allows.
import { each, type CommandSpec } from '../command-spec.ts';

const onlyVersion: CommandSpec = {
  flags: 'any',
  ask: true,
  check: ({ args: [first, ...more], name }) =>
    more.length === 0 && /^(?:--version|-V)$/.test(first?.value ?? '')
      ? undefined
      : { reason: `${name} runs a script: write its commands directly` },
};

export const interpreters: Record<string, CommandSpec> = {
  ...each('bash sh dash zsh ksh fish busybox rbash csh tcsh', onlyVersion),
  ...each(
    'python python2 python3 perl ruby node nodejs deno bun php lua Rscript tclsh expect gdb dc m4',
    onlyVersion,
  ),
  ...each('make cmake ninja gcc cc g++ clang ld go cargo rustc mvn gradle', {
    changes: 'runs what its files say',
    ask: true,
    usage: true,
  }),
  ...each('ansible ansible-playbook puppet chef-client salt salt-call', { changes: 'changes hosts' }),
};
