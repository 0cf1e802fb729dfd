// The demo by alert: from a broken deploy, over Prometheus and Alertmanager, to a delivered report, with nobody at the keyboard.
import { expect, test } from 'vitest';
import { missingPrograms } from '../support/real-servers.ts';
import { type DemoLine, expectAllVerified, expectNothingRuns, runDemo } from '../support/run-demo.ts';

// Debian has another name for Alertmanager
const names = ['alertmanager', 'prometheus-alertmanager'];
const missing =
  missingPrograms('prometheus') ??
  names.map((name) => missingPrograms(name)).reduce((one, other) => one && other);

test.skipIf(missing)(
  `[ALERT-09a] an alert of Prometheus starts the agent, and its report is delivered${missing ? `: skipped, ${missing}` : ''}`,
  async () => {
    const demo = await runDemo(['--alert', '--no-wait']);
    expect(demo.stderr).toContain('Nobody to ask here: denied in');
    expect(demo.exitCode).toBe(0);
    const line = <Type extends DemoLine['type']>(type: Type) => demo.lines.find((each) => each.type === type);
    expect(line('monitoring')).toMatchObject({
      words: expect.stringMatching(/^Prometheus http:\S+ and Alertmanager http:\S+$/),
    });
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
  },
  180_000,
);
