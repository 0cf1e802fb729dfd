// As much of a Kubernetes API as the real kubectl needs to read, scale, restart and undo one deployment and to cordon one node,
// and the lists that a test adds, by their paths.
// It keeps what is sent, and refuses any other request. Shapes: the API reference of Kubernetes 1.32 (apps/v1, v1).
import type { IncomingMessage } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@holdfast/base/json';
import { startHttpServer } from './http-server.ts';
import { temporaryFolder } from './tool-calls.ts';

const revision = 'deployment.kubernetes.io/revision';
const labels = { app: 'shop' };

const template = (image: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'shop', image }] },
});

function replicaSet(number: number) {
  return {
    metadata: {
      name: `shop-${number}`,
      namespace: 'web',
      uid: `rs-${number}`,
      labels,
      annotations: { [revision]: `${number}` },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop', uid: 'd-1', controller: true },
      ],
    },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: template(`shop:${number}`) },
  };
}

export async function startKubernetes(lists: Readonly<Record<string, object>> = {}) {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shop', namespace: 'web', uid: 'd-1', generation: 4, annotations: { [revision]: '2' } },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: template('shop:2') },
    status: { readyReplicas: 3 },
  };
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1' },
    spec: {} as { unschedulable?: boolean | null },
    status: { allocatable: { pods: '110' } },
  };
  const scaleOf = () => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'shop', namespace: 'web' },
    spec: { replicas: deployment.spec.replicas },
    status: { replicas: deployment.spec.replicas },
  });
  const change = (target: object, body: Buffer, isDryRun: boolean): void => {
    if (isDryRun) return;
    const patch: unknown = JSON.parse(body.toString());
    if (Array.isArray(patch)) for (const { path, value } of patch as JsonPatch[]) setAt(target, path, value);
    else merge(target, patch as JsonObject);
    if (target === deployment) deployment.metadata.generation += 1;
  };
  const answer = (method: string, path: string, body: Buffer, isDryRun: boolean): unknown => {
    const at = `${method} ${path}`;
    if (at in discovery) return discovery[at];
    if (method === 'GET' && path in lists) return lists[path];
    if (path === '/apis/apps/v1/namespaces/web/deployments/shop') {
      if (method !== 'GET') change(deployment, body, isDryRun);
      return deployment;
    }
    if (path === '/apis/apps/v1/namespaces/web/deployments/shop/scale') {
      const scale = scaleOf();
      if (method !== 'GET') change(scale, body, isDryRun);
      if (scale.spec.replicas !== deployment.spec.replicas) deployment.metadata.generation += 1;
      deployment.spec.replicas = scale.spec.replicas;
      return scaleOf();
    }
    if (at === 'GET /apis/apps/v1/namespaces/web/replicasets')
      return {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSetList',
        metadata: {},
        items: [replicaSet(1), replicaSet(2)],
      };
    if (path === '/api/v1/nodes/node-1') {
      if (method !== 'GET') change(node, body, isDryRun);
      return node;
    }
    return undefined;
  };
  const { url } = await startHttpServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', url);
      const found = answer(request.method ?? '', pathname, body, searchParams.has('dryRun'));
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? notFound(pathname)));
    });
  });
  const kubeconfig = join(await temporaryFolder(), 'config');
  const cluster = { clusters: [{ name: 'c', cluster: { server: url } }], users: [] };
  const contexts = { contexts: [{ name: 'x', context: { cluster: 'c' } }], 'current-context': 'x' };
  await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...cluster, ...contexts }));
  return { kubeconfig, url, deployment, node };
}

type JsonPatch = { path: string; value: unknown };

function setAt(target: object, path: string, value: unknown): void {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  let place = target as Record<string, unknown>;
  for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
  place[last] = value;
}

/** A strategic merge patch, as far as containers are merged by their name. */
function merge(given: object, patch: JsonObject): void {
  const target = given as JsonObject;
  for (const [key, value] of Object.entries(patch)) {
    const now = target[key];
    if (value === null) delete target[key];
    else if (isObject(value) && isObject(now)) merge(now, value);
    else target[key] = value;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function notFound(path: string) {
  const message = `${path} not found`;
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'NotFound', code: 404 };
}

const verbs = ['get', 'list', 'patch', 'update'];
const discovery: Record<string, unknown> = {
  'GET /version': { major: '1', minor: '32', gitVersion: 'v1.32.0' },
  'GET /api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
  'GET /apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'apps',
        versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      },
    ],
  },
  'GET /api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'nodes', singularName: 'node', namespaced: false, kind: 'Node', verbs },
      { name: 'namespaces', singularName: 'namespace', namespaced: false, kind: 'Namespace', verbs },
      { name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', verbs },
    ],
  },
  'GET /apis/apps/v1': {
    kind: 'APIResourceList',
    groupVersion: 'apps/v1',
    resources: [
      { name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', verbs },
      {
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        kind: 'Scale',
        verbs,
        group: 'autoscaling',
        version: 'v1',
      },
      { name: 'replicasets', singularName: 'replicaset', namespaced: true, kind: 'ReplicaSet', verbs },
      { name: 'statefulsets', singularName: 'statefulset', namespaced: true, kind: 'StatefulSet', verbs },
      { name: 'daemonsets', singularName: 'daemonset', namespaced: true, kind: 'DaemonSet', verbs },
    ],
  },
};
