// Containers. An option before the sub-command would choose another daemon or other settings, so that none is listed.
import { each, type CommandSpec } from '../command-spec.ts';

const reads: CommandSpec = { flags: 'any' };
const listInspect = each('ls list inspect', reads);

const docker: CommandSpec = {
  subcommands: {
    ...each('ps images inspect logs stats top port version info events history search diff', reads),
    ps: reads,
    container: {
      subcommands: { ...listInspect, ...each('ps logs stats top port diff', reads) },
    },
    image: { subcommands: { ...listInspect, history: reads } },
    system: { subcommands: each('df events info', reads) },
    node: { subcommands: { ...listInspect, ps: reads } },
    service: { subcommands: { ...listInspect, ...each('ps logs', reads) } },
    stack: { subcommands: each('ls list ps services', reads) },
    ...each('network volume plugin secret config context', { subcommands: listInspect }),
    compose: {
      flags: '-p: --project-name=',
      subcommands: each('ps ls logs top images version', {
        flags: '-a -q --all --quiet --tail= --since= -n: -t --format=',
      }),
    },
  },
};

const crictl: CommandSpec = {
  subcommands: each(
    'ps pods images info inspect inspectp inspecti logs stats statsp version imagefsinfo',
    reads,
  ),
};

export const containers: Record<string, CommandSpec> = {
  docker,
  podman: {
    subcommands: each('ps images inspect logs stats top port version info events history diff', reads),
  },
  crictl,
  ...each('docker-compose ctr nerdctl buildah skopeo', { changes: 'can change containers' }),
};
