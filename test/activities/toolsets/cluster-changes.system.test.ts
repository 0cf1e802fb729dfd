// Changes in a Kubernetes cluster, by the real helm and the real kubectl over a stand-in of its API.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '@holdfast/base/json';
import { createChangesTool } from '../../../src/activities/toolsets/changes-tool.ts';
import { getHelm, helmMissing, releaseSecrets } from '../../support/helm.ts';
import { startKubernetes } from '../../support/kubernetes-stand-in.ts';
import { missingPrograms } from '../../support/real-servers.ts';
import { starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');

async function opened(name: string, lists: Record<string, object>, path = process.env['PATH'] ?? '') {
  const { kubeconfig } = await startKubernetes(lists);
  const bench = starterToolset(name, {}, { now, path, environment: { KUBECONFIG: kubeconfig } });
  const toolset = await bench.open();
  expect(toolset.status).toBe('ready');
  const tool = createChangesTool([{ toolset: name, ...toolset.changes, instances: [undefined] }], () => now);
  return {
    call: (named: string, args: Json) => bench.returnOf(toolset, named, args),
    changes: async () => (await tool.run(tool.parse({}), bench.context)).text.split('\n'),
  };
}

test.skipIf(helmMissing !== undefined)(
  `[SRC-47ab] the real helm: every revision of the time, whatever came after it${helmMissing ? ` (${helmMissing})` : ''}`,
  { timeout: 900_000 },
  async () => {
    const path = `${dirname(await getHelm())}:${process.env['PATH']}`;
    const revision = (version: number, status: string, at: string, name = 'shop') => ({
      name,
      version,
      status,
      at,
      chart: `1.2.${version}`,
    });
    const secrets = releaseSecrets(
      [
        revision(6, 'superseded', '2026-11-20T05:00:00Z'),
        revision(7, 'superseded', '2026-11-28T05:05:00.5+02:00'),
        revision(8, 'superseded', '2026-11-28T05:10:00Z'),
        revision(9, 'failed', '2026-11-28T05:20:00Z'),
        revision(1, 'deployed', '2026-01-01T00:00:00Z', 'blog'),
      ],
      { database: { password: 'hunter2-planted' } },
    );
    const { changes, call } = await opened(
      'helm',
      { '/api/v1/secrets': secrets, '/api/v1/namespaces/web/secrets': secrets },
      path,
    );
    expect(await changes()).toEqual([
      '3 changes: helm_changes 1, helm_superseded 2',
      'Before 2026-11-28T05:30:00Z, back to 2026-11-27T05:30:00Z, newest first:',
      '2026-11-28T05:20:00Z helm_changes revision 9 failed, shop-1.2.9 app 4.2 (web/shop)',
      '2026-11-28T05:10:00Z helm_superseded revision 8 superseded, shop-1.2.8 app 4.2 (web/shop)',
      '2026-11-28T03:05:00Z helm_superseded revision 7 superseded, shop-1.2.7 app 4.2 (web/shop)',
    ]);
    const releases = await call('helm_releases', {});
    expect(releases.text.split('\n')[0]).toBe(
      '2026-11-28T05:20:00Z failed web/shop revision 9 shop-1.2.9 app 4.2',
    );
    const history = await call('helm_history', { release: 'shop', namespace: 'web' });
    expect(history.text).toMatch(/ revision 9 failed shop-1\.2\.9 app 4\.2: failed at 2026/);
    expect(JSON.stringify([releases, history])).not.toContain('hunter2-planted');
  },
);

const noKubectl = missingPrograms('kubectl');
test.skipIf(noKubectl !== undefined)(
  `[SRC-05a] the real kubectl: nothing in a namespace, and a namespace that is not there${noKubectl ? ` (${noKubectl})` : ''}`,
  async () => {
    const empty = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [] };
    const { call } = await opened('kubernetes', {
      '/api/v1/namespaces/web/configmaps': empty,
      '/api/v1/namespaces/wbe/configmaps': empty,
      '/api/v1/namespaces/web': { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'web' } },
    });
    const list = (namespace: string) => call('kubernetes_get', { kind: 'configmaps', namespace });
    expect((await list('web')).text).toMatch(/^Nothing found: [^]*No resources found in web namespace\.$/);
    expect(await list('wbe')).toMatchObject({ isError: true, text: expect.stringMatching(/NotFound.*wbe/) });
  },
);

test.skipIf(noKubectl !== undefined)(
  `[SRC-48ab] the real kubectl: who wrote to workloads and config maps, and a rollback${noKubectl ? ` (${noKubectl})` : ''}`,
  async () => {
    const list = (kind: string, items: object[] = []) => ({
      apiVersion: kind === 'ConfigMap' ? 'v1' : 'apps/v1',
      kind: `${kind}List`,
      metadata: {},
      items,
    });
    const wrote = (manager: string, time: string, subresource?: string) => ({
      manager,
      operation: 'Update',
      time,
      apiVersion: 'v1',
      ...(subresource === undefined ? {} : { subresource }),
    });
    const item = (name: string, managedFields: object[]) => ({
      metadata: { name, namespace: 'web', uid: name, managedFields },
    });
    const { changes } = await opened('kubernetes', {
      '/apis/apps/v1/replicasets': list('ReplicaSet'),
      '/apis/apps/v1/deployments': list('Deployment', [
        item('shop', [
          wrote('helm', '2026-10-01T00:00:00Z'),
          wrote('kubectl-rollback', '2026-11-28T05:10:00Z'),
          wrote('kube-controller-manager', '2026-11-28T05:11:00Z'),
          wrote('kube-controller-manager', '2026-11-28T05:12:00Z', 'status'),
          wrote('kube-controller-manager', '2026-11-28T05:13:00Z', 'scale'),
          wrote('argo-rollouts', '2026-11-28T05:14:00Z', 'status'),
        ]),
      ]),
      '/apis/apps/v1/statefulsets': list('StatefulSet'),
      '/apis/apps/v1/daemonsets': list('DaemonSet'),
      '/api/v1/configmaps': list('ConfigMap', [
        item('pool', [wrote('kubectl-edit', '2026-11-28T05:09:00Z')]),
      ]),
    });
    expect(await changes()).toEqual([
      '3 changes: kubernetes_changes 0, kubernetes_writes 3',
      'Before 2026-11-28T05:30:00Z, back to 2026-11-27T05:30:00Z, newest first:',
      '2026-11-28T05:13:00Z kubernetes_writes kube-controller-manager: update of its scale (web/Deployment/shop)',
      '2026-11-28T05:10:00Z kubernetes_writes kubectl-rollback: update (web/Deployment/shop)',
      '2026-11-28T05:09:00Z kubernetes_writes kubectl-edit: update (web/ConfigMap/pool)',
    ]);
  },
);
