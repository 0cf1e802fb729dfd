// Nothing is wrong: an alert still fires because its own evaluation died. The errors that it was about ended in a deploy
// long ago, and a batch of old errors is still in the log.
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const nothingWrong: IncidentModule = { start };

async function start(system: System): Promise<StartedIncident> {
  const log = system.log('signup');
  const metrics = createMetrics();
  const count = metrics.counter('signup_requests_total', 'Sign-ups by HTTP status.');
  let [served, failed, broken] = [0, 0, true];
  const signUp = (): void => {
    if (broken) {
      failed += 1;
      count('{code="502"}');
      log('ERROR', 'signup failed reason="mail relay refused the connection"');
    } else {
      served += 1;
      count('{code="200"}');
    }
  };
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /watch': async (_, response) => {
        const [before, good] = [failed, served];
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        respond(response, 200, `watched 1 s: failed=${failed - before} served=${served - good}\n`);
      },
    },
    log,
  );
  // a rule that reads the metrics, and keeps the last state when it fails
  const rules = system.log('alert-rules');
  const alert = { state: 'inactive', evaluatedAt: new Date().toISOString() };
  let file = '/metrics';
  system.every(50, async () => {
    try {
      const response = await fetch(`${url}${file}`);
      if (!response.ok) throw new Error(`${file} answered ${response.status}`);
      await response.text();
      alert.state = broken ? 'firing' : 'inactive';
      alert.evaluatedAt = new Date().toISOString();
    } catch (error) {
      rules('ERROR', `rule SignupErrors not evaluated, state kept: ${String(error)}`);
    }
  });
  const alerts = await system.serve(
    {
      'GET /alerts': (_, response) =>
        respond(
          response,
          200,
          `alert=SignupErrors state=${alert.state} last_evaluated=${alert.evaluatedAt}\n`,
        ),
    },
    rules,
  );
  for (let index = 0; index < 40; index += 1) signUp();
  await until('the alert', () => alert.state === 'firing');
  file = '/metrics-v1';
  await system.deploy('d-551', 'alert-rules', 'scrape signup at /metrics-v1');
  await until('a failed evaluation', async () => !(await fetch(`${url}${file}`)).ok);
  broken = false;
  log('INFO', 'mail relay answers again');
  system.every(20, signUp);
  await until('sign-ups', () => served > 30);
  return {
    task: [
      'Alert SignupErrors has been firing for a while: "sign-ups fail, mail relay". Nobody has complained yet. Is it real?',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Signup: ${url}/metrics, and ${url}/watch counts for a second. Alerts: ${alerts}/alerts`,
    ].join('\n'),
  };
}
