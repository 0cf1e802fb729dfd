// The demo by alert: from a broken deploy to a delivered report, with nobody at the keyboard, and with a model behind a vendor's
// SDK. That the model's server gives what the script in the worker gives is in test/scripted/scripted-model-server.test.ts.
import { expect, onTestFinished, test } from 'vitest';
import { checkoutScriptPath } from '../../packages/demo/src/checkout/config.ts';
import { planIncident } from '../../packages/demo/src/checkout/plan.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { startScriptedModelServer } from '@holdfast/scripted-model/scripted-model-server';
import { missingPrograms } from '../support/real-servers.ts';
import {
  type Demo,
  type DemoLine,
  causeOf,
  eventsOf,
  expectAllVerified,
  expectNothingRuns,
  runDemo,
} from '../support/run-demo.ts';

let demo: Demo;
const line = <Type extends DemoLine['type']>(type: Type) => demo.lines.find((each) => each.type === type);

test('[CLI-09cf] by alert, through ANTHROPIC_BASE_URL: the approval is denied, the report says so, and is delivered', async () => {
  const model = await startScriptedModelServer({ script: await loadModelScript(checkoutScriptPath) });
  onTestFinished(() => model.close());
  demo = await runDemo(['--alert', '--no-wait', '--seed', '5'], {
    ANTHROPIC_API_KEY: 'any',
    ANTHROPIC_BASE_URL: model.anthropicBaseUrl,
  });
  expect(demo.exitCode).toBe(0);
  expect(demo.result).toMatchObject({ status: 'completed', report: { grade: 'confirmed' } });
  expect(demo.stderr).toContain('Nobody to ask here: denied in');
  expect(eventsOf(demo, 'approval_resolved')).toMatchObject([
    { approved: false, actor: 'the demo (nobody at the keyboard)' },
  ]);
  expect(demo.result.lastWords).toMatch(/^Found, not fixed\./);
  expect(demo.record).toMatchObject({ running: planIncident(5).deployIds.fault, contradictions: [] });
  expect(causeOf(5).slice(-2)).not.toBe(causeOf(7).slice(-2));
  expect(demo.report).toContain(causeOf(5));
  const session = line('session');
  expect(line('alert')).toMatchObject({
    receiver: 'shop',
    name: 'CheckoutErrors',
    severity: 'critical',
    fate: { session: session?.type === 'session' ? session.sessionId : '' },
  });
  // start, question, end
  expect(line('delivered')).toMatchObject({ files: Array(3).fill(expect.stringMatching(/\.md$/)) });
  expectAllVerified(demo);
  await expectNothingRuns(demo);
}, 300_000);

// Debian has another name for Alertmanager
const names = ['alertmanager', 'prometheus-alertmanager'];
const missing =
  missingPrograms('prometheus') ??
  names.map((name) => missingPrograms(name)).reduce((one, other) => one && other);

test.skipIf(missing)(
  `[ALERT-09a] the alert was one of Prometheus and Alertmanager${missing ? `: skipped, ${missing}` : ''}`,
  () => {
    expect(line('monitoring')).toMatchObject({
      words: expect.stringMatching(/^Prometheus http:\S+ and Alertmanager http:\S+$/),
    });
  },
);
