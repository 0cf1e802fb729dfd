// A refusal in words for callers that have no command line.
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { sessionClosed } from '../../src/client/session-caller.ts';
import { answerProblem } from '../../src/gateway/problem.ts';

test('[MODE-22e] an answer that comes after the end of the session is told what ended its run', async () => {
  const app = new Hono().get('/:ended?', (c) => {
    const closed = sessionClosed('night', undefined, c.req.param('ended'));
    return answerProblem(closed, c, 'request-1').answer;
  });
  const late = await app.request('/The run has reached its deadline.');
  expect(await late.json()).toMatchObject({
    code: 'SessionClosed',
    detail: expect.stringMatching(
      /fork continues from it in a new session\. The run has reached its deadline\.$/,
    ),
  });
  expect(await (await app.request('/')).json()).toMatchObject({
    detail: expect.stringMatching(/in a new session\.$/),
  });
});
