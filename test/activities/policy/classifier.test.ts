// The classifier tier against a real HTTP server: what it sends, and that only a whole and sure answer allows.
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createClassifier } from '../../../src/activities/policy/classifier.ts';
import { parseConfig } from '../../../src/config/config-file.ts';
import type { ProposedCall } from '../../../src/activities/policy/policy-tiers.ts';
import { startHttpServer } from '../../support/http-server.ts';

const call: ProposedCall = {
  agent: 'investigator',
  task: 'Why is checkout slow?',
  tool: 'restart',
  args: { service: 'shop' },
  actions: [],
  tags: ['customer-data'],
};
const never = new AbortController().signal;

async function answering(status: number, body: string, settings: { threshold?: number } = {}) {
  const server = await startHttpServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return createClassifier({ url: `${server.url}/judge`, ...settings });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

test('[MODE-05d] it gets the call as JSON, with the token behind a reference', async () => {
  const heard: { body: unknown; authorization: string | undefined }[] = [];
  const server = await startHttpServer((request, response) => {
    void bodyOf(request).then((body) => {
      heard.push({ body: JSON.parse(body), authorization: request.headers.authorization });
      response.end('{"verdict":"allow","confidence":1}');
    });
  });
  const settings = { url: server.url, token: 'secret://judge' };
  const classify = createClassifier(settings, {
    resolve: async (text) => text.replace('secret://judge', 'value-1'),
  });
  expect(await classify(call, never)).toMatchObject({ decision: 'allow' });
  expect(heard).toEqual([{ body: call, authorization: 'Bearer value-1' }]);
});

test.each([
  ['{"verdict":"allow","confidence":0.85}', 'allow'],
  ['{"verdict":"allow","confidence":0.84}', 'unsure'],
  ['{"verdict":"ask","confidence":0.9}', 'ask'],
  ['{"verdict":"deny","confidence":0.99,"reason":"destroys"}', 'deny'],
  ['{"verdict":"deny","confidence":0.2}', 'unsure'],
  ['{"verdict":"yes","confidence":1}', 'deny'],
  ['{"verdict":"allow"}', 'deny'],
  ['{"verdict":"allow","confidence":7}', 'deny'],
  ['allow', 'deny'],
  ['', 'deny'],
])('[MODE-05dg] the answer %s: %s', async (body, decision) => {
  const classify = await answering(200, body);
  expect(await classify(call, never)).toMatchObject({ decision });
});

test('[MODE-05d] the threshold is a setting', async () => {
  const classify = await answering(200, '{"verdict":"allow","confidence":0.6}', { threshold: 0.5 });
  expect(await classify(call, never)).toMatchObject({ decision: 'allow' });
});

test('[MODE-05d] a stop ends the question to a server that does not answer', async () => {
  const stop = new AbortController();
  const server = await startHttpServer(() => stop.abort(new Error('it was stopped')));
  const classify = createClassifier({ url: server.url, timeoutMs: 20_000 });
  await expect(classify(call, stop.signal)).rejects.toThrow('it was stopped');
});

test('[MODE-05d] a server that fails, redirects or is not there is no verdict: the activity fails, and Temporal tries again', async () => {
  const failing = await answering(503, '{"verdict":"allow","confidence":1}');
  await expect(failing(call, never)).rejects.toMatchObject({
    type: 'Policy.Classifier',
    nonRetryable: false,
  });
  const redirecting = await startHttpServer((_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  await expect(createClassifier({ url: redirecting.url })(call, never)).rejects.toThrow('could not be asked');
  await expect(createClassifier({ url: 'http://127.0.0.1:1/' })(call, never)).rejects.toThrow(
    'could not be asked',
  );
});

test('the message of a failure, which enters the history, has no credentials', async () => {
  const url = 'http://henry:pass-word-1@127.0.0.1:1/judge';
  const message = await createClassifier({ url })(call, never).catch(String);
  expect(message).toContain('could not be asked');
  expect(message).not.toMatch(/henry|pass-word-1/);
  const redact = (text: string): string => text.replaceAll('token-of-the-path', '[redacted]');
  const classify = createClassifier({ url: 'http://henry@127.0.0.1:1/token-of-the-path' }, { redact });
  expect(await classify(call, never).catch(String)).toContain('http://127.0.0.1:1/[redacted]');
});

test('an address with a user is refused with the config', () => {
  for (const url of ['http://ann:pw@judge.test/', 'http://ann@judge.test/']) {
    expect(() => parseConfig({ policyTiers: { classifier: { url } } }, 'the test')).toThrow(
      /policyTiers\.classifier\.url.*use "token"/,
    );
  }
  const classifier = { url: 'http://judge.test/@here' };
  expect(() => parseConfig({ policyTiers: { classifier } }, 'the test')).not.toThrow();
});

test('[MODE-05g] an answer that does not end is left at its limit, and denies', async () => {
  const closed = Promise.withResolvers<void>();
  const server = await startHttpServer((_, response) => {
    const piece = `{"verdict":"allow","confidence":1}${' '.repeat(10_000)}`;
    const write = (): void => {
      if (response.write(piece)) setImmediate(write);
      else response.once('drain', write);
    };
    response.once('close', closed.resolve);
    write();
  });
  const classify = createClassifier({ url: server.url, timeoutMs: 60_000 });
  expect(await classify(call, never)).toMatchObject({ decision: 'deny' });
  await closed.promise;
});

test('[MODE-05d] a server that hangs is left', async () => {
  const hanging = await startHttpServer(() => undefined);
  const classify = createClassifier({ url: hanging.url, timeoutMs: 50 });
  await expect(classify(call, never)).rejects.toThrow('could not be asked');
});
