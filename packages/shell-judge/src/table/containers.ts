// Containers. An option before the sub-command would choose another daemon or other settings, so none is listed.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';

const reads: CommandSpec = { flags: 'any', check: judgeGlobal };
const listInspect = each('ls list inspect', reads);

const changing: Record<string, CommandSpec> = {
  ...each('start stop restart kill pause unpause', { changes: 'starts or stops containers' }),
  ...each('rm rmi prune', { changes: 'removes containers or images' }),
  ...each('run create update rename', { changes: 'makes or changes containers' }),
  exec: { changes: 'runs commands in a container' },
  ...each('build commit tag load import', { changes: 'makes images' }),
  ...each('pull push', { changes: 'copies images to or from a registry' }),
  cp: { changes: 'copies files to or from a container' },
};

const chooses = {
  options:
    '--context -c -H --host --config --url --connection --identity --tls --tlscacert --tlscert --tlskey --tlsverify',
  first: true as const,
};

const docker: CommandSpec = {
  usage: true,
  chooses,
  subcommands: {
    ...each('ps images inspect logs stats top port version info events history diff', reads),
    ...changing,
    container: {
      subcommands: { ...listInspect, ...each('ps logs stats top port diff', reads), ...changing },
    },
    image: { subcommands: { ...listInspect, history: reads } },
    system: { subcommands: each('df events info', reads) },
    node: { subcommands: { ...listInspect, ps: reads } },
    service: { subcommands: { ...listInspect, ...each('ps logs', reads) } },
    stack: { subcommands: each('ls list ps services', reads) },
    ...each('network volume plugin secret config context', { subcommands: listInspect }),
    compose: {
      flags: '-p: --project-name=',
      subcommands: {
        ...each('ps ls logs top images version', {
          flags: '-a -q --all --quiet --tail= --since= -n: -t --format=',
        }),
        ...each('up down', { changes: 'starts, stops or removes containers' }),
        ...changing,
      },
    },
  },
};

const crictl: CommandSpec = {
  subcommands: each(
    'ps pods images info inspect inspectp inspecti logs stats statsp version imagefsinfo',
    reads,
  ),
};

const podmanFlags = `-a -q -n -l -f -t -s --all --quiet --last= --latest --filter= --format= --no-trunc --size --sort= --tail=
  --since= --until= --timestamps --follow --type= --no-stream --stream --digests --noheading --no-heading --human --pod --ns
  --external --names --interval= --debug`;

/** docker refuses these after a sub-command; podman, which may have docker's name, does not. */
function judgeGlobal({ args, name }: Call): Finding | undefined {
  const global =
    /^-[A-Za-z]*H|^--(?:host|url|context|config|connection|identity|ssh|tls.*|run.*|root|conmon|cpu-profile|memory-profile|hooks-dir|module|out|storage.*|tmpdir|volumepath|cgroup-manager|network-c.*|imagestore|events-backend|namespace|remote|cdi-.*)(?:=|$)/s;
  const found = args.find(({ value, prefix }) => global.test(value ?? prefix));
  return found && { reason: `${name}: ${found.text} chooses another daemon or other settings` };
}

export const containers: Record<string, CommandSpec> = {
  docker,
  podman: {
    usage: true,
    chooses,
    // podman takes its global options after the sub-command, too
    flags: podmanFlags,
    subcommands: {
      ...each('ps images inspect logs stats top port version info events history diff', {}),
      ...changing,
    },
  },
  crictl,
  ...each('docker-compose ctr nerdctl buildah skopeo', { changes: 'can change containers' }),
};
