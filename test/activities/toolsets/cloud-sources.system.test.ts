// The command lines of clouds as sources: aws for real against moto, gcloud and az by stand-ins that print what the real ones
// print, because nothing here imitates their services.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import { motoMissing, startMoto } from '../../support/moto-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { plantedPassword, starterToolset } from '../../support/toolset-bench.ts';

async function opened(name: string, tool: string, environment: Record<string, string>) {
  const { open, returnOf } = starterToolset(name, {}, { environment });
  const toolset = await open(name === 'aws' ? { settings: { region: 'eu-west-1' } } : {});
  const made = toolset.made.find(({ spec }) => spec.name === tool);
  return {
    ask: (...words: string[]): Promise<ToolReturn> => returnOf(toolset, tool, { words }),
    inspect: async (...words: string[]) => (await made?.inspect?.({ words }))?.actions,
    parse: (...words: string[]) => made?.parse({ words }),
  };
}

const noMoto = motoMissing ? ` (${motoMissing})` : '';
test.skipIf(noMoto !== '')(
  `[SRC-41c] aws: alarms, logs, metrics, services and secrets of a real command line${noMoto}`,
  { timeout: 300_000 },
  async () => {
    const { environment, aws } = await startMoto(plantedPassword);
    await aws(
      ...'cloudwatch put-metric-alarm --alarm-name db-cpu --namespace AWS/RDS --metric-name CPUUtilization'.split(
        ' ',
      ),
      ...'--comparison-operator GreaterThanThreshold --evaluation-periods 1 --period 60 --threshold 90 --statistic Average'.split(
        ' ',
      ),
    );
    await aws('logs', 'create-log-group', '--log-group-name', '/ecs/shop');
    await aws('logs', 'create-log-stream', '--log-group-name', '/ecs/shop', '--log-stream-name', 'web-1');
    const at = Date.now() - 60_000;
    const event = `timestamp=${at},message=ERROR pool exhausted`;
    const stream = ['--log-group-name', '/ecs/shop', '--log-stream-name', 'web-1'];
    await aws('logs', 'put-log-events', ...stream, '--log-events', event);
    await aws('ecs', 'create-cluster', '--cluster-name', 'shop');
    await aws('secretsmanager', 'create-secret', '--name', 'db', '--secret-string', 'planted-secret-of-aws');

    const { ask, inspect, parse } = await opened('aws', 'aws_read', environment);
    const all: ToolReturn[] = [];
    const text = async (line: string): Promise<string> => {
      const answer = await ask(...line.split(' '));
      all.push(answer);
      return answer.text;
    };
    expect(await text('sts get-caller-identity')).toContain('Account: 123456789012');
    expect(await text('cloudwatch describe-alarms')).toMatch(/^\{"AlarmName":"db-cpu"/);
    expect(await text('logs filter-log-events --log-group-name /ecs/shop --filter-pattern ERROR')).toBe(
      `${new Date(at).toISOString()} web-1: ERROR pool exhausted`,
    );
    expect(await text('ecs list-clusters --query clusterArns')).toBe(
      'arn:aws:ecs:eu-west-1:123456789012:cluster/shop',
    );
    expect(await text('rds describe-db-instances')).toMatch(/^Nothing found/);
    expect(await text('secretsmanager list-secrets --query SecretList[].Name')).toBe('db');
    expect(await text('ecs describe-services --cluster none --services x')).toContain(
      'ClusterNotFoundException',
    );
    for (const line of [
      'secretsmanager get-secret-value --secret-id db',
      'ssm get-parameter --name x --with-decryption',
      's3 cp s3://a/b .',
      'ecs update-service --cluster shop --service shop --desired-count 0',
      'rds describe-db-instances --endpoint-url http://127.0.0.1:1',
    ])
      expect(await text(line)).toMatch(/^Not run\. /);
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`planted-secret-of-aws|${plantedPassword}`));
    // a file in place of a value would be sent to AWS
    expect(() => parse('rds', 'describe-db-instances', '--filters', 'file:///etc/shadow')).toThrow(
      'names no file',
    );
    expect(await inspect('s3', 'ls', 's3://anybody')).toMatchObject([
      { effect: 'idempotent', hosts: ['anybody.s3.amazonaws.com'] },
    ]);

    const stranger = await opened('aws', 'aws_read', {
      PATH: environment.PATH,
      HOME: await temporaryFolder(),
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    expect((await stranger.ask('ecs', 'list-clusters')).text).toMatch(/^No access: .*ViewOnlyAccess/);
    const gone = await opened('aws', 'aws_read', { ...environment, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' });
    expect((await gone.ask('sts', 'get-caller-identity')).text).toMatch(/^Not reachable: /);
  },
);

type Cloud = {
  name: string;
  program: string;
  tool: string;
  reads: [line: string, json: Json, text: string][];
  others: string[];
};

const clouds: Cloud[] = [
  {
    name: 'aws',
    program: 'aws',
    tool: 'aws_read',
    reads: [
      [
        'cloudtrail lookup-events --max-items 5',
        {
          Events: [
            {
              EventId: 'e',
              EventName: 'UpdateService',
              EventTime: '2026-11-28T05:00:00+00:00',
              Username: 'ana',
              Resources: [{ ResourceType: 'x', ResourceName: 'shop' }],
              CloudTrailEvent: '{"errorCode":"AccessDenied","errorMessage":"not allowed"}',
            },
          ],
        },
        '2026-11-28T05:00:00+00:00 UpdateService by ana on shop FAILED: AccessDenied not allowed',
      ],
      [
        'cloudwatch get-metric-statistics --namespace AWS/RDS --metric-name CPUUtilization',
        {
          Label: 'CPUUtilization',
          Datapoints: [
            { Timestamp: '2026-11-28T05:01:00Z', Maximum: 99, Unit: 'Percent' },
            { Timestamp: '2026-11-28T05:00:00Z', Maximum: 3, Unit: 'Percent' },
          ],
        },
        '2026-11-28T05:00:00Z {"Maximum":3}\n2026-11-28T05:01:00Z {"Maximum":99}\nLabel: CPUUtilization',
      ],
      [
        'logs get-query-results --query-id x',
        {
          results: [
            [
              { field: '@message', value: 'pool' },
              { field: '@ptr', value: 'CnU' },
            ],
          ],
          status: 'Complete',
        },
        'pool\nstatus: Complete',
      ],
    ],
    others: [
      'ec2 terminate-instances --instance-ids i-1',
      'sts get-session-token',
      'lambda invoke --function-name f out',
    ],
  },
  {
    name: 'gcloud',
    program: 'gcloud',
    tool: 'gcloud_read',
    reads: [
      [
        'logging read severity>=ERROR --freshness=1h --limit=50',
        [
          {
            logName: 'projects/p/logs/stdout',
            timestamp: '2026-11-28T05:00:00Z',
            severity: 'ERROR',
            resource: { type: 'k8s_container', labels: { project_id: 'p', pod_name: 'shop-1' } },
            jsonPayload: { message: 'pool exhausted' },
          },
        ],
        '2026-11-28T05:00:00Z ERROR shop-1: pool exhausted',
      ],
      ['sql instances describe db', { name: 'db', state: 'RUNNABLE' }, 'name: db\nstate: RUNNABLE'],
    ],
    others: [
      'secrets versions access latest --secret=x',
      'auth print-access-token',
      'compute instances delete a',
      'container clusters get-credentials c',
    ],
  },
  {
    name: 'azure',
    program: 'az',
    tool: 'azure_read',
    reads: [
      [
        'monitor activity-log list --offset 2h',
        [
          {
            eventTimestamp: '2026-11-28T05:00:00Z',
            operationName: { value: 'x', localizedValue: 'Restart Virtual Machine' },
            status: { value: 'Succeeded' },
            caller: 'ana',
            resourceId: '/subscriptions/s/vm',
          },
        ],
        '2026-11-28T05:00:00Z Restart Virtual Machine Succeeded by ana on /subscriptions/s/vm',
      ],
      [
        'monitor metrics list --resource /x --metric CPU',
        {
          value: [
            {
              name: { value: 'Percentage CPU' },
              timeseries: [{ data: [{ timeStamp: '2026-11-28T05:00:00Z', average: 91.5, total: null }] }],
            },
          ],
        },
        '2026-11-28T05:00:00Z Percentage CPU {"average":91.5}',
      ],
    ],
    others: [
      'keyvault secret show --name x',
      'vm delete --name x',
      'account get-access-token',
      'rest --uri x',
    ],
  },
];

describe.each(clouds)('$name', ({ name, program, tool, reads, others }) => {
  /** It prints the words that it got when its answer is asked for as text. */
  const stand = async (answer: string) => {
    const folder = await temporaryFolder();
    const script = join(folder, program);
    await writeFile(join(folder, 'answer'), answer);
    await writeFile(script, `#!/bin/sh\ncat ${folder}/answer\n`);
    await chmod(script, 0o755);
    return opened(name, tool, { PATH: `${folder}:${process.env['PATH']}` });
  };

  test.each(reads)(
    '[SRC-41a] runs what only reads, and its answer is in few words: %s',
    async (line, json, text) => {
      const { ask, inspect } = await stand(JSON.stringify(json));
      const words = line.split(' ');
      expect((await ask(...words)).text).toBe(text);
      expect(await inspect(...words)).toMatchObject([{ effect: 'read' }]);
    },
  );

  test.each(others)(
    '[SRC-41b] refuses what changes something or prints a secret, and a rule that allows it changes nothing: %s',
    async (line) => {
      const { ask, inspect } = await stand('{"ran":true}');
      const words = line.split(' ');
      expect(await inspect(...words)).toMatchObject([{ decision: 'deny' }]);
      expect(await ask(...words)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^Not run\. /),
        outcome: 'refused',
      });
    },
  );
});

test('[SRC-41d] az and aws take no file in place of a value', async () => {
  const folder = await temporaryFolder();
  for (const [name, tool, program, word] of [
    ['azure', 'azure_read', 'az', '@/etc/shadow'],
    ['azure', 'azure_read', 'az', '--query=@/etc/shadow'],
    ['aws', 'aws_read', 'aws', 'Name=x,Values@=fileb:///etc/shadow'],
  ] as const) {
    const script = join(folder, program);
    await writeFile(script, '#!/bin/sh\n');
    await chmod(script, 0o755);
    const { parse } = await opened(name, tool, { PATH: `${folder}:${process.env['PATH']}` });
    expect(() => parse('vm', 'list', word)).toThrow('names no file');
  }
});
