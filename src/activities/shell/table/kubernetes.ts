// Kubernetes and what is deployed by it. Options that name another identity, server or file of settings are not listed:
// a kubeconfig can run programs, and a token or --as makes the call someone else's.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';

const output =
  '-o: --output= --no-headers --template= --show-labels --sort-by= --show-kind --label-columns= -L:';
const select = `-l: --selector= --field-selector= -A --all-namespaces -n: --namespace= --context= --cluster= --request-timeout=
  -v: --v= --ignore-not-found --chunk-size= -w --watch --watch-only --show-events=? --show-managed-fields --subresource=
  --server-print=? --allow-missing-template-keys=?`;

const kubectl: CommandSpec = {
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
        view: { flags: '--minify --flatten -o: --output= --merge' },
        ...each('get-contexts current-context get-clusters get-users', { flags: output, operands: 1 }),
      },
    },
    rollout: { subcommands: each('status history', { flags: '--revision= --timeout= -o: --output=' }) },
    wait: { flags: '--for= --timeout= --all' },
    diff: {
      flags: '--server-side --show-managed-fields',
      check: () => ({ reason: 'kubectl diff runs a program' }),
    },
    help: {},
    options: {},
  },
};

/** Content of secrets is never printed by a read; a path through a proxy reaches whatever is behind it. */
function judgeGet({ flags, operands }: Call): Finding | undefined {
  const raw = flags.find(({ name }) => name === '--raw')?.value;
  if (raw !== undefined)
    return raw.value === undefined || /\/proxy\b|\/exec\b|\/attach\b|portforward|secrets/i.test(raw.value)
      ? { reason: 'the path goes through a proxy, or to secrets' }
      : undefined;
  const prints = flags.some(
    ({ name, value }) => /^-o$|^--output$/.test(name) && !/^(?:name|wide)$/.test(value?.value ?? ''),
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
      subcommands: each('values manifest notes hooks metadata all', {
        flags: '--revision= -a --all --template=',
      }),
    },
    ...each('status history hist', { flags: '--revision= --show-desc --show-resources --max=' }),
    ...each('show inspect', {
      subcommands: each('chart values readme crds all', { flags: '--version= --devel --jsonpath=' }),
    }),
    search: {
      subcommands: each('repo hub', {
        flags:
          '-l --versions --version= -r --regexp --devel --max-col-width= --list-repo-url --fail-on-no-result',
      }),
    },
    lint: { flags: '-f: --values= --set= --set-string= --strict --quiet --with-subcharts --kube-version=' },
    verify: { flags: '--keyring=' },
    version: { flags: '--short --template= -c --client' },
    help: {},
    env: { operands: 1 },
    completion: {},
    repo: { subcommands: each('list ls', {}) },
    dependency: { subcommands: each('list ls', {}) },
    plugin: { subcommands: each('list ls', {}) },
  },
};

const argocd: CommandSpec = {
  flags: `-o: --output= --plaintext --insecure --grpc-web -N: --app-namespace= -l: --selector= --refresh
    --argocd-context= --loglevel= --logformat=`,
  subcommands: {
    version: { flags: '--client --short' },
    app: {
      subcommands: {
        ...each('get list resources history manifests', {
          flags:
            '--show-params --show-operation --hard-refresh --source= --revision= -p: --project= -c: --cluster= -r: --repo=',
        }),
        diff: { flags: '--revision= --exit-code --hard-refresh' },
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

export const kubernetes: Record<string, CommandSpec> = { kubectl, oc: kubectl, helm, argocd };
