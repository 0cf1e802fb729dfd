// Kubernetes and its deployment tools. Options that name another identity, server or settings file are not listed: a
// kubeconfig can run programs, and a token or --as makes the call someone else's.
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { toUrlHost } from '../programs/hosts.ts';

const output =
  '-o: --output= --no-headers --template= --show-labels --sort-by= --show-kind --label-columns= -L:';
const select = `-l: --selector= --field-selector= -A --all-namespaces -n: --namespace= --context= --cluster= --request-timeout=
  -v: --v= --ignore-not-found --chunk-size= -w --watch --watch-only --show-events=? --show-managed-fields --subresource=
  --server-print=? --allow-missing-template-keys=?`;

const kubectl: CommandSpec = quiet({
  flags: select,
  subcommands: {
    get: { flags: `${output} --raw=`, check: judgeGet },
    describe: {},
    events: { flags: `${output} --for= --types=` },
    logs: {
      flags: `-f -c: --container= -p --previous --since= --since-time= --tail= --timestamps --prefix --all-containers=?
        --max-log-requests= --limit-bytes= --follow --ignore-errors --all-pods --insecure-skip-tls-verify-backend`,
    },
    top: {
      subcommands: each('pod pods po node nodes no', {
        flags: '--containers --sort-by= --no-headers --sum --use-protocol-buffers --show-capacity',
      }),
    },
    explain: { flags: '--recursive --api-version= --output=' },
    'api-resources': { flags: `${output} --namespaced=? --verbs= --api-group= --cached --categories=` },
    'api-versions': {},
    'cluster-info': { operands: 0 },
    version: { flags: '--client --short -o: --output=' },
    auth: {
      subcommands: { 'can-i': { flags: '--list -q --quiet --no-headers' }, whoami: { flags: output } },
    },
    config: {
      subcommands: {
        view: { flags: '--minify -o: --output= --merge' },
        ...each('get-contexts current-context get-clusters get-users', { flags: output, operands: 1 }),
      },
    },
    rollout: {
      subcommands: {
        ...each('status history', { flags: '--revision= --timeout= -o: --output=' }),
        ...each('restart undo pause resume', { changes: 'restarts pods, or changes which version runs' }),
      },
    },
    wait: { flags: '--for= --timeout= --all' },
    diff: {
      flags: '--server-side --show-managed-fields',
      check: () => ({ reason: 'kubectl diff runs a program' }),
    },
    help: {},
    options: {},
    delete: { changes: 'removes objects from the cluster' },
    ...each('apply create replace patch edit set label annotate expose run autoscale', {
      changes: 'makes or changes objects in the cluster',
    }),
    scale: { changes: 'changes how many pods run' },
    ...each('drain cordon uncordon taint', { changes: 'changes where pods may run' }),
    ...each('exec attach debug', { changes: 'runs commands in a container' }),
    cp: { changes: 'copies files to or from a container' },
  },
});

/** From 6 on, -v prints requests, and then whole answers with secrets. */
function quiet(spec: CommandSpec): CommandSpec {
  const { subcommands, check } = spec;
  return {
    ...spec,
    ...defined({ subcommands: subcommands && mapValues(subcommands, quiet) }),
    check: (call) =>
      call.flags.every(({ name, value }) => !/^--?v$/.test(name) || /^=?[0-5]$/.test(value?.value ?? ''))
        ? check?.(call)
        : { reason: 'kubectl -v above 5 prints answers, which may hold secrets' },
  };
}

/** A read never prints the content of secrets; a path through a proxy reaches any server behind it. */
function judgeGet({ flags, operands }: Call): Finding | undefined {
  const raw = flags.filter(({ name }) => name === '--raw');
  if (raw.length > 0)
    return raw.some(({ value }) =>
      /^$|%|\/proxy\b|\/exec\b|\/attach\b|portforward|secrets/i.test(value?.value ?? ''),
    )
      ? { reason: 'the path goes through a proxy, or to secrets' }
      : undefined;
  const prints = flags.some(
    ({ name, value }) =>
      name === '--template' ||
      (/^-o$|^--output$/.test(name) && !/^=?(?:name|wide)$/.test(value?.value ?? '')),
  );
  const named = operands.some(({ value }) => value === undefined || /secret/i.test(value));
  return prints && (named || operands.length === 0) ? { reason: 'it may print secrets' } : undefined;
}

const helm: CommandSpec = {
  flags: '-n: --namespace= --debug --kube-context= -A --all-namespaces -o: --output=',
  subcommands: {
    ...each('list ls', {
      flags: `-a --all --date -d --deployed --failed -f: --filter= -m: --max= --offset= --pending -r --reverse -l: --selector=
        -q --short --superseded --uninstalled --uninstalling --time-format= --no-headers`,
    }),
    get: {
      subcommands: {
        ...each('notes metadata', { flags: '--revision=' }),
        ...each('values manifest hooks all', {
          flags: '--revision= -a --all --template=',
          check: () => ({ reason: 'it may print secrets' }),
        }),
      },
    },
    status: {
      flags: '--revision= --show-desc --show-resources',
      // other forms print the values, too
      check: ({ flags }) =>
        flags.every(
          ({ name, value }) => !/^-o$|^--output$/.test(name) || /^=?table$/.test(value?.value ?? ''),
        )
          ? undefined
          : { reason: 'helm status -o may print secrets' },
    },
    ...each('history hist', { flags: '--revision= --show-desc --show-resources --max=' }),
    ...each('show inspect', {
      subcommands: each('chart values readme crds all', {
        flags: '--version= --devel --jsonpath=',
        check: judgeChart,
      }),
    }),
    search: {
      subcommands: each('repo hub', {
        check: ({ name }) => (name.endsWith('hub') ? { hosts: ['hub.helm.sh'] } : undefined),
        flags:
          '-l --versions --version= -r --regexp --devel --max-col-width= --list-repo-url --fail-on-no-result',
      }),
    },
    lint: {
      flags: '-f: --values= --set= --set-string= --strict --quiet --with-subcharts --kube-version=',
      check: judgeLint,
    },
    verify: { flags: '--keyring=' },
    version: { flags: '--short --template= -c --client' },
    help: {},
    env: { operands: 1 },
    completion: {},
    ...each('install upgrade rollback', { changes: 'changes what is deployed to the cluster' }),
    ...each('uninstall delete', { changes: 'removes what is deployed to the cluster' }),
    repo: { subcommands: each('list ls', {}) },
    dependency: { subcommands: each('list ls', {}) },
    plugin: { subcommands: each('list ls', {}) },
  },
};

/** A chart is a folder, a name of a configured repository, or a URL. */
function judgeChart({ operands }: Call): Finding | undefined {
  const hosts: string[] = [];
  for (const chart of operands) {
    if (chart.value !== undefined && !chart.value.includes('://')) continue;
    const host = toUrlHost(chart);
    if (typeof host !== 'string') return { reason: `helm: ${host.reason}` };
    hosts.push(host);
  }
  return { hosts };
}

// a file of values may be a URL
function judgeLint({ flags }: Call): Finding | undefined {
  return flags.some(
    ({ name, value }) => /^-f$|^--values$/.test(name) && (value?.value ?? '://').includes('://'),
  )
    ? { reason: 'helm: where the values come from is not known' }
    : undefined;
}

// a refresh makes the controller compare an application anew
const argocd: CommandSpec = {
  flags: `-o: --output= --plaintext --insecure --grpc-web -N: --app-namespace= -l: --selector=
    --argocd-context= --loglevel= --logformat=`,
  subcommands: {
    version: { flags: '--client --short' },
    app: {
      subcommands: {
        ...each('get list resources history manifests', {
          flags:
            '--show-params --show-operation --source= --revision= -p: --project= -c: --cluster= -r: --repo=',
        }),
        diff: { flags: '--revision= --exit-code' },
        logs: {
          flags: `--group= --kind= --name= --namespace= --container= -c: --tail= -f --follow --since-seconds= --previous
            --filter= --timestamps`,
        },
        wait: { flags: '--timeout= --health --sync --operation --suspended --degraded --resource=' },
      },
    },
    ...each('cluster repo repocreds cert gpg account proj context', {
      subcommands: { ...each('get list get-user-info', {}), 'can-i': {} },
    }),
    admin: { subcommands: { settings: { operands: 0 } } },
  },
};

const kubectlChooses = `--context --cluster --user --kubeconfig --server -s --token --as --as-group --as-uid --username --password
  --certificate-authority --client-certificate --client-key --insecure-skip-tls-verify --tls-server-name`;
const helmChooses = `--kube-context --kubeconfig --kube-apiserver --kube-token --kube-as-user --kube-as-group --kube-ca-file
  --kube-tls-server-name --kube-insecure-skip-tls-verify --repository-config --registry-config`;
// -c and --cluster of its own choose among what its server manages
const argocdChooses =
  '--argocd-context --server --server-name --config --auth-token --core --kube-context --kubeconfig --redis-name';

/** With cobra, --help after any sub-command prints. */
const withUsage = (spec: CommandSpec): CommandSpec => ({ ...spec, usage: true });

export const kubernetes: Record<string, CommandSpec> = {
  kubectl: { ...withUsage(kubectl), chooses: { options: kubectlChooses } },
  oc: { ...withUsage(kubectl), chooses: { options: `${kubectlChooses} --config` } },
  helm: { ...withUsage(helm), chooses: { options: helmChooses } },
  argocd: { ...withUsage(argocd), chooses: { options: argocdChooses } },
};
