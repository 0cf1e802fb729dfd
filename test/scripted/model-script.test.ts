import { describe, expect, test } from 'vitest';
import type { Message } from '@holdfast/vocabulary/messages';
import { userMessage } from '@holdfast/vocabulary/messages';
import { modelScriptSchema } from '@holdfast/scripted-model/model-script';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { playScript, unusedSteps } from '@holdfast/scripted-model/script-player';
import type { PlayableRequest, ScriptReply } from '@holdfast/scripted-model/script-player';
import { callTool, callTools, say, scriptOf } from '../../src/testing.ts';
import { reply as saidInReply } from '../support/memory-model.ts';
import { toolResult } from '../support/recorded-histories.ts';

const offered = ['grep', 'read'].map((name) => ({ name, description: name, parameters: {} }));

function request(messages: Message[], more: Partial<PlayableRequest> = {}): PlayableRequest {
  return { messages, systemPrompt: 'You investigate.', tools: offered, toolChoice: 'auto', ...more };
}

/** A session with a script: each call of a reply is answered by the next text. */
function session(script: ModelScript, prompt: string) {
  const messages: Message[] = [userMessage(prompt)];
  return {
    messages,
    next(more: Partial<PlayableRequest> = {}): ScriptReply {
      const reply = playScript(script, request(messages, more));
      messages.push(saidInReply(reply.content, { stopReason: reply.stopReason }));
      return reply;
    },
    answer(...texts: (string | { error: string })[]): void {
      const last = messages.findLast((message) => message.role === 'assistant');
      const calls = last?.content.filter((part) => part.type === 'tool_call') ?? [];
      for (const [index, call] of calls.entries()) {
        const given = texts[index] ?? '';
        const isError = typeof given !== 'string';
        messages.push(toolResult(call.callId, isError ? given.error : given, call.name, isError));
      }
    },
    steer(text: string): void {
      messages.push(userMessage(text, 'steer'));
    },
  };
}

function textOf(reply: ScriptReply): string {
  return reply.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function argsOf(reply: ScriptReply, index = 0): unknown {
  const call = reply.content.filter((part) => part.type === 'tool_call')[index];
  return JSON.parse(call?.arguments ?? 'null');
}

const poolScript = scriptOf([
  callTools(
    [
      {
        tool: 'grep',
        args: { pattern: 'timeout' },
        as: 'timeouts',
        capture: { first: { regex: '^(\\S+) .*timeout' }, errors: { regex: 'timeout', take: 'count' } },
      },
      { tool: 'read', args: { path: 'pool.yaml' }, capture: { pool: { regex: 'size: (\\d+)' } } },
    ],
    { id: 'look' },
  ),
  callTool(
    'read',
    { path: 'deploys.log', from: '{{first}}', lines: '{{errors | times:2}}' },
    { id: 'deploys' },
  ),
  say('Pool of {{pool}}, {{errors}} timeouts since {{first}} ({{timeouts.callId}}).', { id: 'answer' }),
]);

describe('the place in a script', () => {
  test('comes from the request alone: the same request gives the same reply, call ids included', () => {
    const run = session(poolScript, 'Why?');
    run.next();
    run.answer('12:03:10 timeout\n12:03:11 timeout', 'size: 2');
    const before = structuredClone(run.messages);
    const once = playScript(poolScript, request(before));
    const again = playScript(poolScript, request(structuredClone(before)));
    expect(again).toEqual(once);
    expect(once.content).toEqual([
      {
        type: 'tool_call',
        callId: 'call_2_1_deploys',
        name: 'read',
        arguments: '{"path":"deploys.log","from":"12:03:10","lines":4}',
      },
    ]);
  });

  test('values come from the tool results that were really given', () => {
    const answers = ['size: 2', 'size: 20'].map((pool) => {
      const run = session(poolScript, 'Why?');
      run.next();
      run.answer('12:03:10 timeout', pool);
      run.next();
      run.answer('deploy 41');
      return textOf(run.next());
    });
    expect(answers).toEqual([
      'Pool of 2, 1 timeouts since 12:03:10 (call_1_1_look).',
      'Pool of 20, 1 timeouts since 12:03:10 (call_1_1_look).',
    ]);
  });

  test('steering anywhere changes nothing unless a branch asks for it', () => {
    const script = scriptOf([
      callTool('grep', {}, { id: 'look', next: [{ when: { steered: '(?:stop|enough)' }, goto: 'short' }] }),
      say('Long answer.', { id: 'long', next: 'end' }),
      say('Short answer: {{what}}.', { id: 'short', captureSteered: { what: { regex: 'stop (\\w+)' } } }),
    ]);
    const replies = ['Look at checkout too', 'Please stop now'].map((text) => {
      const run = session(script, 'Why?');
      run.next();
      run.answer('nothing');
      run.steer(text);
      return textOf(run.next());
    });
    expect(replies).toEqual(['Long answer.', 'Short answer: now.']);
  });

  test('a loop of steps goes on until its condition holds', () => {
    const script = scriptOf([
      callTool(
        'grep',
        { round: '{{turn}}' },
        { id: 'poll', next: [{ when: { value: '{{turn}}', less: 4 }, goto: 'poll' }] },
      ),
      say('Done.', { id: 'done' }),
    ]);
    const run = session(script, 'Poll.');
    const rounds = [1, 2, 3].map(() => {
      const reply = run.next();
      run.answer('still 7');
      return argsOf(reply);
    });
    expect(rounds).toEqual([{ round: 1 }, { round: 2 }, { round: 3 }]);
    expect(textOf(run.next())).toBe('Done.');
  });

  test('a view whose beginning was folded into a summary is placed by its call ids', () => {
    const script = scriptOf([
      callTool('grep', {}, { id: 'poll', next: [{ when: { value: '{{turn}}', less: 9 }, goto: 'poll' }] }),
      say('Done after {{turn}}.', { id: 'done' }),
    ]);
    const run = session(script, 'Poll.');
    for (let round = 0; round < 5; round++) {
      run.next();
      run.answer('7');
    }
    const folded = [userMessage('Context of previous work'), ...run.messages.slice(-4)];
    expect(playScript(script, request(folded)).content).toMatchObject([{ callId: 'call_6_1_poll' }]);
  });

  test('a last word without tools is text, and leaves the step to be played', () => {
    const run = session(poolScript, 'Why?');
    run.next();
    run.answer('12:03:10 timeout', 'size: 2');
    expect(run.next({ toolChoice: 'none' }).content).toEqual([{ type: 'text', text: expect.any(String) }]);
    run.steer('Go on.');
    expect(run.next().content).toMatchObject([{ type: 'tool_call', name: 'read' }]);
  });

  test('after the end it says afterEnd', () => {
    const run = session({ ...scriptOf([say('One.')]), afterEnd: 'That was all, {{steered}}.' }, 'Hi');
    run.next();
    run.steer('really');
    expect(textOf(run.next())).toBe('That was all, really.');
    run.steer('sure');
    expect(textOf(run.next())).toBe('That was all, sure.');
  });
});

describe('a request that does not fit', () => {
  test('a capture that found nothing names itself, its call and its expression', () => {
    const run = session(poolScript, 'Why?');
    run.next();
    run.answer('12:03:10 timeout', 'no such file');
    expect(() => run.next()).toThrow(
      'Capture "pool" (/size: (\\d+)/) found nothing in the result of "read" (step "look", call call_1_2_look)',
    );
  });

  test('an optional capture may be missing; a template of it is then an error unless it has a default', () => {
    const script = (text: string) =>
      scriptOf([
        callTools([{ tool: 'grep', capture: { id: { regex: 'id=(\\d+)', optional: true } } }]),
        say(text),
      ]);
    const play = (text: string) => {
      const run = session(script(text), 'Why?');
      run.next();
      run.answer('nothing');
      return textOf(run.next());
    };
    expect(play('id {{id | default:"unknown"}}')).toBe('id unknown');
    expect(() => play('id {{id}}')).toThrow(
      'The template {{id}} has no value. Known names: prompt, steered, step-1.callId, turn.',
    );
  });

  test('a tool that is not offered', () => {
    const run = session(poolScript, 'Why?');
    expect(() => run.next({ tools: offered.slice(0, 1) })).toThrow(
      'calls "read", which the request does not offer. Offered: grep.',
    );
  });

  test('a transcript of another script, and one that goes on after the end', () => {
    const other = session(scriptOf([callTool('read', {}, { id: 'other' }), say('x')]), 'Why?');
    other.next();
    other.answer('text');
    expect(() => playScript(poolScript, request(other.messages))).toThrow(
      'expected step "look" (calls of grep, read) as reply 1, but the transcript has a reply with calls of read',
    );
    const ended = session(scriptOf([say('One.')]), 'Hi');
    ended.next();
    ended.steer('more');
    expect(() => ended.next()).toThrow('is at its end after 1 steps, but another reply was asked for');
  });

  test('an expectation about the last user message', () => {
    const script = scriptOf([say('Hello.', { expect: { lastUserMatches: '^Why' } })]);
    expect(textOf(session(script, 'Why?').next())).toBe('Hello.');
    expect(() => session(script, 'How?').next()).toThrow('expected the last user message to match /^Why/');
  });

  test('steps left over are reported', () => {
    const run = session(poolScript, 'Why?');
    run.next();
    expect(unusedSteps(poolScript, run.messages)).toEqual(['deploys', 'answer']);
  });

  test('a branch that was not taken is not left over, one that may still be is', () => {
    const branches = scriptOf([
      say('One.', { id: 'one', next: [{ when: { steered: 'more' }, goto: 'more' }, { goto: 'last' }] }),
      say('More.', { id: 'more' }),
      say('Last.', { id: 'last', next: 'end' }),
      say('Nowhere.', { id: 'nowhere' }),
    ]);
    const run = session(branches, 'Hi');
    expect(unusedSteps(branches, run.messages)).toEqual(['one', 'more', 'last']);
    run.next();
    expect(unusedSteps(branches, run.messages)).toEqual(['more', 'last']);
    run.next();
    expect(unusedSteps(branches, run.messages)).toEqual([]);
  });
});

describe('captures, templates and conditions', () => {
  const lines = 'a 12ms\nb 1,250ms\nc 40ms';
  test.each([
    ['first', '12'],
    ['last', '40'],
    ['all', ['12', '1,250', '40']],
    ['count', 3],
    ['sum', 1302],
    ['max', 1250],
    ['min', 12],
  ] as const)('take %s', (take, expected) => {
    const script = scriptOf([
      callTools([{ tool: 'grep', capture: { found: { regex: '([\\d,]+)ms', take } } }]),
      callTool('read', { found: '{{found}}' }),
    ]);
    const run = session(script, 'Why?');
    run.next();
    run.answer(lines);
    expect(argsOf(run.next())).toEqual({ found: expected });
  });

  test.each([
    ['{{ms | number | divide:1000 | fixed:2}} s', '1.25 s'],
    ['{{ms | minus:250}}', '1000'],
    ['{{ms | divide:0 | default:"no"}}', 'no'],
    ['{{ms | number | thousands}}', '1,250'],
    ['{{all | size}} of {{all | last}}; {{all | join:" | "}}', '2 of b; a | b'],
    ['{{nothing | default:"{x"}}', '{{nothing | default:"{x"}}'],
  ])('%s', (template, expected) => {
    const script = {
      ...scriptOf([say(template)]),
      capture: { ms: { regex: 'took (\\d+)' }, all: { regex: '"(\\w)"', take: 'all' as const } },
    };
    expect(textOf(session(script, 'took 1250 "a" "b"').next())).toBe(expected);
  });

  test.each([
    [{ value: '{{n}}', greater: 5 }, true],
    [{ value: '{{n}}', greater: '{{m}}' }, false],
    [{ value: '{{n}}', less: '{{m}}' }, true],
    [{ value: '{{n}}', equals: 7 }, true],
    [{ value: '{{n}}', equals: '7.0' }, false],
    [{ value: '{{n}}', matches: '^7$' }, true],
    [{ value: '{{gone}}' }, false],
    [{ value: '{{gone}}', exists: false }, true],
    [{ value: '{{n}}', exists: false }, false],
    [{ any: [{ value: '{{gone}}' }, { value: '{{n}}' }] }, true],
    [{ all: [{ value: '{{gone}}' }, { value: '{{n}}' }] }, false],
    [{ failed: false }, true],
  ])('condition %j is %s', (when, expected) => {
    const script = {
      ...scriptOf([say('no', { id: 'no' }), say('yes', { id: 'yes' })]),
      capture: { n: { regex: 'n=(\\d+)' }, m: { regex: 'm=(\\d+)' } },
      start: [{ when, goto: 'yes' }],
    };
    expect(textOf(session(script, 'n=7 m=8').next())).toBe(expected ? 'yes' : 'no');
  });

  test('failed sees an error among the results of the last batch', () => {
    const script = scriptOf([
      callTool('grep', {}, { next: [{ when: { failed: true }, goto: 'mend' }] }),
      say('fine', { id: 'fine', next: 'end' }),
      say('mend', { id: 'mend' }),
    ]);
    const run = session(script, 'Why?');
    run.next();
    run.answer({ error: 'denied' });
    expect(textOf(run.next())).toBe('mend');
  });
});

describe('the schema', () => {
  test.each([
    [{ steps: [{ id: 'a', next: 'b' }] }, 'goes to "b", but no step has that id'],
    [{ steps: [{ id: 'a' }, { id: 'a' }] }, '"a" is used by an earlier step'],
    [{ steps: [{ id: 'end' }] }, '"end" is reserved'],
    [
      { steps: [{ id: 'a', calls: [{ tool: 'grep', capture: { x: { regex: '(' } } }] }] },
      'not a valid regular expression',
    ],
    [{ steps: [{ id: 'a', txt: 'typo' }] }, 'txt'],
    [{ steps: [] }, 'steps'],
    [
      { steps: [{ id: 'a' }], parts: { critic: { name: 'c', steps: [{ id: 'b', next: 'gone' }] } } },
      'goes to "gone"',
    ],
  ])('refuses %j', (script, message) => {
    const parsed = modelScriptSchema.safeParse({ name: 'bad', ...script });
    expect(JSON.stringify(parsed.error?.issues)).toContain(message.replaceAll('"', String.raw`\"`));
  });
});

describe('a call that is made only where its tool is offered', () => {
  const script = scriptOf([
    callTools([
      { tool: 'bash', ifOffered: true, as: 'shell', capture: { load: { regex: '^(\\S+)', optional: true } } },
      { tool: 'read', args: { path: 'pool.yaml' }, capture: { pool: { regex: 'size: (\\d+)' } } },
    ]),
    say('Pool {{pool}}, load {{load | default:"unknown"}}.'),
  ]);
  const bash = { name: 'bash', description: 'bash', parameters: {} };
  const namesOf = (reply: ScriptReply) =>
    reply.content.flatMap((part) => (part.type === 'tool_call' ? [part.name] : []));

  test('with the tool it is made, and its result is taken', () => {
    const run = session(script, 'Go.');
    expect(namesOf(run.next({ tools: [...offered, bash] }))).toEqual(['bash', 'read']);
    run.answer('0.42 0.40', 'size: 3');
    expect(textOf(run.next({ tools: [...offered, bash] }))).toBe('Pool 3, load 0.42.');
  });

  test('without the tool the others are made, and their results are theirs', () => {
    const run = session(script, 'Go.');
    expect(namesOf(run.next())).toEqual(['read']);
    run.answer('size: 3');
    expect(textOf(run.next())).toBe('Pool 3, load unknown.');
    expect(unusedSteps(script, run.messages)).toEqual([]);
  });
});
