// Sources of deployments over HTTP (Argo CD, GitHub, GitLab): each request is checked against the vendor's API reference, each answer has the shape that it
// documents. Nobody of the vendors is asked.
import { describe, expect, test } from 'vitest';
import getPort from 'get-port';
import type { Json } from '../../../src/core/base/json.ts';
import { type SourceRoute, startSourceApi } from '../../support/source-api.ts';
import { plantedPassword, starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');
const end = '2026-11-28T05:30:00Z';
const dayBefore = '2026-11-27T05:30:00Z';

type Vendor = {
  name: string;
  settings: Record<string, string>;
  /** The header with the secret, and the setting that holds it. */
  token: [header: string, value: string, setting: string];
  calls: { tool: string; args?: Json; route: SourceRoute; text: string | RegExp; link?: string }[];
  /** An answer of the first call without data. */
  empty: Json;
};

const bearer: Vendor['token'] = ['authorization', 'Bearer {}', 'authorization'];

const vendors: Vendor[] = [
  {
    // Argo CD's API: https://cd.apps.argoproj.io/swagger-ui
    name: 'argocd',
    settings: {},
    token: bearer,
    empty: { items: null },
    calls: [
      {
        tool: 'argocd_applications',
        route: { path: '/api/v1/applications', answer: { items: argoItems() } },
        text: 'Degraded Synced shop 9f3c2d1e, last sync Succeeded 2026-11-28T05:10:20Z: successfully synced. ComparisonError: x\nHealthy Synced blog 11111111',
      },
      {
        tool: 'argocd_resources',
        args: { application: 'shop' },
        route: {
          path: '/api/v1/applications/shop/resource-tree',
          answer: {
            nodes: [
              {
                kind: 'Service',
                namespace: 'web',
                name: 'shop',
                createdAt: '2026-01-01T00:00:00Z',
                health: { status: 'Healthy' },
              },
              {
                kind: 'Pod',
                namespace: 'web',
                name: 'shop-1',
                createdAt: '2026-11-28T05:10:10Z',
                health: { status: 'Degraded', message: 'back-off restarting' },
              },
            ],
          },
        },
        text: 'Degraded Pod web/shop-1 since 2026-11-28T05:10:10Z: back-off restarting\nHealthy Service web/shop since 2026-01-01T00:00:00Z',
      },
      {
        tool: 'argocd_changes',
        route: { path: '/api/v1/applications', answer: { items: argoItems() } },
        text: '2026-11-28T05:10:00Z ann: synced 9f3c2d1e of https://git/shop (shop) 7',
      },
    ],
  },
  {
    // https://docs.github.com/rest, version 2022-11-28
    name: 'github',
    settings: { owner: 'shop', repository: 'checkout' },
    token: bearer,
    empty: { total_count: 0, workflow_runs: [] },
    calls: [
      {
        tool: 'github_runs',
        route: {
          path: '/repos/shop/checkout/actions/runs',
          query: { created: `${dayBefore}..${end}`, per_page: '50' },
          answer: {
            total_count: 1,
            workflow_runs: [
              {
                name: 'deploy',
                run_number: 12,
                status: 'completed',
                conclusion: 'failure',
                head_branch: 'main',
                head_sha: '9f3c2d1e0000',
                created_at: '2026-11-28T05:09:00Z',
                display_title: 'pool: 2',
                actor: { login: 'ann' },
              },
            ],
          },
        },
        text: '2026-11-28T05:09:00Z failure deploy #12 main 9f3c2d1e by ann: pool: 2',
      },
      {
        tool: 'github_commit',
        args: { sha: '9f3c2d1e' },
        route: {
          path: '/repos/shop/checkout/commits/9f3c2d1e',
          answer: {
            sha: '9f3c2d1e0000',
            commit: {
              message: 'pool: 2',
              author: { name: 'Ann' },
              committer: { date: '2026-11-28T05:08:00Z' },
            },
            files: [{ filename: 'pool.yaml', additions: 1, deletions: 1, patch: '-size: 20\n+size: 2' }],
          },
        },
        text: '2026-11-28T05:08:00Z 9f3c2d1e0000 by Ann: pool: 2\npool.yaml +1 -1\n-size: 20\n+size: 2',
      },
      {
        tool: 'github_commits',
        route: {
          path: '/repos/shop/checkout/commits',
          query: { since: dayBefore, until: end, per_page: '100' },
          answer: [
            {
              sha: '9f3c2d1e0000',
              html_url: 'https://github.com/shop/checkout/commit/9f3c2d1e',
              author: null,
              commit: {
                message: 'pool: 2\n\nless',
                author: { name: 'Ann' },
                committer: { date: '2026-11-28T05:08:00Z' },
              },
            },
          ],
        },
        text: '2026-11-28T05:08:00Z Ann: pool: 2 9f3c2d1e <https://github.com/shop/checkout/commit/9f3c2d1e>',
      },
      {
        tool: 'github_deployments',
        route: {
          path: '/repos/shop/checkout/deployments',
          query: { per_page: '100' },
          answer: [
            {
              sha: '9f3c2d1e0000',
              ref: 'main',
              environment: 'production',
              description: null,
              created_at: '2026-11-28T05:10:00Z',
              creator: { login: 'ann' },
            },
          ],
        },
        text: '2026-11-28T05:10:00Z ann: deployed main (production) 9f3c2d1e',
      },
      {
        tool: 'github_pulls',
        route: {
          path: '/repos/shop/checkout/pulls',
          query: { state: 'closed', sort: 'updated', direction: 'desc', per_page: '100' },
          answer: [
            {
              number: 8,
              title: 'no',
              merged_at: null,
              user: { login: 'bob' },
              base: { ref: 'main' },
              html_url: 'https://x',
            },
            {
              number: 7,
              title: 'pool: 2',
              merged_at: '2026-11-28T05:07:00Z',
              user: { login: 'ann' },
              base: { ref: 'main' },
              html_url: 'https://github.com/shop/checkout/pull/7',
            },
          ],
        },
        text: '2026-11-28T05:07:00Z ann: merged #7: pool: 2 (main) <https://github.com/shop/checkout/pull/7>',
      },
    ],
  },
  {
    // https://docs.gitlab.com/api
    name: 'gitlab',
    settings: { project: 'shop/checkout' },
    token: ['private-token', '{}', 'token'],
    empty: [],
    calls: [
      {
        tool: 'gitlab_pipelines',
        args: { status: 'failed' },
        route: {
          path: '/api/v4/projects/shop/checkout/pipelines',
          query: {
            updated_after: dayBefore,
            updated_before: end,
            status: 'failed',
            order_by: 'updated_at',
            per_page: '50',
          },
          answer: [
            {
              id: 47,
              status: 'failed',
              ref: 'main',
              sha: '9f3c2d1e0000',
              source: 'push',
              updated_at: '2026-11-28T05:09:00Z',
            },
          ],
        },
        text: '2026-11-28T05:09:00Z failed #47 main 9f3c2d1e (push)',
      },
      {
        tool: 'gitlab_commit',
        args: { sha: '9f3c2d1e' },
        route: {
          path: '/api/v4/projects/shop/checkout/repository/commits/9f3c2d1e/diff',
          query: { per_page: '50' },
          answer: [
            { new_path: 'pool.yaml', new_file: false, deleted_file: false, diff: '-size: 20\n+size: 2' },
          ],
        },
        text: 'pool.yaml\n-size: 20\n+size: 2',
      },
      {
        tool: 'gitlab_commits',
        route: {
          path: '/api/v4/projects/shop/checkout/repository/commits',
          query: { since: dayBefore, until: end, per_page: '100' },
          answer: [
            {
              short_id: '9f3c2d1e',
              title: 'pool: 2',
              author_name: 'Ann',
              committed_date: '2026-11-28T07:08:00.000+02:00',
              web_url: 'https://gitlab.com/c',
            },
          ],
        },
        text: '2026-11-28T05:08:00Z Ann: pool: 2 9f3c2d1e <https://gitlab.com/c>',
      },
      {
        tool: 'gitlab_deployments',
        route: {
          path: '/api/v4/projects/shop/checkout/deployments',
          query: {
            updated_after: dayBefore,
            updated_before: end,
            order_by: 'updated_at',
            sort: 'desc',
            per_page: '100',
          },
          answer: [
            {
              ref: 'main',
              sha: '9f3c2d1e0000',
              status: 'success',
              updated_at: '2026-11-28T05:10:00.000Z',
              user: { username: 'ann' },
              environment: { name: 'production' },
            },
          ],
        },
        text: '2026-11-28T05:10:00Z ann: deployed main: success (production) 9f3c2d1e',
      },
      {
        tool: 'gitlab_merges',
        route: {
          path: '/api/v4/projects/shop/checkout/merge_requests',
          query: {
            state: 'merged',
            updated_after: dayBefore,
            updated_before: end,
            order_by: 'updated_at',
            per_page: '100',
          },
          answer: [
            {
              iid: 7,
              title: 'pool: 2',
              merged_at: '2026-11-28T05:07:00.000Z',
              author: { username: 'bob' },
              merge_user: { username: 'ann' },
              target_branch: 'main',
              web_url: 'https://gitlab.com/m',
            },
          ],
        },
        text: '2026-11-28T05:07:00Z ann: merged !7: pool: 2 (main) <https://gitlab.com/m>',
      },
    ],
  },
];

function argoItems(): Json[] {
  return [
    {
      metadata: { name: 'blog' },
      status: { health: { status: 'Healthy' }, sync: { status: 'Synced', revision: '1111111122' } },
    },
    {
      metadata: { name: 'shop' },
      status: {
        health: { status: 'Degraded' },
        sync: { status: 'Synced', revision: '9f3c2d1e0000' },
        conditions: [{ type: 'ComparisonError', message: 'x' }],
        operationState: {
          phase: 'Succeeded',
          finishedAt: '2026-11-28T05:10:20Z',
          message: 'successfully synced',
        },
        history: [
          {
            id: 7,
            revision: '9f3c2d1e0000',
            deployedAt: '2026-11-28T05:10:00Z',
            initiatedBy: { username: 'ann' },
            source: { repoURL: 'https://git/shop' },
          },
        ],
      },
    },
  ];
}

async function open(
  { name, settings, token: [, value, setting] }: Vendor,
  url: string,
  secret = 'secret://password',
) {
  const { open: openSet, returnOf } = starterToolset(
    name,
    { url, ...settings, [setting]: value.replace('{}', secret) },
    { now },
  );
  const toolset = await openSet();
  return { toolset, call: (tool: string, args: Json = {}) => returnOf(toolset, tool, args) };
}

describe.each(vendors)('$name', (vendor) => {
  const token = { [vendor.token[0]]: vendor.token[1].replace('{}', plantedPassword) };

  test('[SRC-36ab] each call is one that the vendor takes, and its answer is in few words', async () => {
    for (const { tool, args, route, text, link } of vendor.calls) {
      const { url } = await startSourceApi([route], token);
      const { call } = await open(vendor, url);
      const answer = await call(tool, args);
      if (typeof text === 'string') expect(answer.text).toBe(text);
      else expect(answer.text).toMatch(text);
      if (link !== undefined) expect(JSON.stringify(answer.details)).toContain(link);
      expect(JSON.stringify(answer)).not.toContain(plantedPassword);
    }
  });

  test('[SRC-36c] its checks are calls of its own tools', async () => {
    const { toolset } = await open(vendor, 'http://127.0.0.1:1');
    expect(toolset.checks?.length).toBeGreaterThan(0);
    for (const { tool, with: args = {} } of toolset.checks ?? [])
      expect(() => toolset.made.find(({ spec }) => spec.name === tool)?.parse(args)).not.toThrow();
    const tools = vendor.calls.map(({ tool }) => tool).sort();
    const all = [...toolset.made, ...toolset.changes.readers];
    expect(all.map(({ spec }) => spec.name).sort()).toEqual(tools);
  });

  test('[SRC-37abc] nothing, no access and no answer are told apart', async () => {
    const [{ tool, args, route } = { tool: '', route: { path: '', answer: '' } }] = vendor.calls;
    const { url } = await startSourceApi([{ ...route, answer: vendor.empty }], token);
    expect((await (await open(vendor, url)).call(tool, args)).text).toMatch(/^Nothing found: /);
    const refused = await (await open(vendor, url, 'wrong')).call(tool, args);
    expect(refused.text).toMatch(/^No access: the source refused the request\. It needs: /);
    const gone = await open(vendor, `http://127.0.0.1:${await getPort()}`);
    expect((await gone.call(tool, args)).text).toMatch(/^Not reachable: /);
  });
});
